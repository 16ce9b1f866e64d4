package manifest

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// cargo is the part of Cargo.toml that resolvers need.
type cargo struct {
	Package struct {
		Name    string `toml:"name"`
		Version any    `toml:"version"`
		Edition any    `toml:"edition"`
		Build   any    `toml:"build"`
	} `toml:"package"`
	Lib struct {
		Name string `toml:"name"`
		Path string `toml:"path"`
	} `toml:"lib"`
	Bin []struct {
		Name string `toml:"name"`
		Path string `toml:"path"`
	} `toml:"bin"`
	Deps      map[string]any `toml:"dependencies"`
	DevDeps   map[string]any `toml:"dev-dependencies"`
	BuildDeps map[string]any `toml:"build-dependencies"`
	Target    map[string]struct {
		Deps      map[string]any `toml:"dependencies"`
		DevDeps   map[string]any `toml:"dev-dependencies"`
		BuildDeps map[string]any `toml:"build-dependencies"`
	} `toml:"target"`
	Features  map[string][]string `toml:"features"`
	Workspace struct {
		Deps map[string]any `toml:"dependencies"`
	} `toml:"workspace"`
}

// cargoFile reads Cargo.toml. A dependency is a pair "crate:NAME", where NAME is what
// code calls it: its value is the package's name, and behind spaces "@" with the
// version that is asked for and "=" with its path, where they are given. Those of a
// workspace are pairs "workspace-crate:NAME". A feature is a pair "feature:NAME" with what
// it enables between spaces. What a package asks of a dependency that its code is built
// with is a pair "asks:NAME": the package's name, then "?" where the dependency is
// optional, "^" where the workspace says more ("workspace-asks:NAME"), and features.
func cargoFile(b *spec.Builder) {
	tomlEntries(b)
	var c cargo
	if err := toml.Unmarshal(bytes.TrimPrefix(b.Src, []byte("\xef\xbb\xbf")), &c); err != nil {
		invalid(b)
	}
	text := func(key string, v any) {
		if s, ok := v.(string); ok && s != "" {
			put(b, key, s)
		}
	}
	text("name", c.Package.Name)
	text("version", c.Package.Version)
	text("edition", c.Package.Edition)
	text("build", c.Package.Build)
	crate := crateName(c.Package.Name)
	if c.Lib.Name != "" {
		crate = crateName(c.Lib.Name)
	}
	text("crate", crate)
	text("lib", c.Lib.Path)
	for _, bin := range c.Bin {
		text("bin", bin.Path)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Features)) {
		put(b, "feature:"+name, strings.Join(c.Features[name], " "))
	}
	crates(b, "crate:", c.Deps, c.DevDeps, c.BuildDeps)
	asks(b, "asks:", c.Deps)
	for _, name := range slices.Sorted(maps.Keys(c.Target)) {
		t := c.Target[name]
		crates(b, "crate:", t.Deps, t.DevDeps, t.BuildDeps)
		asks(b, "asks:", t.Deps)
	}
	crates(b, "workspace-crate:", c.Workspace.Deps)
	asks(b, "workspace-asks:", c.Workspace.Deps)
	defineCrate(b, c.Package.Name, crate)
}

// crateName is how code writes the name of a package.
func crateName(name string) string { return strings.ReplaceAll(name, "-", "_") }

func crates(b *spec.Builder, key string, tables ...map[string]any) {
	for _, t := range tables {
		for _, name := range slices.Sorted(maps.Keys(t)) {
			value := name
			switch d := t[name].(type) {
			case string:
				value += " @" + d
			case map[string]any:
				if s, ok := d["package"].(string); ok {
					value = s
				}
				if s, ok := d["version"].(string); ok {
					value += " @" + s
				}
				if s, ok := d["path"].(string); ok {
					value += " =" + s
				}
			}
			put(b, key+crateName(name), value)
		}
	}
}

// asks notes the features that dependencies are asked for, where anything is asked.
func asks(b *spec.Builder, key string, deps map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(deps)) {
		d, ok := deps[name].(map[string]any)
		if !ok {
			continue
		}
		value := name
		if s, ok := d["package"].(string); ok {
			value = s
		}
		plain := len(value)
		if yes, _ := d["optional"].(bool); yes {
			value += " ?"
		}
		if yes, _ := d["workspace"].(bool); yes {
			value += " ^"
		}
		features, _ := d["features"].([]any)
		for _, f := range features {
			if s, ok := f.(string); ok && s != "" && !strings.Contains(s, " ") {
				value += " " + s
			}
		}
		if len(value) > plain {
			put(b, key+crateName(name), value)
		}
	}
}

// defineCrate defines the library of a package where the manifest names the package.
func defineCrate(b *spec.Builder, name, crate string) {
	if name == "" {
		return
	}
	for i := range b.Facts.Defs {
		d := &b.Facts.Defs[i]
		if d.Local != "package.name" {
			continue
		}
		line := b.Slice(d.Span.Start, d.Span.End)
		if at := strings.LastIndex(line, name); at > 0 {
			start := int(d.Span.Start)
			entry(b, graph.KindModule, crate, crate, start+at, start+at+len(name), start, int(d.Span.End))
		}
		return
	}
}
