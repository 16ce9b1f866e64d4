package typescript

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// maxSteps bounds the work of one question: lookups in other files, expansions of
// types, hops through re-exports. Real chains end within a few dozen.
const maxSteps = 400

// binder answers one question of a Resolver. It is made per call and thrown away.
type binder struct {
	v     graph.View
	steps int
	// blocks is what the reference in question says of its name, read in the scope
	// blocksAt; a rule other than HintBlock says nothing.
	blocks   graph.Hint
	blocksAt scope
	calling  map[graph.Symbol]bool // functions whose results are being read
}

// step counts one unit of work and reports whether the budget allows it.
func (b *binder) step() bool {
	b.steps++
	return b.steps <= maxSteps
}

// scope is where a name or a type text must be read.
type scope struct {
	f    *graph.Facts
	id   graph.FileID
	encl int32
}

func (s scope) valid() bool { return s.f != nil }

// scopeOf returns the scope inside a definition, or the zero scope.
func (b *binder) scopeOf(s graph.Symbol) scope {
	f := b.facts(s.File)
	if f == nil || int(s.Def) >= len(f.Defs) {
		return scope{}
	}
	return scope{f, s.File, s.Def}
}

// facts returns the facts of a file of this family, or nil. A damaged store shows
// up in the planner's own reads; here it means "nothing known".
func (b *binder) facts(id graph.FileID) *graph.Facts {
	f, err := b.v.Facts(id)
	if err != nil {
		return nil
	}
	return f
}

func (b *binder) def(s graph.Symbol) *graph.Def {
	f := b.facts(s.File)
	if f == nil || s.Def < 0 || int(s.Def) >= len(f.Defs) {
		return nil
	}
	return &f.Defs[s.Def]
}

// space is what a name is looked up as: TypeScript keeps types and values apart.
type space uint8

const (
	anySpace space = iota
	valueSpace
	typeSpace
)

func spaceOf(u graph.Use) space {
	switch u {
	case graph.UseType:
		return typeSpace
	case graph.UseExport:
		return anySpace
	default:
	}
	return valueSpace
}

// holds reports whether a definition of kind k lives in the space.
func (s space) holds(k graph.Kind) bool {
	switch k {
	case graph.KindInterface, graph.KindType:
		return s != valueSpace
	case graph.KindClass, graph.KindEnum, graph.KindNamespace:
		return true
	default:
	}
	return s != typeSpace
}

// scoping reports whether names defined in a definition of kind k are visible to
// the text inside it: those of function bodies and of enums are, members of other types
// are not.
func scoping(k graph.Kind) bool {
	switch k {
	case graph.KindClass, graph.KindInterface, graph.KindType:
		return false
	default:
	}
	return true
}

// isTypeKind reports whether definitions of the kind have members of their own.
func isTypeKind(k graph.Kind) bool {
	return k == graph.KindClass || k == graph.KindInterface || k == graph.KindEnum || k == graph.KindType
}

// depthOf returns how many definitions enclose c within the chain from encl, or -1
// when c does not enclose it. NoDef, the file, is at 0.
func depthOf(f *graph.Facts, encl, c int32) int {
	depth := 0
	for e := encl; e >= 0 && int(e) < len(f.Defs); e = f.Defs[e].Container {
		depth++
	}
	for e := encl; e != c; e = f.Defs[e].Container {
		if e < 0 || int(e) >= len(f.Defs) {
			return -1
		}
		depth--
	}
	return depth
}

// lexical finds what a bare name denotes by the scopes of its own file: local
// functions, members of enclosing namespaces, top-level definitions. All merged
// declarations of the deepest scope are returned, the preferred one first.
func (b *binder) lexical(sc scope, name string, in space) []graph.Symbol {
	best, found := -1, []graph.Symbol(nil)
	nearest := hidden
	for i := range sc.f.Defs {
		d := &sc.f.Defs[i]
		if d.Name != name || d.Owner != "" || !in.holds(d.Kind) || d.Has(graph.FlagTest) || d.Has(graph.FlagFixture) {
			continue
		}
		if d.Has(graph.FlagTentative) && depthOf(sc.f, sc.encl, int32(i)) < 0 {
			continue // a function expression has its name for itself
		}
		if c := d.Container; c >= 0 && (!scoping(sc.f.Defs[c].Kind) && !inBlock(d) || objectMember(sc.f, d)) {
			continue
		}
		depth, block := depthOf(sc.f, sc.encl, d.Container), b.blockOf(sc, d)
		if depth < 0 && d.Container >= 0 {
			depth, block = mergedDepth(sc, d)
		}
		if depth < best || depth < 0 || block == hidden || depth == best && block > nearest {
			continue
		}
		if depth > best || block < nearest {
			best, nearest, found = depth, block, nil
		}
		found = append(found, graph.Symbol{File: sc.id, Def: int32(i)})
	}
	return preferImplementation(sc.f, found)
}

// mergedDepth returns how deep a definition stands around a reference whose own
// namespace, or enum, is another declaration of the one that holds d: what one exports
// is in the scope of all, behind what each has itself. It is -1 where d is not seen.
// block tells apart the namespaces of one dotted declaration, the innermost first.
func mergedDepth(sc scope, d *graph.Def) (depth, block int) {
	holder := &sc.f.Defs[d.Container]
	if holder.Kind != graph.KindEnum && (holder.Kind != graph.KindNamespace || !d.Has(graph.FlagExported)) {
		return -1, 0
	}
	for e := sc.encl; e >= 0 && int(e) < len(sc.f.Defs); e = sc.f.Defs[e].Container {
		o := &sc.f.Defs[e]
		if o.Kind != holder.Kind || !strings.HasPrefix(o.Local, holder.Local) {
			continue
		}
		rest := o.Local[len(holder.Local):]
		if rest == "" || rest[0] == '.' && len(rest) < len(o.Name) {
			return depthOf(sc.f, sc.encl, e), otherBlock + strings.Count(rest, ".")
		}
	}
	return -1, 0
}

// Places of blocks: hidden is of one that a reference does not stand in, otherBlock of
// another declaration of the namespace that it stands in.
const (
	hidden     = 1 << 20
	otherBlock = 1 << 19
)

// blockOf says how far out the block is that ends the name of d, as the reference in
// question sees it: 0 for the innermost. What no block ends is behind them all.
func (b *binder) blockOf(sc scope, d *graph.Def) int {
	if b.blocks.Rule != graph.HintBlock || sc != b.blocksAt || !inBlock(d) {
		return otherBlock - 1
	}
	place := 0
	for at := range strings.SplitSeq(b.blocks.Type, ",") {
		if at == strconv.Itoa(int(d.NameSpan.Start)) {
			return place
		}
		place++
	}
	return hidden
}

// inBlock reports whether a block ends the name of d: also of a static block in a class,
// whose member it is not.
func inBlock(d *graph.Def) bool { return d.Has(graph.FlagLocal | graph.FlagConditional) }

// objectMember reports whether d is written inside an object literal that
// initialises its container: a property, not a name of a scope.
func objectMember(f *graph.Facts, d *graph.Def) bool {
	switch f.Defs[d.Container].Kind {
	case graph.KindConstant, graph.KindVariable, graph.KindProperty, graph.KindField:
		return !d.Has(graph.FlagLocal)
	default:
	}
	return false
}

// preferImplementation drops overload signatures where the implementation is
// known and puts declarations with values before types.
func preferImplementation(f *graph.Facts, syms []graph.Symbol) []graph.Symbol {
	if len(syms) < 2 {
		return syms
	}
	kept := make([]graph.Symbol, 0, len(syms))
	for _, s := range syms {
		if !f.Defs[s.Def].Has(graph.FlagOverload) {
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 {
		return syms[len(syms)-1:]
	}
	first := 0
	for i, s := range kept {
		if meaning(f.Defs[s.Def].Kind) < meaning(f.Defs[kept[first].Def].Kind) {
			first = i
		}
	}
	kept[0], kept[first] = kept[first], kept[0]
	return kept
}

// meaning ranks the declarations of one name by what the name alone means: a function or
// a value, then a namespace that is merged with it, then a type.
func meaning(k graph.Kind) int {
	switch k {
	case graph.KindInterface, graph.KindType:
		return 2
	case graph.KindNamespace, graph.KindModule:
		return 1
	default:
	}
	return 0
}

// importOf finds the import that binds name in the scope, or -1.
func importOf(sc scope, name string) int {
	best, found := -1, -1
	for i := range sc.f.Imports {
		im := &sc.f.Imports[i]
		if im.Alias != name || im.Flags&graph.ImportExport != 0 || im.Flags&graph.ImportReexport != 0 && im.Flags&graph.ImportDynamic == 0 {
			continue
		}
		if depth := depthOf(sc.f, sc.encl, im.Enclosing); depth > best {
			best, found = depth, i
		}
	}
	return found
}

// found is what a lookup yields: symbols with the rule that found them, or the
// knowledge that the name belongs to something outside.
type found struct {
	syms     []graph.Symbol
	reason   graph.Reason
	external bool
	module   graph.FileID // the file itself is denoted (namespace import); 0 if not
	many     bool         // the symbols are rivals: each of several modules exports the name
}

func (r found) ok() bool { return len(r.syms) > 0 || r.module != 0 }

// name resolves a bare name: scopes, imports, scripts' shared scope, built-ins.
func (b *binder) name(sc scope, name string, in space) found {
	syms := b.lexical(sc, name, in)
	im := importOf(sc, name)
	if len(syms) > 0 && (im < 0 || sc.f.Defs[syms[0].Def].Container >= 0 || sc.f.Defs[syms[0].Def].Has(graph.FlagLocal)) {
		return found{syms: syms, reason: graph.ReasonScope}
	}
	if im >= 0 {
		if r := b.imported(sc, im, in); r.ok() || r.external {
			return r
		}
		if len(syms) > 0 {
			return found{syms: syms, reason: graph.ReasonScope}
		}
		return found{}
	}
	if isScript(sc.f) {
		if r := b.scriptGlobal(name, in); r.ok() {
			return r
		}
	}
	if isBuiltinName(name) || in == typeSpace && isBuiltinType(name) {
		return found{external: true}
	}
	return b.scriptGlobal(name, in)
}

// isScript reports whether the file is no module: its top level is shared by all.
func isScript(f *graph.Facts) bool {
	if len(f.Imports) > 0 {
		return false
	}
	for i := range f.Defs {
		if d := &f.Defs[i]; d.Has(graph.FlagExported) && d.Container < 0 {
			return false
		}
	}
	return true
}

// maxCandidates bounds how many files are opened in search of a name that no
// import leads to.
const maxCandidates = 32

// definers lists the files that define a name in the order of their paths: which of
// several is taken must not depend on which was indexed first. Not ok are too many.
func (b *binder) definers(name string) (ids []graph.FileID, ok bool) {
	all := b.v.Definers(name)
	if len(all) > maxCandidates {
		return nil, false
	}
	paths := make(map[graph.FileID]graph.Path, len(all))
	for _, id := range all {
		if f := b.facts(id); f != nil {
			paths[id] = f.Path
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(x, y graph.FileID) int { return cmp.Compare(paths[x], paths[y]) })
	return ids, true
}

// scriptGlobal finds a name among the top levels of scripts, and among what
// modules declare global.
func (b *binder) scriptGlobal(name string, in space) found {
	ids, ok := b.definers(name)
	if !ok {
		return found{}
	}
	var r found
	for _, id := range ids {
		f := b.facts(id)
		if f == nil || !served(f.Language) || f.Role == graph.RoleGenerated {
			continue
		}
		script := isScript(f)
		for i := range f.Defs {
			d := &f.Defs[i]
			if d.Name != name || !in.holds(d.Kind) || d.Owner != "" || d.Has(graph.FlagTest) || d.Has(graph.FlagTentative) {
				continue
			}
			if d.Container < 0 && script || d.Container >= 0 && f.Defs[d.Container].Name == "global" && f.Defs[d.Container].Kind == graph.KindNamespace {
				r.syms = append(r.syms, graph.Symbol{File: id, Def: int32(i)})
			}
		}
	}
	r.reason = graph.ReasonUnique
	if len(r.syms) > 4 {
		return found{}
	}
	return r
}

func served(lang string) bool {
	return lang == "typescript" || lang == "tsx" || lang == "javascript"
}
