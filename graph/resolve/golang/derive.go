package golang

import "github.com/ralph-index/ralph-index/graph"

// What most bindings need again and again is derived once for each question, where
// the view keeps it. Each key names all that its value depends on beside the view.
type (
	importKey struct{ dir, path string } // directory of the importer
	nameKey   struct {
		name string
		id   graph.FileID
	} // a name in a file
	scopeKey struct {
		dir, name, pkg string
		tests          bool
	}
	methodsKey struct {
		dir, owner, name, pkg string
		tests                 bool
	}
	fieldsKey struct {
		id   graph.FileID
		def  int32
		name string
	}
	pathKey struct{ dir string }
)

func derived[T any](v graph.View, key any, derive func() T) T {
	d, ok := v.(graph.Deriver)
	if !ok {
		return derive()
	}
	return d.Derive(key, func() any { return derive() }).(T)
}

// withFacts gives symbols their facts: the view may not keep those as long as what is
// derived from them.
func (b *binder) withFacts(symbols []graph.Symbol) []sym {
	if len(symbols) == 0 {
		return nil
	}
	out := make([]sym, 0, len(symbols))
	for _, s := range symbols {
		if f := b.facts(s.File); f != nil {
			out = append(out, sym{f, s.File, s.Def})
		}
	}
	return out
}
