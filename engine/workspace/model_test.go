package workspace

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// model is a tree of files as a map: a directory's value is dirMark.
type model map[string]string

const dirMark = "/"

func (m model) isDir(p string) bool { return p == "." || m[p] == dirMark }

// parents reports whether everything above a path is a directory; with mkdir, what is
// not there yet would be made.
func (m model) parents(p string, mkdir bool) bool {
	for d := filepath.Dir(p); d != "."; d = filepath.Dir(d) {
		if v, ok := m[d]; ok && v != dirMark || !ok && !mkdir {
			return false
		}
	}
	return true
}

func (m model) mkdirs(p string) {
	for ; p != "."; p = filepath.Dir(p) {
		m[p] = dirMark
	}
}

func (m model) write(p, text string) bool {
	if m.isDir(p) || !m.parents(p, true) {
		return false
	}
	m.mkdirs(filepath.Dir(p))
	m[p] = text
	return true
}

func (m model) mkdir(p string) bool {
	if v, ok := m[p]; ok && v != dirMark || !m.parents(p, true) {
		return false
	}
	m.mkdirs(p)
	return true
}

func (m model) remove(p string, recursive bool) bool {
	v, ok := m[p]
	if !ok || v == dirMark && !recursive {
		return false
	}
	for q := range m {
		if _, in := under(p, q); in {
			delete(m, q)
		}
	}
	return true
}

func (m model) transfer(src, dst string, overwrite, move bool) bool {
	v, ok := m[src]
	_, inside := under(src, dst)
	if !ok || inside || !m.parents(dst, !move) {
		return false
	}
	if old, taken := m[dst]; taken && (!overwrite || old == dirMark || v == dirMark) {
		return false
	}
	m.mkdirs(filepath.Dir(dst))
	for q, text := range moved(m, src) {
		m[filepath.Join(dst, q)] = text
	}
	if move {
		m.remove(src, true)
	}
	return true
}

func moved(m model, src string) map[string]string {
	out := map[string]string{}
	for q, text := range m {
		if rest, in := under(src, q); in {
			out[rest] = text
		}
	}
	return out
}

// TestModel makes random changes to a workspace and to a map, and compares what became
// of both, and which were refused.
func TestModel(t *testing.T) {
	const steps = 1500
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	dir := base(t)
	c := newChanger(t, dir, nil)
	m := model{}
	name := func() string {
		parts := make([]string, 1+r.IntN(3))
		for i := range parts {
			parts[i] = string(rune('a' + r.IntN(4)))
		}
		return strings.Join(parts, "/")
	}
	done := 0
	for i := range steps {
		p, q, flag := name(), name(), r.IntN(2) == 0
		text := strings.Repeat("x", r.IntN(5))
		var err error
		var want bool
		what := ""
		switch r.IntN(7) {
		case 0, 1:
			what = "write " + p
			_, err = c.write(t.Context(), p, text)
			want = m.write(p, text)
		case 2:
			what = "append " + p
			err = c.add(t.Context(), p, text)
			want = m.write(p, strings.TrimSuffix(m[p], dirMark)+text)
		case 3:
			what = "mkdir " + p
			err = c.mkdir(t.Context(), p)
			want = m.mkdir(p)
		case 4:
			what = "move " + p + " " + q
			err = c.both(t.Context(), c.Move, p, q, flag)
			want = m.transfer(p, q, flag, true)
		case 5:
			what = "copy " + p + " " + q
			err = c.both(t.Context(), c.Copy, p, q, flag)
			want = m.transfer(p, q, flag, false)
		case 6:
			what = "delete " + p
			err = c.remove(t.Context(), p, flag)
			want = m.remove(p, flag)
		}
		if (err == nil) != want {
			t.Fatalf("seed %d, step %d: %s, %v: %v, want %v", seed, i, what, flag, err, want)
		}
		if want {
			done++
		}
		if i%50 == 49 || i == steps-1 {
			compare(t, seed, i, m, snapshot(t, dir))
		}
	}
	t.Logf("%d of %d changes done", done, steps)
}

func compare(t *testing.T, seed uint64, step int, m model, disk map[string]string) {
	t.Helper()
	got := model{}
	for p, v := range disk {
		if p == "." || strings.HasPrefix(p, ".agent") {
			continue
		}
		if got[p] = dirMark; v[0] == '-' {
			_, got[p], _ = strings.Cut(v, " ")
		}
	}
	for p, v := range m {
		if g, ok := got[p]; !ok || g != v {
			t.Fatalf("seed %d, step %d: %s is %q (%v), want %q", seed, step, p, g, ok, v)
		}
	}
	if len(got) != len(m) {
		t.Fatalf("seed %d, step %d: %v on the disk, want %v", seed, step, got, m)
	}
}
