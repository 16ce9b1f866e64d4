package graph

import (
	"strings"
	"testing"
)

func TestIDRoundTrip(t *testing.T) {
	f := &Facts{Path: "a/b.go", Hash: Hash{1, 2, 3, 4, 5}, Defs: []Def{
		{Name: "F", Local: "F", Kind: KindFunction}, {Name: "F", Local: "F", Kind: KindFunction},
	}}
	for _, s := range []string{
		EvidenceID(f.Path, f.Hash, 1, 1), EvidenceID(f.Path, f.Hash, 7, 4000),
		SpanID(f.Path, f.Hash, Span{Start: 3, End: 1 << 31}), SymbolID(f, 0), SymbolID(f, 1), FileSymbolID(f.Path),
	} {
		id, ok := ParseID(s)
		if !ok || id.String() != s {
			t.Errorf("ParseID(%q) = %+v, %v", s, id, ok)
		}
		if id.Path != KeyOf(f.Path) {
			t.Errorf("%q: wrong path key", s)
		}
		if id.Kind != IDSymbol && !id.Matches(f.Hash) {
			t.Errorf("%q: does not match its own hash", s)
		}
	}
	for i := int32(0); i < 2; i++ {
		id, _ := ParseID(SymbolID(f, i))
		if got, ok := FindSymbol(f, id); !ok || got != i {
			t.Errorf("FindSymbol = %d, %v, want %d", got, ok, i)
		}
	}
	for _, bad := range []string{"", "e:", "x:AAAA", "s:AAAA", "sp:!!", "e:AAAAAAAAAAAAAA", SymbolID(f, 0) + "A"} {
		if _, ok := ParseID(bad); ok {
			t.Errorf("ParseID(%q) accepted", bad)
		}
	}
}

// An id that was altered anywhere is malformed or names no file: never other lines.
func TestAlteredIDs(t *testing.T) {
	p, h := Path("a/b.go"), Hash{1, 2, 3, 4, 5}
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for _, s := range []string{EvidenceID(p, h, 7, 4000), SpanID(p, h, Span{Start: 3, End: 700})} {
		head := strings.IndexByte(s, ':') + 1
		for i := head; i < len(s); i++ {
			for _, c := range digits {
				altered := s[:i] + string(c) + s[i+1:]
				if id, ok := ParseID(altered); ok && altered != s && id.Path == KeyOf(p) {
					t.Errorf("%q, altered from %q, names the file: %+v", altered, s, id)
				}
			}
		}
	}
	span := SpanID(p, h, Span{Start: 1, End: 2})
	if id, ok := ParseID("e:" + strings.TrimPrefix(span, "sp:")); ok && id.Path == KeyOf(p) {
		t.Errorf("a span id that is called evidence names the file: %+v", id)
	}
}

func TestPath(t *testing.T) {
	for _, c := range []struct{ base, elem, want string }{
		{"a/b", "../c", "a/c"}, {"", "x", "x"}, {"a", "..", ""}, {"a/b", "./c/d.ts", "a/b/c/d.ts"},
	} {
		if got, ok := Path(c.base).Join(c.elem); !ok || string(got) != c.want {
			t.Errorf("Join(%q, %q) = %q, %v", c.base, c.elem, got, ok)
		}
	}
	for _, c := range []struct{ base, elem string }{{"", ".."}, {"a", "../.."}, {"", "../x"}} {
		if got, ok := Path(c.base).Join(c.elem); ok {
			t.Errorf("Join(%q, %q) = %q, want refused", c.base, c.elem, got)
		}
	}
	if Path("pkgx/a").Under("pkg") || !Path("pkg/a").Under("pkg") || !Path("pkg").Under("pkg") || !Path("x").Under("") {
		t.Error("Under")
	}
}

func TestRoleOf(t *testing.T) {
	for p, want := range map[Path]Role{
		"latest_news.py": RoleSource, "contest/entry.py": RoleSource, "pkg/a_test.go": RoleTest,
		"tests/x.py": RoleTest, "src/a.spec.ts": RoleTest, "vendor/x/a.go": RoleGenerated,
		"README.md": RoleDocs, "docs/conf.py": RoleDocs, "go.mod": RoleConfig, "conftest.py": RoleTest,
		"x.min.js": RoleGenerated, "Makefile": RoleConfig, "bin/tool": RoleSource, "test_a.py": RoleTest,
		"spec/user_spec.rb": RoleTest, "spec/helper.js": RoleTest, "internal/spec/spec.go": RoleSource, "testing/testing.go": RoleSource,
	} {
		if got := RoleOf(p); got != want {
			t.Errorf("RoleOf(%q) = %s, want %s", p, got, want)
		}
	}
}

func TestLastElement(t *testing.T) {
	for s, want := range map[string]string{"net/http": "http", "os.path": "path", "./a/b.js": "b.js", "x": "x", "..": "", "": ""} {
		if got := LastElement(s); got != want {
			t.Errorf("LastElement(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestRefNamesOfMentions(t *testing.T) {
	f := &Facts{Mentions: []Mention{{Form: MentionLink, Target: "conf.py"}, {Form: MentionLink, Target: "../a/b.md"}}}
	var got []string
	f.RefNames(func(n string) { got = append(got, n) })
	if len(got) != 2 || got[0] != "conf.py" || got[1] != "b.md" {
		t.Errorf("RefNames = %q, want the base names of the targets", got)
	}
}
