package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/store"
)

const (
	// maxFailedListed bounds the failed files that a status lists.
	maxFailedListed = 100
	// maxOddListed bounds the files that it names of each odd kind.
	maxOddListed = 5
	// largeFrom is the size from which a text is reported as large.
	largeFrom = 1 << 20
)

// survey is what one pass over the records tells of them.
type survey struct {
	byLang map[string]*api.LanguageCount
	failed []api.FailedFile
	odd    map[api.OddKind]*api.OddFiles
}

func surveyOf(snap *store.Snapshot) *survey {
	s := &survey{byLang: map[string]*api.LanguageCount{}, failed: []api.FailedFile{}, odd: map[api.OddKind]*api.OddFiles{}}
	snap.Files(func(f graph.File) bool {
		s.add(&f)
		return true
	})
	return s
}

func (s *survey) add(f *graph.File) {
	if f.Status == graph.StatusFailed || f.Content == graph.ContentUnreadable {
		if len(s.failed) < maxFailedListed {
			s.failed = append(s.failed, api.FailedFile{Path: f.Path, Reason: f.Reason})
		}
	}
	s.content(f)
	if oddName(f.Path) {
		s.note(api.OddName, f.Path, "")
	}
	if f.Language == "" {
		return
	}
	c := s.byLang[f.Language]
	if c == nil {
		c = &api.LanguageCount{Language: f.Language}
		s.byLang[f.Language] = c
	}
	c.Files++
	c.Definitions += int(f.Defs)
}

// content notes what is odd about what a file holds.
func (s *survey) content(f *graph.File) {
	switch f.Content {
	case graph.ContentBinary, graph.ContentUTF16:
		s.note(api.OddKind(f.Content), f.Path, "")
		return
	case graph.ContentSpecial: // the reason is the kind: fifo, dangling_link, …
		s.note(api.OddKind(f.Reason), f.Path, "")
		return
	case graph.ContentUnreadable:
		s.note(api.OddUnreadable, f.Path, f.Reason)
		return
	case graph.ContentText:
	}
	reason, invalid := strings.CutSuffix(f.Reason, graph.ReasonInvalidUTF8)
	reason = strings.TrimSuffix(reason, ",")
	switch f.Status {
	case graph.StatusFailed:
		s.note(api.OddFailed, f.Path, reason)
	case graph.StatusCapped:
		s.note(api.OddCapped, f.Path, reason)
	case graph.StatusPartial:
		s.note(api.OddPartial, f.Path, reason)
	case graph.StatusOK:
	}
	if invalid {
		s.note(api.OddInvalidUTF8, f.Path, "")
	}
	switch {
	case f.Sig.Size == 0:
		s.note(api.OddEmpty, f.Path, "")
	case f.Sig.Size >= largeFrom:
		s.note(api.OddLarge, f.Path, fmt.Sprintf("%d bytes", f.Sig.Size))
	}
}

// note counts a file of a kind, and keeps it if it is among the first by path.
func (s *survey) note(kind api.OddKind, p graph.Path, reason string) {
	o := s.odd[kind]
	if o == nil {
		o = &api.OddFiles{Kind: kind}
		s.odd[kind] = o
	}
	o.Count++
	at, _ := slices.BinarySearchFunc(o.Files, p, func(f api.OddFile, p graph.Path) int { return cmp.Compare(f.Path, p) })
	if at == maxOddListed {
		return
	}
	one := api.OddFile{Path: p, Reason: reason, SymbolID: unwritable(p)}
	o.Files = slices.Insert(o.Files, at, one)
	o.Files = o.Files[:min(len(o.Files), maxOddListed)]
}

// languages lists the counts, the most used language first.
func (s *survey) languages() []api.LanguageCount {
	out := make([]api.LanguageCount, 0, len(s.byLang))
	for _, c := range s.byLang {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b api.LanguageCount) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Language, b.Language))
	})
	return out
}

// oddFiles lists the kinds that there are, in the order of oddKinds; a kind that is
// not listed there would be last.
func (s *survey) oddFiles() []api.OddFiles {
	order := oddKinds()
	rank := func(k api.OddKind) int {
		if i := slices.Index(order, k); i >= 0 {
			return i
		}
		return len(order)
	}
	out := make([]api.OddFiles, 0, len(s.odd))
	for _, o := range s.odd {
		out = append(out, *o)
	}
	slices.SortFunc(out, func(a, b api.OddFiles) int {
		return cmp.Or(cmp.Compare(rank(a.Kind), rank(b.Kind)), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}

func oddKinds() []api.OddKind {
	return []api.OddKind{
		api.OddFailed, api.OddCapped, api.OddPartial, api.OddUnreadable, api.OddBinary, api.OddUTF16, api.OddInvalidUTF8,
		api.OddFIFO, api.OddSocket, api.OddDevice, api.OddDangling, api.OddLoop, api.OddOutside, api.OddLinkDir, api.OddLinkFile,
		api.OddLarge, api.OddEmpty, api.OddName,
	}
}

// oddName reports whether a path cannot be shown as it is.
func oddName(p graph.Path) bool {
	return !utf8.ValidString(string(p)) || strings.ContainsFunc(string(p), unicode.IsControl)
}

// unwritable is an id that opens the file at a path that is no UTF-8: JSON cannot
// carry such a path, so no caller can give it back. It is "" for other paths.
func unwritable(p graph.Path) string {
	if utf8.ValidString(string(p)) {
		return ""
	}
	return graph.FileSymbolID(p)
}
