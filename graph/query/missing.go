package query

import (
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

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
	unresolved.name(name)
	w.say(MissingUnresolved, unresolved)
	w.say(MissingDynamic, dynamic)
	w.sayUnstructured(name, t)
}

// sayVanished counts the references to a name that nothing defines: of something that
// was deleted, say.
func (w *writer) sayVanished(target string) {
	r := w.r
	name := lastName(normal(target))
	if name == "" || len(r.v.Definers(name)) > 0 || !r.check() {
		return
	}
	left := tally{names: []string{name}}
	t := r.table(name)
	w.sayUnstructured(name, t)
	for _, e := range t.entries {
		if rec, ok := r.v.File(e.file); ok {
			left.add(int(e.unresolved), rec.Path)
		}
	}
	w.say(MissingUnresolved, left)
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
	uncovered := tally{}
	var failed []graph.FileID
	for _, id := range r.p.opts.Holders(r.ctx, r.whole, name) {
		rec, ok := r.v.File(id)
		switch {
		case !ok || rec.Content != graph.ContentText:
		case rec.Language == "" || r.p.byLang[rec.Language] == nil:
			uncovered.add(1, rec.Path)
		case rec.Status == graph.StatusOK, rec.Status == graph.StatusPartial && seen[id]:
			// What parses of a partial file holds the name: it was seen.
		default:
			failed = append(failed, id)
		}
	}
	w.sayFailed(failed)
	w.say(MissingUnindexedLang, uncovered)
}

// sayPassed sets the words for what was met on the way: calls that may reach other
// definitions, callers in code that people do not write, and imports of what the
// target has not.
func (w *writer) sayPassed(met []edge, target graph.Symbol) {
	w.sayDispatch(met, target)
	w.sayBroken(met)
	generated, lacking := tally{}, tally{}
	for i := range met {
		e := &met[i]
		rec, ok := w.r.v.File(e.at)
		if !ok || e.src == target || e.rel == relDefines || e.rel == relContains {
			continue
		}
		if e.flags&siteGenerated != 0 {
			generated.add(1, rec.Path)
		}
		if e.flags&siteLacks != 0 && e.dst == target {
			lacking.add(1, rec.Path)
			lacking.name(w.takenAt(e))
		}
	}
	w.say(MissingGenerated, generated)
	w.say(MissingUnresolved, lacking)
}

// sayBroken counts the files whose text does not parse where it shows an edge: which
// others it may have there is not known.
func (w *writer) sayBroken(met []edge) {
	var failed []graph.FileID
	for i := range met {
		if e := &met[i]; e.flags&siteBroken != 0 {
			failed = append(failed, e.at)
		}
	}
	w.sayFailed(failed)
}

// sayFailed counts files without full structure, each once for an answer.
func (w *writer) sayFailed(files []graph.FileID) {
	if w.failed == nil {
		w.failed = make(map[graph.FileID]bool)
	}
	failed := tally{}
	for _, id := range files {
		if rec, ok := w.r.v.File(id); ok && !w.failed[id] {
			w.failed[id] = true
			failed.add(1, rec.Path)
		}
	}
	w.say(MissingFailedFiles, failed)
}

// readInPart reports whether something of s may stand in its file where that was not
// read, or not rightly.
func (r *reader) readInPart(s graph.Symbol) bool {
	rec, ok := r.v.File(s.File)
	if !ok || rec.Status == graph.StatusOK || rec.Status == "" {
		return false
	}
	f := r.facts(s.File)
	if f == nil || s.Def == graph.NoDef || rec.Status != graph.StatusPartial {
		return true
	}
	at, known := f.SyntaxError()
	return known && at.Line <= f.Defs[s.Def].Span.To.Line
}

// takenAt returns the name that the import at the place of an edge takes.
func (w *writer) takenAt(e *edge) string {
	f := w.r.facts(e.at)
	if f == nil {
		return ""
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		if line, _, col := place(im.Span); line == e.line && col == e.col {
			return takenBy(im)
		}
	}
	return ""
}

// sayDispatch counts the calls that may reach other definitions at run time, each
// place once. Computed uses of named are counted by its name.
func (w *writer) sayDispatch(met []edge, named graph.Symbol) {
	type spot struct {
		at        graph.FileID
		line, col uint32
	}
	dynamic := tally{}
	seen := make(map[spot]bool)
	for i := range met {
		e := &met[i]
		k := spot{e.at, e.line, e.col}
		if e.flags&siteDynamic == 0 || seen[k] || e.flags&siteComputed != 0 && e.dst == named {
			continue
		}
		seen[k] = true
		if rec, ok := w.r.v.File(e.at); ok {
			dynamic.add(1, rec.Path)
		}
	}
	w.say(MissingDynamic, dynamic)
}

// leftover counts what the definitions of an answer refer to without an edge that
// says so.
type leftover struct {
	lost    tally
	values  tally          // calls of values
	failed  []graph.FileID // that have no more structure than what was read
	outside int
	except  string // a name that is counted in the whole workspace
}

func (l *leftover) add(r *reader, s graph.Symbol, o *outgoing, rels relSet) {
	rec, ok := r.v.File(s.File)
	if !ok {
		return
	}
	for i := range o.lost {
		if n := &o.lost[i]; rels.has(n.rel) && n.name != l.except {
			l.lost.add(n.n, rec.Path)
			l.lost.name(n.name)
		}
	}
	if r.readInPart(s) {
		l.failed = append(l.failed, s.File)
	}
	if rels.has(relCalls) {
		l.values.add(o.values, rec.Path)
	}
	for rl, n := range o.outside {
		if rels.has(rel(rl)) {
			l.outside += int(n)
		}
	}
}

func (w *writer) sayLeft(l *leftover) {
	w.say(MissingUnresolved, l.lost)
	w.say(MissingDynamic, l.values)
	w.sayFailed(l.failed)
	w.ans.Metadata.Outside = l.outside
}

// tally counts, and keeps where, and which names where the word is about names.
type tally struct {
	n     int
	paths []graph.Path
	names []string
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

func (t *tally) name(n string) {
	if n != "" {
		t.names = append(t.names, n)
	}
}

// say sets a word where the tally is not empty; a second tally of one word is added.
func (w *writer) say(word Word, t tally) {
	if t.n == 0 {
		return
	}
	ms := &w.ans.Metadata.Missing
	i := slices.IndexFunc(*ms, func(m Missing) bool { return m.Word == word })
	if i < 0 {
		i = len(*ms)
		w.missing(word, 0)
	}
	m := &(*ms)[i]
	m.Count += t.n
	m.Scope = first(append(m.Scope, t.paths...))
	m.Names = first(append(m.Names, t.names...))
}
