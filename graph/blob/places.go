package blob

// places finds what was numbered before by its hash. Forgetting takes no time, unlike in a
// map, which is cleared as a whole for each small file that follows a large one.
type places struct {
	slots []slot // open addressing; a power of two
	round uint32 // slots of other rounds are free
	used  int
}

type slot struct{ round, hash, at uint32 }

const fewSlots = 1 << 8

// reset forgets all but the room.
func (p *places) reset() {
	p.used = 0
	if p.round++; p.round == 0 {
		clear(p.slots)
		p.round = 1
	}
}

// find returns where same says that at is what is looked for, or false once it has
// entered next as the place of it.
func (p *places) find(hash, next uint32, same func(at uint32) bool) (at uint32, found bool) {
	if 2*p.used >= len(p.slots) {
		p.grow()
	}
	mask := uint32(len(p.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &p.slots[i]
		if s.round != p.round {
			*s = slot{p.round, hash, next}
			p.used++
			return next, false
		}
		if s.hash == hash && same(s.at) {
			return s.at, true
		}
	}
}

func (p *places) grow() {
	old := p.slots
	p.slots = make([]slot, max(fewSlots, 2*len(old)))
	mask := uint32(len(p.slots) - 1)
	for _, s := range old {
		if s.round != p.round {
			continue
		}
		i := s.hash & mask
		for p.slots[i].round == p.round {
			i = (i + 1) & mask
		}
		p.slots[i] = s
	}
}
