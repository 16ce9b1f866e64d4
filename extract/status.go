package extract

import (
	"bytes"
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

	"github.com/ralph-index/ralph-index/extract/internal/spec"
	"github.com/ralph-index/ralph-index/graph"
)

func setStatus(f *graph.Facts, s graph.Status, reason string) { f.Status, f.Reason = s, reason }

func countLines(f *graph.Facts, src []byte) {
	var l spec.Lines
	l.Reset(src)
	f.Lines = l.Count()
}

// isPacked reports whether files of a language are packed for browsers.
func isPacked(language string) bool {
	return language == "javascript" || language == "typescript" || language == "tsx" || language == "css"
}

const (
	minifiedSize = 8 << 10 // smaller files are cheap whatever they are
	longLine     = 2000
	codeShare    = 100 // a long line with fewer than one "(" or ";" in so many bytes is data
)

// minified reports whether most of a script or style sheet stands in lines that nobody wrote by
// hand. Lines that are one comment, such as an inlined source map, do not count, nor
// do those that hold data.
func minified(src []byte) bool {
	if len(src) < minifiedSize {
		return false
	}
	long := 0
	for rest := src; len(rest) > 0; {
		line := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		if len(line) > longLine && !bytes.HasPrefix(line, []byte("//")) && punctuation(line)*codeShare >= len(line) {
			long += len(line)
		}
	}
	return long > len(src)/2
}

// punctuation counts what code has many of, and data few.
func punctuation(line []byte) int {
	return bytes.Count(line, []byte("(")) + bytes.Count(line, []byte(";"))
}

// exportsHash hashes what other files can see of f.
func exportsHash(f *graph.Facts) uint64 {
	h := xxhash.New()
	put := func(parts ...string) {
		for _, s := range parts {
			var n [8]byte
			binary.LittleEndian.PutUint64(n[:], uint64(len(s)))
			_, _ = h.Write(n[:]) // a hash takes everything
			_, _ = h.WriteString(s)
		}
	}
	num := func(v uint64) {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], v)
		_, _ = h.Write(n[:])
	}
	put(f.Language, f.Extractor, f.Package)
	if f.Language == "go" { // elsewhere it tells places, which each change moves
		put(f.Constraint)
	}
	for i := range f.Defs {
		d := &f.Defs[i]
		if d.Has(graph.FlagLocal) {
			continue
		}
		put(d.Local, string(d.Kind), d.Signature, d.Type, d.Owner)
		num(uint64(d.Flags))
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Flags&(graph.ImportReexport|graph.ImportExport) != 0 {
			put(im.Module, im.Name, im.Alias)
		}
	}
	for i := range f.Heritage {
		hr := &f.Heritage[i]
		put(string(hr.Rel), hr.Qualifier, hr.Name, hr.Of)
		num(uint64(hr.Def))
	}
	for _, p := range f.Manifest {
		put(p.Key, p.Value)
	}
	return h.Sum64()
}
