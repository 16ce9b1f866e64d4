package golang

import "strings"

// stdSignature returns the signature of a function or method of the standard library
// whose result is of a type that its callers bring along; "" for all others, which never
// give a type of the tree. Parameters that say nothing of the result are left out.
func stdSignature(name string) string {
	if rest, ok := strings.CutPrefix(name, "slices."); ok {
		return slicesSignature(rest)
	}
	switch name {
	case "cmp.Or":
		return "func[T any](vals ...T) T"
	case "errors.AsType", "reflect.TypeAssert":
		return "func[T any](v any) (T, bool)"
	case "iter.Pull":
		return "func[V any](seq iter.Seq[V]) (next func() (V, bool), stop func())"
	case "iter.Pull2":
		return "func[K, V any](seq iter.Seq2[K, V]) (next func() (K, V, bool), stop func())"
	case "maps.All":
		return "func[M ~map[K]V, K comparable, V any](m M) iter.Seq2[K, V]"
	case "maps.Clone":
		return "func[M any](m M) M"
	case "maps.Collect":
		return "func[K comparable, V any](seq iter.Seq2[K, V]) map[K]V"
	case "maps.Keys":
		return "func[M ~map[K]V, K comparable, V any](m M) iter.Seq[K]"
	case "maps.Values":
		return "func[M ~map[K]V, K comparable, V any](m M) iter.Seq[V]"
	case "sync.OnceValue":
		return "func[T any](f func() T) func() T"
	case "sync.OnceValues":
		return "func[T, U any](f func() (T, U)) func() (T, U)"
	case "sync/atomic.Pointer.Load", "sync/atomic.Pointer.Swap", "weak.Pointer.Value":
		return "func (p *Pointer[T]) Load() *T"
	case "unique.Handle.Value":
		return "func (h Handle[T]) Value() T"
	}
	return ""
}

func slicesSignature(name string) string {
	switch name {
	case "AppendSeq", "Clip", "Clone", "Compact", "CompactFunc", "Concat", "Delete", "DeleteFunc", "Grow", "Insert", "Repeat", "Replace":
		return "func[S any](s S, more any) S"
	case "Max", "MaxFunc", "Min", "MinFunc":
		return "func[S ~[]E, E any](s S, more any) E"
	case "All", "Backward":
		return "func[S ~[]E, E any](s S) iter.Seq2[int, E]"
	case "Values":
		return "func[S ~[]E, E any](s S) iter.Seq[E]"
	case "Chunk":
		return "func[S any](s S, n int) iter.Seq[S]"
	case "Collect", "Sorted", "SortedFunc", "SortedStableFunc":
		return "func[E any](seq iter.Seq[E], more any) []E"
	}
	return ""
}

// ofStdlib reports whether an import path is one of the standard library whose generic
// functions are all known here.
func ofStdlib(module string) bool {
	first, _, _ := strings.Cut(module, "/")
	return !strings.Contains(first, ".") && first != "unique" && first != "weak"
}

// stdFunc returns a function of a package outside the tree, with what its result may
// be. The text of its signature means the same in every file.
func (b *binder) stdFunc(module, name string) value {
	sig := stdSignature(module + "." + name)
	if sig == "" {
		return value{kind: isExternal, text: module + "." + name}
	}
	return value{kind: isFunc, sig: sig, by: b, near: -1}
}

// stdMember returns a member of a type outside the tree. One of an instance of a
// generic type may be of its type arguments.
func (b *binder) stdMember(v value, name string) value {
	args := v.typeArgs()
	if len(args) == 0 || v.by == nil {
		return value{kind: isExternal}
	}
	q, tn, _ := splitName(v.text)
	if im := v.by.importNamed(q); im != nil {
		if sig := stdSignature(im.Module + "." + tn + "." + name); sig != "" {
			return value{kind: isFunc, sig: sig, by: v.by, near: -1, env: newEnv(typeParamList(sig), args, value{})}
		}
	}
	return value{kind: isExternal, maybe: b.carries(args)}
}

// cutLast splits a path at its last dot.
func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '.')
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+1:], true
}

// someMember reports whether Go code of the tree defines a field or method of a name.
func (b *binder) someMember(name string) bool {
	for _, id := range b.v.Definers(name) {
		f := b.facts(id)
		if f == nil || f.Language != "go" {
			continue
		}
		for i := f.NextNamed(name, 0); i != -1; i = f.NextNamed(name, i+1) {
			if isMember(&f.Defs[i]) {
				return true
			}
		}
	}
	return false
}
