package blob

import "github.com/ralph-index/ralph-index/graph"

// Head is what a blob says of its file before the tables.
type Head struct {
	Path      graph.Path
	Hash      graph.Hash
	Language  string
	Extractor string
	Status    graph.Status
	Reason    string
	Role      graph.Role
	Lines     uint32
	Defs      uint32 // number of definitions
}

// Summary reads the head of a blob: what a file record shows, at a fraction of the
// price of Decode.
func Summary(b []byte) (Head, error) {
	d, err := open(b)
	if err != nil {
		return Head{}, err
	}
	d.split(d.stringTable())
	var f graph.Facts
	d.head(&f)
	n := d.count(minDef)
	if d.err != nil {
		return Head{}, d.err
	}
	return Head{
		Path: f.Path, Hash: f.Hash, Language: f.Language, Extractor: f.Extractor,
		Status: f.Status, Reason: f.Reason, Role: f.Role, Lines: f.Lines, Defs: uint32(n),
	}, nil
}
