package generic

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Resolvers returns the resolvers of the families that are bound so.
func Resolvers() []graph.Resolver {
	return []graph.Resolver{New(bash()), New(css()), New(cue()), New(dockerfile()), New(hcl()), New(lua()), New(makefile()), New(protobuf()), New(sql()), New(yaml())}
}

func bash() Family {
	return Family{Languages: []string{"bash"}, Imports: ImportsPaths, Folders: []string{"lib", "scripts"}, Suffixes: []string{".sh"}, Outside: true}
}

func css() Family {
	return Family{Languages: []string{"css"}, Imports: ImportsPaths, Open: true, Outside: true}
}

func cue() Family { return Family{Languages: []string{"cue"}, Addresses: false, Outside: true} }

func makefile() Family {
	return Family{
		Languages: []string{"makefile"}, Imports: ImportsPaths, Outside: true,
		Builtin: set("MAKE MAKEFLAGS MAKECMDGOALS MAKEFILE_LIST CURDIR SHELL VPATH"),
	}
}

func sql() Family {
	return Family{
		Languages: []string{"sql"}, Open: true, Fold: true,
		Builtin: set("count sum avg min max coalesce nullif now current_timestamp lower upper length substring trim cast row_number rank " +
			"exists concat round abs date year month day json_agg array_agg string_agg nextval currval"),
	}
}

func yaml() Family { return Family{Languages: []string{"yaml"}} }

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
