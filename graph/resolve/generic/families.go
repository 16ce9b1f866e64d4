package generic

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Resolvers returns the resolvers of the families that are bound so.
func Resolvers() []graph.Resolver {
	return []graph.Resolver{New(bash()), New(dockerfile()), New(hcl()), New(lua()), New(protobuf())}
}

func bash() Family {
	return Family{Languages: []string{"bash"}, Imports: ImportsPaths, Folders: []string{"lib", "scripts"}, Suffixes: []string{".sh"}, Outside: true}
}

func dockerfile() Family { return Family{Languages: []string{"dockerfile"}, Outside: true} }

func hcl() Family {
	return Family{Languages: []string{"hcl"}, Imports: ImportsPaths, Addresses: true, Outside: true}
}

func lua() Family {
	return Family{
		Languages: []string{"lua"}, Imports: ImportsDotted, Suffixes: []string{".lua", "/init.lua"}, Folders: []string{"lua", "src", "lib"},
		Open: true, Constructors: []string{"new"},
		Builtin: set("assert collectgarbage dofile error getmetatable ipairs load loadfile loadstring next pairs pcall print rawequal " +
			"rawget rawlen rawset require select setfenv getfenv setmetatable tonumber tostring type unpack xpcall module string table " +
			"math io os coroutine debug utf8 package bit32 _G _VERSION _ENV arg self"),
	}
}

func protobuf() Family {
	return Family{Languages: []string{"protobuf"}, Imports: ImportsPaths, Folders: []string{"proto", "protos", "src"}}
}

// set returns a test for the words of a list.
func set(words string) func(string) bool {
	in := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		in[w] = true
	}
	return func(s string) bool { return in[s] }
}
