package manifest

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// pyproject is the part of pyproject.toml that resolvers need. Poetry and
// setuptools say the same things in tables of their own.
type pyproject struct {
	Project struct {
		Name         string   `toml:"name"`
		Version      string   `toml:"version"`
		Dependencies []string `toml:"dependencies"`
	} `toml:"project"`
	Tool struct {
		Poetry struct {
			Name     string           `toml:"name"`
			Version  string           `toml:"version"`
			Packages []map[string]any `toml:"packages"`
		} `toml:"poetry"`
		Flit struct {
			Module struct {
				Name string `toml:"name"`
			} `toml:"module"`
		} `toml:"flit"`
		Setuptools struct {
			PackageDir map[string]string `toml:"package-dir"`
			Packages   any               `toml:"packages"`
		} `toml:"setuptools"`
		Hatch struct {
			Build struct {
				Packages []string `toml:"packages"`
				Targets  struct {
					Wheel struct {
						Packages []string `toml:"packages"`
					} `toml:"wheel"`
				} `toml:"targets"`
			} `toml:"build"`
		} `toml:"hatch"`
		PDM struct {
			Build struct {
				PackageDir string `toml:"package-dir"`
			} `toml:"build"`
		} `toml:"pdm"`
		Maturin struct {
			PythonSource string `toml:"python-source"`
		} `toml:"maturin"`
	} `toml:"tool"`
}

func tomlFile(b *spec.Builder) {
	if b.Path.Base() == "Cargo.toml" {
		cargoFile(b)
		return
	}
	tomlEntries(b)
	if b.Path.Base() != "pyproject.toml" {
		return
	}
	var p pyproject
	if err := toml.Unmarshal(bytes.TrimPrefix(b.Src, []byte("\xef\xbb\xbf")), &p); err != nil {
		invalid(b)
	}
	some := func(key string, values ...string) {
		for _, v := range values {
			if v != "" {
				put(b, key, v)
				return
			}
		}
	}
	some("name", p.Project.Name, p.Tool.Poetry.Name)
	some("version", p.Project.Version, p.Tool.Poetry.Version)
	some("module-name", p.Tool.Flit.Module.Name)
	some("package-dir", p.Tool.Setuptools.PackageDir[""], p.Tool.PDM.Build.PackageDir, p.Tool.Maturin.PythonSource)
	for _, pkg := range slices.Concat(p.Tool.Hatch.Build.Packages, p.Tool.Hatch.Build.Targets.Wheel.Packages) {
		put(b, "packages", pkg)
	}
	for _, d := range p.Project.Dependencies {
		put(b, "dependency", d)
	}
	for _, pkg := range p.Tool.Poetry.Packages {
		if s, ok := pkg["include"].(string); ok {
			put(b, "packages", s)
		}
		if s, ok := pkg["from"].(string); ok {
			put(b, "where", s)
		}
	}
	switch pkgs := p.Tool.Setuptools.Packages.(type) {
	case []any:
		putAll(b, "packages", pkgs)
	case map[string]any:
		if find, ok := pkgs["find"].(map[string]any); ok {
			if where, ok := find["where"].([]any); ok {
				putAll(b, "where", where)
			}
		}
	}
}

func putAll(b *spec.Builder, key string, values []any) {
	for _, v := range values {
		if s, ok := v.(string); ok {
			put(b, key, s)
		}
	}
}

// tomlEntries defines tables and the keys in them, line by line. What stands in a text or
// a list of several lines is no entry, whatever it looks like.
func tomlEntries(b *spec.Builder) {
	table, prefix, off, quote, depth := graph.NoDef, "", 0, "", 0
	for line := range bytes.Lines(b.Src) {
		start, text := off, strings.TrimRight(string(line), " \t\r\n")
		off += len(line)
		within, before := quote != "", depth
		quote, depth = openText(text, quote, depth)
		if within || before > 0 {
			continue
		}
		indent := len(text) - len(strings.TrimLeft(text, " \t"))
		start, text = start+indent, text[indent:]
		if name, at, end := tableName(text); end > 0 {
			depth = 0
			table = entry(b, graph.KindKey, name, name, start+at, start+at+len(name), start, start+end)
			b.Facts.Defs[table].Name = lastKey(name)
			prefix = name + "."
			continue
		}
		key, _, ok := strings.Cut(text, "=")
		key = strings.TrimRight(key, " \t")
		if !ok || !isKey(key) {
			continue
		}
		i := entry(b, graph.KindKey, key, prefix+key, start, start+len(key), start, start+len(text))
		b.Facts.Defs[i].Container = table
		b.Facts.Defs[i].Name = lastKey(key)
		if table != graph.NoDef {
			b.Facts.Defs[table].Span = b.SpanBetween(b.Facts.Defs[table].Span.Start, uint32(start+len(text)))
		}
	}
}

// tableName returns the name of a table at the head of a line, the offset at which it
// stands, and that behind the brackets; 0 where there is none.
func tableName(text string) (name string, at, end int) {
	open := len(text) - len(strings.TrimLeft(text, "["))
	if open == 0 || open > 2 {
		return "", 0, 0
	}
	stop := open
	for mark := byte(0); stop < len(text); stop++ {
		switch c := text[stop]; {
		case mark == '"' && c == '\\':
			stop++
			continue
		case mark != 0:
			if c == mark {
				mark = 0
			}
			continue
		case c == '"' || c == '\'':
			mark = c
			continue
		case c != ']':
			continue
		}
		break
	}
	if stop > len(text) || !strings.HasPrefix(text[stop:], "]]"[:open]) {
		return "", 0, 0
	}
	rest := strings.TrimSpace(text[stop+open:])
	inner := text[open:stop]
	name = strings.TrimSpace(inner)
	if rest != "" && rest[0] != '#' || !isKey(strings.ReplaceAll(name, " ", "")) {
		return "", 0, 0
	}
	return name, open + strings.Index(inner, name), stop + open
}

// isKey reports whether a text is a key: bare or quoted parts with dots between.
func isKey(text string) bool {
	bare := ""
	for rest := text; rest != ""; {
		i := strings.IndexAny(rest, "\"'")
		if i < 0 {
			bare += rest
			break
		}
		end := i + 1
		for end < len(rest) && rest[end] != rest[i] {
			if rest[i] == '"' && rest[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(rest) {
			return false
		}
		bare, rest = bare+rest[:i], rest[end+1:]
	}
	return text != "" && strings.Trim(bare, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == ""
}

// lastKey returns the last part of a dotted key, without its quotes.
func lastKey(key string) string {
	name := key[strings.LastIndexByte(key, '.')+1:]
	if q := key[len(key)-1]; q == '"' || q == '\'' {
		name = key[strings.LastIndexByte(key[:len(key)-1], q)+1 : len(key)-1]
	}
	if name == "" {
		return key
	}
	return name
}

// openText returns the quotes of the text that is open at the end of a line, "" if none is,
// by those of the text that is open at its beginning, and the number of brackets that are.
func openText(line, quote string, depth int) (string, int) {
	for i := 0; i < len(line); {
		switch {
		case quote != "":
			end := strings.Index(line[i:], quote)
			if end < 0 {
				return quote, depth
			}
			i, quote = i+end+len(quote), ""
		case strings.HasPrefix(line[i:], `"""`), strings.HasPrefix(line[i:], "'''"):
			quote = line[i : i+3]
			i += 3
		case line[i] == '#':
			return "", depth
		case line[i] == '"' || line[i] == '\'':
			mark := line[i]
			for i++; i < len(line) && line[i] != mark; i++ {
				if line[i] == '\\' && mark == '"' {
					i++
				}
			}
			i++
		case line[i] == '[' || line[i] == '{':
			depth++
			i++
		case line[i] == ']' || line[i] == '}':
			depth = max(0, depth-1)
			i++
		default:
			i++
		}
	}
	return quote, depth
}
