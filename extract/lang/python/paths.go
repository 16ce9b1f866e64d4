package python

import (
	"strings"

	"github.com/ralph-index/ralph-index/extract/internal/sitter"
	"github.com/ralph-index/ralph-index/graph"
)

// path is what locals hold at the end of one path through a statement: those that it
// gave something.
type path map[*binding]graph.Hint

// follow walks a path that starts from what locals hold, and from start besides, and
// takes back what they hold.
func (x *extractor) follow(start path, walk func()) path {
	outer := x.branch
	x.branch = path{}
	for b, h := range start {
		x.rehint(b, h)
	}
	walk()
	end := make(path, len(x.branch))
	for b, before := range x.branch {
		end[b], b.hint = b.hint, before
	}
	x.branch = outer
	return end
}

// join collects the ends of the paths through one statement.
type join struct {
	paths []path
	whole bool // one of them is taken in any case
}

// branchOf walks a node as one path, which starts from what locals hold before all of
// them.
func (x *extractor) branchOf(j *join, n sitter.Node) {
	if end := x.follow(nil, func() { x.visit(n) }); !x.leaves(n) {
		j.paths = append(j.paths, end)
	}
}

// joinBranches lets locals hold what any path may have left.
func (x *extractor) joinBranches(j *join) {
	done := map[*binding]bool{}
	for _, p := range j.paths {
		for b := range p {
			if done[b] {
				continue
			}
			done[b] = true
			ends := make([]graph.Hint, 0, len(j.paths)+1)
			missing := !j.whole
			for _, other := range j.paths {
				if h, ok := other[b]; ok {
					ends = append(ends, h)
				} else {
					missing = true
				}
			}
			if missing {
				ends = append(ends, b.hint)
			}
			x.rehint(b, joined(ends...))
		}
	}
}

// leaves reports whether what follows a branch is not run behind it.
func (x *extractor) leaves(n sitter.Node) bool {
	t := x.t
	for n != sitter.None {
		switch t.Kind(n) {
		case kReturn, kBreak, kContinue:
			return true
		case kRaise:
			return x.trying == 0 // or a handler around it goes on
		case kBlock, kElif, kElse, kExcept, kExceptGroup, kCaseClause:
		default:
			return false
		}
		last := sitter.None
		for c := range t.Children(n) {
			if t.Kind(c) != kComment {
				last = c
			}
		}
		n = last
	}
	return false
}

// rehint sets what a local holds, and remembers what it held before the branch.
func (x *extractor) rehint(b *binding, h graph.Hint) {
	if _, ok := x.branch[b]; x.branch != nil && !ok {
		x.branch[b] = b.hint
	}
	b.hint = h
}

// ifStatement walks an if with what its test says about types.
func (x *extractor) ifStatement(n sitter.Node) {
	x.conditional++
	defer func() { x.conditional-- }()
	condition := x.t.Child(n, fCondition)
	var j join
	for c := range x.t.Children(n) {
		switch k := x.t.Kind(c); {
		case x.t.Field(c) == fConsequence:
			undo := x.narrow(condition)
			x.branchOf(&j, c)
			undo()
		case k == kElif || k == kElse:
			x.branchOf(&j, c)
			j.whole = k == kElse
		default:
			x.visit(c)
		}
	}
	x.joinBranches(&j)
}

// loop walks a loop, whose body may start from what it leaves.
func (x *extractor) loop(n sitter.Node) {
	var j join
	jumps := false
	for c := range x.t.Children(n) {
		switch f := x.t.Field(c); {
		case f == fLeft, f == fRight && x.t.Kind(n) == kFor:
		case f == fBody:
			var carried path
			end := x.follow(nil, func() {
				jumps = x.carryOver(c)
				carried = make(path, len(x.branch))
				for b := range x.branch {
					carried[b] = b.hint
				}
				x.visit(c)
			})
			if j.paths = append(j.paths, end); jumps {
				j.paths = append(j.paths, carried)
			}
			x.joinBranches(&j)
		case x.t.Kind(c) == kElse && jumps:
			var j join
			x.branchOf(&j, c)
			x.joinBranches(&j)
		default:
			x.visit(c)
		}
	}
}

// carryOver adds to what locals hold before a loop what its body assigns to them, and
// reports whether the body can be left in the middle.
func (x *extractor) carryOver(body sitter.Node) (jumps bool) {
	t := x.t
	for c, end := body, t.After(body); c < end; {
		switch t.Kind(c) {
		case kFunction, kClass, kLambda:
			c = t.After(c)
			continue
		case kBreak, kContinue:
			jumps = true
		case kAssignment:
			value := c
			for value != sitter.None && t.Kind(value) == kAssignment {
				value = t.Child(value, fRight)
			}
			x.carry(t.Child(c, fLeft), value)
		case kNamedExpression:
			x.carry(t.Child(c, fName), t.Child(c, fValue))
		default:
		}
		c++
	}
	return jumps
}

// carry adds to what the locals of a target hold what an assignment gives them.
func (x *extractor) carry(target, value sitter.Node) {
	if target == sitter.None || value == sitter.None || x.isNothing(value) {
		return
	}
	t := x.t
	switch t.Kind(target) {
	case kIdentifier:
		b := x.scope.names[x.b.Text(target)]
		if b == nil || b.kind != boundValue || x.scope.kind < functionScope {
			return
		}
		if h := joined(b.hint, x.hintOf(value)); h != b.hint && (b.hint.Rule != graph.HintNone || h.Rule != graph.HintLocal) {
			x.rehint(b, h)
		}
	case kPatternList, kTuplePattern, kListPattern, kTuple, kList:
		if !x.sameLength(target, value) {
			return
		}
		part := t.First(value)
		for c := range t.Children(target) {
			x.carry(c, part)
			part = t.Next(part)
		}
	default:
	}
}

// tryStatement walks a try: what its handlers leave stands beside what its body does.
// A handler starts from before the body or from its end, else from its end alone.
func (x *extractor) tryStatement(n sitter.Node) {
	x.conditional++
	defer func() { x.conditional-- }()
	t := x.t
	j := join{whole: true}
	var body, handler path
	ended, closed := false, false // the body was left early; all paths are joined
	meet := func() {
		if !closed && !ended && body != nil {
			j.paths = append(j.paths, body)
		}
		if !closed {
			x.joinBranches(&j)
		}
		closed = true
	}
	for c := range t.Children(n) {
		switch k := t.Kind(c); {
		case t.Field(c) == fBody:
			x.trying++
			body, ended = x.follow(nil, func() { x.visit(c) }), x.leaves(c)
			x.trying--
			handler = make(path, len(body))
			for b, h := range body {
				handler[b] = joined(b.hint, h)
			}
		case k == kExcept || k == kExceptGroup:
			if end := x.follow(handler, func() { x.visit(c) }); !x.leaves(c) {
				j.paths = append(j.paths, end)
			}
		case k == kElse:
			body = x.follow(body, func() { x.visit(c) })
			ended = ended || x.leaves(c)
		case k == kComment:
			x.visit(c)
		default: // finally
			meet()
			x.visit(c)
		}
	}
	meet()
}

// matchStatement walks a match, of whose cases one is taken, or none.
func (x *extractor) matchStatement(n sitter.Node) {
	x.conditional++
	defer func() { x.conditional-- }()
	var j join
	body := x.t.Child(n, fBody)
	for c := range x.t.Children(n) {
		if c != body {
			x.visit(c)
		}
	}
	if body == sitter.None {
		return
	}
	for c := range x.t.Children(body) {
		if x.t.Kind(c) != kCaseClause {
			x.visit(c)
			continue
		}
		x.branchOf(&j, c)
		j.whole = j.whole || x.takesAll(c)
	}
	x.joinBranches(&j)
}

// takesAll reports whether a case is "case _:" or one that only names what it takes.
func (x *extractor) takesAll(clause sitter.Node) bool {
	t := x.t
	p := t.First(clause)
	if p == sitter.None || t.Kind(p) != kCasePattern {
		return false
	}
	if next := t.Next(p); next == sitter.None || t.Kind(next) != kBlock {
		return false // another pattern, or a guard
	}
	return isIdentifier(strings.TrimSpace(x.b.Text(p)))
}

// inner walks the body of a function. What it gives to variables of the functions
// around it is not given before it runs.
func (x *extractor) inner(body sitter.Node, nested bool) {
	branch, trying := x.branch, x.trying
	x.trying = 0
	walk := func() {
		x.collect(body)
		x.visitChildren(body)
	}
	if nested {
		x.follow(nil, walk)
	} else {
		x.branch = nil
		walk()
	}
	x.branch, x.trying = branch, trying
}

// lateRead is a member of a variable that a function around it binds: that may hold
// what it is given until then.
type lateRead struct {
	ref    int
	name   *binding
	given  int // how often it was given something before
	before graph.Hint
}

// markLate adds to what such variables hold what they are given later.
func (x *extractor) markLate() {
	for _, l := range x.late {
		if later := l.name.given[l.given:]; len(later) > 0 {
			x.b.Facts.Refs[l.ref].Hint = joined(append([]graph.Hint{l.before}, later...)...)
		}
	}
}
