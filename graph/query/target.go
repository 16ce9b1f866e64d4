package query

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/graph"
)

// Resolution is what a target denotes. One symbol: it is resolved. Several: it is
// ambiguous. None: nothing matches.
type Resolution struct {
	Symbols []graph.Symbol // by path and line, those of generated files last
	Stale   bool           // the target is a span or evidence id of other bytes
	// Directory says that the target is the path of a directory. The symbols are then
	// what else it names and the files of the module that the directory is, if it is one.
	Directory bool
	// Package says that the symbols are the files of one package, and are one thing.
	Package bool
	// Packages names those, of several matches, for which their first file stands.
	Packages map[graph.Symbol]string
	Nearest  []string // without a match: what comes close, at most nearestMost
}

// nearestMost bounds what is named beside a target that matches nothing.
const nearestMost = 5

// LineError says that a target of the form path:line names a line that the file does
// not have.
type LineError struct {
	Target      string
	Path        graph.Path
	Line, Lines uint32
}

func (e *LineError) Error() string {
	return fmt.Sprintf("line %d of %s: the file has %d lines", e.Line, e.Path, e.Lines)
}

// Resolve finds what a target denotes. In this order it may be an id (s:, sp:, e:),
// a path, path#name or path::name, path:line, a full name, the end of a full name
// from a boundary on, or a module, a package or the end of a path. A full name wins over the
// end of a longer one and what other files can name over what is local to a
// function, and code over the settings of a project file of the same bare name; nothing
// else is preferred. The path of a directory is no symbol: the end
// of a name that is spelled like it is only a candidate. The error may be a
// *LineError.
func (p *Planner) Resolve(ctx context.Context, v graph.View, target string) (*Resolution, error) {
	r := p.reader(ctx, v)
	res, err := r.resolve(target)
	if err == nil {
		err = r.damage
	}
	if err == nil {
		err = r.end()
	}
	return res, err
}

func (r *reader) resolve(target string) (*Resolution, error) {
	target = strings.TrimSpace(target)
	if target == "" {
		return nil, ErrNoTarget
	}
	if id, ok := graph.ParseID(target); ok {
		if res, ok := r.resolveID(id); ok {
			return r.sorted(res), nil
		}
	}
	if res, ok, err := r.resolvePlace(target); ok || err != nil {
		return r.sorted(res), err
	}
	res := &Resolution{Symbols: r.byName(target)}
	if files := r.inManifest(res.Symbols); files != nil {
		return r.sorted(packageResolution(files)), nil
	}
	if dir := r.directory(target); len(dir) > 0 && !r.namesFully(res.Symbols, target) {
		return r.sorted(r.inDirectory(res.Symbols, target, dir)), nil
	}
	if len(res.Symbols) == 0 {
		res = r.byModule(target)
	}
	if len(res.Symbols) == 0 {
		res.Nearest = r.nearest(target)
	}
	return r.sorted(res), nil
}

// sorted orders the symbols by path and line, those of generated files last, and
// drops repeats.
func (r *reader) sorted(res *Resolution) *Resolution {
	if res == nil || len(res.Symbols) < 2 {
		return res
	}
	key := func(s graph.Symbol) (made bool, p graph.Path, at uint32) {
		rec, _ := r.v.File(s.File)
		if f := r.facts(s.File); f != nil && s.Def != graph.NoDef {
			at = f.Defs[s.Def].NameSpan.Start
		}
		return rec.Role == graph.RoleGenerated, rec.Path, at
	}
	slices.SortFunc(res.Symbols, func(a, b graph.Symbol) int {
		am, ap, al := key(a)
		bm, bp, bl := key(b)
		return cmp.Or(compareBool(am, bm), cmp.Compare(ap, bp), cmp.Compare(al, bl), cmp.Compare(a.Def, b.Def))
	})
	res.Symbols = slices.Compact(res.Symbols)
	return res
}

func (r *reader) pathOf(k graph.PathKey) (graph.Path, bool) {
	if r.p.opts.PathOf != nil {
		return r.p.opts.PathOf(r.whole, k)
	}
	if pf, ok := r.whole.(PathFinder); ok {
		return pf.PathOf(k)
	}
	return "", false
}

func (r *reader) resolveID(id graph.ID) (*Resolution, bool) {
	p, ok := r.pathOf(id.Path)
	if !ok {
		return nil, false
	}
	file, ok := r.v.Lookup(p)
	if !ok {
		return nil, false
	}
	f := r.facts(file)
	whole := &Resolution{Symbols: []graph.Symbol{{File: file, Def: graph.NoDef}}}
	if id.Kind == graph.IDSymbol {
		if f == nil {
			return whole, id == graph.ID{Kind: graph.IDSymbol, Path: id.Path}
		}
		def, ok := graph.FindSymbol(f, id)
		return &Resolution{Symbols: []graph.Symbol{{File: file, Def: canonical(f, def)}}}, ok
	}
	if rec, ok := r.v.File(file); !ok || !id.Matches(rec.Hash) {
		return &Resolution{Stale: true}, true
	}
	if f == nil {
		return whole, true
	}
	if id.Kind == graph.IDEvidence {
		return &Resolution{Symbols: symbolsAt(f, file, id.From)}, true
	}
	if same := spanning(f, file, id.From, id.To); len(same) > 0 {
		return &Resolution{Symbols: same}, true
	}
	def := innermost(f, func(s graph.Span) bool { return s.Contains(id.From) })
	return &Resolution{Symbols: []graph.Symbol{{File: file, Def: ownerOf(f, def)}}}, true
}

// spanning lists the definitions that take up just so much text: a statement may define
// several names. What stands in another of them is left out.
func spanning(f *graph.Facts, file graph.FileID, from, to uint32) (out []graph.Symbol) {
	for i := range f.Defs {
		def := int32(i)
		if s := f.Defs[i].Span; s.Start != from || s.End != to || slices.ContainsFunc(out, func(o graph.Symbol) bool { return within(f, def, o.Def) }) {
			continue
		}
		if s := (graph.Symbol{File: file, Def: canonical(f, def)}); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// resolvePlace reads the forms that begin with a path.
func (r *reader) resolvePlace(target string) (*Resolution, bool, error) {
	if file, ok := r.lookup(target); ok {
		return &Resolution{Symbols: []graph.Symbol{{File: file, Def: graph.NoDef}}}, true, nil
	}
	for _, sep := range [...]string{"#", "::"} {
		left, right, ok := strings.Cut(target, sep)
		if !ok || right == "" {
			continue
		}
		file, ok := r.lookup(left)
		if !ok {
			continue
		}
		if f := r.facts(file); f != nil {
			res := &Resolution{Symbols: r.inFile(f, file, right)}
			if len(res.Symbols) == 0 {
				res.Nearest = r.nearestIn(f, file, right)
			}
			return res, true, nil
		}
	}
	at := target
	for range 2 { // path:line, and path:line:column
		i := strings.LastIndexByte(at, ':')
		if i <= 0 {
			break
		}
		line, err := strconv.ParseUint(at[i+1:], 10, 32)
		if err != nil || line == 0 {
			break
		}
		at = at[:i]
		if file, ok := r.lookup(at); ok {
			if rec, _ := r.v.File(file); rec.Lines > 0 && line > uint64(rec.Lines) {
				return nil, false, &LineError{Target: target, Path: rec.Path, Line: uint32(line), Lines: rec.Lines}
			}
			if f := r.facts(file); f != nil {
				return &Resolution{Symbols: symbolsAt(f, file, uint32(line))}, true, nil
			}
			return &Resolution{Symbols: []graph.Symbol{{File: file, Def: graph.NoDef}}}, true, nil
		}
	}
	return nil, false, nil
}

// directory lists the files that stand directly in the directory that a target names.
func (r *reader) directory(target string) []graph.FileID {
	p := path.Clean(target)
	if p == "." {
		p = ""
	}
	return r.v.Dir(graph.Path(p))
}

// namesFully reports whether the target is the full name of what it was found to name.
func (r *reader) namesFully(found []graph.Symbol, target string) bool {
	return len(found) > 0 && normal(r.label(found[0])) == normal(target)
}

// inDirectory is what the path of a directory denotes: the module that it is. What is
// spelled like it makes that ambiguous.
func (r *reader) inDirectory(named []graph.Symbol, target string, dir []graph.FileID) *Resolution {
	var files []graph.FileID
	for i := 0; i < len(dir) && files == nil; i++ {
		files = r.packageOf(dir[i])
	}
	if len(files) > 0 && len(named) == 0 {
		return packageResolution(files)
	}
	res := r.byModule(target)
	if len(named) > 0 && res.Package {
		res.Symbols, res.Package = res.Symbols[:1], false
	}
	res.Directory, res.Symbols = true, slices.Concat(named, res.Symbols)
	if res.Package || len(res.Symbols) > 1 || len(res.Symbols) == 1 && len(named) == 0 {
		return res
	}
	res.Symbols = nil
	for _, s := range named {
		res.Nearest = append(res.Nearest, r.label(s))
	}
	for _, id := range dir {
		if rec, ok := r.v.File(id); ok && len(res.Nearest) < nearestMost {
			res.Nearest = append(res.Nearest, string(rec.Path))
		}
	}
	return res
}

func (r *reader) lookup(p string) (graph.FileID, bool) {
	if p == "" {
		return 0, false
	}
	if id, ok := r.v.Lookup(graph.Path(p)); ok {
		return id, true
	}
	return r.v.Lookup(graph.Path(path.Clean(p)))
}

// symbolsAt returns what a line belongs to: the definitions that are named on it, but
// for those inside others of them, else the innermost one around it, else the file.
func symbolsAt(f *graph.Facts, file graph.FileID, line uint32) []graph.Symbol {
	var named []graph.Symbol
	for i := range f.Defs {
		def := int32(i)
		if f.Defs[i].NameSpan.From.Line != line || slices.ContainsFunc(named, func(o graph.Symbol) bool { return within(f, def, o.Def) || inside(f, def, o.Def) }) {
			continue
		}
		named = append(named, graph.Symbol{File: file, Def: canonical(f, def)})
	}
	if len(named) > 0 {
		return named
	}
	def := innermost(f, func(s graph.Span) bool { return s.From.Line <= line && line <= s.To.Line })
	return []graph.Symbol{{File: file, Def: ownerOf(f, def)}}
}

// inside reports whether def is written in the text of outer, and is not all of it: a
// field that a parameter of a constructor declares belongs to the class.
func inside(f *graph.Facts, def, outer int32) bool {
	in, out := f.Defs[def].Span, f.Defs[outer].Span
	return out.Start < in.Start && in.End <= out.End || out.Start == in.Start && in.End < out.End
}

func within(f *graph.Facts, def, outer int32) bool {
	for n := 0; def != graph.NoDef && n <= len(f.Defs); n++ {
		if def = f.Defs[def].Container; def == outer && def != graph.NoDef {
			return true
		}
	}
	return false
}

// innermost returns the smallest definition whose span the test accepts.
func innermost(f *graph.Facts, covers func(graph.Span) bool) int32 {
	best := graph.NoDef
	for i := range f.Defs {
		s := f.Defs[i].Span
		if covers(s) && (best == graph.NoDef || s.End-s.Start <= f.Defs[best].Span.End-f.Defs[best].Span.Start) {
			best = int32(i)
		}
	}
	return best
}
