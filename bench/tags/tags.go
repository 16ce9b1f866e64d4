// Package tags holds the definitions of a tree against those that Universal Ctags lists:
// its program reads the tree, its tags are looked for among the facts by file, line and
// name, and what is not found is counted by kind, with examples.
//
// Ctags is no compiler: it lists what is no definition (a tag in a string, an alias of an
// import), and writes some names in another way. What is left out of the count is said,
// with its reason, in the report. Only cmd/ralph-bench uses the package.
package tags

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/graph"
)

// Options say what is compared.
type Options struct {
	Program  string // ctags; found on PATH where it has no slash
	Dir      string // the tree
	Language string // as ctags calls it
	Examples int    // of each kind of miss
}

// tag is a line of ctags' output.
type tag struct {
	Type      string `json:"_type"`
	Name      string `json:"name"`
	Path      string `json:"path"`
	Line      uint32 `json:"line"`
	Kind      string `json:"kind"`
	Scope     string `json:"scope"`
	ScopeKind string `json:"scopeKind"`
	Roles     string `json:"roles"`

	text string // the line, without white space around it
	in   bool   // it is in a text or comment of several lines
	min  bool   // its file is known to be minified, and has no structure for that
}

// count is what became of the tags of a kind.
type count struct {
	all, found int
	left       map[string]int // by the reason for which they are left out
	missed     []tag
}

// Compare runs ctags on a tree, looks its tags up, and prints recall.
func Compare(ctx context.Context, o Options, out io.Writer) (recall float64, err error) {
	r, ok := readings()[o.Language]
	if !ok {
		return 0, fmt.Errorf("ctags' %q is not compared; there are %s", o.Language, strings.Join(slices.Sorted(maps.Keys(readings())), ", "))
	}
	list, err := run(ctx, o)
	if err != nil {
		return 0, err
	}
	defs, err := definitions(ctx, o.Dir, list, r.texts)
	if err != nil {
		return 0, err
	}
	return report(o, score(r, list, defs), len(defs), out)
}

// run returns the tags of a tree in the order of its files.
func run(ctx context.Context, o Options) ([]tag, error) {
	cmd := exec.CommandContext(ctx, o.Program, "--options=NONE", "-R", "--quiet", "--output-format=json", "--links=no", "--sort=no",
		"--fields=+neKsSlr", "--fields=-PF", "--fields=+F", "--extras=+F-fqr-{anonymous}{pseudo}", "--languages="+o.Language,
		"--exclude=.git", "--exclude=.agent", "--exclude=node_modules", "-f", "-", ".")
	cmd.Dir = o.Dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("run %s: %w: %s", o.Program, err, bytes.TrimSpace(stderr.Bytes()))
	}
	var out []tag
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var t tag
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil || t.Type != "tag" {
			continue // names that are no valid JSON are no names either
		}
		t.Path = strings.TrimPrefix(t.Path, "./")
		out = append(out, t)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read tags: %w", err)
	}
	return out, nil
}

// definitions extracts the files that have tags, and gives the tags their lines.
func definitions(ctx context.Context, dir string, list []tag, inText func(lines []string) []bool) (map[string][]graph.Def, error) {
	x := extract.New(extract.Limits{})
	defer x.Close()
	out, byFile := map[string][]graph.Def{}, map[string][]int{}
	for i, t := range list {
		byFile[t.Path] = append(byFile[t.Path], i)
	}
	for path, tags := range byFile {
		src, err := os.ReadFile(filepath.Join(dir, path)) //nolint:gosec // a tree that the caller names
		if err != nil {
			return nil, fmt.Errorf("read tree: %w", err)
		}
		f, err := x.Extract(ctx, extract.File{Path: graph.Path(path), Src: src})
		if err != nil {
			return nil, fmt.Errorf("extract %s: %w", path, err)
		}
		out[path] = nil
		minified := false
		if f != nil {
			out[path], minified = f.Defs, f.Status == graph.StatusCapped && f.Reason == "minified"
		}
		lines := strings.Split(string(src), "\n")
		var in []bool
		if inText != nil {
			in = inText(lines)
		}
		for _, i := range tags {
			list[i].min = minified
			if n := int(list[i].Line) - 1; n >= 0 && n < len(lines) {
				list[i].text, list[i].in = strings.TrimSpace(lines[n]), in != nil && in[n]
			}
		}
	}
	return out, nil
}

// place is where a name stands.
type place struct {
	path string
	line uint32
	name string
}

func score(r reading, list []tag, defs map[string][]graph.Def) map[string]*count {
	known := map[place]bool{}
	for path, in := range defs {
		for i := range in {
			known[place{path, in[i].NameSpan.From.Line, in[i].Name}] = true
			known[place{path, in[i].NameSpan.From.Line, in[i].Local}] = true
		}
	}
	counts, seen := map[string]*count{}, map[string]bool{}
	for _, t := range list {
		c := counts[t.Kind]
		if c == nil {
			c = &count{left: map[string]int{}}
			counts[t.Kind] = c
		}
		if why := r.out(t, seen); why != "" {
			c.left[why]++
			continue
		}
		c.all++
		if slices.ContainsFunc(r.names(t), func(name string) bool { return known[place{t.Path, t.Line, name}] }) {
			c.found++
		} else {
			c.missed = append(c.missed, t)
		}
	}
	return counts
}

// report prints what was found of each kind.
func report(o Options, counts map[string]*count, files int, out io.Writer) (float64, error) {
	var all, found int
	for _, c := range counts {
		all, found = all+c.all, found+c.found
	}
	recall := float64(found) / float64(max(all, 1))
	w := bufio.NewWriter(out)
	_, _ = fmt.Fprintf(w, "%s: %d files, %d tags, %d found, recall %.4f\n", o.Language, files, all, found, recall)
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		c := counts[kind]
		_, _ = fmt.Fprintf(w, "  %-16s %d of %d", kind, c.found, c.all)
		for _, why := range slices.Sorted(maps.Keys(c.left)) {
			_, _ = fmt.Fprintf(w, "; %d left out: %s", c.left[why], why)
		}
		_, _ = fmt.Fprintln(w)
		for _, t := range spread(c.missed, o.Examples) {
			_, _ = fmt.Fprintf(w, "    %s:%d %s: %s\n", t.Path, t.Line, t.Name, t.text[:min(len(t.text), 100)])
		}
	}
	if err := w.Flush(); err != nil {
		return 0, fmt.Errorf("write report: %w", err)
	}
	return recall, nil
}

// spread returns n of a list, at even distances.
func spread(list []tag, n int) (out []tag) {
	slices.SortStableFunc(list, func(a, b tag) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) })
	n = min(n, len(list))
	for i := range n {
		out = append(out, list[i*len(list)/n])
	}
	return out
}
