package typescript

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// isRequire reports whether n is require("x"), a member of it, or a call of an
// interop helper around it.
func (w *walker) isRequire(n sitter.Node) bool {
	_, _, ok := w.required(n)
	return ok
}

// required returns the module and the name taken from it.
func (w *walker) required(n sitter.Node) (module, name string, ok bool) {
	if n == sitter.None {
		return "", "", false
	}
	switch w.kind(n) {
	case kAwait:
		return w.required(w.t.First(n))
	case kMember:
		module, name, ok = w.required(w.t.Child(n, fObject))
		if p := w.t.Child(n, fProperty); ok && name == "" && p != sitter.None {
			return module, w.text(p), true
		}
	case kCall:
		fn, args := w.t.Child(n, fFunction), w.t.Child(n, fArguments)
		if fn == sitter.None || args == sitter.None || w.argCount(args) < 1 {
			return "", "", false
		}
		first := w.t.First(args)
		switch {
		case w.kind(fn) == kImportKeyword, w.kind(fn) == kIdentifier && w.text(fn) == "require" && w.locals.Lookup("require") == nil:
			module, ok = w.stringValue(first)
			return module, "", ok
		case w.interop(fn):
			return w.required(first)
		}
	default:
	}
	return "", "", false
}

// requireExpr writes require("x") and import("x") as an operand, "" for anything else.
func (w *walker) requireExpr(n sitter.Node) string {
	if n == sitter.None || w.kind(n) != kCall {
		return ""
	}
	module, name, ok := w.required(n)
	if !ok || name != "" || module == "" || strings.ContainsAny(module, "\"'`()\\") {
		return ""
	}
	if w.isImportCall(n) {
		return `import("` + module + `")`
	}
	return `require("` + module + `")`
}

// requiredCall adds a reference to what a module is as a whole: require("x")(). It
// stands at the word require, and its hint is the operand.
func (w *walker) requiredCall(n sitter.Node, use graph.Use, args int16) bool {
	e, fn := w.requireExpr(n), w.t.Child(n, fFunction)
	if e == "" || w.text(fn) != "require" {
		return false
	}
	w.b.AddRef(graph.Ref{Name: "require", Use: use, Span: w.b.Span(fn), Args: args, Hint: graph.Hint{Rule: graph.HintValue, Type: e}})
	return true
}

// isImportCall reports whether n is import("x"), awaited or not.
func (w *walker) isImportCall(n sitter.Node) bool {
	for n != sitter.None && w.kind(n) == kAwait {
		n = w.t.First(n)
	}
	if n == sitter.None || w.kind(n) != kCall {
		return false
	}
	fn := w.t.Child(n, fFunction)
	return fn != sitter.None && w.kind(fn) == kImportKeyword
}

// interop reports whether fn is a helper that compilers wrap around require.
func (w *walker) interop(fn sitter.Node) bool {
	switch w.kind(fn) {
	case kIdentifier:
		return strings.HasPrefix(w.text(fn), "__import") || strings.HasPrefix(w.text(fn), "_interop")
	case kMember:
		p := w.t.Child(fn, fProperty)
		return p != sitter.None && strings.HasPrefix(w.text(p), "__import")
	default:
	}
	return false
}

// requireDeclarator reads const x = require("m"), const {a, b: c} = require("m"),
// const x = require("m").y and the same with await import("m").
func (w *walker) requireDeclarator(n, pattern, value sitter.Node) bool {
	module, name, ok := w.required(value)
	if !ok {
		return false
	}
	im := graph.Import{Module: module, Name: name, Span: w.b.Span(n), Flags: graph.ImportDynamic}
	if w.conditional > 0 {
		im.Flags |= graph.ImportOptional
	}
	switch w.kind(pattern) {
	case kIdentifier:
		im.Alias = w.text(pattern)
		if name == "" && w.isImportCall(value) {
			im.Name = "*" // the namespace, whatever the module's default is
		}
		w.b.AddImport(im)
		return true
	case kObjectPattern:
		if name != "" {
			return false
		}
		for c := range w.t.Children(pattern) {
			im.Span = w.b.Span(c)
			im.Name, im.Alias = w.patternEntry(c)
			if im.Alias != "" {
				w.b.AddImport(im)
			}
		}
		return true
	default:
	}
	return false
}

// patternEntry returns the property and the name of one entry of {a, b: c, d = 1}.
func (w *walker) patternEntry(n sitter.Node) (property, name string) {
	switch w.kind(n) {
	case kShorthandPattern:
		return w.text(n), w.text(n)
	case kObjectAssignmentPattern:
		if l := w.t.Child(n, fLeft); l != sitter.None {
			return w.text(l), w.text(l)
		}
	case kPairPattern:
		key, val := w.t.Child(n, fKey), w.t.Child(n, fValue)
		if key != sitter.None && val != sitter.None && w.kind(val) == kIdentifier {
			return w.text(key), w.text(val)
		}
	default:
	}
	return "", ""
}

// importCall reads require("m") and import("m") that bind no name, and the calls
// by which compilers re-export.
func (w *walker) importCall(n, fn, args sitter.Node) bool {
	if module, _, ok := w.required(n); ok {
		w.b.AddImport(graph.Import{Module: module, Span: w.b.Span(n), Flags: graph.ImportDynamic})
		return true
	}
	name := fn
	if w.kind(fn) == kMember {
		name = w.t.Child(fn, fProperty)
	}
	if args == sitter.None || name == sitter.None || w.t.First(args) == sitter.None {
		return false
	}
	first := w.t.First(args)
	switch w.text(name) {
	case "__exportStar", "__export":
		if module, _, ok := w.required(first); ok {
			w.b.AddImport(graph.Import{Module: module, Name: "*", Span: w.b.Span(n), Flags: graph.ImportReexport | graph.ImportDynamic})
			return true
		}
	}
	return false
}

// assignedDef reads assignments that define: module.exports = …, exports.x = …,
// F.prototype.m = …, F.m = function …, and in JavaScript this.x = … .
func (w *walker) assignedDef(n, left, right sitter.Node) bool {
	object, property := w.t.Child(left, fObject), w.t.Child(left, fProperty)
	if object == sitter.None || property == sitter.None {
		return false
	}
	name := w.text(property)
	if name == "" { // the parser put it there
		return false
	}
	switch path := w.text(object); {
	case path == "module" && name == "exports" && !w.shadowed("module"):
		w.moduleExports(n, right)
		return true
	case (path == "exports" || path == "module.exports") && !w.shadowed("exports"):
		return w.exportsMember(n, property, right, name)
	case strings.HasSuffix(path, ".prototype") && isName(strings.TrimSuffix(path, ".prototype")):
		return w.ownedMember(n, property, right, strings.TrimSuffix(path, ".prototype"), 0)
	case w.kind(object) == kIdentifier && w.isFunctionValue(right) && w.definesHere(path):
		return w.ownedMember(n, property, right, path, graph.FlagStatic)
	case w.kind(object) == kThis && w.d.javascript:
		w.thisField(property, right, name)
	}
	if name == "prototype" && w.kind(right) == kObject && w.kind(object) == kIdentifier {
		return w.prototypeObject(right, w.text(object))
	}
	return false
}

func (w *walker) shadowed(name string) bool {
	l := w.locals.Lookup(name)
	return l != nil && l.Def == graph.NoDef
}

// definesHere reports whether the file has a definition of the name around here.
func (w *walker) definesHere(name string) bool {
	if l := w.locals.Lookup(name); l != nil {
		return l.Def != graph.NoDef
	}
	defs := w.b.Facts.Defs
	for i := len(defs) - 1; i >= 0 && i > len(defs)-200; i-- {
		if defs[i].Name == name && defs[i].Owner == "" {
			return true
		}
	}
	return false
}

// moduleExports reads module.exports = ….
func (w *walker) moduleExports(n, right sitter.Node) {
	if module, name, ok := w.required(right); ok {
		im := graph.Import{Module: module, Name: "*", Span: w.b.Span(n), Flags: graph.ImportReexport | graph.ImportDynamic}
		if name != "" {
			im.Name, im.Alias = name, "default"
		}
		w.b.AddImport(im)
		return
	}
	if w.kind(right) == kAssignment { // module.exports = exports = …
		w.visit(right)
		return
	}
	if w.kind(right) != kObject {
		w.defaultValue(n, right, w.t.Start(n), graph.FlagExported|graph.FlagDefault|graph.FlagWhole)
		return
	}
	for c := range w.t.Children(right) {
		switch w.kind(c) {
		case kShorthand:
			w.exportLocal(w.text(c), w.text(c), c)
		case kPair:
			w.exportPair(c)
		case kMethodDef:
			w.method(c, w.t.Start(c), graph.FlagExported)
		case kSpread:
			if module, _, ok := w.required(w.t.First(c)); ok {
				w.b.AddImport(graph.Import{Module: module, Name: "*", Span: w.b.Span(c), Flags: graph.ImportReexport | graph.ImportDynamic})
			} else {
				w.children(c)
			}
		default:
			w.visit(c)
		}
	}
}

// exportLocal lists a name of the file as exported.
func (w *walker) exportLocal(name, alias string, at sitter.Node) {
	w.b.AddImport(graph.Import{Name: name, Alias: alias, Span: w.b.Span(at), Flags: graph.ImportExport})
	w.b.AddRef(graph.Ref{Name: name, Use: graph.UseExport, Span: w.b.Span(at)})
}

func (w *walker) exportPair(n sitter.Node) {
	key, value := w.t.Child(n, fKey), w.t.Child(n, fValue)
	name, nameSpan := w.memberName(key)
	if name == "" || value == sitter.None {
		w.children(n)
		return
	}
	w.exportValue(n, value, name, nameSpan)
}

// exportsMember reads exports.x = ….
func (w *walker) exportsMember(n, property, right sitter.Node, name string) bool {
	switch w.kind(right) {
	case kAssignment: // exports.a = exports.b = value
		w.visit(right)
		return true
	default:
	}
	if strings.HasPrefix(w.text(right), "void 0") || name == "__esModule" {
		return true
	}
	w.exportValue(n, right, name, w.b.Span(property))
	return true
}

// exportValue makes the value exported under name a definition, or an entry of the
// export list where it is one already.
func (w *walker) exportValue(n, value sitter.Node, name string, nameSpan graph.Span) {
	if w.kind(value) == kIdentifier {
		w.exportLocal(w.text(value), name, value)
		return
	}
	if module, taken, ok := w.required(value); ok {
		w.b.AddImport(graph.Import{
			Module: module, Name: taken, Alias: name, Span: w.b.Span(n), Flags: graph.ImportReexport | graph.ImportDynamic,
		})
		return
	}
	start := w.t.Start(n)
	d := graph.Def{
		Name: name, Local: name, Kind: graph.KindConstant, Span: w.b.Span(n), NameSpan: nameSpan, Flags: graph.FlagExported,
	}
	if name == "default" {
		d.Flags |= graph.FlagDefault
	}
	w.assignedValue(d, value, start, nil)
}

// assignedValue adds a definition that an assignment makes.
func (w *walker) assignedValue(d graph.Def, value sitter.Node, start uint32, this *self) {
	depth := w.depth
	w.depth = 0 // whatever function assigns it, it is reached from outside
	switch {
	case w.kind(value) == kClass:
		d.Kind = graph.KindClass
		d.Signature = w.signature(start, value, w.t.Child(value, fBody))
		def := w.add(d, start)
		w.depth = depth
		w.classBody(value, def)
	case w.isFunctionValue(value):
		if d.Kind == graph.KindConstant {
			d.Kind = graph.KindFunction
		}
		d.Signature, d.Type = w.signature(start, value, w.t.Child(value, fBody)), w.returnAnnotation(value)
		def := w.add(d, start)
		w.depth = depth
		w.methodSelf = this
		w.enterFunction(value, def, "")
	default:
		d.Type = w.valueType(value)
		def := w.add(d, start)
		w.depth = depth
		w.variableValue(def, value)
	}
}

// ownedMember reads F.prototype.m = … and F.m = function ….
func (w *walker) ownedMember(n, property, right sitter.Node, owner string, flags graph.DefFlags) bool {
	name := w.text(property)
	if name == "constructor" {
		return false
	}
	d := graph.Def{
		Name: name, Local: w.localName(owner) + "." + name, Owner: owner, Kind: graph.KindField,
		Span: w.b.Span(n), NameSpan: w.b.Span(property), Flags: flags,
	}
	if w.isFunctionValue(right) {
		d.Kind = graph.KindMethod
	}
	this := self{graph.Hint{Rule: graph.HintSelf, Type: w.localName(owner)}, graph.NoDef}
	if flags&graph.FlagStatic != 0 {
		this.hint.Rule = graph.HintClass
	}
	w.bare(w.t.First(w.rootOf(property)), graph.UseRead)
	w.assignedValue(d, right, w.t.Start(n), &this)
	return true
}

// rootOf returns the innermost member expression on the left of a property.
func (w *walker) rootOf(property sitter.Node) sitter.Node {
	n := w.t.Parent(property)
	for {
		o := w.t.Child(n, fObject)
		if o == sitter.None || w.kind(o) != kMember {
			return n
		}
		n = o
	}
}

// prototypeObject reads F.prototype = { … }.
func (w *walker) prototypeObject(right sitter.Node, owner string) bool {
	this := self{graph.Hint{Rule: graph.HintSelf, Type: w.localName(owner)}, graph.NoDef}
	w.selves = append(w.selves, this)
	defer func() { w.selves = w.selves[:len(w.selves)-1] }()
	for c := range w.t.Children(right) {
		key, value := w.t.Child(c, fKey), w.t.Child(c, fValue)
		if w.kind(c) == kMethodDef {
			key, value = w.t.Child(c, fName), c
		}
		name, span := w.memberName(key)
		if name == "" || value == sitter.None || value != c && !w.isFunctionValue(value) {
			w.visit(c)
			continue
		}
		d := graph.Def{Name: name, Local: w.localName(owner) + "." + name, Owner: owner, Kind: graph.KindMethod, Span: w.b.Span(c), NameSpan: span}
		d.Signature = w.signature(w.t.Start(c), value, w.t.Child(value, fBody))
		w.methodSelf = &this
		w.enterFunction(value, w.add(d, w.t.Start(c)), "")
	}
	return true
}

// thisField adds a field for the first this.x = … of each class: JavaScript has no
// other declaration for most of them.
func (w *walker) thisField(property, right sitter.Node, name string) {
	if len(w.selves) == 0 {
		return
	}
	s := w.selves[len(w.selves)-1]
	if s.hint.Rule != graph.HintSelf || s.def == graph.NoDef {
		return
	}
	if def, ok := w.thisFields[thisField{s.def, name}]; ok {
		if def != graph.NoDef && w.b.Facts.Defs[def].Type == "" { // as after this.x = undefined
			w.b.Facts.Defs[def].Type = w.valueType(right)
		}
		return
	}
	holder := &w.b.Facts.Defs[s.def]
	if holder.Kind == graph.KindFunction && (holder.Name == "" || holder.Name[0] < 'A' || holder.Name[0] > 'Z') {
		return // a plain function: this is whatever it is called on
	}
	if w.thisFields == nil {
		w.thisFields = map[thisField]int32{}
	}
	w.thisFields[thisField{s.def, name}] = graph.NoDef
	for i := range w.b.Facts.Defs {
		if d := &w.b.Facts.Defs[i]; d.Container == s.def && d.Name == name {
			return
		}
	}
	d := graph.Def{
		Name: name, Local: holder.Local + "." + name, Kind: graph.KindField, Type: w.valueType(right),
		Span: w.b.Span(w.t.Parent(w.t.Parent(property))), NameSpan: w.b.Span(property),
	}
	if doc := w.docTypesAt(d.Span.Start); doc.typ != "" {
		d.Type = doc.typ
	}
	if holder.Kind == graph.KindFunction {
		d.Owner = holder.Name
	}
	def := w.b.AddDef(d)
	w.b.Facts.Defs[def].Container = s.def
	w.thisFields[thisField{s.def, name}] = def
}
