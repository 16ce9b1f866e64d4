package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// maxEntryDepth bounds the entries that become definitions: "scripts.build", but
// not what is below.
const maxEntryDepth = 2

// jsonFile reads package.json, tsconfig*.json and jsconfig.json, with comments and
// trailing commas as TypeScript allows them.
func jsonFile(b *spec.Builder) {
	if !projectFile(b.Path.Base()) {
		jsonKeys(b)
		return
	}
	w := jsonWalk{b: b, text: plainJSON(b.Src)}
	w.dec = json.NewDecoder(bytes.NewReader(w.text))
	w.setting = packageSetting
	if b.Path.Base() != "package.json" {
		w.setting = tsconfigSetting
	}
	if err := w.value(nil, graph.NoDef); err != nil {
		invalid(b)
	}
}

// projectFile reports whether a JSON file of that name says what import paths mean.
func projectFile(base string) bool {
	return base == "package.json" || base == "jsconfig.json" || strings.HasPrefix(base, "tsconfig")
}

// jsonWalk reads tokens in order; path is that of the value being read.
type jsonWalk struct {
	b       *spec.Builder
	text    []byte
	dec     *json.Decoder
	setting func(path []string) (key string, ok bool)
}

const maxJSONDepth = 64

func (w *jsonWalk) value(path []string, def int32) error {
	if len(path) > maxJSONDepth {
		return fmt.Errorf("read value: nested too deep")
	}
	tok, err := w.dec.Token()
	if err != nil {
		return err
	}
	switch t := tok.(type) {
	case json.Delim:
		if t == '{' {
			return w.object(path, def)
		}
		for w.dec.More() {
			if err := w.value(append(path, "[]"), def); err != nil {
				return err
			}
		}
		_, err = w.dec.Token()
		return err
	case string:
		if key, ok := w.setting(path); ok {
			put(w.b, key, t)
		}
		if len(path) == 1 && path[0] == "name" && def != graph.NoDef && w.b.Path.Base() == "package.json" && t != "" {
			end := int(w.dec.InputOffset())
			start := bytes.LastIndex(w.text[:end], []byte(`"`+t+`"`))
			if start >= 0 {
				entry(w.b, graph.KindModule, t, t, start+1, end-1, start, end)
			}
		}
	case bool:
		if key, ok := w.setting(path); ok {
			put(w.b, key, fmt.Sprint(t))
		}
	}
	return nil
}

func (w *jsonWalk) object(path []string, def int32) error {
	for w.dec.More() {
		tok, err := w.dec.Token()
		if err != nil {
			return err
		}
		name, ok := tok.(string)
		if !ok {
			return fmt.Errorf("read key: not a string")
		}
		end := int(w.dec.InputOffset())
		inner := append(path[:len(path):len(path)], name)
		d := graph.NoDef
		start := bytes.LastIndexByte(w.text[:max(end-1, 0)], '"')
		if len(inner) <= maxEntryDepth && name != "" && start >= 0 && string(w.text[start+1:end-1]) == name {
			local := strings.Join(inner, ".")
			d = entry(w.b, graph.KindKey, name, local, start+1, end-1, start, end)
			w.b.Facts.Defs[d].Container = def
			if name == dependencyName(inner) && w.b.Path.Base() == "package.json" {
				put(w.b, inner[0][:len(inner[0])-len("ies")]+"y", name)
			}
		}
		if err := w.value(inner, d); err != nil {
			return err
		}
		if d != graph.NoDef {
			stop := uint32(w.dec.InputOffset())
			w.b.Facts.Defs[d].Span = w.b.SpanBetween(uint32(start), stop)
		}
	}
	if _, err := w.dec.Token(); err != nil && err != io.EOF {
		return err
	}
	return nil
}

// dependencyName returns the name of a dependency that a path stands for, or "".
func dependencyName(path []string) string {
	if len(path) == 2 && (path[0] == "dependencies" || path[0] == "devDependencies" || path[0] == "peerDependencies" || path[0] == "optionalDependencies") {
		return path[1]
	}
	return ""
}

func packageSetting(path []string) (string, bool) {
	switch {
	case len(path) == 1:
		switch path[0] {
		case "name", "version", "main", "module", "types", "typings", "type", "source", "browser", "exports":
			return path[0], true
		}
	case len(path) >= 2 && path[0] == "workspaces":
		if path[len(path)-1] == "[]" && (len(path) == 2 || path[1] == "packages") {
			return "workspaces", true
		}
	case path0(path) == "exports":
		if strings.HasPrefix(path[1], ".") {
			return "exports:" + path[1], true
		}
		return "exports", true // conditions of the package itself
	case path0(path) == "imports":
		return "imports:" + path[1], true
	}
	return "", false
}

func path0(path []string) string {
	if len(path) < 2 {
		return ""
	}
	return path[0]
}

func tsconfigSetting(path []string) (string, bool) {
	switch {
	case len(path) == 1 && path[0] == "extends", len(path) == 2 && path[0] == "extends":
		return "extends", true
	case len(path) == 2 && path[0] == "compilerOptions":
		switch path[1] {
		case "baseUrl", "rootDir", "outDir", "jsx", "moduleResolution", "allowJs":
			return path[1], true
		}
	case len(path) == 4 && path[0] == "compilerOptions" && path[1] == "paths":
		return "paths:" + path[2], true
	case len(path) == 3 && path[0] == "compilerOptions" && path[1] == "rootDirs":
		return "rootDirs", true
	case len(path) == 3 && path[0] == "references" && path[2] == "path":
		return "references", true
	}
	return "", false
}

// plainJSON blanks out comments, trailing commas and a byte order mark, so that
// every offset stays what it was.
func plainJSON(src []byte) []byte {
	out := bytes.Clone(src)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	if bytes.HasPrefix(out, []byte("\xef\xbb\xbf")) {
		blank(0, 3)
	}
	comma := -1
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			for i++; i < len(out) && out[i] != '"' && out[i] != '\n'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
			comma = -1
		case c == '/' && i+1 < len(out) && out[i+1] == '/':
			end := len(out)
			if n := bytes.IndexByte(out[i:], '\n'); n >= 0 {
				end = i + n
			}
			blank(i, end)
			i = end - 1
		case c == '/' && i+1 < len(out) && out[i+1] == '*':
			end := len(out)
			if n := bytes.Index(out[i+2:], []byte("*/")); n >= 0 {
				end = i + n + 4
			}
			blank(i, end)
			i = end - 1
		case c == ',':
			comma = i
		case (c == '}' || c == ']') && comma >= 0:
			out[comma] = ' '
			comma = -1
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			comma = -1
		}
	}
	return out
}
