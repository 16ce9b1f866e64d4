package rust

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Conditions are judged as a plain build of the package does on a common machine: its
// default features and those that other packages of the tree ask it for, no tests, Linux
// on a processor of the x86-64 family. What only a build script knows is neither true nor
// false, and leaves nothing out.

// truth is a value of three.
type truth int8

const (
	no    truth = -1
	maybe truth = 0
	yes   truth = 1
)

// of is the truth of a statement that is decided.
func of(b bool) truth {
	if b {
		return yes
	}
	return no
}

// Excluded implements graph.Excluder.
func (Resolver) Excluded(v graph.View, f *graph.Facts, id graph.FileID, at uint32) bool {
	return newBinder(v, f, id).excluded(at, 0)
}

// excluded reports whether a plain build leaves out what stands at a place.
func (b *binder) excluded(at uint32, depth int) bool {
	for rest := b.f.Constraint; rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		from, line, _ := strings.Cut(line, " ")
		to, cond, _ := strings.Cut(line, " ")
		start, err := strconv.ParseUint(from, 10, 32)
		if err != nil || uint32(start) > at {
			continue
		}
		if end, err := strconv.ParseUint(to, 10, 32); err == nil && at < uint32(end) && b.judge(cond) == no {
			return true
		}
	}
	if depth > maxDepth {
		return false
	}
	return graph.Derived(b.v, graph.Derivation{Rule: ruleLeft, In: string(b.f.Path)}, func() bool { return b.fileExcluded(depth) })
}

// fileExcluded reports whether a plain build leaves out the module that b's file is.
func (b *binder) fileExcluded(depth int) bool {
	up, ok := b.parent(place{b.id, graph.NoDef})
	if !ok {
		return false
	}
	g := b.facts(up.id)
	if g == nil {
		return false
	}
	in, found := b.on(up.id, g), false
	for i := range g.Imports {
		im := &g.Imports[i]
		if !strings.HasPrefix(im.Module, "./") || b.moduleFile(g, up.id, i) != b.id {
			continue
		}
		if found = true; !in.excluded(im.Span.Start, depth+1) {
			return false
		}
	}
	return found
}

// judge says whether a condition holds.
func (b *binder) judge(cond string) truth {
	v, _ := b.condition(cond, 0)
	return v
}

// condition reads the condition that a text begins with, and returns what is behind it.
func (b *binder) condition(s string, depth int) (v truth, rest string) {
	end := 0
	for end < len(s) && (s[end] == '_' || s[end] >= '0' && s[end] <= '9' || s[end] >= 'A' && s[end] <= 'Z' || s[end] >= 'a' && s[end] <= 'z') {
		end++
	}
	name, s := s[:end], s[end:]
	switch {
	case strings.HasPrefix(s, "=\""):
		value, rest, _ := strings.Cut(s[2:], "\"")
		return b.option(name, value), rest
	case !strings.HasPrefix(s, "("):
		return b.flag(name), s
	case depth > maxDepth:
		return maybe, ""
	}
	s = s[1:]
	all, some, n := yes, no, 0
	for s != "" && s[0] != ')' {
		if s[0] == ',' {
			s = s[1:]
			continue
		}
		if s[0] == '"' { // target_has_atomic("64")
			value, after, _ := strings.Cut(s[1:], "\"")
			v, s = b.option(name, value), after
		} else {
			before := len(s)
			if v, s = b.condition(s, depth+1); len(s) == before {
				return maybe, "" // no condition
			}
		}
		all, some, n = min(all, v), max(some, v), n+1
	}
	s = strings.TrimPrefix(s, ")")
	switch name {
	case "all":
		return all, s
	case "any":
		return some, s
	case "not":
		return -all, s
	case "target_has_atomic", "target_has_atomic_load_store":
		return all, s
	}
	return maybe, s
}

// flag judges a condition without a value.
func (b *binder) flag(name string) truth {
	switch name {
	case "unix", "debug_assertions", "true", "panic_unwind", "target_thread_local", "overflow_checks":
		return yes
	case "windows", "test", "doc", "doctest", "miri", "proc_macro", "false":
		return no
	case "target_has_atomic":
		return yes
	}
	m := b.manifest()
	if m == nil {
		return maybe
	}
	script := setting(m, "build")
	if script == "" {
		script = "build.rs"
	}
	if p, ok := m.Path.Dir().Join(script); ok {
		if id, ok := b.v.Lookup(p); ok {
			// By custom a script looks for what old compilers lack.
			if lacks := strings.HasPrefix(name, "no_") || strings.Contains(name, "_no_"); !lacks && sets(b.facts(id), name) {
				return maybe
			}
		}
	}
	return no // nobody sets it
}

// sets reports whether a build script may set a condition.
func sets(f *graph.Facts, name string) bool {
	for i := 0; f != nil && i < len(f.Manifest); i++ {
		if p := f.Manifest[i]; p.Key == "cfg" && (p.Value == name || p.Value == "*") {
			return true
		}
	}
	return f == nil
}

// option judges a condition with a value.
func (b *binder) option(name, value string) truth {
	switch name {
	case "feature":
		return b.feature(value)
	case "target_os":
		return of(value == "linux")
	case "target_family":
		return of(value == "unix")
	case "target_arch":
		return of(value == "x86_64")
	case "target_pointer_width":
		return of(value == "64")
	case "target_endian":
		return of(value == "little")
	case "target_env":
		return of(value == "gnu")
	case "target_vendor":
		return of(value == "unknown")
	case "target_feature":
		return of(value == "sse" || value == "sse2" || value == "fxsr")
	case "target_has_atomic", "target_has_atomic_load_store":
		return of(value != "128")
	case "panic":
		return of(value == "unwind")
	}
	return maybe
}
