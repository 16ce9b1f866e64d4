package query

import (
	"slices"

	"github.com/ralph-index/ralph-index/graph"
)

// entry is what the text of one file makes of one name.
type entry struct {
	file       graph.FileID
	sites      []site
	ends       []end    // targets of the sites, in their order
	unresolved uint32   // references of the name that no rule bound
	dynamic    uint32   // uses of the name that are computed at run time
	deps       []uint32 // what it depends on, in table.deps
}

// end is one target of a site.
type end struct {
	dst  graph.Symbol
	conf float32
	site int32
}

// hit is where a target stands: an entry of the table, and one of its ends.
type hit struct{ entry, end int32 }

// table is what all files make of one name. It is immutable.
type table struct {
	referrers uint64  // fingerprint of the list of files
	deps      []*node // of the entries, each once
	entries   []*entry
	byTarget  map[graph.Symbol][]hit
	abstract  []graph.Symbol // of the targets, those that are methods of interfaces
	cost      int
}

// table returns what the references of a name bind to.
func (r *reader) table(name string) *table {
	return r.tableOf(cellKey{kind: cellName, name: name}, r.v.Referrers(name))
}

// tableFor returns which of the references of a name bind to a symbol, and maybe what
// others bind to.
func (r *reader) tableFor(name string, s graph.Symbol) *table {
	k := cellKey{kind: cellSymbol, name: name, sym: s}
	if s.Def == graph.NoDef {
		// A package has one name with many others, and each import of it leads to all of
		// its files.
		return r.tableOf(k, r.v.Referrers(name))
	}
	if c, at := r.p.memo.get(cellKey{kind: cellName, name: name}); c == nil || at != r.v.Generation() {
		if all := r.v.Referrers(name); len(all) > narrowAbove {
			if some, ok := r.seenBy(s, all); ok && 2*len(some) < len(all) {
				return r.tableOf(k, some)
			}
		}
	}
	return r.table(name)
}

// narrowAbove is the number of files up to which one table serves all symbols of a
// name.
const narrowAbove = 8

// tableOf returns a table of the references in some files, from memory where nothing
// that it depends on has changed.
func (r *reader) tableOf(k cellKey, ids []graph.FileID) *table {
	if w, ok := r.whole.(Witness); ok {
		w.Consulted(k.name)
	}
	gen := r.v.Generation()
	c, at := r.p.memo.get(k)
	if c != nil && at == gen {
		return c.value.(*table)
	}
	t := &table{referrers: printIDs(ids), entries: make([]*entry, 0, len(ids))}
	var kept map[graph.FileID]*entry
	if c != nil {
		was := c.value.(*table)
		if kept = r.stillTrue(was); len(kept) == len(was.entries) && was.referrers == t.referrers && !r.ended {
			r.p.memo.confirm(c, gen)
			return was
		}
		if len(kept) > 0 {
			t.deps = slices.Clip(was.deps)
		}
	}
	var missing []graph.FileID
	for _, id := range ids {
		if kept[id] == nil {
			missing = append(missing, id)
		}
	}
	made := r.bindAll(missing, k)
	in := interner{t: t, places: make(map[*node]uint32, len(t.deps))}
	for i, n := range t.deps {
		in.places[n] = uint32(i)
	}
	for _, id := range ids {
		e := kept[id]
		if e == nil {
			if len(made) == 0 || made[0].entry == nil {
				break // the question has ended
			}
			e = made[0].entry
			e.deps = in.intern(made[0].asked)
			made = made[1:]
		}
		t.entries = append(t.entries, e)
	}
	t.file()
	if k.kind == cellName {
		t.abstract = r.abstract(t, k.name)
	}
	if !r.ended && r.v.kept != nil {
		r.p.memo.put(k, &cell{value: t, cost: t.cost, gen: gen})
	}
	return t
}

// interner enters what entries depend on into the list of a table.
type interner struct {
	t      *table
	places map[*node]uint32
}

// intern returns the places of nodes in t.deps.
func (in *interner) intern(asked []*node) []uint32 {
	out := make([]uint32, len(asked))
	for i, n := range asked {
		at, ok := in.places[n]
		if !ok {
			at = uint32(len(in.t.deps))
			in.t.deps = append(in.t.deps, n)
			in.places[n] = at
		}
		out[i] = at
	}
	return out
}

// stillTrue returns the entries of a table that hold in this view, too.
func (r *reader) stillTrue(t *table) map[graph.FileID]*entry {
	kept := make(map[graph.FileID]*entry, len(t.entries))
	holds, broken := make([]bool, len(t.deps)), 0
	for i := range t.deps {
		if !r.alive() {
			return nil
		}
		if holds[i] = t.deps[i].holds(r.v); !holds[i] {
			broken++
		}
	}
	if 2*broken > len(t.deps) {
		return nil // mostly history: begin anew
	}
	for _, e := range t.entries {
		if !r.alive() {
			return nil
		}
		if _, live := r.v.File(e.file); live && !slices.ContainsFunc(e.deps, func(i uint32) bool { return !holds[i] }) {
			kept[e.file] = e
		}
	}
	return kept
}

// file sorts the sites under their targets.
func (t *table) file() {
	t.byTarget = make(map[graph.Symbol][]hit)
	t.cost = 1 + len(t.deps)/2
	for ei, e := range t.entries {
		t.cost += 1 + len(e.sites)/2 + len(e.deps)/16
		for i := range e.ends {
			dst := e.ends[i].dst
			t.byTarget[dst] = append(t.byTarget[dst], hit{int32(ei), int32(i)})
		}
		t.cost += len(e.ends) / 2
	}
}

func (t *table) edge(h hit, dst graph.Symbol) edge {
	e := t.entries[h.entry]
	to := &e.ends[h.end]
	return edge{site: e.sites[to.site], dst: dst, at: e.file, conf: to.conf}
}

// bindName binds everything in one file that may refer to a name: its references,
// those of the aliases that the file gives it, imports, bases and mentions.
func (r *reader) bindName(id graph.FileID, k cellKey) *entry {
	e := &entry{file: id}
	f := r.facts(id)
	res := r.resolver(f)
	if res == nil {
		return e
	}
	b := binder{r: r, v: r.v, res: res, f: f, id: id}
	add := e.add
	if k.kind != cellName {
		add = func(s site, targets []graph.Candidate) { e.addOnly(s, targets, k.sym) }
	}
	aliases := b.imports(e, k.name, add)
	called := func(n string) bool {
		return n == k.name || len(aliases) > 0 && slices.Contains(aliases, n)
	}
	if k.kind == cellName || k.sym.Def != graph.NoDef || mayDenoteFiles(res) {
		b.named(e, k.name, called, add)
	}
	for i := range f.Mentions {
		m := &f.Mentions[i]
		if (m.Name != "" && called(m.Name) || m.Target != "" && graph.Path(m.Target).Base() == k.name) && r.alive() {
			b.mention(i, add)
		}
	}
	return e
}

func mayDenoteFiles(res graph.Resolver) bool {
	d, ok := res.(graph.Denoter)
	return !ok || d.DenotesFiles()
}

// named binds the references and bases of a name, under which the file may know it by
// other names.
func (b *binder) named(e *entry, name string, called func(string) bool, add sink) {
	f := b.r.withRefs(b.f, b.id, graph.Selection{Like: func(ref *graph.Ref) bool { return called(ref.Name) }})
	b.f = f
	for i := range f.Refs {
		if !called(f.Refs[i].Name) {
			continue
		}
		if !b.r.alive() {
			return
		}
		bd := b.ref(i, add)
		if f.Refs[i].Name != name {
			continue
		}
		if f.Refs[i].Use == graph.UseDynamic {
			e.dynamic++
		}
		if bd.Unbound() && f.Refs[i].Use != graph.UseExport {
			e.unresolved++
		}
	}
	for i := range f.Heritage {
		if h := &f.Heritage[i]; called(h.Name) && b.r.alive() {
			if bd := b.base(i, add); h.Name == name && bd.Unbound() {
				e.unresolved++
			}
		}
	}
}

// addOnly is add for one of the targets.
func (e *entry) addOnly(s site, targets []graph.Candidate, only graph.Symbol) {
	for i := range targets {
		if targets[i].Symbol == only {
			e.add(s, targets[i:i+1])
		}
	}
}

func (e *entry) add(s site, targets []graph.Candidate) {
	for _, c := range targets {
		e.ends = append(e.ends, end{c.Symbol, c.Confidence, int32(len(e.sites))})
	}
	e.sites = append(e.sites, s)
}

// binder binds what stands in one file.
type binder struct {
	r   *reader
	v   graph.View
	res graph.Resolver
	f   *graph.Facts
	id  graph.FileID
}

// sink takes a site with its targets, which are shared and not empty.
type sink func(site, []graph.Candidate)

func (b *binder) site(enclosing int32, sp graph.Span, rl rel, bd *graph.Binding, pv prov) site {
	s := site{src: graph.Symbol{File: b.id, Def: ownerOf(b.f, enclosing)}, rel: rl, prov: pv, reason: reasonOf(bd.Reason)}
	s.line, s.endLine, s.col = place(sp)
	s.through = bd.Through
	if bd.Dynamic {
		s.flags |= siteDynamic
	}
	if isTestDef(b.f, s.src.Def) {
		s.flags |= siteFromTest
	}
	if isGenerated(b.f, s.src.Def) {
		s.flags |= siteGenerated
	}
	return s
}

// isGenerated reports whether no person writes the definition; a file is as its
// definitions are.
func isGenerated(f *graph.Facts, def int32) bool {
	return f.Role == graph.RoleGenerated || len(f.Defs) > 0 && f.Defs[max(def, 0)].Has(graph.FlagGenerated)
}

func (b *binder) ref(i int, out sink) graph.Binding {
	ref := &b.f.Refs[i]
	bd := b.r.ask(func() graph.Binding { return b.res.Ref(b.v, b.f, b.id, i) })
	broken := b.f.Doubt(ref.Span.From, &bd)
	targets, pv := b.r.targets(&bd)
	if len(targets) == 0 {
		return bd
	}
	rl := relReferences
	if ref.Use.Calls() && !b.expands(targets) {
		rl = relCalls
	}
	s := b.site(ref.Enclosing, ref.Span, rl, &bd, pv)
	if broken {
		s.flags |= siteBroken
	}
	switch ref.Use {
	case graph.UseCall, graph.UseChoice:
		s.flags |= siteConstruct
	case graph.UseFixture:
		s.flags |= siteFixture
	case graph.UseDynamic:
		s.flags |= siteDynamic | siteComputed
	}
	out(s, targets)
	return bd
}

// expands reports whether what stands there is replaced before the language is read: a
// macro runs nothing itself.
func (b *binder) expands(targets []graph.Candidate) bool {
	s := targets[0].Symbol
	if s.Def == graph.NoDef {
		return false
	}
	f := b.r.facts(s.File)
	return f != nil && f.Defs[s.Def].Kind == graph.KindMacro
}

// imports binds the imports that take the name, or take from a module that has
// it as its last element, and returns the other names that the file gives it.
func (b *binder) imports(e *entry, name string, add sink) (aliases []string) {
	for i := range b.f.Imports {
		im := &b.f.Imports[i]
		byName := im.Name == name || im.Alias == name
		byModule := im.Module != "" && graph.LastElement(im.Module) == name
		if !byName && !byModule || !b.r.alive() {
			continue
		}
		takes := im.Name == name || byModule && im.Name == ""
		if a := im.Alias; takes && a != "" && a != "." && a != "_" && a != name {
			aliases = append(aliases, a)
		}
		bd := b.imp(i, byName || im.Name == "" || im.Name == "*", byModule, add)
		if bd.Unbound() && (im.Name == name || byModule && !bd.Resolved()) {
			e.unresolved++
		}
	}
	return aliases
}

// imp binds one import. What it takes is one site; where it takes a symbol, the
// file that the module names is another: a file that takes a name from a module
// imports the module too.
func (b *binder) imp(i int, taken, module bool, out sink) graph.Binding {
	im := &b.f.Imports[i]
	bd := b.r.ask(func() graph.Binding { return b.res.Import(b.v, b.f, b.id, i) })
	targets, pv := b.r.targets(&bd)
	if len(targets) == 0 {
		return bd
	}
	s := b.site(im.Enclosing, im.Span, relImports, &bd, pv)
	if bd.Lacks {
		s.flags |= siteLacks
	}
	// What is taken from a file that defines no names, such as a picture or data, is
	// the file.
	taken = taken || module && (bd.Lacks || targets[0].Symbol.Def == graph.NoDef)
	if taken {
		out(s, targets)
	}
	if !module {
		return bd
	}
	var files []graph.Candidate
	if m := bd.Module; m.File != 0 && m.File != b.id {
		files = append(files, graph.Candidate{Symbol: m, Confidence: 1})
	}
	for _, c := range targets {
		file := graph.Candidate{Symbol: fileOf(c.Symbol), Confidence: c.Confidence}
		if c.Symbol.Def == graph.NoDef || file.Symbol.File == b.id || slices.Contains(files, file) {
			continue
		}
		if slices.Contains(b.r.names(b.v, file.Symbol), graph.LastElement(im.Module)) {
			files = append(files, file)
		}
	}
	if len(files) > 0 {
		out(s, files)
	}
	return bd
}

func (b *binder) base(i int, out sink) graph.Binding {
	h := &b.f.Heritage[i]
	bd := b.r.ask(func() graph.Binding { return b.res.Base(b.v, b.f, b.id, i) })
	broken := b.f.Doubt(h.Span.From, &bd)
	if targets, pv := b.r.targets(&bd); len(targets) > 0 {
		s := b.site(h.Def, h.Span, relInherits, &bd, pv)
		if broken {
			s.flags |= siteBroken
		}
		s.src.Def = h.Def // the type itself builds on the base, also a local one
		out(s, targets)
	}
	return bd
}

func (b *binder) mention(i int, out sink) {
	m := &b.f.Mentions[i]
	bd := b.r.ask(func() graph.Binding { return b.res.Mention(b.v, b.f, b.id, i) })
	if targets, pv := b.r.targets(&bd); len(targets) > 0 {
		out(b.site(m.Enclosing, m.Span, relMentions, &bd, pv), targets)
	}
}
