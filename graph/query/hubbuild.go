package query

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// errNoFiles is returned by BuildHubs over a view that cannot list its files.
var errNoFiles = errors.New("build hubs: the view does not list its files")

// maxSpread bounds how many files are read again because a changed file defines
// other names than before.
const maxSpread = 300

// patchAtMost is the number of changed files up to which a table is patched; above,
// to build it anew costs less.
const patchAtMost = 500

// BuildHubs makes the table of hubs of the view's generation; the view must be a
// FileLister. Where prev is not nil and not much has changed since, only the files
// whose versions are not those of prev are read, with the files that refer to what
// they export where that changed. It runs for seconds on a large tree: the caller
// runs it in idle time. On the end of ctx it returns the context's error and no
// table.
func (p *Planner) BuildHubs(ctx context.Context, v graph.View, prev *HubTable) (*HubTable, error) {
	l, ok := v.(FileLister)
	if !ok {
		return nil, errNoFiles
	}
	r := p.reader(ctx, v)
	r.v.kept = nil // all of the tree would drive out what questions need
	todo := l.Files()
	var removed []graph.Path
	if prev != nil {
		changed, gone := prev.differences(v, todo)
		if len(changed)+len(gone) > patchAtMost {
			prev = nil
		} else {
			todo, removed = changed, gone
		}
	}
	b := newHubBuilder(r, prev)
	for _, path := range removed {
		b.drop(path)
	}
	if prev != nil {
		todo = b.spread(todo)
	}
	for _, id := range todo {
		if !r.check() {
			break
		}
		b.read(id)
	}
	if r.damage != nil {
		return nil, r.damage
	}
	if r.ended {
		return nil, r.end()
	}
	b.sort()
	return b.t, nil
}

// differences lists the live files of a view that are not those which the table was
// made of, and the paths of the table that are gone.
func (t *HubTable) differences(v graph.View, live []graph.FileID) (changed []graph.FileID, gone []graph.Path) {
	known := 0
	for _, id := range live {
		rec, ok := v.File(id)
		if !ok {
			continue
		}
		f, ok := t.files[rec.Path]
		if ok {
			known++
		}
		if !ok || f.id != id {
			changed = append(changed, id)
		}
	}
	if known == len(t.files) {
		return changed, nil
	}
	for p := range t.files {
		if _, ok := v.Lookup(p); !ok {
			gone = append(gone, p)
		}
	}
	return changed, gone
}

// hubBuilder makes one table.
type hubBuilder struct {
	r       *reader
	t       *HubTable
	prev    *HubTable // what t goes on from, or nil
	paths   map[graph.Path]uint32
	syms    map[hubSymbol]uint32    // those that prev has not
	old     symbolsByPath           // those that it has
	bySym   map[graph.Symbol]uint32 // of this view
	defined map[string]bool         // whether some file defines the name
	touched map[uint32]bool         // symbols whose sums were changed
}

func newHubBuilder(r *reader, prev *HubTable) *hubBuilder {
	b := &hubBuilder{
		r: r, t: &HubTable{gen: r.v.Generation(), files: make(map[graph.Path]hubFile)}, prev: prev,
		syms: make(map[hubSymbol]uint32), bySym: make(map[graph.Symbol]uint32),
		defined: make(map[string]bool), touched: make(map[uint32]bool),
	}
	if prev == nil {
		return b
	}
	b.t.paths, b.t.syms, b.t.sums = slices.Clip(prev.paths), slices.Clip(prev.syms), slices.Clone(prev.sums)
	b.t.files = maps.Clone(prev.files)
	return b
}

// symbolsByPath finds symbols of a table by their path. To hash them all would take
// longer than what most changes ask for.
type symbolsByPath struct {
	from []uint32 // by path: where its symbols begin in list
	list []uint32
}

func newSymbolsByPath(t *HubTable) symbolsByPath {
	x := symbolsByPath{from: make([]uint32, len(t.paths)+2), list: make([]uint32, len(t.syms))}
	at := x.from[1:]
	for i := range t.syms {
		at[t.syms[i].path+1]++
	}
	for p := 1; p < len(at); p++ {
		at[p] += at[p-1]
	}
	for i := range t.syms { // moves each start to the next path's
		p := t.syms[i].path
		x.list[at[p]] = uint32(i)
		at[p]++
	}
	return x
}

func (x *symbolsByPath) find(t *HubTable, s hubSymbol) (uint32, bool) {
	if int(s.path)+1 >= len(x.from) {
		return 0, false
	}
	for _, i := range x.list[x.from[s.path]:x.from[s.path+1]] {
		if t.syms[i] == s {
			return i, true
		}
	}
	return 0, false
}

// spread adds to the changed files those that refer to names which a changed file
// defines, where its exports are not what they were.
func (b *hubBuilder) spread(changed []graph.FileID) []graph.FileID {
	out := slices.Clone(changed)
	seen := make(map[graph.FileID]bool, len(changed))
	for _, id := range changed {
		seen[id] = true
	}
	for _, id := range changed {
		f := b.r.facts(id)
		if f == nil || b.t.files[f.Path].exports == f.Exports {
			continue
		}
		f.DefNames(func(name string) {
			for _, o := range b.r.v.Referrers(name) {
				if len(out)-len(changed) < maxSpread && !seen[o] {
					seen[o] = true
					out = append(out, o)
				}
			}
		})
	}
	return out
}

// drop takes back what a file contributed.
func (b *hubBuilder) drop(p graph.Path) {
	for _, u := range b.t.files[p].uses {
		b.count(u, -1)
	}
	delete(b.t.files, p)
}

func (b *hubBuilder) count(u hubUse, sign int) {
	b.touched[u.sym] = true
	sums := &b.t.sums[u.sym]
	all := uint8(0)
	for k, c := range u.conf {
		sums[k] = uint32(int(sums[k]) + sign*int(c))
		all = max(all, c)
	}
	if b.t.syms[u.sym].counted() && !u.mere {
		sums[hubAll] = uint32(int(sums[hubAll]) + sign*int(all))
	}
}

// read replaces what a file contributes.
func (b *hubBuilder) read(id graph.FileID) {
	rec, ok := b.r.v.File(id)
	if !ok {
		return
	}
	b.drop(rec.Path)
	f := b.r.facts(id)
	res := b.r.resolver(f)
	if res == nil {
		b.t.files[rec.Path] = hubFile{id: id}
		return
	}
	uses := make(map[hubKey]int)
	file := hubFile{id: id, exports: f.Exports}
	add := func(k hubRel) sink {
		return func(s site, targets []graph.Candidate) {
			if k == hubCalls && s.rel != relCalls {
				return // a macro is expanded
			}
			for _, c := range targets {
				if c.Symbol == s.src || c.Symbol.Def == graph.NoDef && k != hubImports {
					continue
				}
				key := hubKey{s.src.Def, b.intern(c.Symbol)}
				at, seen := uses[key]
				if !seen {
					at = len(file.uses)
					uses[key] = at
					file.uses = append(file.uses, hubUse{sym: key.sym})
				}
				u := &file.uses[at]
				u.conf[k] = max(u.conf[k], uint8(min(1, max(0, c.Confidence))*hubUnit+0.5))
			}
		}
	}
	f = b.r.withRefs(f, id, graph.Selection{Like: func(ref *graph.Ref) bool { return ref.Use.Calls() }})
	bd := &binder{r: b.r, v: b.r.v, res: res, f: f, id: id}
	b.calls(bd, add(hubCalls))
	for i := range f.Imports {
		if b.r.alive() {
			bd.imp(i, true, f.Imports[i].Module != "", add(hubImports))
		}
	}
	for i := range f.Heritage {
		if b.mayBind(bd, f.Heritage[i].Name) && b.r.alive() {
			bd.base(i, add(hubInherits))
		}
	}
	if b.r.ended {
		return
	}
	file.uses = slices.Clip(file.uses)
	markMere(file.uses)
	b.t.files[rec.Path] = file
	for _, u := range file.uses {
		b.count(u, 1)
	}
}

type hubKey struct {
	def int32
	sym uint32
}

// refKey is what a binding depends on within one definition: repeated calls are
// bound once.
type refKey struct {
	def             int32
	name, qualifier string
	hint            graph.Hint
	args            int16
}

func (b *hubBuilder) calls(bd *binder, out sink) {
	// A decorator is run once, by what holds the definition that it stands at.
	held := func(s site, targets []graph.Candidate) {
		if def := s.src.Def; def != graph.NoDef {
			s.src.Def = ownerOf(bd.f, bd.f.Defs[def].Container)
		}
		out(s, targets)
	}
	seen := make(map[refKey]bool)
	for i := range bd.f.Refs {
		ref := &bd.f.Refs[i]
		if !ref.Use.Calls() || !b.mayBind(bd, ref.Name) {
			continue
		}
		k := refKey{ref.Enclosing, ref.Name, ref.Qualifier, ref.Hint, ref.Args}
		if seen[k] {
			continue
		}
		seen[k] = true
		if !b.r.alive() {
			return
		}
		if at := ref.Enclosing; ref.Use == graph.UseDecorator && at != graph.NoDef && ref.Span.Start < bd.f.Defs[at].NameSpan.Start {
			bd.ref(i, held)
		} else {
			bd.ref(i, out)
		}
	}
}

// mayBind reports whether anything in the workspace has the name, or the file gives
// it to something: most calls are of names that other projects define.
func (b *hubBuilder) mayBind(bd *binder, name string) bool {
	known, ok := b.defined[name]
	if !ok {
		known = len(b.r.v.Definers(name)) > 0
		b.defined[strings.Clone(name)] = known
	}
	return known || slices.ContainsFunc(bd.f.Imports, func(im graph.Import) bool {
		return im.Alias == name || im.Name == name || im.Name == "*" || im.Alias == "."
	})
}

// intern returns the number of a symbol of the view in the table.
func (b *hubBuilder) intern(s graph.Symbol) uint32 {
	if i, ok := b.bySym[s]; ok {
		return i
	}
	b.index()
	var hs hubSymbol
	rec, _ := b.r.v.File(s.File)
	path := rec.Path
	if _, packs := b.r.p.byLang[rec.Language].(graph.Packager); packs && s.Def == graph.NoDef {
		path, hs.kind = path.Dir(), hubPackage // which may get other files than it has now
	}
	pi, ok := b.paths[path]
	if !ok {
		pi = uint32(len(b.t.paths))
		b.t.paths = append(b.t.paths, path)
		b.paths[path] = pi
	}
	hs.path = pi
	if f := b.r.facts(s.File); f != nil && s.Def != graph.NoDef {
		// Facts may be decoded from a larger buffer: do not keep that alive.
		hs.local, hs.kind = strings.Clone(f.Defs[s.Def].Local), f.Defs[s.Def].Kind
		for i := range f.Defs[:s.Def] {
			if f.Defs[i].Kind == hs.kind && f.Defs[i].Local == hs.local {
				hs.nth++
			}
		}
	}
	i, ok := b.syms[hs]
	if !ok && b.prev != nil {
		i, ok = b.old.find(b.prev, hs)
	}
	if !ok {
		i = uint32(len(b.t.syms))
		b.t.syms, b.t.sums = append(b.t.syms, hs), append(b.t.sums, [hubKinds]uint32{})
		b.syms[hs] = i
	}
	b.bySym[s] = i
	return i
}

// index prepares intern, which not every change needs.
func (b *hubBuilder) index() {
	if b.paths != nil {
		return
	}
	b.paths = make(map[graph.Path]uint32, len(b.t.paths))
	for i, p := range b.t.paths {
		b.paths[p] = uint32(i)
	}
	if b.prev != nil {
		b.old = newSymbolsByPath(b.prev)
	}
}

// sort ranks the symbols: by score, then by name and path. Those that were not
// touched keep their order.
func (b *hubBuilder) sort() {
	for k := range b.t.order {
		var changed, kept []uint32
		for i := range b.touched {
			if b.t.sums[i][k] > 0 {
				changed = append(changed, i)
			}
		}
		slices.SortFunc(changed, func(x, y uint32) int { return b.t.compare(k, x, y) })
		if b.prev != nil {
			kept = b.prev.order[k]
		}
		b.t.order[k] = b.mergeOrder(k, kept, changed)
	}
}

// mergeOrder brings the changed symbols among those of kept that were not touched.
func (b *hubBuilder) mergeOrder(k int, kept, changed []uint32) []uint32 {
	if len(b.touched) == 0 {
		return kept
	}
	out := make([]uint32, 0, len(kept)+len(changed))
	for _, i := range kept {
		if b.touched[i] {
			continue
		}
		for len(changed) > 0 && b.t.compare(k, changed[0], i) < 0 {
			out, changed = append(out, changed[0]), changed[1:]
		}
		out = append(out, i)
	}
	return append(out, changed...)
}

func (t *HubTable) compare(k int, x, y uint32) int {
	if c := cmp.Compare(t.sums[y][k], t.sums[x][k]); c != 0 {
		return c
	}
	return cmp.Or(
		strings.Compare(t.syms[x].local, t.syms[y].local), cmp.Compare(t.paths[t.syms[x].path], t.paths[t.syms[y].path]),
		cmp.Compare(t.syms[x].kind, t.syms[y].kind), cmp.Compare(t.syms[x].nth, t.syms[y].nth),
	)
}
