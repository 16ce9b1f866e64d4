package graph

// IndexNames prepares NextNamed for facts that are asked often. It must be called
// again after a change of Defs, and not beside other calls.
func (f *Facts) IndexNames() {
	f.Marks = make([]uint16, len(f.Defs))
	for i := range f.Defs {
		f.Marks[i] = nameMark(f.Defs[i].Name)
	}
}

// NextNamed returns the index of the first definition at from or behind it that has
// the name, or NoDef.
func (f *Facts) NextNamed(name string, from int32) int32 {
	if len(f.Marks) != len(f.Defs) {
		for i := int(from); i < len(f.Defs); i++ {
			if f.Defs[i].Name == name {
				return int32(i)
			}
		}
		return NoDef
	}
	mark := nameMark(name)
	for i := int(from); i < len(f.Marks); i++ {
		if f.Marks[i] == mark && f.Defs[i].Name == name {
			return int32(i)
		}
	}
	return NoDef
}

// nameMark tells most names apart: a file's definitions fill many cache lines, their
// marks few.
func nameMark(name string) uint16 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return uint16(h>>16 ^ h)
}
