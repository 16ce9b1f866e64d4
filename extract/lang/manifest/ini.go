package manifest

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// iniFile reads setup.cfg.
func iniFile(b *spec.Builder) {
	section, table, key, off, continued, indented := "", graph.NoDef, "", 0, false, false
	for line := range bytes.Lines(b.Src) {
		start, text := off, strings.TrimRight(string(line), " \t\r\n")
		off += len(line)
		if start == 0 { // what is indented goes on with the line before
			text = strings.TrimLeft(text, " ")
			start = bytes.Index(line, []byte(text))
		}
		goesOn := continued
		continued = strings.HasSuffix(text, "\\")
		if trimmed := strings.TrimLeft(text, " \t"); trimmed != text && trimmed != "" && !goesOn && (key == "" || indented) { // every key of a section may be indented
			start += len(text) - len(trimmed)
			text, indented = trimmed, true
		}
		switch {
		case goesOn:
			cfgSetting(b, section, key, strings.TrimSpace(text))
		case text == "" || text[0] == '#' || text[0] == ';':
		case text[0] == '[' && strings.HasSuffix(text, "]") && len(text) > 2:
			section, key, indented = text[1:len(text)-1], "", false
			table = entry(b, graph.KindKey, section, section, start+1, start+1+len(section), start, start+len(text))
		case text[0] == ' ' || text[0] == '\t':
			cfgSetting(b, section, key, strings.TrimSpace(text))
		default:
			i := strings.IndexAny(text, "=:")
			if i < 0 && indented {
				i = len(text) // git takes a key alone for one that is true
			}
			if i <= 0 {
				continue
			}
			key = strings.TrimRight(text[:i], " \t")
			if key == "" {
				continue
			}
			d := entry(b, graph.KindKey, key, section+"."+key, start, start+len(key), start, start+len(text))
			b.Facts.Defs[d].Container = table
			if table != graph.NoDef {
				b.Facts.Defs[table].Span = b.SpanBetween(b.Facts.Defs[table].Span.Start, uint32(start+len(text)))
			}
			cfgSetting(b, section, key, strings.TrimSpace(text[min(i+1, len(text)):]))
		}
	}
}

// cfgSetting records one value, or one line of a value, of setup.cfg.
func cfgSetting(b *spec.Builder, section, key, value string) {
	if value == "" {
		return
	}
	switch section + "." + key {
	case "metadata.name", "metadata.version":
		put(b, key, value)
	case "options.packages":
		put(b, "packages", value)
	case "options.packages.find.where":
		put(b, "where", value)
	case "options.package_dir":
		if root, dir, ok := strings.Cut(value, "="); ok && strings.TrimSpace(root) == "" {
			put(b, "package-dir", strings.TrimSpace(dir))
		}
	}
}

var (
	setupName = regexp.MustCompile(`(?m)^\s*(?:setup\()?\s*name\s*=\s*["']([^"'\n]+)["']`)
	setupDir  = regexp.MustCompile(`package_dir\s*=\s*\{\s*["']["']\s*:\s*["']([^"'\n]+)["']`)
)

// SetupPy adds what a setup.py says literally of its project to the facts of the
// Python file that it is.
func SetupPy(f *graph.Facts, src []byte) {
	if m := setupName.FindSubmatch(src); m != nil {
		f.Manifest = append(f.Manifest, graph.Pair{Key: "name", Value: string(m[1])})
	}
	if m := setupDir.FindSubmatch(src); m != nil {
		f.Manifest = append(f.Manifest, graph.Pair{Key: "package-dir", Value: string(m[1])})
	}
}
