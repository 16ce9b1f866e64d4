package generic

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// How well an argument fits a parameter.
const (
	fitsNot = iota
	fitUnknown
	fitConverted
	fitDerived
	fitExact
)

// builtinType reports whether a name is one of a type that no file defines.
func builtinType(name string) bool {
	switch name {
	case "int", "uint", "long", "ulong", "short", "ushort", "byte", "sbyte", "char", "bool", "string", "object", "float", "double", "decimal", "void", "dynamic", "nint", "nuint":
		return true
	}
	return false
}

// plainType is the spelling of a type from outside by which all of its spellings are known.
func plainType(name string) string {
	switch name {
	case "Int32", "Int":
		return "int"
	case "Int64", "Long":
		return "long"
	case "Int16", "Short":
		return "short"
	case "Byte":
		return "byte"
	case "UInt32", "UInt":
		return "uint"
	case "UInt64", "ULong":
		return "ulong"
	case "Boolean", "Bool":
		return "bool"
	case "String":
		return "string"
	case "Char":
		return "char"
	case "Single", "Float":
		return "float"
	case "Double":
		return "double"
	case "Decimal":
		return "decimal"
	case "Object", "Any":
		return "object"
	case "Unit":
		return "void"
	}
	return strings.Clone(name)
}

// literalType returns the type of a literal.
func literalType(c string) typ {
	switch c {
	case "s":
		return typ{name: "string"}
	case "c":
		return typ{name: "char"}
	case "i":
		return typ{name: "int"}
	case "l":
		return typ{name: "long"}
	case "u":
		return typ{name: "uint"}
	case "f":
		return typ{name: "float"}
	case "d":
		return typ{name: "double"}
	case "m":
		return typ{name: "decimal"}
	case "b":
		return typ{name: "bool"}
	}
	return typ{}
}

// widens reports whether one number is taken for another without being told to.
func (b binder) widens(from, to string) bool {
	if b.Receivers {
		return false
	}
	to1 := func(list string) bool { return strings.Contains(list, " "+to+" ") }
	switch from {
	case "sbyte":
		return to1(" short int long float double decimal ")
	case "byte":
		return to1(" short ushort int uint long ulong float double decimal ")
	case "short":
		return to1(" int long float double decimal ")
	case "ushort", "char":
		return to1(" ushort int uint long ulong float double decimal ")
	case "int":
		return to1(" long float double decimal ")
	case "uint":
		return to1(" long ulong float double decimal ")
	case "long", "ulong":
		return to1(" float double decimal ")
	case "float":
		return to == "double"
	}
	return false
}

// plainValue reports whether a type from outside is one that nothing derives from, and that
// converts to nothing but what widens and outsideBase say.
func plainValue(name string) bool {
	switch name {
	case "int", "uint", "long", "ulong", "short", "ushort", "byte", "sbyte", "char", "bool", "string", "float", "double", "decimal", "DateTime", "DateTimeOffset", "TimeSpan", "Guid",
		"Type", "StringBuilder", "Uri", "BigInteger", "CultureInfo", "MethodInfo", "PropertyInfo", "FieldInfo", "[]", "ByteArray", "IntArray", "CharArray", "LongArray":
		return true
	}
	return false
}

// outsideBase reports whether a type from outside is known to build on another.
func outsideBase(from, to string) bool {
	in := func(list string) bool { return strings.Contains(list, " "+to+" ") }
	switch from {
	case "string":
		return in(" IEnumerable IComparable IEquatable IConvertible ICloneable CharSequence Comparable ")
	case "[]":
		return in(" IEnumerable ICollection IList IReadOnlyList IReadOnlyCollection Array Array ICloneable ReadOnlySpan Span ")
	case "int", "long", "short", "byte", "double", "float", "decimal", "uint", "ulong", "bool", "char", "Guid", "DateTime", "DateTimeOffset", "TimeSpan":
		return in(" IComparable IConvertible IFormattable IEquatable ValueType Number Comparable ")
	case "List", "MutableList", "ArrayList":
		return in(" IEnumerable ICollection IList IReadOnlyList IReadOnlyCollection List Collection Iterable MutableCollection ")
	case "HashSet", "ISet", "Set", "MutableSet":
		return in(" IEnumerable ICollection ISet IReadOnlyCollection Set Collection Iterable ")
	case "Dictionary", "IDictionary":
		return in(" IEnumerable ICollection IDictionary IReadOnlyDictionary IReadOnlyCollection ")
	case "IList", "IReadOnlyList", "ICollection", "IReadOnlyCollection", "Collection", "ReadOnlyCollection", "ObservableCollection":
		return in(" IEnumerable ICollection IReadOnlyCollection Iterable IList ")
	case "MutableMap", "HashMap", "LinkedHashMap":
		return in(" Map MutableMap ")
	case "MethodInfo", "PropertyInfo", "FieldInfo", "ConstructorInfo", "Type":
		return in(" MemberInfo MethodBase ICustomAttributeProvider ")
	case "MemoryStream", "FileStream":
		return in(" Stream IDisposable ")
	case "StringWriter", "StreamWriter":
		return in(" TextWriter IDisposable ")
	case "StringReader", "StreamReader":
		return in(" TextReader IDisposable ")
	}
	return strings.HasSuffix(from, "Exception") && in(" Exception Throwable ")
}

// fit compares the type of a value with one that is wanted.
func (b binder) fit(t, want typ, literal bool) int {
	switch {
	case !t.known() || !want.known():
		return fitUnknown
	case b.isValue(t) && t.null && !want.null && want.name != "object" && want.name != "Nullable":
		return fitsNot
	case t.equal(want):
		return b.fitArgs(t, want)
	case want.name == "object" || want.name == "dynamic":
		return fitConverted
	case t.name == "object" && !b.Receivers:
		return fitsNot
	case t.name == "->" || want.name == "->":
		if t.name == "->" && (plainValue(want.name) || want.inTree() && want.sym.d().Kind == graph.KindClass) || want.name == "->" && plainValue(t.name) {
			return fitsNot
		}
		return fitUnknown
	case t.inTree() && want.inTree():
		if b.above(t, want) {
			return fitDerived
		}
		if want.sym.d().Kind == graph.KindType || t.sym.d().Kind == graph.KindType {
			return fitUnknown
		}
		return b.fitConverting(t, want)
	case t.inTree():
		return b.fitOutside(t, want)
	case want.inTree():
		k := want.sym.d().Kind
		if !knownOutside(t.name) || k == graph.KindType || k == graph.KindEnum && literal || k == graph.KindInterface && !plainValue(t.name) {
			return fitUnknown
		}
		return b.fitConverting(t, want)
	}
	switch {
	case b.widens(t.name, want.name):
		return fitConverted
	case literal && t.name == "int" && whole(want.name):
		return fitConverted
	case want.name == "Nullable" && len(want.args) == 1:
		return min(b.fit(t, want.args[0], literal), fitConverted)
	case outsideBase(t.name, want.name):
		return fitDerived
	case plainValue(t.name) || knownOutside(want.name) && knownOutside(t.name):
		return fitsNot
	}
	return fitUnknown
}

// isValue reports whether a type is one whose values may only be null where it says so.
func (b binder) isValue(t typ) bool {
	if b.Receivers {
		return false
	}
	if t.inTree() {
		k := t.sym.d().Kind
		return k == graph.KindStruct || k == graph.KindEnum
	}
	return plainNumber(t.name)
}

// fitArgs compares what two uses of a type are given for its parameters.
func (b binder) fitArgs(t, want typ) int {
	if b.isValue(t) && want.null && !t.null {
		return fitConverted
	}
	for i := range min(len(t.args), len(want.args)) {
		if a, w := t.args[i], want.args[i]; a.known() && w.known() && plainValue(a.name) && plainValue(w.name) && a.name != w.name {
			return fitsNot
		}
	}
	return fitExact
}

// fitOutside compares a type of the workspace with one from outside.
func (b binder) fitOutside(t, want typ) int {
	level, open := []typ{t}, false
	for n := 0; n < len(level) && n < maxTypedBases; n++ {
		at := level[n]
		switch {
		case at.inTree():
			if b.spend() {
				level = append(level, b.bases(at)...)
			}
		case at.name == want.name || outsideBase(at.name, want.name):
			return fitDerived
		default:
			open = open || !emptyBase(at.name)
		}
	}
	if open && !plainValue(want.name) {
		return fitUnknown
	}
	if want.name == "Enum" && t.sym.d().Kind == graph.KindEnum {
		return fitDerived
	}
	return b.fitConverting(t, want)
}

func whole(name string) bool {
	switch name {
	case "byte", "sbyte", "short", "ushort", "uint", "long", "ulong":
		return true
	}
	return false
}

func knownOutside(name string) bool {
	switch name {
	case "List", "IList", "IEnumerable", "ICollection", "IDictionary", "Dictionary", "HashSet", "ISet", "Stream", "MemoryStream", "TextReader", "TextWriter", "StringWriter", "StringReader",
		"BinaryReader", "BinaryWriter", "MemberInfo", "MethodBase", "ConstructorInfo", "ParameterInfo", "Assembly", "XmlReader", "XmlWriter", "Task", "CancellationToken", "StreamReader", "StreamWriter", "Map", "Set", "Collection", "Iterable", "MutableList", "MutableMap":
		return true
	}
	return plainValue(name)
}

// above reports whether a type of the workspace builds on another.
func (b binder) above(t, want typ) bool {
	level, seen := []typ{t}, map[graph.Symbol]bool{}
	for n := 0; n < len(level) && n < maxTypedBases; n++ {
		at := level[n]
		if !at.inTree() || seen[at.sym.symbol()] || !b.spend() {
			continue
		}
		seen[at.sym.symbol()] = true
		if n > 0 && at.sym.symbol() == want.sym.symbol() {
			return true
		}
		level = append(level, b.bases(at)...)
	}
	return false
}

// fitConverting looks for a conversion that one of two types defines.
func (b binder) fitConverting(t, want typ) int {
	for _, holder := range [...]typ{t, want} {
		if b.Receivers || !holder.inTree() {
			continue
		}
		for _, part := range b.parts(holder.sym) {
			f := part.f
			for i := int(part.def) + 1; i < len(f.Defs) && f.Defs[i].Span.Start < part.d().Span.End; i++ {
				if d := &f.Defs[i]; d.Container == part.def && strings.Contains(d.Signature, "implicit operator ") && b.convertsTo(sym{f, part.id, int32(i)}, t, want) {
					return fitConverted
				}
			}
		}
	}
	return fitsNot
}

// convertsTo reports whether a conversion may be one from a type to another.
func (b binder) convertsTo(s sym, t, want typ) bool {
	_, text, _ := strings.Cut(s.d().Signature, "implicit operator ")
	open := strings.LastIndexByte(text, '(')
	if open < 0 || !b.spend() {
		return true
	}
	in := b.in(s)
	to := in.typeAt(text[:open], s, nil, 1)
	if to.known() && !to.equal(want) && (!to.inTree() || !want.inTree() || !b.above(to, want)) {
		return false
	}
	p := b.parameterOf(strings.TrimRight(text[open+1:], ") "))
	from := in.typeAt(p.typ, s, nil, 1)
	return !from.known() || from.equal(t) || b.widens(t.name, from.name) || outsideBase(t.name, from.name) || from.inTree() && t.inTree() && b.above(t, from)
}
