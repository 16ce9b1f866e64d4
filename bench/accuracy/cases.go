package accuracy

import (
	"context"
	"encoding/json"
	"fmt"
)

// Case is one question about the graph with its true answer. Functions are "file:line"
// of their names.
type Case struct {
	Q        string     `json:"q"` // neighbors, impact, path, hubs
	Fn       string     `json:"fn"`
	Callers  []string   `json:"callers"`
	Callees  []string   `json:"callees"`
	Affected []Affected `json:"affected"`
	From     string     `json:"from"`
	To       string     `json:"to"`
	Len      int        `json:"len"` // edges of a shortest path
	Top      []Affected `json:"top"` // of hubs, best first
}

// Affected is a function with its distance from the one that is asked about.
type Affected struct {
	Fn   string `json:"fn"`
	Dist int    `json:"dist"`
}

// TestCase is a function with the tests that were seen to run it.
type TestCase struct {
	File  string   `json:"file"`
	Line  int      `json:"line"`
	Tests []TestAt `json:"tests"`
	// Ranked are the tests as answered, best first.
	Ranked []TestAt `json:"ranked,omitempty"`
}

// TestAt is the place of a test.
type TestAt struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// ReadCases reads questions about the graph.
func ReadCases(name string) (out []Case, err error) {
	err = lines(name, func(line []byte) error {
		var c Case
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		out = append(out, c)
		return nil
	})
	return out, err
}

// ReadTests reads functions with the tests that run them.
func ReadTests(name string) (out []TestCase, err error) {
	err = lines(name, func(line []byte) error {
		var c TestCase
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		if len(c.Tests) > 0 {
			out = append(out, c)
		}
		return nil
	})
	return out, err
}

// Asker answers questions about the graph in the terms of the cases.
type Asker interface {
	Neighbors(ctx context.Context, fn string) (callers, callees []string, err error)
	Impact(ctx context.Context, fn string) ([]Affected, error)
	Path(ctx context.Context, from, to string) ([]string, error)
	Hubs(ctx context.Context, n int) ([]string, error)
	// Tests lists tests of the definition at a place, best first, n at most.
	Tests(ctx context.Context, fn string, n int) ([]TestAt, error)
}

// Figure is one measure of answers.
type Figure struct {
	Name  string
	Value float64
	Cases int
}

const (
	maxImpact = 100 // a case that affects more is not asked: an answer has at most so many
	hubsShown = 20
)

// mean collects values of one figure.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(v float64) { m.sum, m.n = m.sum+v, m.n+1 }

// means collects figures in the order in which they first get a value.
type means struct {
	order []string
	by    map[string]*mean
}

func (m *means) add(name string, v float64) {
	if m.by == nil {
		m.by = map[string]*mean{}
	}
	if m.by[name] == nil {
		m.by[name] = &mean{}
		m.order = append(m.order, name)
	}
	m.by[name].add(v)
}

func (m *means) figures() (out []Figure) {
	for _, name := range m.order {
		v := m.by[name]
		out = append(out, Figure{Name: name, Value: v.sum / float64(v.n), Cases: v.n})
	}
	return out
}

// ScoreCases asks all cases. A path is right when each of its steps is a call of the
// truth and it has at most one step more than the shortest.
func ScoreCases(ctx context.Context, cases []Case, truth []Record, a Asker) ([]Figure, error) {
	calls := map[[2]string]bool{}
	for i := range truth {
		if r := &truth[i]; r.K == "call" && r.CalleeFile != "" {
			calls[[2]string{Place{r.CallerFile, r.CallerLine}.String(), Place{r.CalleeFile, r.CalleeLine}.String()}] = true
		}
	}
	var m means
	for i := range cases {
		if err := scoreCase(ctx, &cases[i], calls, a, &m); err != nil {
			return nil, fmt.Errorf("ask %s of %s: %w", cases[i].Q, cases[i].Fn+cases[i].From, err)
		}
	}
	return m.figures(), nil
}

func scoreCase(ctx context.Context, c *Case, calls map[[2]string]bool, a Asker, m *means) error {
	switch c.Q {
	case "neighbors":
		callers, callees, err := a.Neighbors(ctx, c.Fn)
		if err != nil {
			return err
		}
		m.add("neighbors callers F1", compare(c.Callers, callers).F1())
		m.add("neighbors callees F1", compare(c.Callees, callees).F1())
	case "impact":
		if len(c.Affected) > maxImpact {
			return nil
		}
		got, err := a.Impact(ctx, c.Fn)
		if err != nil {
			return err
		}
		for d := 1; d <= 3; d++ {
			if want := within(c.Affected, d); len(want) > 0 {
				n := compare(want, within(got, d))
				m.add(fmt.Sprintf("impact <= %d recall", d), n.Recall())
				m.add(fmt.Sprintf("impact <= %d precision", d), emptyIsWrong(n))
			}
		}
	case "path":
		got, err := a.Path(ctx, c.From, c.To)
		if err != nil {
			return err
		}
		ok := len(got) > 1 && got[0] == c.From && got[len(got)-1] == c.To && len(got)-1 <= c.Len+1
		for i := 1; i < len(got); i++ {
			ok = ok && calls[[2]string{got[i-1], got[i]}]
		}
		m.add("path right", truth(ok))
	case "hubs":
		got, err := a.Hubs(ctx, hubsShown)
		if err != nil {
			return err
		}
		m.add("hubs overlap@20", compare(within(c.Top[:min(hubsShown, len(c.Top))], 0), got).Recall())
	}
	return nil
}

// emptyIsWrong is the precision of an answer, 0 where nothing was answered although
// there is something.
func emptyIsWrong(c Count) float64 {
	if c.Answered == 0 && c.Known > 0 {
		return 0
	}
	return c.Precision()
}

func truth(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}

// within lists the functions up to a distance.
func within(list []Affected, dist int) (out []string) {
	for _, a := range list {
		if a.Dist <= dist {
			out = append(out, a.Fn)
		}
	}
	return out
}

// compare counts what two sets share. An empty answer to an empty truth is right.
func compare(want, got []string) Count {
	in := map[string]bool{}
	for _, w := range want {
		in[w] = true
	}
	c := Count{Known: len(in)}
	seen := map[string]bool{}
	for _, g := range got {
		if seen[g] {
			continue
		}
		seen[g] = true
		c.Answered++
		if in[g] {
			c.Right++
			c.Found++
		}
	}
	if c.Known == 0 && c.Answered > 0 {
		c.Known = 1 // nothing of what was answered is there: no recall either
	}
	return c
}

// ScoreTests asks for the tests of functions, in as many as n answers each, which it
// leaves in the cases: the mean share of those that run each which stands among the
// first 5 and 20 of the answer, and of their files.
func ScoreTests(ctx context.Context, cases []TestCase, a Asker, n int) ([]Figure, error) {
	var m means
	for i := range cases {
		c := &cases[i]
		fn := Place{c.File, c.Line}.String()
		got, err := a.Tests(ctx, fn, n)
		if err != nil {
			return nil, fmt.Errorf("ask tests of %s: %w", fn, err)
		}
		c.Ranked = got
		want := keysOf(c.Tests, TestAt.key)
		for _, k := range [...]int{5, 20} {
			top := got[:min(k, len(got))]
			m.add(fmt.Sprintf("tests recall@%d", k), compare(want, keysOf(top, TestAt.key)).Recall())
			most := compare(want, nil).Known
			m.add(fmt.Sprintf("tests recall@%d possible", k), float64(min(k, most))/float64(most))
			m.add(fmt.Sprintf("files of tests recall@%d", k), compare(keysOf(c.Tests, TestAt.file), keysOf(top, TestAt.file)).Recall())
		}
	}
	return m.figures(), nil
}

func (t TestAt) key() string  { return Place(t).String() }
func (t TestAt) file() string { return t.File }

func keysOf(tests []TestAt, key func(TestAt) string) []string {
	out := make([]string, len(tests))
	for i, t := range tests {
		out[i] = key(t)
	}
	return out
}
