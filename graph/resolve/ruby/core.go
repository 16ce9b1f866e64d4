package ruby

// isCore reports whether objects of the language have a method of a name, which so tells
// nothing where the object is not known.
func isCore(name string) bool {
	switch name {
	case "abort", "abort_on_exception", "abs", "absolute?", "absolute_path", "absolute_path?", "acos", "acosh", "add", "add?", "add_trace_func",
		"add_trailing_separator", "advise", "alias_method", "aliases", "alive?", "all?", "all_symbols", "allbits?", "allocate", "ancestors", "angle", "any?",
		"anybits?", "append", "append_features", "arg", "argv0", "arity", "ascend", "ascii_compatible?", "ascii_only?", "asctime", "asin", "asinh", "assoc",
		"at", "at_exit", "atan", "atan2", "atanh", "atime", "attr", "attr_accessor", "attr_reader", "attr_writer", "auto_compact", "autoclose?", "autoload",
		"autoload?", "b", "backtrace", "backtrace_locations", "basename", "begin", "between?", "binding", "binmode", "binmode?", "binread", "binwrite",
		"birthtime", "bit_length", "block_given?", "blockdev?", "bsearch", "bsearch_index", "bytes", "bytesize", "byteslice", "call", "caller",
		"caller_locations", "capitalize", "capitalize!", "captures", "casecmp", "casecmp?", "casefold?", "catch", "cause", "cbrt", "ceil", "center", "chain",
		"chardev?", "chars", "chdir", "children", "chmod", "chomp", "chomp!", "chop", "chop!", "chop_basename", "chown", "chr", "chroot", "chunk",
		"chunk_while", "clamp", "class", "class_eval", "class_exec", "class_variable_defined?", "class_variable_get", "class_variable_set",
		"class_variables", "classify", "cleanpath", "cleanpath_aggressive", "cleanpath_conservative", "clear", "clock_getres", "clock_gettime", "clone",
		"close", "close_on_exec?", "close_read", "close_write", "closed?", "codepoints", "coerce", "collect", "collect!", "collect_concat", "combination",
		"compact", "compact!", "compare_by_identity", "compare_by_identity?", "compatible?", "compile", "concat", "const_defined?", "const_get",
		"const_missing", "const_set", "const_source_location", "constants", "copy_stream", "cos", "cosh", "count", "count_objects", "cover?", "crypt",
		"ctime", "current", "curry", "cycle", "daemon", "day", "deconstruct", "deconstruct_keys", "default", "default_external", "default_internal",
		"default_proc", "define_finalizer", "define_method", "define_singleton_method", "del_trailing_separator", "delete", "delete!", "delete?",
		"delete_at", "delete_if", "delete_prefix", "delete_prefix!", "delete_suffix", "delete_suffix!", "denominator", "deprecate_constant", "deq",
		"descend", "detach", "detect", "difference", "dig", "digits", "directory?", "dirname", "disable", "disjoint?", "display", "div", "divide", "divmod",
		"do_with_enum", "downcase", "downcase!", "downto", "drop", "drop_while", "dst?", "dummy?", "dump", "dup", "each", "each_byte", "each_char",
		"each_child", "each_codepoint", "each_cons", "each_entry", "each_filename", "each_grapheme_cluster", "each_index", "each_key", "each_line",
		"each_object", "each_pair", "each_slice", "each_value", "each_with_index", "each_with_object", "egid", "empty?", "enable", "encode", "encode!",
		"encoding", "end", "end_with?", "enq", "entries", "enum_for", "eof", "eof?", "eql?", "erf", "erfc", "escape", "euid", "eval", "even?", "except",
		"exception", "exclude_end?", "exec", "executable?", "executable_real?", "exist?", "exists?", "exit", "exit!", "exp", "expand_path", "extend",
		"extend_object", "extended", "external_encoding", "extname", "fail", "fcntl", "fdatasync", "fdiv", "feed", "fetch", "fetch_values", "file?",
		"fileno", "fill", "filter", "filter!", "filter_map", "find", "find_all", "find_index", "finite?", "first", "fixed_encoding?", "flat_map", "flatten",
		"flatten!", "flatten_merge", "flock", "floor", "flush", "fnmatch", "fnmatch?", "for_fd", "force_encoding", "foreach", "fork", "format", "freeze",
		"frexp", "friday?", "frozen?", "fsync", "ftype", "full_message", "gamma", "garbage_collect", "gcd", "gcdlcm", "gem", "gem_original_require",
		"getbyte", "getc", "getgm", "getlocal", "getpgid", "getpgrp", "getpriority", "getrlimit", "gets", "getsid", "getutc", "getwd", "gid", "glob",
		"global_variables", "gm", "gmt?", "gmt_offset", "gmtime", "gmtoff", "grapheme_clusters", "grep", "grep_v", "group", "group_by", "groups",
		"grpowned?", "gsub", "gsub!", "handle_interrupt", "has_key?", "has_trailing_separator?", "has_value?", "hash", "hex", "home", "hour", "hypot",
		"id2name", "identical?", "ignore_deadlock", "include", "include?", "included", "included_modules", "index", "infinite?", "inherited", "initgroups",
		"initialize_clone", "initialize_copy", "initialize_dup", "inject", "insert", "inspect", "instance_method", "instance_methods", "instance_of?",
		"instance_variable_defined?", "instance_variable_get", "instance_variable_set", "instance_variables", "integer?", "intern", "internal_encoding",
		"intersect?", "intersection", "invert", "ioctl", "irb", "is_a?", "isatty", "isdst", "iterator?", "itself", "join", "keep_if", "key", "key?", "keys",
		"kill", "kind_of?", "lambda", "lambda?", "last", "last_match", "last_status", "latest_compact_info", "latest_gc_info", "lazy", "lchmod", "lchown",
		"lcm", "ldexp", "left", "length", "lgamma", "lineno", "lines", "link", "list", "ljust", "load", "local", "local_variable_defined?",
		"local_variable_get", "local_variable_set", "local_variables", "locale_charmap", "localtime", "lock", "locked?", "log", "log10", "log2", "loop",
		"lstat", "lstrip", "lstrip!", "lutime", "magnitude", "main", "make_link", "make_symlink", "map", "map!", "marshal_dump", "marshal_load", "match",
		"match?", "match_length", "max", "max_by", "maxgroups", "mday", "measure_total_time", "member?", "members", "merge", "merge!", "message", "method",
		"method_added", "method_defined?", "method_missing", "method_removed", "method_undefined", "methods", "min", "min_by", "minmax", "minmax_by",
		"mkdir", "mkfifo", "mkpath", "mktime", "module_eval", "module_exec", "module_function", "modulo", "mon", "monday?", "month", "mountpoint?", "mtime",
		"name_list", "named_captures", "names", "nan?", "native_thread_id", "negative?", "nesting", "new_seed", "next", "next!", "next_float", "next_values",
		"nil?", "nobits?", "none?", "now", "nsec", "num_waiting", "numerator", "object_id", "oct", "odd?", "offset", "one?", "open", "opendir", "options",
		"ord", "original_name", "owned?", "owner", "p", "pack", "parameters", "parent", "partition", "pass", "peek", "peek_values", "pending_interrupt?",
		"permutation", "phase", "pid", "pipe", "pipe?", "plus", "pop", "popen", "pos", "positive?", "post_match", "pow", "pp", "ppid", "pre_match", "pread",
		"pred", "prepend", "prepend_features", "prepend_prefix", "prepended", "pretty_print", "pretty_print_cycle", "prev_float", "print", "printf",
		"priority", "private", "private?", "private_class_method", "private_constant", "private_instance_methods", "private_method_defined?",
		"private_methods", "proc", "produce", "product", "proper_subset?", "proper_superset?", "protected", "protected?", "protected_instance_methods",
		"protected_method_defined?", "protected_methods", "public", "public?", "public_class_method", "public_constant", "public_instance_method",
		"public_instance_methods", "public_method", "public_method_defined?", "public_methods", "public_send", "push", "putc", "puts", "pwd", "pwrite",
		"quo", "quote", "raise", "rand", "rassoc", "rationalize", "read", "read_nonblock", "readable?", "readable_real?", "readbyte", "readchar", "readline",
		"readlines", "readlink", "readpartial", "realdirpath", "realpath", "receiver", "reduce", "refine", "regexp", "rehash", "reject", "reject!",
		"relative?", "relative_path_from", "remainder", "remove_class_variable", "remove_const", "remove_instance_variable", "remove_method", "rename",
		"reopen", "repeated_combination", "repeated_permutation", "replace", "replicate", "report_on_exception", "require", "require_relative", "reset",
		"respond_to?", "respond_to_missing?", "restore", "reverse", "reverse!", "reverse_each", "rewind", "rindex", "rjust", "rmdir", "rmtree", "root?",
		"rotate", "rotate!", "round", "rpartition", "rstrip", "rstrip!", "ruby2_keywords", "ruby2_keywords_hash", "ruby2_keywords_hash?", "sample",
		"saturday?", "scan", "scrub", "scrub!", "sec", "seed", "seek", "select", "select!", "send", "set_backtrace", "set_encoding", "set_encoding_by_bom",
		"set_trace_func", "setbyte", "setgid?", "setpgid", "setpgrp", "setpriority", "setproctitle", "setrlimit", "setsid", "setuid?", "shift", "shuffle",
		"shuffle!", "signame", "sin", "singleton_class", "singleton_class?", "singleton_method", "singleton_methods", "sinh", "size", "size?", "sleep",
		"slice", "slice!", "slice_after", "slice_before", "slice_when", "socket?", "sort", "sort!", "sort_by", "sort_by!", "source", "source_location",
		"spawn", "split", "split_names", "sprintf", "sqrt", "squeeze", "squeeze!", "srand", "start_with?", "stat", "state", "status", "step", "sticky?",
		"stop?", "store", "stress", "strftime", "string", "strip", "strip!", "sub", "sub!", "sub_ext", "subclasses", "subsec", "subset?", "subtract", "succ",
		"succ!", "sum", "sunday?", "super_method", "superclass", "superset?", "swapcase", "swapcase!", "symlink", "symlink?", "sync", "synchronize",
		"syscall", "sysopen", "sysread", "sysseek", "system", "syswrite", "taint", "tainted?", "take", "take_while", "tally", "tan", "tanh", "tap", "tell",
		"terminate", "test", "then", "thread_variable?", "thread_variable_get", "thread_variable_set", "thread_variables", "throw", "thursday?", "times",
		"to_a", "to_ary", "to_c", "to_enum", "to_f", "to_h", "to_hash", "to_i", "to_int", "to_io", "to_path", "to_proc", "to_r", "to_s", "to_set", "to_str",
		"to_sym", "to_tty?", "total_time", "tr", "tr!", "tr_s", "tr_s!", "trace_var", "transform_keys", "transform_keys!", "transform_values",
		"transform_values!", "transpose", "trap", "truncate", "trust", "try_convert", "try_lock", "tty?", "tuesday?", "tv_nsec", "tv_sec", "tv_usec", "uid",
		"umask", "unbind", "undef_method", "undefine_finalizer", "undump", "ungetbyte", "ungetc", "unicode_normalize", "unicode_normalize!",
		"unicode_normalized?", "union", "uniq", "uniq!", "unlink", "unlock", "unpack", "unpack1", "unshift", "untaint", "untrace_var", "untrust",
		"untrusted?", "upcase", "upcase!", "update", "upto", "urandom", "usec", "used_modules", "using", "using_rvargc?", "utc", "utc?", "utc_offset",
		"utime", "valid_encoding?", "value", "value?", "values", "values_at", "verify_compaction_references", "verify_internal_consistency",
		"verify_transient_heap_internal_consistency", "wait", "wait2", "waitall", "waitpid", "waitpid2", "wakeup", "warn", "wday", "wednesday?",
		"with_index", "with_object", "world_readable?", "world_writable?", "writable?", "writable_real?", "write", "write_nonblock", "yday", "year", "yield",
		"yield_self", "zero?", "zip", "zone":
		return true
	}
	return false
}

// isCoreClass reports whether a class or module is one of the language, whose methods
// core has.
func isCoreClass(name string) bool {
	switch name {
	case "Object", "BasicObject", "Kernel", "Comparable", "Enumerable", "Exception", "StandardError", "RuntimeError", "ArgumentError", "TypeError", "NameError",
		"NoMethodError", "IOError", "KeyError", "IndexError", "ScriptError", "LoadError", "NotImplementedError", "RangeError", "SystemCallError", "SecurityError",
		"Hash", "Array", "String", "Struct", "Module", "Class", "Set", "Numeric", "Integer", "Proc", "IO", "File", "Time", "Forwardable", "Singleton":
		return true
	}
	return false
}
