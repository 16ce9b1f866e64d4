package python

// isBuiltin reports whether a name is one of the names that every module has, those of the older language
// among them.
func isBuiltin(name string) bool {
	switch name {
	case "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup", "BlockingIOError",
		"BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError", "ConnectionAbortedError", "ConnectionError",
		"ConnectionRefusedError", "ConnectionResetError", "DeprecationWarning", "EOFError", "Ellipsis", "EncodingWarning",
		"EnvironmentError", "Exception", "ExceptionGroup", "False", "FileExistsError", "FileNotFoundError",
		"FloatingPointError", "FutureWarning", "GeneratorExit", "IOError", "ImportError", "ImportWarning",
		"IndentationError", "IndexError", "InterruptedError", "IsADirectoryError", "KeyError", "KeyboardInterrupt",
		"LookupError", "MemoryError", "ModuleNotFoundError", "NameError", "None", "NotADirectoryError", "NotImplemented",
		"NotImplementedError", "OSError", "OverflowError", "PendingDeprecationWarning", "PermissionError",
		"ProcessLookupError", "RecursionError", "ReferenceError", "ResourceWarning", "RuntimeError", "RuntimeWarning",
		"StopAsyncIteration", "StopIteration", "SyntaxError", "SyntaxWarning", "SystemError", "SystemExit", "TabError",
		"TimeoutError", "True", "TypeError", "UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError",
		"UnicodeError", "UnicodeTranslateError", "UnicodeWarning", "UserWarning", "ValueError", "Warning", "WindowsError",
		"ZeroDivisionError", "__build_class__", "__debug__", "__doc__", "__file__", "__import__", "__loader__", "__name__",
		"__package__", "__path__", "__spec__", "abs", "aiter", "all", "anext", "any", "apply", "ascii", "basestring", "bin",
		"bool", "breakpoint", "buffer", "bytearray", "bytes", "callable", "chr", "classmethod", "cmp", "coerce", "compile",
		"complex", "copyright", "credits", "delattr", "dict", "dir", "divmod", "enumerate", "eval", "exec", "execfile",
		"exit", "file", "filter", "float", "format", "frozenset", "getattr", "globals", "hasattr", "hash", "help", "hex",
		"id", "input", "int", "intern", "isinstance", "issubclass", "iter", "len", "license", "list", "locals", "long",
		"map", "max", "memoryview", "min", "next", "object", "oct", "open", "ord", "pow", "print", "property", "quit",
		"range", "raw_input", "reduce", "reload", "repr", "reversed", "round", "set", "setattr", "slice", "sorted",
		"staticmethod", "str", "sum", "super", "tuple", "type", "unichr", "unicode", "vars", "xrange", "zip":
		return true
	}
	return false
}

// isBuiltinMember reports whether a name is one of the methods and attributes of built-in types, of files, of
// points in time and of regular expressions: what stands in locals everywhere.
func isBuiltinMember(name string) bool {
	switch name {
	case "astimezone", "ctime", "date", "dst", "isocalendar", "isoformat", "isoweekday", "strftime", "time", "timestamp",
		"timetuple", "timetz", "toordinal", "total_seconds", "tzname", "utcoffset", "utctimetuple", "weekday":
		return true // of points in time
	case "add", "add_note", "append", "appendleft", "as_integer_ratio", "bit_count", "bit_length", "buffer", "capitalize",
		"casefold", "center", "clear", "close", "closed", "conjugate", "copy", "count", "decode", "denominator", "detach",
		"difference", "difference_update", "discard", "encode", "encoding", "end", "endpos", "endswith", "errors", "expand",
		"expandtabs", "extend", "extendleft", "fileno", "find", "findall", "finditer", "flags", "flush", "format",
		"format_map", "from_bytes", "fromhex", "fromkeys", "fullmatch", "get", "getbuffer", "getvalue", "group",
		"groupdict", "groupindex", "groups", "hex", "index", "insert", "intersection", "intersection_update", "is_integer",
		"isalnum", "isalpha", "isascii", "isatty", "isdecimal", "isdigit", "isdisjoint", "isidentifier", "islower",
		"isnumeric", "isprintable", "isspace", "issubset", "issuperset", "istitle", "isupper", "items", "join", "keys",
		"lastgroup", "lastindex", "line_buffering", "ljust", "lower", "lstrip", "maketrans", "match", "maxlen",
		"move_to_end", "name", "newlines", "numerator", "partition", "pattern", "pop", "popitem", "popleft", "pos", "re",
		"read", "read1", "readable", "readinto", "readinto1", "readline", "readlines", "reconfigure", "regs", "remove",
		"removeprefix", "removesuffix", "replace", "reverse", "rfind", "rindex", "rjust", "rotate", "rpartition", "rsplit",
		"rstrip", "scanner", "search", "seek", "seekable", "setdefault", "sort", "span", "split", "splitlines", "start",
		"startswith", "string", "strip", "sub", "subn", "swapcase", "symmetric_difference", "symmetric_difference_update",
		"tell", "title", "to_bytes", "translate", "truncate", "union", "update", "upper", "values", "with_traceback",
		"writable", "write", "write_through", "writelines", "zfill":
		return true
	}
	return false
}

// isObjectMember reports whether a name is one of what every object has.
func isObjectMember(name string) bool {
	switch name {
	case "__class__", "__delattr__", "__dir__", "__doc__", "__eq__", "__format__", "__ge__", "__getattribute__",
		"__getstate__", "__gt__", "__hash__", "__init__", "__init_subclass__", "__le__", "__lt__", "__ne__", "__new__",
		"__reduce__", "__reduce_ex__", "__repr__", "__setattr__", "__sizeof__", "__str__", "__subclasshook__":
		return true
	}
	return false
}
