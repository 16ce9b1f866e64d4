package python

func words(list ...string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, w := range list {
		m[w] = true
	}
	return m
}

// builtinNames are the names that every module has, those of the older language
// among them.
var builtinNames = words(
	"ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup", "BlockingIOError",
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
	"staticmethod", "str", "sum", "super", "tuple", "type", "unichr", "unicode", "vars", "xrange", "zip",
)

// builtinMembers are the methods and attributes of built-in types and of a few
// types of the standard library that stand in locals everywhere.
var builtinMembers = words(
	"acquire", "acquire_lock", "add", "add_note", "append", "appendleft", "args", "as_integer_ratio", "astimezone",
	"bit_count", "bit_length", "buffer", "c_contiguous", "capitalize", "casefold", "cast", "center", "clear", "close",
	"closed", "combine", "conjugate", "contiguous", "copy", "count", "ctime", "daemon", "date", "day", "days", "decode",
	"deleter", "denominator", "detach", "difference", "difference_update", "discard", "dst", "elements", "empty",
	"encode", "encoding", "end", "endpos", "endswith", "errors", "expand", "expandtabs", "extend", "extendleft",
	"f_contiguous", "fdel", "fget", "fileno", "find", "findall", "finditer", "flags", "flush", "fold", "format",
	"format_map", "from_bytes", "fromhex", "fromisocalendar", "fromisoformat", "fromkeys", "fromordinal",
	"fromtimestamp", "fset", "full", "fullmatch", "get", "getName", "get_nowait", "getbuffer", "getter", "getvalue",
	"group", "groupdict", "groupindex", "groups", "hex", "hour", "ident", "imag", "index", "insert", "intersection",
	"intersection_update", "isDaemon", "is_alive", "is_integer", "isalnum", "isalpha", "isascii", "isatty", "isdecimal",
	"isdigit", "isdisjoint", "isidentifier", "islower", "isnumeric", "isocalendar", "isoformat", "isoweekday",
	"isprintable", "isspace", "issubset", "issuperset", "istitle", "isupper", "items", "itemsize", "join", "keys",
	"lastgroup", "lastindex", "line_buffering", "ljust", "locked", "locked_lock", "lower", "lstrip", "maketrans",
	"match", "max", "maxlen", "microsecond", "microseconds", "min", "minute", "month", "most_common", "move_to_end",
	"name", "native_id", "nbytes", "ndim", "newlines", "now", "numerator", "obj", "partition", "pattern", "pop",
	"popitem", "popleft", "pos", "put", "put_nowait", "qsize", "re", "read", "read1", "readable", "readinto",
	"readinto1", "readline", "readlines", "readonly", "real", "reconfigure", "regs", "release", "release_lock",
	"remove", "removeprefix", "removesuffix", "replace", "resolution", "reverse", "rfind", "rindex", "rjust", "rotate",
	"rpartition", "rsplit", "rstrip", "run", "scanner", "search", "second", "seconds", "seek", "seekable", "setDaemon",
	"setName", "setdefault", "setter", "shape", "sort", "span", "split", "splitlines", "start", "startswith",
	"strftime", "strides", "string", "strip", "strptime", "sub", "subn", "suboffsets", "subtract", "swapcase",
	"symmetric_difference", "symmetric_difference_update", "task_done", "tell", "time", "timestamp", "timetuple",
	"timetz", "title", "to_bytes", "tobytes", "today", "tolist", "toordinal", "toreadonly", "total", "total_seconds",
	"translate", "truncate", "tzinfo", "tzname", "union", "update", "upper", "utcfromtimestamp", "utcnow", "utcoffset",
	"utctimetuple", "values", "weekday", "with_traceback", "writable", "write", "write_through", "writelines", "year",
	"zfill",
)

// objectMembers are what every object has.
var objectMembers = words(
	"__class__", "__delattr__", "__dir__", "__doc__", "__eq__", "__format__", "__ge__", "__getattribute__",
	"__getstate__", "__gt__", "__hash__", "__init__", "__init_subclass__", "__le__", "__lt__", "__ne__", "__new__",
	"__reduce__", "__reduce_ex__", "__repr__", "__setattr__", "__sizeof__", "__str__", "__subclasshook__",
)

func isBuiltin(name string) bool       { return builtinNames[name] }
func isBuiltinMember(name string) bool { return builtinMembers[name] }
func isObjectMember(name string) bool  { return objectMembers[name] }
