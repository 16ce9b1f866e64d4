package rust

import "strings"

// What the standard library gives, as far as chains of calls lead through it.

// preludeType reports whether a name is a type that every module sees, or one of the
// library that is written without a path where it is used.
func preludeType(name string) bool {
	switch name {
	case "Option", "Result", "Vec", "String", "Box", "Iterator", "IntoIterator", "Fn", "FnMut", "FnOnce", "Clone", "Copy",
		"Send", "Sync", "Sized", "Drop", "ToOwned", "ToString", "From", "Into", "AsRef", "AsMut", "Default", "Eq",
		"PartialEq", "Ord", "PartialOrd", "Extend", "DoubleEndedIterator", "ExactSizeIterator", "TryFrom", "TryInto", "FromIterator",
		"Debug", "Hash":
		return true
	}
	return false
}

// preludeValue reports whether a name without a path is a value or function of the
// language.
func preludeValue(name string) bool {
	switch name {
	case "Some", "None", "Ok", "Err", "drop":
		return true
	}
	return preludeType(name)
}

func isPrimitive(name string) bool {
	switch name {
	case "str", "char", "bool", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64":
		return true
	}
	return false
}

// wrapper reports whether a type of the library is one that method calls look through.
func wrapper(name string) bool {
	switch name {
	case "Box", "Rc", "Arc", "Ref", "RefMut", "MutexGuard", "RwLockReadGuard", "RwLockWriteGuard", "Cow", "Pin",
		"ManuallyDrop", "Lazy", "PeekMut":
		return true
	}
	return false
}

// wrapperMethod reports whether a wrapper has a method itself, so that it is not looked
// for on what it holds.
func wrapperMethod(wrapper, name string) bool {
	switch wrapper {
	case "Rc", "Arc":
		return name == "clone"
	case "Cow":
		return name == "into_owned" || name == "to_mut" || name == "is_borrowed" || name == "clone"
	case "Pin":
		return name == "as_mut" || name == "as_ref" || name == "get_mut" || name == "set" || name == "get_ref"
	}
	return false
}

// vecMethod reports whether Vec has a method that slices have not.
func vecMethod(name string) bool {
	switch name {
	case "push", "pop", "insert", "remove", "append", "extend", "extend_from_slice", "truncate", "reserve", "reserve_exact",
		"capacity", "clear", "drain", "retain", "resize", "resize_with", "as_slice", "as_mut_slice", "swap_remove", "dedup",
		"dedup_by", "dedup_by_key", "split_off", "splice", "into_boxed_slice", "shrink_to_fit", "set_len", "into_iter", "as_ptr", "as_mut_ptr", "clone", "leak":
		return true
	}
	return false
}

// iter is an iterator that yields a value.
func iter(elem value) value { return std("Iter", elem) }

func tuple(elems ...value) value { return value{kind: isTuple, args: elems} }

// iterated is what iteration over a value yields.
func (b *binder) iterated(v value) value {
	v = v.head()
	switch v.kind {
	case isSlice:
		return v.argAt(0)
	case isStd:
		switch v.name {
		case "HashMap", "BTreeMap", "IndexMap":
			return tuple(v.argAt(0), v.argAt(1))
		case "Box", "Rc", "Arc", "Ref", "RefMut", "MutexGuard", "Peekable", "Rev", "Skip", "Take", "StepBy", "Fuse":
			if in := v.argAt(0).head(); in.kind == isNamed || in.kind == isBounded || in.kind == isSlice || in.kind == isStd {
				return b.iterated(in)
			}
			return value{}
		case "Range", "RangeInclusive", "Chars", "Bytes", "str", "String":
			return std("usize")
		case "Vec", "Option", "Result", "VecDeque", "HashSet", "BTreeSet", "BinaryHeap", "LinkedList", "Iter", "IterMut", "IntoIter",
			"Drain", "SmallVec", "Values", "ValuesMut", "Keys":
			return v.argAt(max(0, len(v.args)-1))
		case "Enumerate":
			return tuple(std("usize"), b.iterated(v.argAt(0)))
		}
	case isNamed:
		if t := b.assocOfNamed(v, "Item"); t.kind != isUnknown {
			t.steps += v.steps + 1
			return t
		}
		if t := b.assocOfNamed(v, "IntoIter"); t.kind != isUnknown {
			return b.iterated(t)
		}
		if t := b.deref(v); t.kind != isUnknown {
			return b.iterated(t)
		}
	case isBounded:
		return b.assocType(v, "Item")
	default:
	}
	return value{}
}

// tried is what "?" leaves of a value.
func (b *binder) tried(v value) value {
	v = v.head()
	if v.kind == isStd && (v.name == "Option" || v.name == "Result" || v.name == "Poll" || strings.HasSuffix(v.name, "Result")) {
		return v.argAt(0)
	}
	return value{}
}

// stdResult is what a method of the library gives for a receiver.
func (b *binder) stdResult(v value, method string) value {
	switch method {
	case "clone", "to_owned", "borrow", "borrow_mut", "as_ref", "as_mut", "by_ref", "iter_mut_ref", "into_inner", "get_mut",
		"lock", "read", "write", "get", "take", "replace", "cloned", "copied", "as_deref", "as_deref_mut", "as_slice", "as_mut_slice",
		"into_boxed_slice", "to_vec", "into_vec", "as_pin_mut":
		return b.stdSame(v, method)
	case "to_string", "to_lowercase", "to_uppercase", "into_string", "trim", "as_str", "display":
		return std("String")
	case "len", "count", "capacity":
		return std("usize")
	case "is_some", "is_none", "is_ok", "is_err", "is_empty", "contains", "starts_with", "ends_with", "any", "all", "eq", "ne":
		return std("bool")
	case "chars", "bytes", "char_indices", "split_whitespace", "lines", "split_str":
		return iter(std("char"))
	}
	if v.kind == isStd && (v.name == "Option" || v.name == "Result") {
		if out := optionResult(v, method); out.kind != isUnknown {
			return out
		}
	}
	return b.iterResult(v, method)
}

// stdSame is the result of methods that give what they are called on, or a part of it.
func (b *binder) stdSame(v value, method string) value {
	inner := v.argAt(0)
	if v.kind == isSlice {
		v = std("Vec", inner)
	}
	switch v.name {
	case "RefCell", "Cell", "Mutex", "RwLock", "OnceCell", "UnsafeCell":
		switch method {
		case "lock", "read", "write", "into_inner", "get_mut":
			if v.name == "Mutex" || v.name == "RwLock" {
				return std("Result", inner)
			}
			if v.name == "OnceCell" {
				return std("Option", inner)
			}
		case "clone":
			return v
		}
		if method == "get" && v.name == "OnceCell" {
			return std("Option", inner)
		}
		return inner
	case "Vec", "VecDeque":
		switch method {
		case "get", "get_mut":
			return std("Option", inner)
		}
		return v
	case "HashMap", "BTreeMap", "IndexMap":
		if method == "get" || method == "get_mut" {
			return std("Option", v.argAt(1))
		}
	case "HashSet", "BTreeSet":
		if method == "get" || method == "take" || method == "replace" {
			return std("Option", inner)
		}
	case "Box", "Rc", "Arc", "Cow", "Ref", "RefMut":
		switch method {
		case "clone":
			return v
		case "as_ref", "as_mut", "borrow", "borrow_mut", "get_mut", "into_owned", "to_owned":
			return inner
		}
	}
	return v
}

// optionResult is the result of a method of Option or Result.
func optionResult(v value, method string) value {
	inner := v.argAt(0)
	switch method {
	case "unwrap", "expect", "unwrap_or", "unwrap_or_else", "unwrap_or_default", "unwrap_unchecked", "get_or_insert_with",
		"get_or_insert", "insert":
		return inner
	case "ok", "or", "or_else", "filter", "xor", "flatten":
		if method == "ok" {
			return std("Option", inner)
		}
		return v
	case "err":
		return std("Option", v.argAt(1))
	case "unwrap_err", "expect_err":
		return v.argAt(1)
	case "ok_or", "ok_or_else", "map_err":
		return std("Result", inner)
	case "transpose":
		return v
	}
	return value{}
}

// iterResult is the result of a method of a collection or an iterator.
func (b *binder) iterResult(v value, method string) value {
	switch method {
	case "iter", "iter_mut", "into_iter", "drain", "filter", "skip", "rev", "peekable", "chain", "step_by", "inspect",
		"skip_while", "take_while", "fuse", "cycle", "retain", "difference", "union", "intersection", "sorted":
		return iter(b.iterated(v))
	case "next", "last", "first", "pop", "nth", "next_back", "max", "min", "find", "peek", "peek_mut", "last_mut", "first_mut",
		"pop_front", "pop_back", "front", "back", "front_mut", "back_mut", "max_by", "min_by", "max_by_key", "min_by_key", "reduce":
		return std("Option", b.iterated(v))
	case "enumerate":
		return iter(tuple(std("usize"), b.iterated(v)))
	case "values", "values_mut", "into_values":
		return iter(v.argAt(1))
	case "keys", "into_keys":
		return iter(v.argAt(0))
	case "remove", "insert", "swap_remove":
		if v.name == "HashMap" || v.name == "BTreeMap" {
			return std("Option", v.argAt(1))
		}
		return v.argAt(0)
	case "entry":
		return std("Entry", v.argAt(1))
	case "or_insert", "or_insert_with", "or_default":
		return v.argAt(0)
	case "windows", "chunks", "split_at_slice", "chunks_exact":
		return iter(std("Vec", b.iterated(v)))
	case "split_first", "split_last":
		return std("Option", tuple(b.iterated(v), std("Vec", b.iterated(v))))
	case "split_at", "split_at_mut":
		return tuple(v, v)
	case "partition":
		return value{}
	}
	return value{}
}

// closureParam is what a method of the library gives to the n-th parameter of a closure.
func (b *binder) closureParam(v value, method string, n int) value {
	switch method {
	case "map", "and_then", "for_each", "filter", "any", "all", "find", "position", "flat_map", "filter_map", "inspect",
		"skip_while", "take_while", "map_or", "map_or_else", "is_some_and", "partition", "max_by_key", "min_by_key",
		"sort_by_key", "retain", "find_map", "then", "map_while", "sort_unstable_by_key", "unwrap_or_else_none", "dedup_by_key", "try_for_each", "rposition", "sort_by_cached_key":
		if n == 0 {
			return b.iterated(v)
		}
	case "sort_by", "max_by", "min_by", "sort_unstable_by", "dedup_by", "is_sorted_by", "binary_search_by":
		return b.iterated(v)
	case "map_err", "unwrap_or_else", "or_else":
		if v.name == "Result" {
			return v.argAt(1)
		}
	case "fold", "try_fold", "scan":
		if n == 1 {
			return b.iterated(v)
		}
	case "and_modify":
		return v.argAt(0)
	case "with":
		return v.argAt(0)
	}
	return value{}
}

// made is a value of a type of the library that one of its functions makes.
func made(typ, fn string, arg *value) value {
	inner := value{}
	if arg != nil {
		inner = *arg
	}
	switch fn {
	case "Some":
		return std("Option", inner)
	case "Ok":
		return std("Result", inner)
	case "Err":
		return std("Result")
	}
	switch typ {
	case "Box", "Rc", "Arc", "Cell", "RefCell", "Mutex", "RwLock", "Pin", "Cow":
		if fn == "clone" || fn == "as_ref" {
			return inner
		}
		return std(typ, inner)
	case "":
		return value{}
	}
	switch fn {
	case "new", "default", "with_capacity", "from", "from_iter", "from_str", "from_utf8_lossy", "once", "empty", "repeat", "now", "open", "create":
		return std(typ)
	}
	return std("unknown")
}
