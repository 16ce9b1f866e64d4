package python

import (
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// confFlow is how sure a target is that was found by following values.
const confFlow = 0.9

// flowed binds a call of a value to what the extractor found it to be: a definition of
// the file, or what an expression yields.
func (r *run) flowed(e env, ref *graph.Ref) graph.Binding {
	text, share, several := strings.Cut(ref.Hint.Type, "/")
	conf := float32(confFlow)
	if n, err := strconv.Atoi(share); several && err == nil && n > 1 {
		conf = min(conf, confShared/float32(n))
	}
	var all []found
	if at, err := strconv.ParseUint(text, 10, 32); err == nil {
		for i := e.f.NextNamed(ref.Name, 0); i != graph.NoDef; i = e.f.NextNamed(ref.Name, i+1) {
			if e.f.Defs[i].NameSpan.Start == uint32(at) {
				all = append(all, found{sym: graph.Symbol{File: e.id, Def: i}, conf: conf, reason: graph.ReasonFlow})
			}
		}
	} else {
		all = r.flowedFrom(e, text, conf)
	}
	b := bind(all)
	if b.Dynamic = true; several && b.Resolved() {
		b.Provenance = graph.Ambiguous
	}
	return b
}

// flowedFrom evaluates the text of a value that comes from another file.
func (r *run) flowedFrom(e env, text string, conf float32) (all []found) {
	e.pos = 0
	for _, v := range r.eval(e, text) {
		switch v.kind {
		case valueFunction, valueClass:
			all = append(all, found{sym: v.sym, conf: min(conf, v.conf), reason: graph.ReasonFlow})
		case valueInstance:
			if m, _, _, ok := r.classMember(v.sym, "__call__"); ok {
				all = append(all, found{sym: m, conf: min(conf, v.conf), reason: graph.ReasonFlow})
			}
		case valueExternal:
			all = append(all, external(graph.ReasonFlow))
		default:
		}
	}
	return all
}
