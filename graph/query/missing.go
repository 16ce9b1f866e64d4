package query

import "github.com/ralph-index/ralph-index/graph"

// sayUnbound sets the words for what may refer to the target without being seen:
// references of its name that no rule could bind, computed names, and files whose
// structure is not known.
func (w *writer) sayUnbound(target graph.Symbol) {
	r := w.r
	f := r.facts(target.File)
	if f == nil || target.Def == graph.NoDef || r.ended {
		return
	}
	name, res := f.Defs[target.Def].Name, r.resolver(f)
	t := r.table(name)
	unresolved, dynamic := tally{}, tally{}
	for _, e := range t.entries {
		if e.unresolved == 0 && e.dynamic == 0 {
			continue
		}
		rec, ok := r.v.File(e.file)
		if !ok || r.p.byLang[rec.Language] != res {
			continue
		}
		unresolved.add(int(e.unresolved), rec.Path)
		dynamic.add(int(e.dynamic), rec.Path)
	}
	w.say(MissingUnresolved, unresolved)
	w.say(MissingDynamic, dynamic)
	w.sayUnstructured(name, t)
}

// sayUnstructured looks at files that hold the name and whose facts are missing or
// end early.
func (w *writer) sayUnstructured(name string, t *table) {
	r := w.r
	if r.p.opts.Holders == nil || !r.check() {
		return
	}
	seen := make(map[graph.FileID]bool, len(t.entries))
	for _, e := range t.entries {
		seen[e.file] = true
	}
	for _, id := range r.v.Definers(name) {
		seen[id] = true
	}
	failed, uncovered := tally{}, tally{}
	for _, id := range r.p.opts.Holders(r.ctx, r.whole, name) {
		rec, ok := r.v.File(id)
		switch {
		case !ok || rec.Content != graph.ContentText:
		case rec.Language == "" || r.p.byLang[rec.Language] == nil:
			uncovered.add(1, rec.Path)
		case rec.Status == graph.StatusOK, rec.Status == graph.StatusPartial && seen[id]:
			// What parses of a partial file holds the name: it was seen.
		default:
			failed.add(1, rec.Path)
		}
	}
	w.say(MissingFailedFiles, failed)
	w.say(MissingUnindexedLang, uncovered)
}

// sayPassed sets the words for what was met on the way: calls that may reach other
// definitions, and callers in code that people do not write.
func (w *writer) sayPassed(met []edge) {
	dynamic, generated := tally{}, tally{}
	for i := range met {
		e := &met[i]
		rec, ok := w.r.v.File(e.at)
		if !ok {
			continue
		}
		if e.flags&siteDynamic != 0 {
			dynamic.add(1, rec.Path)
		}
		if rec.Role == graph.RoleGenerated || w.generated(e.src) {
			generated.add(1, rec.Path)
		}
	}
	w.say(MissingDynamic, dynamic)
	w.say(MissingGenerated, generated)
}

func (w *writer) generated(s graph.Symbol) bool {
	f := w.r.facts(s.File)
	return f != nil && s.Def != graph.NoDef && f.Defs[s.Def].Has(graph.FlagGenerated)
}

// tally counts, and keeps where.
type tally struct {
	n     int
	paths []graph.Path
}

func (t *tally) add(n int, p graph.Path) {
	if n == 0 {
		return
	}
	t.n += n
	if len(t.paths) == 0 || t.paths[len(t.paths)-1] != p {
		t.paths = append(t.paths, p)
	}
}

// say sets a word where the tally is not empty; a second tally of one word is added.
func (w *writer) say(word Word, t tally) {
	if t.n == 0 {
		return
	}
	for i := range w.ans.Metadata.Missing {
		if m := &w.ans.Metadata.Missing[i]; m.Word == word {
			m.Count += t.n
			m.Scope = firstPaths(append(m.Scope, t.paths...))
			return
		}
	}
	w.missing(word, t.n, t.paths...)
}
