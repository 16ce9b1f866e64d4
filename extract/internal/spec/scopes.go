package spec

import "github.com/ralph-index/ralph-index/graph"

// Local is a name bound inside a function: a parameter or a local variable, type
// or function.
type Local struct {
	Name string
	Hint graph.Hint
	Def  int32  // index of its definition where it is one, else graph.NoDef
	Type bool   // a type parameter: no value
	Full string // its declared type with pointers and qualifiers, where an extractor needs them
	Part bool   // it is, for good, the member of its name of something: const { a } = b
}

// Scopes holds the local names that are visible at the place being read, innermost
// last. The zero value has no scope open: every name is then a global.
type Scopes struct {
	locals []Local
	marks  []int
	// count has how many locals fall into each class of names, so that most
	// lookups of globals end without a search.
	count [256]uint32
}

// Open begins a scope; Close ends it and forgets its names.
func (s *Scopes) Open() { s.marks = append(s.marks, len(s.locals)) }

// Close ends the scope that Open began last.
func (s *Scopes) Close() {
	m := s.marks[len(s.marks)-1]
	s.marks = s.marks[:len(s.marks)-1]
	for i := m; i < len(s.locals); i++ {
		s.count[class(s.locals[i].Name)]--
	}
	s.locals = s.locals[:m]
}

// Depth returns the number of open scopes.
func (s *Scopes) Depth() int { return len(s.marks) }

// Declare binds a name in the innermost scope, hiding outer ones.
func (s *Scopes) Declare(l Local) {
	s.count[class(l.Name)]++
	s.locals = append(s.locals, l)
}

// Lookup finds the innermost binding of a name, or nil. The pointer is good until
// the next Declare or Close; a language may refine the Hint through it.
func (s *Scopes) Lookup(name string) *Local {
	if s.count[class(name)] == 0 {
		return nil
	}
	for i := len(s.locals) - 1; i >= 0; i-- {
		if s.locals[i].Name == name {
			return &s.locals[i]
		}
	}
	return nil
}

// InInnermost reports whether the innermost scope binds the name itself.
func (s *Scopes) InInnermost(name string) bool {
	if len(s.marks) == 0 || s.count[class(name)] == 0 {
		return false
	}
	for i := len(s.locals) - 1; i >= s.marks[len(s.marks)-1]; i-- {
		if s.locals[i].Name == name {
			return true
		}
	}
	return false
}

func class(name string) uint8 {
	if name == "" {
		return 0
	}
	return name[0]*31 ^ name[len(name)-1]*7 ^ uint8(len(name))
}
