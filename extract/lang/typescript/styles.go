package typescript

import "github.com/ralph-index/ralph-index/extract/internal/sitter"

// styles reads the classes that className="a b" names, which style sheets define.
func (w *walker) styles(attribute sitter.Node) {
	name := w.t.First(attribute)
	if name == sitter.None || w.text(name) != "className" && w.text(name) != "class" {
		return
	}
	for c := range w.t.Children(attribute) {
		if w.kind(c) == kString && c != name {
			w.b.AddStyleRefs(w.t.Start(c), w.t.End(c))
		}
	}
}
