package generic

import "strings"

// What types from outside are known to have, of those that code goes through most.

// libraryMember is what members of types from outside are known to give.
func (s site) libraryMember(t typ, p *path) value {
	out := value{open: true}
	switch p.text {
	case "ToString", "toString", "Trim", "Substring", "ToLower", "ToUpper", "Replace", "substring", "trim", "lowercase", "uppercase", "ToLowerInvariant", "ToUpperInvariant", "Name", "FullName":
		if t.name == "string" || p.text == "ToString" || p.text == "toString" || t.name == "Type" {
			out.typ = typ{name: "string"}
		}
	case "Length", "Count", "size", "length", "Capacity":
		out.typ = typ{name: "int"}
	case "Contains", "StartsWith", "EndsWith", "ContainsKey", "contains", "isEmpty", "startsWith", "endsWith", "Equals", "equals", "TryGetValue", "HasValue":
		out.typ = typ{name: "bool"}
	case "toLong", "toInt", "toByte", "toShort", "toChar", "toDouble", "toFloat", "toUInt", "toULong":
		out.typ = typ{name: plainType(p.text[2:])}
	case "toByteArray", "encodeToByteArray", "copyOf", "copyOfRange":
		out.typ = typ{name: "ByteArray"}
		if t.name != "string" {
			out.typ = t
		}
	case "GetType":
		out.typ = typ{name: "Type"}
	case "Value":
		if (t.name == "KeyValuePair") && len(t.args) == 2 {
			out.typ = t.args[1]
		} else if (t.name == "Nullable" || t.name == "Lazy") && len(t.args) == 1 {
			out.typ = t.args[0]
		} else if t.null {
			out.typ = typ{sym: t.sym, name: t.name, args: t.args}
		}
	case "value", "Key", "key":
		if len(t.args) == 2 {
			out.typ = t.args[map[string]int{"value": 1}[p.text]]
		} else if t.name == "Lazy" && len(t.args) == 1 {
			out.typ = t.args[0]
		}
	case "Values", "values", "Keys", "keys":
		if keyed(t.name) && len(t.args) == 2 {
			i := 0
			if p.text[0]|0x20 == 'v' {
				i = 1
			}
			out.typ = typ{name: "ICollection", args: t.args[i : i+1]}
		}
	case "First", "FirstOrDefault", "Single", "SingleOrDefault", "Last", "LastOrDefault", "ElementAt", "first", "last", "firstOrNull", "lastOrNull", "single", "singleOrNull", "Peek", "Pop", "Dequeue",
		"removeFirst", "removeLast", "random", "Find", "find", "elementAt", "Max", "Min":
		out.typ = s.elementOf(t)
	case "get", "getValue", "getOrNull":
		out.typ = t.element()
	case "Where", "OrderBy", "OrderByDescending", "ToList", "Reverse", "Skip", "Take", "Distinct", "AsEnumerable", "ToArray", "Concat", "filter", "sorted", "sortedBy", "reversed", "take", "drop",
		"toList", "toMutableList", "distinct", "plus", "toSet", "Except", "Union", "asSequence", "asReversed", "filterNotNull", "orEmpty":
		if e := s.elementOf(t); e.known() {
			out.typ = typ{name: "List", args: []typ{e}}
		}
	}
	return out
}

// staticLibraryMember is what static functions of the library are known to give.
func staticLibraryMember(name, member string) (out value) {
	out.open = true
	switch plainType(name) {
	case "Convert":
		out.typ = typ{name: plainType(strings.TrimPrefix(member, "To"))}
	case "string":
		switch member {
		case "Join", "Format", "Concat", "Copy", "Intern", "Empty", "valueOf":
			out.typ = typ{name: "string"}
		case "IsNullOrEmpty", "IsNullOrWhiteSpace", "Equals":
			out.typ = typ{name: "bool"}
		}
	case "DateTime", "DateTimeOffset", "Guid", "TimeSpan":
		switch member {
		case "Parse", "ParseExact", "Now", "UtcNow", "NewGuid", "FromSeconds", "FromMilliseconds", "FromMinutes", "Zero", "MinValue", "MaxValue", "Today":
			out.typ = typ{name: name}
		}
	case "int", "long", "short", "byte", "double", "float", "decimal", "bool", "char":
		switch {
		case member == "Parse" || member == "MaxValue" || member == "MinValue":
			out.typ = typ{name: plainType(name)}
		case member == "ToString":
			out.typ = typ{name: "string"}
		case strings.HasPrefix(member, "Is") || member == "TryParse":
			out.typ = typ{name: "bool"}
		}
	}
	return out
}

// ownLibraryMember reports whether a type from outside is known to have a member, before
// which no extension of its name is meant.
func ownLibraryMember(t typ, name string) bool {
	if t.inTree() {
		return objectMember(name)
	}
	in := func(list string) bool { return strings.Contains(list, " "+name+" ") }
	switch t.name {
	case "string":
		return objectMember(name) || in(" Contains StartsWith EndsWith IndexOf LastIndexOf Substring Replace Trim TrimStart TrimEnd Split ToLower ToUpper ToLowerInvariant ToUpperInvariant ToCharArray "+
			"PadLeft PadRight Insert Remove CompareTo CopyTo IndexOfAny Normalize Length ")
	case "Type", "MethodInfo", "PropertyInfo", "FieldInfo", "MemberInfo", "ConstructorInfo", "MethodBase":
		return objectMember(name) || in(" IsAssignableFrom IsSubclassOf IsInstanceOfType GetMethod GetMethods GetProperty GetProperties GetField GetFields GetConstructor GetConstructors GetInterface "+
			"GetInterfaces GetGenericArguments GetGenericTypeDefinition MakeGenericType MakeGenericMethod GetElementType GetMember GetMembers GetGetMethod GetSetMethod GetBaseDefinition GetParameters "+
			"IsDefined GetCustomAttributes GetAccessors GetValue SetValue Invoke Assembly BaseType IsEnumDefined GetEnumNames MakeArrayType GetArrayRank ")
	case "List", "IList", "Dictionary", "IDictionary", "HashSet", "ISet", "ICollection", "Collection", "Stack", "Queue":
		if in(" Add AddRange Remove RemoveAt RemoveAll RemoveRange Clear Contains ContainsKey ContainsValue IndexOf Insert InsertRange CopyTo ForEach Sort Find FindAll FindIndex Exists TrueForAll BinarySearch " +
			"TryGetValue Push Pop Peek Enqueue Dequeue GetEnumerator Count Keys Values ") {
			return true
		}
	}
	return objectMember(name) || (t.element().known() || collection(t.name)) && in(" Select Where Any All First FirstOrDefault Single SingleOrDefault Last LastOrDefault OrderBy OrderByDescending ThenBy ThenByDescending "+
		"SelectMany Sum Min Max Average Aggregate GroupBy GroupJoin Join ToDictionary ToLookup ToList ToArray ToHashSet TakeWhile SkipWhile Take Skip Distinct Concat Union Intersect Except Reverse Zip "+
		"Cast OfType ElementAt ElementAtOrDefault DefaultIfEmpty SequenceEqual Contains AsEnumerable LongCount Append Prepend Count ")
}

// collection reports whether a type from outside is one of values that loops go over.
func collection(name string) bool {
	switch name {
	case "[]", "IEnumerable", "List", "IList", "ICollection", "Collection", "IDictionary", "Dictionary", "HashSet", "ISet", "IGrouping", "KeyedCollection", "IReadOnlyList", "IReadOnlyCollection":
		return true
	}
	return false
}

// objectMember reports whether every object has a member of the name.
func objectMember(name string) bool {
	switch name {
	case "ToString", "Equals", "GetHashCode", "GetType", "toString", "equals", "hashCode":
		return true
	}
	return false
}

// elementwise reports whether a function of the library hands each element of a collection
// to the function that it is given first.
func elementwise(name string) bool {
	switch name {
	case "Select", "Where", "Any", "All", "First", "FirstOrDefault", "Single", "SingleOrDefault", "Last", "LastOrDefault", "OrderBy", "OrderByDescending", "ForEach", "SelectMany", "Count", "Sum",
		"Min", "Max", "GroupBy", "ToDictionary", "ToLookup", "TakeWhile", "SkipWhile", "Find", "FindAll", "FindIndex", "Exists", "RemoveAll", "TrueForAll", "RemoveWhere",
		"forEach", "map", "filter", "filterNot", "any", "all", "none", "first", "firstOrNull", "single", "singleOrNull", "last", "lastOrNull", "find", "findLast", "sortedBy", "sortBy",
		"sortedByDescending", "flatMap", "mapNotNull", "count", "sumOf", "minBy", "maxBy", "minOf", "maxOf", "groupBy", "associateBy", "associateWith", "associate", "takeWhile", "dropWhile",
		"onEach", "partition", "removeAll", "removeIf", "indexOfFirst", "joinToString", "distinctBy", "minByOrNull", "maxByOrNull", "sumBy":
		return true
	}
	return false
}

// lastParameter is the number of the parameter that an argument behind all others is for.
const lastParameter = 99

// libraryCall is what functions of Kotlin's library are known to make.
func (s site) libraryCall(name string, args []path, generics string) typ {
	if !s.Receivers {
		return typ{}
	}
	var t typ
	switch name {
	case "listOf", "mutableListOf", "emptyList", "arrayListOf", "listOfNotNull":
		t.name = "List"
	case "setOf", "mutableSetOf", "emptySet", "hashSetOf":
		t.name = "Set"
	case "arrayOf", "sequenceOf":
		t.name = "Array"
	default:
		return t
	}
	if given := splitTop(generics); len(given) == 1 {
		t.args = []typ{s.typeAt(given[0], s.at, nil, 1)}
	} else if len(args) > 0 && args[0].op != '*' {
		t.args = []typ{s.asValue(s.eval(&args[0]))}
	}
	return t
}

// addedToAll reports whether Kotlin's library adds a function to all types.
func addedToAll(name string) bool {
	switch name {
	case "apply", "also", "let", "run", "takeIf", "takeUnless", "to", "use", "toString", "hashCode", "equals":
		return true
	}
	return false
}
