package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ralph-index/ralph-index/graph"
)

// slowView takes time for facts, slowResolver for bindings: long enough that no
// question over the wide tree ends by itself.
type slowView struct{ *toyView }

func (v slowView) Facts(id graph.FileID) (*graph.Facts, error) {
	time.Sleep(200 * time.Microsecond)
	return v.toyView.Facts(id)
}

func (v slowView) Outline(id graph.FileID) (*graph.Facts, error) {
	time.Sleep(200 * time.Microsecond)
	return v.toyView.Outline(id)
}

type slowResolver struct{ toyResolver }

func (r slowResolver) Ref(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	time.Sleep(500 * time.Microsecond)
	return r.toyResolver.Ref(v, f, id, i)
}

// wideTree calls one function from many places, which call each other, and holds a
// file with very many calls.
func wideTree() *toyView {
	files := []string{"hot.toy", "func hot\nfunc cold\n  call hot\n"}
	for i := range 150 {
		files = append(files, fmt.Sprintf("d/c%d.toy", i), fmt.Sprintf("import hot hot\nfunc caller%d\n  call hot\n  call caller%d\n", i, i+1))
	}
	files = append(files, "big.toy", "func big\n"+strings.Repeat("  call hot\n", 5000))
	return newToyView(files...)
}

func everyQuestion() []Request {
	return []Request{
		{Type: Neighbors, Target: "hot", Depth: 3, Limit: 100},
		{Type: Neighbors, Target: "big", Direction: Out},
		{Type: Path, Target: "big", TargetB: "hot.cold"},
		{Type: Path, Target: "big", TargetB: "hot.hot", MaxPaths: 10},
		{Type: Impact, Target: "hot", Limit: 100},
		{Type: Tests, Target: "hot", Limit: 100},
	}
}

// TestDeadlineAndCancel gives each question less time than it needs: it answers
// within 20 ms of the end, and says which way it ended.
func TestDeadlineAndCancel(t *testing.T) {
	view := wideTree()
	for _, req := range everyQuestion() {
		for _, how := range [...]Word{MissingDeadline, MissingCancelled} {
			t.Run(fmt.Sprintf("%s_%s_%s", req.Type, req.Target, how), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := New([]graph.Resolver{slowResolver{}}, Options{})
					const budget = 30 * time.Millisecond
					ctx, cancel := context.WithCancel(t.Context())
					if how == MissingDeadline {
						ctx, cancel = context.WithTimeout(t.Context(), budget)
					} else {
						time.AfterFunc(budget, cancel)
					}
					defer cancel()
					began := time.Now()
					a, err := p.Run(ctx, slowView{view}, req)
					took := time.Since(began)
					if err != nil {
						t.Fatal(err)
					}
					if took < budget || took > budget+20*time.Millisecond {
						t.Errorf("answered after %v, with a budget of %v", took, budget)
					}
					if !a.Truncated || a.Deadline != (how == MissingDeadline) || a.Cancelled != (how == MissingCancelled) || !slices.Contains(a.MissingData, how) {
						t.Errorf("truncated %v, deadline %v, cancelled %v, missing %v", a.Truncated, a.Deadline, a.Cancelled, a.MissingData)
					}
				})
			})
		}
	}
}

// TestDeadlineOfWhatIsKnown asks what is remembered already, of more files than a
// question holds: to order and adorn the answer must not take longer than is left.
func TestDeadlineOfWhatIsKnown(t *testing.T) {
	files := []string{"hot.toy", "func hot\n"}
	for i := range 3 * maxRecent {
		files = append(files, fmt.Sprintf("d/c%d.toy", i), fmt.Sprintf("import hot hot\nfunc caller%d\n  call hot\n", i))
	}
	view := newToyView(files...)
	synctest.Test(t, func(t *testing.T) {
		p := New([]graph.Resolver{toyResolver{}}, Options{})
		req := Request{Type: Impact, Target: "hot", Limit: 20}
		whole, err := p.Run(t.Context(), slowView{view}, req)
		if err != nil {
			t.Fatal(err)
		}
		const budget = 30 * time.Millisecond
		ctx, cancel := context.WithTimeout(t.Context(), budget)
		defer cancel()
		began := time.Now()
		a, err := p.Run(ctx, slowView{view}, req)
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > budget+20*time.Millisecond {
			t.Errorf("answered after %v, with a budget of %v", took, budget)
		}
		if !a.Deadline || len(a.Nodes) != len(whole.Nodes) {
			t.Errorf("deadline %v, %d nodes of %d", a.Deadline, len(a.Nodes), len(whole.Nodes))
		}
	})
}

// TestCutShortIsNotRemembered asks again after a question that was cut short: the
// second answer is whole.
func TestCutShortIsNotRemembered(t *testing.T) {
	view := wideTree()
	synctest.Test(t, func(t *testing.T) {
		p := New([]graph.Resolver{slowResolver{}}, Options{})
		for _, req := range everyQuestion() {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
			if _, err := p.Run(ctx, slowView{view}, req); err != nil {
				t.Fatal(err)
			}
			cancel()
			got, err := p.Run(t.Context(), slowView{view}, req)
			if err != nil {
				t.Fatal(err)
			}
			if want := ask(t, view, req); show(got) != show(want) {
				t.Errorf("%s %s: after a cut\n%swant\n%s", req.Type, req.Target, show(got), show(want))
			}
		}
	})
}

// TestEndedBefore asks with a context that has ended: the answer is empty and says
// so.
func TestEndedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a, err := newToyPlanner().Run(ctx, wideTree(), Request{Type: Impact, Target: "hot"})
	if err != nil {
		t.Fatal(err)
	}
	if !a.Cancelled || !a.Truncated || len(a.Nodes) != 0 || !slices.Equal(a.MissingData, []Word{MissingCancelled}) {
		t.Errorf("answer %+v", a)
	}
	if _, err := newToyPlanner().BuildHubs(ctx, wideTree(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("BuildHubs = %v, want the context's error", err)
	}
}

// TestCause tells a deadline by its cause where a caller cancels for it.
func TestCause(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(context.DeadlineExceeded)
	if a, err := newToyPlanner().Run(ctx, wideTree(), Request{Type: Impact, Target: "hot"}); err != nil || !a.Deadline || a.Cancelled {
		t.Errorf("answer %+v, %v", a, err)
	}
}

type damagedView struct {
	*toyView
	bad  graph.FileID
	refs bool // only the references are damaged
}

var errDamage = errors.New("damaged")

func (v damagedView) Facts(id graph.FileID) (*graph.Facts, error) {
	if id == v.bad {
		return nil, errDamage
	}
	return v.toyView.Facts(id)
}

func (v damagedView) Outline(id graph.FileID) (*graph.Facts, error) {
	if v.refs {
		return v.toyView.Outline(id)
	}
	return v.Facts(id)
}

func (v damagedView) Refs(id graph.FileID, sel graph.Selection) ([]graph.Ref, error) {
	if id == v.bad {
		return nil, errDamage
	}
	return v.toyView.Refs(id, sel)
}

// TestDamage reports what the view says of a damaged store instead of an answer.
func TestDamage(t *testing.T) {
	v := newToyView("a.toy", "func f\n", "b.toy", "func g\n  call f\n")
	id, _ := v.Lookup("b.toy")
	for _, typ := range [...]Type{Neighbors, Impact, Tests} {
		for _, refs := range [...]bool{false, true} {
			if a, err := newToyPlanner().Run(t.Context(), damagedView{v, id, refs}, Request{Type: typ, Target: "f"}); !errors.Is(err, errDamage) {
				t.Errorf("%s (references only: %v) = %v, %v, want the damage", typ, refs, a, err)
			}
		}
	}
}

// lateContext is one whose timer does not fire, as where every core works.
type lateContext struct {
	context.Context
	by time.Time
}

func (c lateContext) Deadline() (time.Time, bool) { return c.by, true }

// deepResolver reads facts again and again for one binding, and counts what it got
// after the deadline.
type deepResolver struct {
	toyResolver
	by    time.Time
	given *int
}

func (r deepResolver) Ref(v graph.View, f *graph.Facts, id graph.FileID, i int) graph.Binding {
	for range 1000 {
		if g, err := v.Facts(id); err != nil || g == nil {
			break
		} else if time.Now().After(r.by) {
			*r.given++
		}
	}
	return r.toyResolver.Ref(v, f, id, i)
}

// TestDeadlineInsideABinding asks for a binding that takes longer than there is time:
// it is given no facts any more, and nothing comes of what it says then.
func TestDeadlineInsideABinding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		by := time.Now().Add(30 * time.Millisecond)
		given := 0
		p := New([]graph.Resolver{deepResolver{by: by, given: &given}}, Options{})
		view := slowView{newToyView("a.toy", "func hot\nfunc user\n  call hot\n")}
		a, err := p.Run(lateContext{t.Context(), by}, view, Request{Type: Neighbors, Target: "hot", Direction: In, Relations: []graph.Relation{graph.CallsSyntax}})
		if err != nil {
			t.Fatal(err)
		}
		if late := time.Since(by); late > time.Millisecond || given > 1 {
			t.Errorf("answered %v late, with facts for %d requests of the resolver", late, given)
		}
		if !a.Deadline || a.Cancelled || len(a.Nodes) > 0 {
			t.Errorf("deadline %v, cancelled %v, nodes %+v", a.Deadline, a.Cancelled, a.Nodes)
		}
		if _, err := p.Resolve(lateContext{t.Context(), by}, view, "hot"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Resolve after the deadline: %v", err)
		}
		// Nothing of it was remembered.
		a, err = p.Run(t.Context(), view, Request{Type: Neighbors, Target: "hot", Direction: In, Relations: []graph.Relation{graph.CallsSyntax}})
		if err != nil || len(a.Nodes) != 1 || len(a.MissingData) > 0 {
			t.Errorf("asked again: %v, %+v", err, a)
		}
	})
}
