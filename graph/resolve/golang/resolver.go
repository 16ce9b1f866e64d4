// Package golang binds the names of Go facts: through imports and modules, the
// package's other files, and what the text says about the types of receivers.
//
// It holds no state and does no type checking: a View answers all its questions, a
// few at a time, and where the text of a declaration does not say what a value is,
// it says so. extract/lang/golang describes the paths that hints carry. graph/query
// calls it.
package golang

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Resolver binds Go. The zero value is ready for use.
type Resolver struct{}

var (
	_ graph.Resolver = Resolver{}
	_ graph.Denoter  = Resolver{}
	_ graph.Narrower = Resolver{}
)

// Languages lists what it serves.
func (Resolver) Languages() []string { return []string{"go"} }

// DenotesFiles says that only imports bind to the files of a package.
func (Resolver) DenotesFiles() bool { return false }

// Confidence of what the rules say. Those of extracted bindings are near 1: the
// language itself binds the name so, and only a build constraint or generated code
// could make it another. Types that are declared, made or returned follow closely:
// against a type checker they are right as often (`ralph-bench accuracy`).
const (
	sureConfidence     = 1
	packageConfidence  = 0.98
	selfConfidence     = 0.97
	declaredConfidence = 0.95
	madeConfidence     = 0.94
	chainConfidence    = 0.93
	uniqueConfidence   = 0.6
	implConfidence     = 0.6
	inheritedDiscount  = 0.01
)

// binder answers for one file.
type binder struct {
	v    graph.View
	f    *graph.Facts
	id   graph.FileID
	fuel int // bounds the steps through declarations
	// from is the file of the reference: tests see what the tests beside them define,
	// also on types of other files.
	from graph.Path
}

// maxSteps bounds how many declarations one binding may go through; chains in real
// code need fewer than ten.
const maxSteps = 48

func newBinder(v graph.View, f *graph.Facts, id graph.FileID) *binder {
	return &binder{v: v, f: f, id: id, fuel: maxSteps, from: f.Path}
}

// at returns a binder for another file that shares the fuel left.
func (b *binder) at(s sym) *binder {
	if s.id == b.id {
		return b
	}
	return &binder{v: b.v, f: s.f, id: s.id, fuel: b.fuel, from: b.from}
}

// sym is a definition with the facts that hold it.
type sym struct {
	f   *graph.Facts
	id  graph.FileID
	def int32
}

func (s sym) d() *graph.Def { return &s.f.Defs[s.def] }

// Ref binds f.Refs[i].
func (Resolver) Ref(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b, r := newBinder(v, f, id), &f.Refs[i]
	out := b.ref(r)
	if r.Use == graph.UseCall && !out.Dynamic {
		for _, t := range out.Targets {
			out.Dynamic = out.Dynamic || holdsValue(v, t.Symbol)
		}
	}
	return out
}

// holdsValue reports whether a definition holds what is called, and is not itself that.
func holdsValue(v graph.View, s graph.Symbol) bool {
	f, err := v.Facts(s.File)
	if err != nil || f == nil || s.Def == graph.NoDef {
		return false
	}
	k := f.Defs[s.Def].Kind
	return k == graph.KindVariable || k == graph.KindField
}

func (b *binder) ref(r *graph.Ref) graph.Binding {
	if r.Qualifier == "" {
		return b.bare(r)
	}
	if r.Hint.Rule == graph.HintNone && isIdent(r.Qualifier) {
		if im := b.importNamed(r.Qualifier); im != nil {
			return b.inImport(im, r.Name)
		}
	}
	return b.memberRef(r)
}

// bare binds a name without a qualifier.
func (b *binder) bare(r *graph.Ref) graph.Binding {
	if syms := b.packageScope(r.Name); len(syms) > 0 {
		reason := graph.ReasonPackage
		conf := float32(packageConfidence)
		if len(syms) == 1 && syms[0].id == b.id {
			reason, conf = graph.ReasonScope, sureConfidence
		}
		return b.bind(syms, graph.Extracted, reason, conf)
	}
	outside := false
	for i := range b.f.Imports {
		if im := &b.f.Imports[i]; im.Alias == "." {
			dir, ok := b.importDir(im.Module)
			outside = outside || !ok
			if syms := b.exportedIn(dir, r.Name); ok && len(syms) > 0 {
				return b.bind(syms, graph.Extracted, graph.ReasonStar, packageConfidence)
			}
		}
	}
	return graph.Binding{External: outside || predeclared(r.Name)}
}

// inImport binds a member of an imported package.
func (b *binder) inImport(im *graph.Import, name string) graph.Binding {
	dir, ok := b.importDir(im.Module)
	if !ok {
		return graph.Binding{External: true, Reason: graph.ReasonImport}
	}
	return b.bind(b.exportedIn(dir, name), graph.Extracted, graph.ReasonModule, sureConfidence)
}

// memberRef binds a member of a value or type.
func (b *binder) memberRef(r *graph.Ref) graph.Binding {
	path, ok := receiverPath(r)
	if !ok {
		return b.byName(r)
	}
	val := b.eval(path, r.Enclosing).bound()
	switch val.kind {
	case isExternal:
		if val.maybe && b.someMember(r.Name) {
			return graph.Binding{}
		}
		return graph.Binding{External: true}
	case isPackage:
		if val.text != "" {
			return graph.Binding{External: true}
		}
		return b.bind(b.exportedIn(val.dir, r.Name), graph.Extracted, graph.ReasonModule, sureConfidence)
	case isValue:
		m := b.member(val, r.Name)
		if m.external || m.field.kind != isUnknown {
			return graph.Binding{External: true}
		}
		if len(m.syms) == 0 {
			return b.literalKey(r, val)
		}
		prov, reason, conf := receiverRule(r, val.steps)
		if m.depth > 0 {
			reason = graph.ReasonInherited
			conf -= inheritedDiscount * float32(m.depth)
		}
		out := b.bind(m.syms, prov, reason, conf)
		out.Dynamic = m.dynamic
		return out
	default:
	}
	return b.byName(r)
}

// literalKey binds a key of a composite literal that is no field: the literal is of
// a map or slice type with a name, and the key an ordinary expression.
func (b *binder) literalKey(r *graph.Ref, val value) graph.Binding {
	if r.Use != graph.UseWrite || r.Hint.Rule != graph.HintDeclared || r.Hint.Type != r.Qualifier {
		return graph.Binding{}
	}
	if s, ok := b.named(val); ok && s.d().Kind == graph.KindType {
		return b.bind(b.packageScope(r.Name), graph.Extracted, graph.ReasonPackage, packageConfidence)
	}
	return graph.Binding{}
}

// receiverRule says how well a member is known by how its receiver is. A receiver whose
// type stands in the text proves its member; what a value is assigned from, or a chain
// of fields and results, is followed by rules of this package.
func receiverRule(r *graph.Ref, steps int) (graph.Provenance, graph.Reason, float32) {
	plain := isIdent(r.Qualifier)
	switch {
	case r.Hint.Rule == graph.HintSelf && plain:
		return graph.Extracted, graph.ReasonSelf, selfConfidence
	case r.Hint.Rule == graph.HintDeclared && (plain || r.Hint.Type == r.Qualifier):
		return graph.Extracted, graph.ReasonDeclared, declaredConfidence
	case r.Hint.Rule == graph.HintAssigned && plain && steps <= 2:
		return graph.Inferred, graph.ReasonConstructed, madeConfidence
	case r.Hint.Rule == graph.HintNone && plain:
		return graph.Inferred, graph.ReasonDeclared, declaredConfidence
	}
	return graph.Inferred, graph.ReasonMember, chainConfidence
}

// bind lists definitions as the targets of one binding. Several are variants under
// build constraints, or a guess: they share the confidence.
func (b *binder) bind(syms []sym, prov graph.Provenance, reason graph.Reason, conf float32) graph.Binding {
	if len(syms) == 0 {
		return graph.Binding{}
	}
	out := graph.Binding{Provenance: prov, Reason: reason}
	if len(syms) > 1 {
		syms = b.variants(syms)
	}
	if len(syms) > 1 {
		out.Provenance = graph.Ambiguous
		conf = 1 / float32(len(syms))
	}
	one := len(syms) > 1 && builds(syms[0].f, "", "") && !builds(syms[1].f, "", "")
	for i, s := range syms {
		c := conf
		if one { // the variant of this machine, and the others
			c = 0.5
			if i > 0 {
				c /= float32(len(syms) - 1)
			}
		}
		out.Targets = append(out.Targets, graph.Candidate{Symbol: graph.Symbol{File: s.id, Def: s.def}, Confidence: c})
	}
	return out
}

// Import binds f.Imports[i] to the files of the package.
func (Resolver) Import(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b := newBinder(v, f, id)
	dir, ok := b.importDir(f.Imports[i].Module)
	if !ok {
		return graph.Binding{External: true, Reason: graph.ReasonImport}
	}
	targets := b.packageFiles(dir)
	if len(targets) == 0 {
		return graph.Binding{}
	}
	return graph.Binding{Targets: targets, Provenance: graph.Extracted, Reason: graph.ReasonImport}
}

// Package implements graph.Packager.
func (Resolver) Package(v graph.View, dir graph.Path) []graph.FileID {
	files := (&binder{v: v}).packageFiles(dir)
	out := make([]graph.FileID, len(files))
	for i := range files {
		out[i] = files[i].Symbol.File
	}
	return out
}

// packageFiles lists what the import of a directory binds to.
func (b *binder) packageFiles(dir graph.Path) []graph.Candidate {
	return graph.Derived(b.v, graph.Derivation{Rule: ruleFiles, In: string(dir)}, func() (out []graph.Candidate) {
		for _, file := range b.v.Dir(dir) {
			rec, ok := b.v.File(file)
			if ok && rec.Language == "go" && !isTestFile(rec.Path) {
				out = append(out, graph.Candidate{
					Symbol: graph.Symbol{File: file, Def: graph.NoDef}, Confidence: sureConfidence,
				})
			}
		}
		return out
	})
}

// Base binds f.Heritage[i], an embedded type.
func (Resolver) Base(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b, h := newBinder(v, f, id), &f.Heritage[i]
	syms, external := b.typeName(h.Qualifier, h.Name, h.Def)
	if external {
		return graph.Binding{External: true}
	}
	reason, conf := graph.ReasonPackage, float32(packageConfidence)
	switch {
	case h.Qualifier != "":
		reason, conf = graph.ReasonModule, sureConfidence
	case len(syms) == 1 && syms[0].id == id:
		reason, conf = graph.ReasonScope, sureConfidence
	}
	return b.bind(syms, graph.Extracted, reason, conf)
}

// Mention binds nothing: Go facts have no mentions.
func (Resolver) Mention(graph.View, *graph.Facts, graph.FileID, int) graph.Binding {
	return graph.Binding{}
}

// Names lists the names under which other files refer to a symbol.
func (Resolver) Names(v graph.View, s graph.Symbol) []string {
	f, err := v.Facts(s.File)
	if err != nil || f == nil {
		return nil
	}
	if s.Def >= 0 && int(s.Def) < len(f.Defs) {
		return []string{f.Defs[s.Def].Name}
	}
	names := []string{f.Package}
	if last := graph.LastElement(importPath(v, f.Path.Dir())); last != f.Package && last != "" {
		names = append(names, last)
	}
	return names
}

// Qualify returns the import path of a file's package, and behind it the
// definition's name.
func (Resolver) Qualify(v graph.View, f *graph.Facts, _ graph.FileID, def int32) string {
	pkg := importPath(v, f.Path.Dir())
	if pkg == "" {
		pkg = f.Package
	} else if strings.HasSuffix(f.Package, "_test") && isTestFile(f.Path) {
		pkg += "_test"
	}
	if def < 0 || int(def) >= len(f.Defs) {
		return pkg
	}
	return pkg + "." + f.Defs[def].Local
}
