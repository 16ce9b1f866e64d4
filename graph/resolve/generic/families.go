package generic

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Resolvers returns the resolvers of the families that are bound so.
func Resolvers() []graph.Resolver {
	return []graph.Resolver{
		New(bash()),
		New(csharp()),
		New(css()),
		New(cue()),
		New(dockerfile()),
		New(elixir()),
		New(elm()),
		New(groovy()),
		New(hcl()),
		New(kotlin()),
		New(lua()),
		New(makefile()),
		New(ocaml()),
		New(protobuf()),
		New(scala()),
		New(sql()),
		New(swift()),
		New(yaml()),
	}
}

func bash() Family {
	return Family{Languages: []string{"bash"}, Imports: ImportsPaths, Folders: []string{"lib", "scripts"}, Suffixes: []string{".sh"}, Outside: true, Spaces: true}
}

func css() Family {
	return Family{Languages: []string{"css"}, Imports: ImportsPaths, Open: true, Outside: true, Spaces: true}
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
		Languages: []string{"sql"}, Open: true, Fold: true, Schemas: true,
		Builtin: set("count sum avg min max coalesce nullif now current_timestamp lower upper length substring trim cast row_number rank " +
			"exists concat round abs date year month day json_agg array_agg string_agg nextval currval"),
	}
}

func yaml() Family {
	return Family{
		Languages: []string{"yaml"}, Imports: ImportsPaths, Keyed: true,
		Suffixes: []string{"/action.yml", "/action.yaml", "/kustomization.yaml", "/kustomization.yml"},
	}
}

func dockerfile() Family { return Family{Languages: []string{"dockerfile"}, Outside: true} }

func hcl() Family {
	return Family{Languages: []string{"hcl"}, Imports: ImportsPaths, Addresses: true, Outside: true}
}

func lua() Family {
	return Family{
		Languages: []string{"lua"}, Imports: ImportsDotted, Suffixes: []string{".lua", "/init.lua"}, Folders: []string{"lua", "src", "lib"},
		Open: true, Constructors: []string{"new"}, Tables: true,
		Builtin: set("assert collectgarbage dofile error getmetatable ipairs load loadfile loadstring next pairs pcall print rawequal " +
			"rawget rawlen rawset require select setfenv getfenv setmetatable tonumber tostring type unpack xpcall module string table " +
			"math io os coroutine debug utf8 package bit32 _G _VERSION _ENV arg self"),
	}
}

func protobuf() Family {
	return Family{Languages: []string{"protobuf"}, Imports: ImportsPaths, Folders: []string{"proto", "protos", "src"}, Outward: true}
}

func csharp() Family {
	return Family{
		Languages: []string{"csharp"}, Imports: ImportsNames, Scoped: true, Outward: true, Proper: capital, Strict: true, Arity: true, Typed: true,
	}
}

func elixir() Family {
	return Family{
		Languages: []string{"elixir"}, Imports: ImportsNames, Scoped: true, Proper: capital, Strict: true, Closed: true, Arity: true, Defaults: true, DefaultMark: `\\`,
	}
}

func elm() Family {
	return Family{
		Languages: []string{"elm"}, Imports: ImportsDotted, Suffixes: []string{".elm"}, Folders: []string{"src"}, Proper: capital, Variants: true, Strict: true,
	}
}

func groovy() Family {
	return Family{Languages: []string{"groovy"}, Imports: ImportsNames, Proper: capital, Strict: true}
}

func ocaml() Family {
	return Family{
		Languages: []string{"ocaml"}, Imports: ImportsNames, Proper: capital, Variants: true, Declares: ".mli", Strict: true,
		Builtin: set("int string bool float char unit list array option ref bytes exn int32 int64 nativeint result lazy_t failwith raise ignore not fst snd print_endline " +
			"print_string string_of_int int_of_string min max abs compare succ pred invalid_arg exit"),
	}
}

func kotlin() Family {
	return Family{
		Languages: []string{"kotlin"}, Imports: ImportsNames, Proper: capital, Strict: true, Arity: true, Defaults: true, Typed: true, Receivers: true,
		Builtin: set("require requireNotNull check checkNotNull error listOf listOfNotNull mutableListOf emptyList arrayListOf setOf mutableSetOf emptySet hashSetOf linkedSetOf mapOf " +
			"mutableMapOf emptyMap hashMapOf linkedMapOf arrayOf arrayOfNulls emptyArray byteArrayOf intArrayOf longArrayOf charArrayOf shortArrayOf floatArrayOf doubleArrayOf " +
			"booleanArrayOf sequenceOf sequence emptySequence buildString buildList buildMap buildSet println print readLine readln lazy lazyOf run with apply let also repeat TODO " +
			"minOf maxOf synchronized runCatching generateSequence iterator"),
	}
}

func scala() Family {
	return Family{Languages: []string{"scala"}, Imports: ImportsNames, Proper: capital, Strict: true, Companions: true}
}

func swift() Family {
	return Family{
		Languages: []string{"swift"}, Open: true, Proper: capital, Strict: true, Arity: true,
		Attributes: []string{"@propertyWrapper", "@resultBuilder", "@globalActor", "macro "},
	}
}

// capital reports whether a name begins with an upper-case letter.
func capital(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// set returns a test for the words of a list.
func set(words string) func(string) bool {
	in := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		in[w] = true
	}
	return func(s string) bool { return in[s] }
}
