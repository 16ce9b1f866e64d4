package graph

import "strings"

// Role is what a file is for, judged by its path alone.
type Role string

// The closed set of roles.
const (
	RoleSource    Role = "source"
	RoleTest      Role = "test"
	RoleDocs      Role = "docs"
	RoleConfig    Role = "config"
	RoleGenerated Role = "generated"
)

// RoleOf judges a path. A directory segment decides before a file name, and
// whole segments are compared: "latest_news.py" and "contest/" are not tests.
func RoleOf(p Path) Role {
	segs := strings.Split(strings.ToLower(string(p)), "/")
	base := segs[len(segs)-1]
	for _, s := range segs[:len(segs)-1] {
		switch s {
		case "vendor", "node_modules", "third_party", "generated", "_generated", "dist":
			return RoleGenerated
		}
	}
	if generatedName(base) {
		return RoleGenerated
	}
	for _, s := range segs[:len(segs)-1] {
		switch s {
		case "test", "tests", "__tests__", "testdata", "e2e", "fixtures":
			return RoleTest
		case "spec", "specs": // a test folder where that is the runner's custom, a noun elsewhere
			if specRunner(base) {
				return RoleTest
			}
		}
	}
	if testName(base) {
		return RoleTest
	}
	for _, s := range segs[:len(segs)-1] {
		if s == "doc" || s == "docs" || s == "documentation" {
			return RoleDocs
		}
	}
	return roleByName(base)
}

// specRunner reports whether tests of the file's language are usually called specs.
func specRunner(base string) bool {
	switch base[strings.LastIndexByte(base, '.')+1:] {
	case "rb", "js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "coffee":
		return true
	}
	return false
}

func generatedName(base string) bool {
	for _, suf := range [...]string{".min.js", ".min.css", ".pb.go", "_pb2.py", ".lock", "-lock.json", ".sum", ".map"} {
		if strings.HasSuffix(base, suf) {
			return true
		}
	}
	return strings.HasPrefix(base, "zz_generated.")
}

func testName(base string) bool {
	stem, ext, _ := strings.Cut(base, ".")
	if strings.HasPrefix(base, "test_") && strings.HasSuffix(base, ".py") || base == "conftest.py" {
		return true
	}
	if strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec") {
		return true
	}
	return strings.HasPrefix(ext, "test.") || strings.HasPrefix(ext, "spec.")
}

func roleByName(base string) Role {
	stem, _, _ := strings.Cut(base, ".")
	switch stem {
	case "readme", "changelog", "contributing", "license", "authors", "copying", "architecture", "agents", "notice":
		return RoleDocs
	case "makefile", "dockerfile", "":
		return RoleConfig
	}
	dot := strings.LastIndexByte(base, '.')
	if dot < 0 {
		return RoleSource
	}
	switch base[dot:] {
	case ".md", ".markdown", ".rst", ".adoc", ".txt":
		return RoleDocs
	case ".toml", ".yaml", ".yml", ".cfg", ".ini", ".json", ".mod", ".conf", ".properties", ".xml":
		return RoleConfig
	}
	return RoleSource
}
