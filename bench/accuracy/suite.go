package accuracy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

// SuiteCase is a small program with the calls between its functions.
type SuiteCase struct {
	Suite string      `json:"suite"`
	Case  string      `json:"case"`
	Group string      `json:"group"`
	Dir   string      `json:"dir"` // of Files, below a directory that the case does not name
	Files []string    `json:"files"`
	Edges []SuiteEdge `json:"edges"`
}

// SuiteEdge says that one function calls another.
type SuiteEdge struct {
	Caller SuiteNode `json:"caller"`
	Callee SuiteNode `json:"callee"`
}

// SuiteNode is a function by the line of its name; line 0 is the body of a module. What
// is built in or stands outside the case has no file.
type SuiteNode struct {
	Name string `json:"name"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// ReadSuite reads the cases of a suite. Names of files that lead out of the directory of
// their case are refused.
func ReadSuite(name string) (out []SuiteCase, err error) {
	err = lines(name, func(line []byte) error {
		var c SuiteCase
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		for _, f := range c.Files {
			if !filepath.IsLocal(f) {
				return fmt.Errorf("case %s: file %s is not below the case", c.Case, f)
			}
		}
		c.Group = cmp.Or(c.Group, strings.SplitN(c.Case, "/", 2)[0])
		out = append(out, c)
		return nil
	})
	return out, err
}

// suiteEdge is one edge by places.
type suiteEdge struct{ caller, callee Place }

func (e suiteEdge) String() string { return e.caller.String() + " -> " + e.callee.String() }

// SuiteScores adds up what the cases of a suite are worth.
type SuiteScores struct {
	Total  Count
	Cases  int
	Sound  int // cases of which every edge was found
	Exact  int // and no other
	groups map[string]*Count
	faults []string
}

// Add compares the calls of an export with the edges of a case. Ends without a file are
// not judged, nor are calls of a Python class that is no node of the case: a class
// without a constructor of its own has none.
func (s *SuiteScores) Add(c *SuiteCase, export []Record) {
	want, got := map[suiteEdge]bool{}, map[suiteEdge]bool{}
	for _, e := range c.Edges {
		if e.Caller.File != "" && e.Callee.File != "" {
			want[suiteEdge{Place{e.Caller.File, e.Caller.Line}, Place{e.Callee.File, e.Callee.Line}}] = true
		}
	}
	classes := map[Place]bool{}
	for i := range export {
		if r := &export[i]; r.K == "def" && r.Kind == "class" && path.Ext(r.File) == ".py" {
			classes[Place{r.File, r.Line}] = true
		}
	}
	for i := range export {
		r := &export[i]
		e := suiteEdge{Place{r.CallerFile, r.CallerLine}, Place{r.CalleeFile, r.CalleeLine}}
		if r.K == "call" && slices.Contains(c.Files, r.CalleeFile) && (want[e] || !classes[e.callee]) {
			got[e] = true
		}
	}
	n := Count{Answered: len(got), Known: len(want)}
	for e := range want {
		if got[e] {
			n.Right++
		} else {
			s.faults = append(s.faults, fmt.Sprintf("%s\tmissing\t%s", c.Case, e))
		}
	}
	for e := range got {
		if !want[e] {
			s.faults = append(s.faults, fmt.Sprintf("%s\ttoo many\t%s", c.Case, e))
		}
	}
	n.Found = n.Right
	s.Cases++
	if n.Found == n.Known {
		s.Sound++
		if n.Right == n.Answered {
			s.Exact++
		}
	}
	if s.groups == nil {
		s.groups = map[string]*Count{}
	}
	if s.groups[c.Group] == nil {
		s.groups[c.Group] = &Count{}
	}
	s.Total.add(n)
	s.groups[c.Group].add(n)
}

func (c *Count) add(o Count) {
	c.Right += o.Right
	c.Answered += o.Answered
	c.Found += o.Found
	c.Known += o.Known
}

// Faults lists what is missing and too many: the case, which of both, and the edge, with
// tabs between.
func (s *SuiteScores) Faults() []string {
	slices.Sort(s.faults)
	return s.faults
}

// Write prints the sums, one row for each group, and every edge that is wrong.
func (s *SuiteScores) Write(w io.Writer, name string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	p := printer{w: t}
	p.f("%s\tprecision\trecall\tF1\tright/answered\tfound/known\n", name)
	row := func(name string, c Count) {
		p.f("%s\t%.4f\t%.4f\t%.4f\t%d/%d\t%d/%d\n", name, c.Precision(), c.Recall(), c.F1(), c.Right, c.Answered, c.Found, c.Known)
	}
	row("all", s.Total)
	for _, g := range slices.Sorted(maps.Keys(s.groups)) {
		row(g, *s.groups[g])
	}
	p.f("\ncases\t%d\nwith every edge\t%d\nand no other\t%d\n\n", s.Cases, s.Sound, s.Exact)
	for _, f := range s.Faults() {
		p.f("%s\n", f)
	}
	if p.err != nil {
		return p.err
	}
	return t.Flush()
}
