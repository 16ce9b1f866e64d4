// Package markdown binds what documents mention: links and paths to files of the
// tree, fragments to sections, inline code to definitions of any language.
//
// Full names are each language's own, which this package does not know: a
// qualifier is compared with the containers of a definition, its package and its
// path. graph/query calls it.
package markdown

import (
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// How far a mention is believed.
const (
	confPath      = 1   // a path from the document or the root leads there
	confNear      = 0.9 // a path from a folder between the two does
	confQualified = 0.9 // the only definition that fits name and qualifier
	confName      = 0.6 // the only definition of the name
	maxCandidates = 5   // more say nothing
	maxDefiners   = 64  // files read in search of a name
)

// Resolver implements graph.Resolver for Markdown. It has no state.
type Resolver struct{}

var _ graph.Resolver = Resolver{}

// New returns the resolver.
func New() Resolver { return Resolver{} }

// Languages implements graph.Resolver.
func (Resolver) Languages() []string { return []string{"markdown"} }

// Qualify implements graph.Resolver: a document is named by its path, a section by
// the path and its anchor, as a link would name it.
func (Resolver) Qualify(_ graph.View, f *graph.Facts, _ graph.FileID, def int32) string {
	if def == graph.NoDef {
		return string(f.Path)
	}
	return string(f.Path) + "#" + f.Defs[def].Local
}

// Ref implements graph.Resolver: documents have no references.
func (Resolver) Ref(graph.View, *graph.Facts, graph.FileID, int) graph.Binding {
	return graph.Binding{}
}

// Import implements graph.Resolver: documents have no imports.
func (Resolver) Import(graph.View, *graph.Facts, graph.FileID, int) graph.Binding {
	return graph.Binding{}
}

// Base implements graph.Resolver: documents have no bases.
func (Resolver) Base(graph.View, *graph.Facts, graph.FileID, int) graph.Binding {
	return graph.Binding{}
}

// Dispatch implements graph.Resolver: nothing in a document runs.
func (Resolver) Dispatch(graph.View, graph.Symbol) graph.Binding { return graph.Binding{} }

// Names implements graph.Resolver. A section is found through its document, since
// links carry the anchor beside the file's name.
func (Resolver) Names(v graph.View, s graph.Symbol) []string {
	f, ok := v.File(s.File)
	if !ok {
		return nil
	}
	if s.Def == graph.NoDef {
		return fileNames(f.Path)
	}
	facts, err := v.Facts(s.File)
	if err != nil || facts == nil {
		return nil
	}
	return append([]string{facts.Defs[s.Def].Name}, fileNames(f.Path)...)
}

// fileNames lists the last elements of the links that lead to a document: its
// name, without the suffix too, and the folder that it stands for.
func fileNames(p graph.Path) []string {
	names := []string{p.Base(), strings.TrimSuffix(p.Base(), p.Ext())}
	for _, n := range folderDocuments() {
		if n == p.Base() && p.Dir() != "" {
			names = append(names, p.Dir().Base())
		}
	}
	return names
}

// folderDocuments lists the documents that stand for their folder.
func folderDocuments() [3]string { return [...]string{"README.md", "index.md", "_index.md"} }

// Mention implements graph.Resolver.
func (Resolver) Mention(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	m := &f.Mentions[i]
	if m.Form == graph.MentionLink {
		return link(v, f, id, m)
	}
	if m.Target != "" {
		if b := path(v, f, m.Target); b.Resolved() || m.Name == "" {
			return b
		}
	}
	return symbol(v, m)
}

// link binds a link: the file, or the section that its fragment names.
func link(v graph.View, f *graph.Facts, id graph.FileID, m *graph.Mention) graph.Binding {
	b := one(graph.Symbol{File: id, Def: graph.NoDef}, confPath)
	if m.Target != "" {
		b = path(v, f, m.Target)
	}
	if m.Fragment == "" || len(b.Targets) != 1 {
		return b
	}
	g, err := v.Facts(b.Targets[0].Symbol.File)
	if err != nil || g == nil || g.Language != "markdown" {
		return b
	}
	for i := range g.Defs {
		if g.Defs[i].Local == m.Fragment || strings.EqualFold(g.Defs[i].Local, m.Fragment) {
			b.Targets[0].Symbol.Def = int32(i)
			return b
		}
	}
	return b // an anchor of another kind: the file is still what is linked
}

func one(s graph.Symbol, conf float32) graph.Binding {
	b := graph.Binding{Targets: []graph.Candidate{{Symbol: s, Confidence: conf}}, Provenance: graph.Extracted, Reason: graph.ReasonPath}
	if conf < 1 {
		b.Provenance = graph.Inferred
	}
	return b
}

// path binds a path: from the document's folder, from the root, or from a folder
// on the way up to it, the nearest first.
func path(v graph.View, f *graph.Facts, target string) graph.Binding {
	own := f.Path.Dir()
	dir := own
	if rest, rooted := strings.CutPrefix(target, "/"); rooted {
		target, dir, own = rest, "", ""
	}
	if target == "" {
		return graph.Binding{}
	}
	for {
		if p, ok := dir.Join(target); ok {
			if id, ok := fileAt(v, p); ok {
				conf := float32(confPath)
				if dir != own && dir != "" {
					conf = confNear
				}
				return one(graph.Symbol{File: id, Def: graph.NoDef}, conf)
			}
		}
		if dir == "" {
			return graph.Binding{}
		}
		dir = dir.Dir()
	}
}

// fileAt finds a file, or the document that stands for a folder.
func fileAt(v graph.View, p graph.Path) (graph.FileID, bool) {
	if id, ok := v.Lookup(p); ok {
		return id, true
	}
	for _, name := range folderDocuments() {
		if q, ok := p.Join(name); ok {
			if id, ok := v.Lookup(q); ok {
				return id, true
			}
		}
	}
	for _, suffix := range [...]graph.Path{".md", ".markdown"} {
		if id, ok := v.Lookup(p + suffix); ok {
			return id, true
		}
	}
	return 0, false
}
