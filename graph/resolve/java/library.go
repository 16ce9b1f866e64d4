package java

import "strings"

// What the library's types give back is no part of the tree. Of the types that code
// goes through most, this says it: containers, functions, streams, text.

// isLang reports whether a name without an import is one of java.lang.
func isLang(name string) bool {
	switch name {
	case "Object", "String", "Class", "Integer", "Long", "Short", "Byte", "Character", "Boolean", "Double", "Float", "Number", "Math",
		"StrictMath", "System", "Thread", "Runnable", "Iterable", "Comparable", "CharSequence", "StringBuilder", "StringBuffer", "Enum",
		"Record", "Void", "Throwable", "Exception", "Error", "Cloneable", "AutoCloseable", "Appendable", "Readable", "Process", "Module",
		"ProcessBuilder", "ProcessHandle", "Runtime", "ClassLoader", "ClassValue", "ThreadLocal", "InheritableThreadLocal", "ThreadGroup",
		"StackTraceElement", "StackWalker", "Package", "ModuleLayer", "Override", "Deprecated", "SuppressWarnings", "FunctionalInterface",
		"SafeVarargs", "SecurityManager", "RuntimePermission", "Compiler", "ThreadDeath", "ScopedValue", "StringTemplate", "MatchException",
		"WrongThreadException", "IO":
		return true
	}
	for _, end := range [...]string{"Exception", "Error"} {
		if strings.HasSuffix(name, end) && langFailure(strings.TrimSuffix(name, end)) {
			return true
		}
	}
	return false
}

func langFailure(stem string) bool {
	switch stem {
	case "Arithmetic", "ArrayIndexOutOfBounds", "ArrayStore", "ClassCast", "ClassNotFound", "CloneNotSupported", "EnumConstantNotPresent",
		"IllegalAccess", "IllegalArgument", "IllegalCaller", "IllegalMonitorState", "IllegalState", "IllegalThreadState",
		"IndexOutOfBounds", "Instantiation", "Interrupted", "LayerInstantiation", "NegativeArraySize", "NoSuchField", "NoSuchMethod",
		"NullPointer", "NumberFormat", "ReflectiveOperation", "Runtime", "Security", "StringIndexOutOfBounds", "TypeNotPresent",
		"UnsupportedOperation", "AbstractMethod", "Assertion", "BootstrapMethod", "ClassCircularity", "ClassFormat",
		"ExceptionInInitializer", "IncompatibleClassChange", "Internal", "Linkage", "NoClassDefFound", "OutOfMemory", "StackOverflow",
		"UnsatisfiedLink", "UnsupportedClassVersion", "Verify", "VirtualMachine":
		return true
	}
	return false
}

// libraryBases lists the types directly above one of the library.
func libraryBases(name string) []string {
	switch name {
	case "String", "StringBuilder", "StringBuffer":
		return []string{"CharSequence", "Comparable", "Serializable"}
	case "Integer", "Long", "Short", "Byte", "Double", "Float":
		return []string{"Number", "Comparable"}
	case "BigInteger", "BigDecimal", "AtomicInteger", "AtomicLong":
		return []string{"Number"}
	case "Number", "Class", "Date", "Locale", "UUID", "Enum":
		return []string{"Serializable"}
	case "Boolean", "Character":
		return []string{"Comparable", "Serializable"}
	case "FileInputStream", "ByteArrayInputStream", "FilterInputStream", "BufferedInputStream":
		return []string{"InputStream"}
	case "FileOutputStream", "ByteArrayOutputStream", "FilterOutputStream", "BufferedOutputStream", "PrintStream":
		return []string{"OutputStream"}
	case "StringReader", "BufferedReader", "InputStreamReader", "FileReader":
		return []string{"Reader"}
	case "StringWriter", "BufferedWriter", "OutputStreamWriter", "PrintWriter", "FileWriter":
		return []string{"Writer"}
	case "InputStream", "OutputStream", "Reader", "Writer":
		return []string{"Closeable"}
	case "Closeable":
		return []string{"AutoCloseable"}
	case "Method", "Constructor":
		return []string{"Executable"}
	case "Executable", "Field":
		return []string{"AccessibleObject", "Member", "AnnotatedElement"}
	case "ParameterizedType", "WildcardType", "TypeVariable", "GenericArrayType":
		return []string{"Type"}
	case "UnaryOperator":
		return []string{"Function"}
	case "BinaryOperator":
		return []string{"BiFunction"}
	}
	switch {
	case strings.HasSuffix(name, "Exception") && name != "Exception" && name != "RuntimeException":
		if name == "IOException" || strings.HasPrefix(name, "ClassNotFound") || strings.HasPrefix(name, "NoSuch") || strings.HasPrefix(name, "Interrupted") {
			return []string{"Exception"}
		}
		return []string{"RuntimeException"}
	case name == "RuntimeException":
		return []string{"Exception"}
	case name == "Exception", strings.HasSuffix(name, "Error"):
		return []string{"Throwable"}
	}
	return containerBases(name)
}

func containerBases(name string) []string {
	switch name {
	case "ArrayList", "LinkedList", "CopyOnWriteArrayList", "Vector", "AbstractList":
		return []string{"List"}
	case "HashSet", "LinkedHashSet", "EnumSet", "AbstractSet", "SortedSet":
		return []string{"Set"}
	case "TreeSet", "NavigableSet":
		return []string{"SortedSet"}
	case "List", "Set", "Queue", "AbstractCollection":
		return []string{"Collection"}
	case "Deque", "PriorityQueue", "BlockingQueue", "ConcurrentLinkedQueue":
		return []string{"Queue"}
	case "ArrayDeque":
		return []string{"Deque"}
	case "Collection":
		return []string{"Iterable"}
	case "ListIterator":
		return []string{"Iterator"}
	case "HashMap", "LinkedHashMap", "TreeMap", "EnumMap", "IdentityHashMap", "WeakHashMap", "Hashtable", "ConcurrentMap", "AbstractMap", "SortedMap":
		return []string{"Map"}
	case "ConcurrentHashMap", "ConcurrentSkipListMap":
		return []string{"ConcurrentMap"}
	}
	return nil
}

// known reports whether libraryBases says all about a type.
func known(name string) bool {
	switch name {
	case "CharSequence", "Comparable", "Serializable", "Iterable", "Iterator", "Map", "Throwable", "AutoCloseable", "Type", "Object", "Number":
		return true
	}
	return len(libraryBases(name)) > 0
}

// fitLibraries compares two types of the library.
func fitLibraries(a, p typ) fits {
	if a.outer != "" && p.outer != "" && a.name == p.name && a.outer != p.outer {
		return fitsNot
	}
	todo := []string{a.name}
	for n := 0; n < len(todo); n++ {
		if todo[n] == p.name {
			return fitsAlready
		}
		todo = append(todo, libraryBases(todo[n])...)
	}
	switch {
	case a.any:
		return fitsMaybe
	case isPlainLibrary(p.name), a.jdk && !p.jdk && !known(p.name), known(a.name) && known(p.name), isPlainLibrary(a.name):
		return fitsNot
	}
	return fitsMaybe
}

// isPlainLibrary reports whether a type of the library is a class from which nothing of
// interest derives, and which no lambda can be.
func isPlainLibrary(name string) bool {
	switch name {
	case "String", "Integer", "Long", "Short", "Byte", "Character", "Boolean", "Double", "Float", "Class", "BigInteger", "BigDecimal",
		"StringBuilder", "StringBuffer", "Object", "Method", "Field", "Constructor", "URL", "URI", "File", "UUID":
		return true
	}
	return false
}

// libraryFunction describes the functional interfaces of the library.
func libraryFunction(name string) (arity int, returns, ok bool) {
	switch name {
	case "Runnable":
		return 0, false, true
	case "Supplier", "Callable", "BooleanSupplier", "IntSupplier", "LongSupplier", "DoubleSupplier", "PrivilegedAction", "PrivilegedExceptionAction":
		return 0, true, true
	case "Consumer", "IntConsumer", "LongConsumer", "DoubleConsumer":
		return 1, false, true
	case "BiConsumer", "ObjIntConsumer", "ObjLongConsumer":
		return 2, false, true
	case "Function", "Predicate", "UnaryOperator", "IntFunction", "IntPredicate", "IntUnaryOperator", "ToIntFunction", "ToLongFunction",
		"ToDoubleFunction", "LongFunction", "DoubleFunction", "IntToLongFunction", "LongPredicate", "DoublePredicate", "LongUnaryOperator", "FileFilter":
		return 1, true, true
	case "BiFunction", "BiPredicate", "BinaryOperator", "Comparator", "ToIntBiFunction", "IntBinaryOperator", "LongBinaryOperator", "FilenameFilter":
		return 2, true, true
	}
	return 0, false, false
}

// functionParameter returns what the i-th parameter of a function of the library is, as
// libraryResult spells types.
func functionParameter(name string, i int) string {
	switch name {
	case "Consumer", "Function", "Predicate", "UnaryOperator", "ToIntFunction", "ToLongFunction", "ToDoubleFunction":
		if i == 0 {
			return "$0"
		}
	case "BiConsumer", "BiFunction", "BiPredicate", "ToIntBiFunction":
		return [...]string{"$0", "$1", ""}[min(i, 2)]
	case "BinaryOperator", "Comparator":
		return "$0"
	case "IntFunction", "IntPredicate", "IntUnaryOperator", "IntConsumer":
		return "int"
	}
	return ""
}

// libraryParameter returns the function that a method of the library takes.
func libraryParameter(name, method string) string {
	switch method {
	case "forEach", "ifPresent", "peek", "forEachOrdered":
		if isMapType(name) {
			return "BiConsumer<$0,$1>"
		}
		return "Consumer<$0>"
	case "map", "flatMap", "filter", "anyMatch", "allMatch", "noneMatch", "removeIf", "mapToInt", "mapToLong", "mapToDouble", "mapToObj",
		"takeWhile", "dropWhile", "sorted", "thenApply", "thenAccept", "thenCompose":
		if method == "sorted" {
			return "Comparator<$0>"
		}
		return "Function<$0,?>"
	case "sort", "min", "max":
		return "Comparator<$0>"
	case "reduce", "merge":
		if isMapType(name) {
			return "BinaryOperator<$1>"
		}
		return "BinaryOperator<$0>"
	case "computeIfAbsent":
		return "Function<$0,$1>"
	case "computeIfPresent", "compute", "replaceAll":
		if isMapType(name) {
			return "BiFunction<$0,$1,$1>"
		}
		return "UnaryOperator<$0>"
	}
	return ""
}

func isMapType(name string) bool { return name == "Map" || strings.HasSuffix(name, "Map") }

// libraryResult returns the type of what a method of the library gives back, with $0
// and $1 for what the type before is given for its parameters; "" is unknown.
func libraryResult(name, method string) string {
	switch method {
	case "toString", "name", "getName", "getSimpleName", "trim", "substring", "toLowerCase", "toUpperCase", "concat", "getMessage",
		"replace", "replaceAll", "repeat", "strip", "join", "format", "getCanonicalName", "getProperty", "readLine":
		if method == "replace" || method == "replaceAll" {
			if name != "String" {
				return ""
			}
		}
		return "String"
	case "equals", "isEmpty", "contains", "containsKey", "containsAll", "startsWith", "endsWith", "hasNext", "isPresent", "isInstance", "isAssignableFrom",
		"isInterface", "isArray", "isEnum", "isPrimitive", "equalsIgnoreCase", "anyMatch", "allMatch", "noneMatch", "matches", "find", "booleanValue",
		"parseBoolean", "hasMoreTokens", "isBlank":
		return "boolean"
	case "hashCode", "size", "length", "indexOf", "lastIndexOf", "compareTo", "compare", "intValue", "ordinal", "parseInt", "getModifiers", "bitCount",
		"getParameterCount", "identityHashCode", "incrementAndGet", "getAndIncrement", "read":
		return "int"
	case "longValue", "currentTimeMillis", "nanoTime", "parseLong", "getTime", "count":
		return "long"
	case "doubleValue", "parseDouble", "random":
		return "double"
	case "floatValue":
		return "float"
	case "charAt":
		return "char"
	case "toCharArray":
		return "char[]"
	case "getBytes", "toByteArray":
		return "byte[]"
	case "split":
		return "String[]"
	case "getClass", "forName", "getDeclaringClass", "getReturnType", "getComponentType", "getSuperclass", "getRawClass":
		return "Class<?>"
	case "append", "insert", "reverse":
		return name
	}
	if isMapType(name) {
		return mapResult(name, method)
	}
	return containerResult(name, method)
}

func mapResult(name, method string) string {
	switch method {
	case "get", "put", "remove", "getOrDefault", "putIfAbsent", "computeIfAbsent", "compute", "computeIfPresent", "merge", "replace":
		return "$1"
	case "keySet", "navigableKeySet":
		return "Set<$0>"
	case "values":
		return "Collection<$1>"
	case "entrySet":
		return "Set<Entry<$0,$1>>"
	case "headMap", "tailMap", "subMap", "descendingMap":
		return name + "<$0,$1>"
	case "firstKey", "lastKey":
		return "$0"
	case "firstEntry", "lastEntry":
		return "Entry<$0,$1>"
	}
	return ""
}

func containerResult(name, method string) string {
	switch name {
	case "Entry":
		switch method {
		case "getKey":
			return "$0"
		case "getValue", "setValue":
			return "$1"
		}
		return ""
	case "Class":
		switch method {
		case "cast", "newInstance":
			return "$0"
		}
		return ""
	case "Stream":
		switch method {
		case "filter", "sorted", "distinct", "limit", "skip", "peek":
			return "Stream<$0>"
		case "findFirst", "findAny", "min", "max", "reduce":
			return "Optional<$0>"
		case "toList":
			return "List<$0>"
		case "iterator":
			return "Iterator<$0>"
		}
		return ""
	case "Optional":
		switch method {
		case "get", "orElse", "orElseGet", "orElseThrow":
			return "$0"
		case "filter", "or":
			return "Optional<$0>"
		}
		return ""
	case "Supplier", "Callable", "ThreadLocal", "AtomicReference", "WeakReference", "SoftReference", "Reference", "Future", "CompletableFuture":
		switch method {
		case "get", "call", "getAndSet", "join":
			return "$0"
		}
		return ""
	case "Function", "UnaryOperator":
		if method == "apply" && name == "Function" {
			return "$1"
		}
		return "$0"
	}
	return elementResult(name, method)
}

// elementResult is of collections and iterators.
func elementResult(name, method string) string {
	switch method {
	case "get", "next", "previous", "remove", "set", "poll", "peek", "element", "pop", "first", "last", "getFirst", "getLast", "removeFirst",
		"removeLast", "peekFirst", "peekLast", "pollFirst", "pollLast", "take", "firstElement", "lastElement", "elementAt", "nextElement":
		return "$0"
	case "iterator", "listIterator", "descendingIterator":
		return "Iterator<$0>"
	case "subList":
		return "List<$0>"
	case "headSet", "tailSet", "subSet", "descendingSet":
		return name + "<$0>"
	case "stream", "parallelStream":
		return "Stream<$0>"
	}
	return ""
}

// libraryLacks reports whether a type of the library is known not to have a member of a
// name.
func libraryLacks(library, name string) bool {
	switch library {
	case "Object", "Serializable", "Cloneable", "Record":
		return true
	case "Comparable":
		return name != "compareTo"
	case "Runnable":
		return name != "run"
	case "Callable":
		return name != "call"
	case "Supplier":
		return name != "get"
	case "PrivilegedAction", "PrivilegedExceptionAction":
		return name != "run"
	case "Iterable":
		return name != "iterator" && name != "forEach" && name != "spliterator"
	case "Iterator":
		return name != "hasNext" && name != "next" && name != "remove" && name != "forEachRemaining"
	case "AutoCloseable", "Closeable":
		return name != "close"
	case "Comparator":
		return name != "compare" && name != "reversed" && name[:min(4, len(name))] != "then"
	case "Function", "Consumer", "Predicate", "BiFunction":
		switch name {
		case "apply", "accept", "test", "andThen", "compose", "identity", "negate", "and", "or", "not", "isEqual":
			return false
		}
		return true
	}
	return false
}
