package c

import (
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// inclusion is where an include leads.
type inclusion struct {
	ids     []graph.FileID
	guessed bool // one of several that it may be
}

// included finds the file that an include names: beside the file that includes it, and
// else where the end of a path is like it. Of several the nearest is meant.
func (b *binder) included(im *graph.Import) inclusion {
	system := im.Flags&graph.ImportSystem != 0
	dir := b.f.Path.Dir()
	return graph.Derived(b.v, graph.Derivation{Rule: ruleInclude, In: string(dir), Name: im.Module, Flag: system}, func() inclusion {
		if !system {
			if p, ok := dir.Join(im.Module); ok {
				if id, ok := b.v.Lookup(p); ok {
					return inclusion{ids: []graph.FileID{id}}
				}
			}
		}
		return b.alongPath(dir, im.Module, system)
	})
}

// alongPath finds the files whose paths end in what an include names.
func (b *binder) alongPath(dir graph.Path, module string, system bool) inclusion {
	module = strings.TrimLeft(module, "./")
	if system && standardHeader(module) {
		return inclusion{}
	}
	var found []graph.FileID
	best, shared := graph.Path(""), -1
	ids := b.v.Definers(graph.Path(module).Base())
	for _, id := range ids {
		rec, ok := b.v.File(id)
		if !ok || !serves(rec.Language) || aside(rec.Path) != aside(b.f.Path) || string(rec.Path) != module && !strings.HasSuffix(string(rec.Path), "/"+module) {
			continue
		}
		found = append(found, id)
		n := common(string(dir), string(rec.Path))
		if n > shared || n == shared && (len(rec.Path) < len(best) || len(rec.Path) == len(best) && rec.Path < best) {
			best, shared = rec.Path, n
		}
	}
	if len(found) < 2 {
		return inclusion{ids: found}
	}
	for _, id := range found {
		if rec, ok := b.v.File(id); ok && rec.Path == best {
			return inclusion{ids: []graph.FileID{id}, guessed: true}
		}
	}
	return inclusion{}
}

// aside returns the path up to a directory whose name begins with a dot. What stands in
// such a one (copies that tools keep) is no part of the program around it.
func aside(p graph.Path) graph.Path {
	s := string(p)
	if s == "" || s[0] != '.' && !strings.Contains(s, "/.") {
		return ""
	}
	at := 0
	for {
		i := strings.IndexByte(s[at:], '/')
		if i < 0 {
			return ""
		}
		if s[at] == '.' {
			return p[:at+i]
		}
		at += i + 1
	}
}

// common counts the directories that two paths have in common.
func common(dir, path string) int {
	n := 0
	for dir != "" {
		a, restA, _ := strings.Cut(dir, "/")
		c, restC, ok := strings.Cut(path, "/")
		if !ok || a != c {
			return n
		}
		n++
		dir, path = restA, restC
	}
	return n
}

// maxClosure bounds how many files one file is taken to include.
const maxClosure = 1500

// closure is what a file includes, itself or through others.
type closure struct {
	ids     []graph.FileID // sorted
	outside bool           // some include leads out of the tree
}

func (c closure) has(id graph.FileID) bool {
	_, ok := slices.BinarySearch(c.ids, id)
	return ok
}

// closure lists what a file includes. Each step asks for what it needs alone, so that a
// change of one header makes anew what it takes part in.
func (b *binder) closure() closure {
	return graph.Derived(b.v, graph.Derivation{Rule: ruleClosure, File: b.id}, func() closure {
		var out closure
		seen := map[graph.FileID]bool{b.id: true}
		queue := []graph.FileID{b.id}
		for at := 0; at < len(queue) && len(queue) < maxClosure; at++ {
			f := b.facts(queue[at])
			if f == nil {
				continue
			}
			c := newBinder(b.v, f, queue[at])
			for i := range f.Imports {
				im := &f.Imports[i]
				if !isInclude(im) {
					continue
				}
				in := c.included(im)
				out.outside = out.outside || len(in.ids) == 0
				for _, id := range in.ids {
					if !seen[id] {
						seen[id] = true
						queue = append(queue, id)
					}
				}
			}
		}
		out.ids = slices.Clone(queue[1:])
		slices.Sort(out.ids)
		return out
	})
}

// includers lists files that include this one, a few at most.
func (b *binder) includers() []graph.FileID {
	var out []graph.FileID
	for _, id := range b.v.Referrers(b.f.Path.Base()) {
		f := b.facts(id)
		if f == nil {
			continue
		}
		c := newBinder(b.v, f, id)
		for i := range f.Imports {
			if im := &f.Imports[i]; isInclude(im) && im.Alias == b.f.Path.Base() && slices.Contains(c.included(im).ids, b.id) {
				out = append(out, id)
				break
			}
		}
		if len(out) == maxIncluders {
			break
		}
	}
	return out
}

const maxIncluders = 4
