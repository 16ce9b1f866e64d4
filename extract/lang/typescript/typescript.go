// Package typescript reads TypeScript, TSX and JavaScript (JSX included) syntax
// trees into facts: one set of rules for the three grammars, which share nearly
// all of their node kinds.
//
// It binds nothing to other files. What it says about receivers beyond declared
// types is written as small expressions that graph/resolve/typescript evaluates:
// an identifier, this, super, a literal, an array of [elements], <Type>, require("module") or alternatives (a||b||?),
// of which ? is not known, followed by members .name,
// calls () without their arguments, elements [] and [2], awaits ~, and
// #argument#parameter for a parameter of a function that is passed as an argument. An
// object literal is an operand too, {a=x,b=y()} by its members, and so is {?f,x}: x, of
// which f is a function that may tell the type.
// Names of locals never stand in them: they are replaced by what they were bound
// to.
package typescript

import (
	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

// version is raised when the same bytes may yield other facts.
const version = "15"

// Languages returns the three languages of the family.
func Languages() []spec.Language {
	return []spec.Language{
		language("typescript", sitter.TypeScript()),
		language("tsx", sitter.TSX()),
		language("javascript", sitter.JavaScript()),
	}
}

func language(name string, g sitter.Grammar) spec.Language {
	d := newDialect(name)
	l := spec.Language{
		Name: name, Version: name + "/" + version, Grammar: g, Vocabulary: d.vocabulary,
		Extract: func(b *spec.Builder) { extract(b, d) },
	}
	if !d.javascript {
		l.Prepare = prepare
	}
	return l
}

func extract(b *spec.Builder, d *dialect) {
	if b.Tree.Len() == 0 {
		return
	}
	w := &walker{b: b, t: b.Tree, d: d, pendingStart: noStart, jsdoc: sitter.None}
	w.block(sitter.Root)
	w.finish()
}

// walker reads one file.
type walker struct {
	b *spec.Builder
	t *sitter.Tree
	d *dialect

	locals     spec.Scopes
	typeParams []string   // type parameters in scope, innermost last
	selves     []self     // what this means, innermost last
	methodSelf *self      // what this means in the function expression read next
	returns    []returned // of each function entered

	depth       int  // functions entered
	bodies      int  // of which so many have a body
	conditional int  // if, try and switch entered outside functions
	ambient     bool // inside declare or a declaration file's module
	// pendingStart and pendingFlags carry an enclosing export or declare statement
	// to the declaration inside it.
	pendingStart uint32
	pendingFlags graph.DefFlags
	jsdoc        sitter.Node       // the JSDoc comment read last
	docParams    map[string]string // types of the parameters of the function read next
	// blocks are the spans of the inner blocks around, since the function was entered.
	blocks []blockSpan
	// kept is how many of them a var does not leave: the body of a function whose
	// parameters have defaults, which do not see it.
	kept        int
	staticBlock bool // directly inside the static block of a class
	// blockDefs are the definitions whose names end with an inner block, by name.
	blockDefs map[string][]blockDef
	// assigned are the values that assignments give to bare names, once made.
	assigned  map[string][]assigned
	modular   bool        // the file has import or export statements
	flowCalls []flowCall  // calls of what may be a value
	held      []graph.Ref // calls of locals, of which it is known what they hold
	// thisFields are the fields made from assignments to this.x, per class; NoDef for those
	// that the class declares.
	thisFields map[thisField]int32
}

const noStart = 1<<32 - 1

// pendingDef marks a local whose definition is not yet added, or an import: uses
// of it are references.
const pendingDef = -2

// self is the meaning of this at a place.
type self struct {
	hint graph.Hint
	def  int32 // class or function whose fields this.x are
}

type thisField struct {
	def  int32
	name string
}

func (w *walker) kind(n sitter.Node) kind {
	k := w.t.Kind(n)
	if k == sitter.KindError {
		return kError
	}
	return w.d.kinds[k]
}

func (w *walker) child(n sitter.Node, k kind) sitter.Node {
	for c := range w.t.Children(n) {
		if w.kind(c) == k {
			return c
		}
	}
	return sitter.None
}

// nameOf returns the name of a declaration, or None where there is none: the
// parser puts an empty one where the text lacks it.
func (w *walker) nameOf(n sitter.Node) sitter.Node {
	name := w.t.Child(n, fName)
	if name != sitter.None && w.t.Start(name) == w.t.End(name) {
		return sitter.None
	}
	return name
}

func (w *walker) text(n sitter.Node) string { return w.b.Text(n) }

// children visits each child of n.
func (w *walker) children(n sitter.Node) {
	for c := range w.t.Children(n) {
		w.visit(c)
	}
}

// scoped visits the statements of a block in a scope of its own.
func (w *walker) scoped(n sitter.Node) {
	w.locals.Open()
	w.enterBlock(n)
	w.predeclare(n)
	w.children(n)
	w.leaveBlock()
	w.locals.Close()
}

// block visits the top of a file or of a namespace: its names are definitions.
func (w *walker) block(n sitter.Node) {
	w.children(n)
}

// guarded visits a statement whose definitions may not come to be.
func (w *walker) guarded(n sitter.Node) {
	if w.depth == 0 {
		w.conditional++
		defer func() { w.conditional-- }()
	}
	if w.kind(n) == kIf {
		w.ifStatement(n)
		return
	}
	w.children(n)
}

// visit reads one node in statement, expression or type position.
func (w *walker) visit(n sitter.Node) {
	switch w.kind(n) {
	case kComment:
		w.comment(n)
	case kFunctionDecl, kGeneratorDecl, kFunctionSignature, kClassDecl, kAbstractClass, kInterface, kTypeAlias, kEnum,
		kLexical, kVariableDecl, kModule, kInternalModule, kAmbient, kImportAlias:
		w.declaration(n)
	case kImportStatement:
		w.modular = true
		w.importStatement(n)
	case kExportStatement:
		w.modular = true
		w.exportStatement(n)
	case kFunctionExpr, kGeneratorExpr, kArrow:
		w.functionExpr(n, "")
	case kClass:
		w.anonymousClass(n)
	case kBlock, kFor, kForIn, kCatch, kIf, kTry, kSwitch, kReturn:
		w.statement(n)
	case kTypeIdentifier, kGenericType, kNestedType, kTypeQuery, kFunctionType, kConstructorType, kCallSignature,
		kConstructSignature, kMethodSignature, kPropertySignature, kIndexSignature, kTypePredicate, kMappedType,
		kTypeParameters, kPredefinedType, kInferType, kTypeParameter, kRequiredParameter, kOptionalParameter:
		w.typeNode(n)
	default:
		w.expression(n)
	}
}

func (w *walker) statement(n sitter.Node) {
	switch w.kind(n) {
	case kBlock, kFor:
		w.scoped(n)
	case kForIn:
		w.forIn(n)
	case kCatch:
		w.catch(n)
	case kIf, kTry:
		w.guarded(n)
	case kSwitch: // its cases share one block
		w.locals.Open()
		w.enterBlock(n)
		if body := w.t.Child(n, fBody); body != sitter.None {
			for c := range w.t.Children(body) {
				w.predeclare(c)
			}
		}
		w.guarded(n)
		w.leaveBlock()
		w.locals.Close()
	case kReturn:
		w.children(n)
		if c := w.t.First(n); c != sitter.None {
			w.noteReturn(c)
		}
	default:
	}
}

func (w *walker) forIn(n sitter.Node) {
	w.locals.Open()
	left, right := w.t.Child(n, fLeft), w.t.Child(n, fRight)
	if right != sitter.None {
		w.visit(right)
	}
	if left != sitter.None {
		between := w.b.Slice(w.t.Start(n), w.t.Start(left))
		switch {
		case !endsInWord(between, "const", "let", "var"):
			w.target(left)
		case containsWord(w.b.Slice(w.t.End(left), w.t.Start(max(left, right))), "in"):
			w.bindPattern(left, graph.Hint{Rule: graph.HintLiteral, Type: "string"})
		default:
			w.bindPattern(left, w.elementHint(right))
		}
	}
	if body := w.t.Child(n, fBody); body != sitter.None {
		w.visit(body)
	}
	w.locals.Close()
}

func (w *walker) catch(n sitter.Node) {
	w.locals.Open()
	if p := w.t.Child(n, fParameter); p != sitter.None {
		w.bindPattern(p, graph.Hint{Rule: graph.HintLocal})
	}
	if body := w.t.Child(n, fBody); body != sitter.None {
		w.visit(body)
	}
	w.locals.Close()
}

// finish marks what is known only at the end: overloads and exported names.
func (w *walker) finish() {
	w.bindBlocks()
	w.bindFlow()
	w.bindHeld()
	f := w.b.Facts
	type key struct {
		container int32
		name      string
	}
	later := map[key]graph.Kind{}
	generated := w.b.Generated("//")
	for i := len(f.Defs) - 1; i >= 0; i-- {
		d := &f.Defs[i]
		if generated {
			d.Flags |= graph.FlagGenerated
		}
		if d.Kind != graph.KindFunction && d.Kind != graph.KindMethod {
			continue
		}
		k := key{d.Container, d.Name}
		if d.Has(graph.FlagAbstract) && later[k] == d.Kind {
			d.Flags |= graph.FlagOverload
		}
		later[k] = d.Kind
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Flags&graph.ImportExport == 0 {
			continue
		}
		for j := range f.Defs {
			if d := &f.Defs[j]; d.Name == im.Name && d.Container == graph.NoDef && d.Owner == "" && d.Kind != graph.KindModule && !d.Has(graph.FlagTentative) {
				d.Flags |= graph.FlagExported
				if im.Alias == "default" {
					d.Flags |= graph.FlagDefault
					if im.Flags&graph.ImportDynamic != 0 {
						d.Flags |= graph.FlagWhole
					}
				}
			}
		}
	}
}
