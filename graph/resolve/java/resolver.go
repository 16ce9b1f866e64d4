// Package java binds the names of Java facts: types through scopes, imports and
// packages, members by the type of their receiver, and overloads by the number and
// the types of the arguments.
//
// It holds no state: a View answers all its questions. Types are followed as they are
// declared, with the arguments of generic types and of generic methods as far as the
// text gives them; of the library it knows what containers and functions give back.
// extract/lang/java describes the paths in which receivers and arguments are written.
// graph/query calls it.
package java

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Resolver binds Java. The zero value is ready for use.
type Resolver struct{}

var (
	_ graph.Resolver  = Resolver{}
	_ graph.Denoter   = Resolver{}
	_ graph.Narrower  = Resolver{}
	_ graph.Overrider = Resolver{}
)

// Languages lists what it serves.
func (Resolver) Languages() []string { return []string{"java"} }

// DenotesFiles says that no name means a file.
func (Resolver) DenotesFiles() bool { return false }

// Confidence of what the rules say.
const (
	sureConfidence    = 1
	typedConfidence   = 0.97 // by declared types all along
	guessConfidence   = 0.85 // a type or an overload on the way was worked out
	anyConfidence     = 0.9  // shared by overloads that the arguments do not tell apart
	outerConfidence   = 0.8  // unless a base that is not in the tree has such a member
	openConfidence    = 0.5  // of a class, one of whose constructors is called
	overrideChance    = 0.6
	inheritedDiscount = 0.01
)

// maxSteps bounds the work of one binding. Real chains need a few dozen, and many
// overloads with many parameters a few hundred.
const maxSteps = 3000

// binder answers for one file.
type binder struct {
	v    graph.View
	f    *graph.Facts
	id   graph.FileID
	fuel int
	busy map[graph.Symbol]bool // types whose bases are being looked through
	// climbing counts the types whose bases are being listed: what these bases are must
	// not be asked for meanwhile.
	climbing int
	nested   int // derivations around this one
}

func newBinder(v graph.View, f *graph.Facts, id graph.FileID) *binder {
	return &binder{v: v, f: f, id: id, fuel: maxSteps}
}

// maxNested bounds the derivations within derivations that have steps of their own.
const maxNested = 8

// apart returns a binder for what is kept: it must not depend on how many steps are left
// to the question that asks first.
func (b *binder) apart() *binder {
	if b.nested >= maxNested {
		return b
	}
	c := *b
	c.fuel, c.nested = maxSteps, b.nested+1
	return &c
}

// step counts one unit of work and reports whether the budget allows it.
func (b *binder) step() bool {
	b.fuel--
	return b.fuel >= 0
}

// facts returns the facts of a Java file, or nil.
func (b *binder) facts(id graph.FileID) *graph.Facts {
	if id == b.id {
		return b.f
	}
	f, err := b.v.Facts(id)
	if err != nil || f == nil || f.Language != "java" {
		return nil
	}
	return f
}

// sym is a definition with the facts that hold it.
type sym struct {
	f   *graph.Facts
	id  graph.FileID
	def int32
}

func (s sym) ok() bool             { return s.f != nil }
func (s sym) d() *graph.Def        { return &s.f.Defs[s.def] }
func (s sym) symbol() graph.Symbol { return graph.Symbol{File: s.id, Def: s.def} }

// scope is where a name or the text of a type stands.
type scope struct {
	f    *graph.Facts
	id   graph.FileID
	def  int32
	anon string // the anonymous class around the place, where no definition says it
}

func (s sym) scope() scope { return scope{f: s.f, id: s.id, def: s.def} }

// Ref binds f.Refs[i].
func (Resolver) Ref(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	return newBinder(v, f, id).ref(&f.Refs[i])
}

// Import binds f.Imports[i] to the type, or to the member of a type, that it names. An
// import on demand takes nothing by itself: what it brings is seen where it is used,
// so that it counts as known.
func (Resolver) Import(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b, im := newBinder(v, f, id), &f.Imports[i]
	if im.Name == "*" {
		if t := b.qualifiedType(im.Module, f); t.ok() {
			return bindOne(t, graph.ReasonImport, sureConfidence)
		}
		return graph.Binding{External: true, Reason: graph.ReasonImport}
	}
	if t := b.importedType(im, f); t.ok() {
		return bindOne(t, graph.ReasonImport, sureConfidence)
	}
	holder := b.qualifiedType(im.Module, f)
	if !holder.ok() {
		return graph.Binding{External: !b.holdsPackage(im.Module, f), Reason: graph.ReasonImport}
	}
	for _, m := range b.namedMembers(b.classType(holder), im.Name, anyMember).list {
		return bindOne(m.sym, graph.ReasonImport, sureConfidence)
	}
	out := bindOne(holder, graph.ReasonImport, sureConfidence)
	out.Lacks = true
	return out
}

// Base binds f.Heritage[i].
func (Resolver) Base(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	b, h := newBinder(v, f, id), &f.Heritage[i]
	sc := scope{f: f, id: id, def: graph.NoDef}
	if h.Def >= 0 {
		sc.def = f.Defs[h.Def].Container
	}
	return b.bindType(b.dottedType(join(h.Qualifier, h.Name), sc), sc)
}

func join(qualifier, name string) string {
	if qualifier == "" {
		return name
	}
	return qualifier + "." + name
}

// bindType binds a name of a type.
func (b *binder) bindType(t typ, sc scope) graph.Binding {
	switch {
	case t.kind == isClass && t.sym.id == sc.id:
		return bindOne(t.sym, graph.ReasonScope, sureConfidence)
	case t.kind == isClass && t.sym.f.Package == sc.f.Package:
		return bindOne(t.sym, graph.ReasonPackage, sureConfidence)
	case t.kind == isClass:
		return bindOne(t.sym, graph.ReasonImport, sureConfidence)
	}
	return graph.Binding{External: t.kind != isUnknown}
}

func bindOne(s sym, reason graph.Reason, conf float32) graph.Binding {
	return graph.Binding{Targets: []graph.Candidate{{Symbol: s.symbol(), Confidence: conf}}, Provenance: graph.Extracted, Reason: reason}
}

// Mention binds nothing: Java facts have no mentions.
func (Resolver) Mention(graph.View, *graph.Facts, graph.FileID, int) graph.Binding {
	return graph.Binding{}
}

// Names lists the names under which other files refer to a symbol. A constructor is
// also called as super, this and new, and by the constants of its enum.
func (Resolver) Names(v graph.View, s graph.Symbol) []string {
	f, err := v.Facts(s.File)
	if err != nil || f == nil {
		return nil
	}
	if s.Def < 0 || int(s.Def) >= len(f.Defs) {
		return []string{strings.TrimSuffix(f.Path.Base(), ".java")}
	}
	d := &f.Defs[s.Def]
	names := []string{d.Name}
	holder := s.Def
	if isConstructor(f, s.Def) {
		names, holder = append(names, "super", "this"), d.Container
	}
	if !isTypeKind(f.Defs[holder].Kind) {
		return names
	}
	names = append(names, "new")
	if f.Defs[holder].Kind == graph.KindEnum {
		for i := range f.Defs {
			if m := &f.Defs[i]; m.Container == holder && m.Kind == graph.KindEnumMember {
				names = append(names, m.Name)
			}
		}
	}
	return names
}

// Qualify returns the package and the name inside the file.
func (Resolver) Qualify(_ graph.View, f *graph.Facts, _ graph.FileID, def int32) string {
	if def < 0 || int(def) >= len(f.Defs) {
		return join(f.Package, strings.TrimSuffix(f.Path.Base(), ".java"))
	}
	return join(f.Package, f.Defs[def].Local)
}

func isTypeKind(k graph.Kind) bool {
	return k == graph.KindClass || k == graph.KindInterface || k == graph.KindEnum
}

// isConstructor reports whether a definition is a constructor.
func isConstructor(f *graph.Facts, def int32) bool {
	d := &f.Defs[def]
	return d.Kind == graph.KindMethod && d.Type == "" && d.Owner == "" && d.Container != graph.NoDef && f.Defs[d.Container].Name == d.Name
}
