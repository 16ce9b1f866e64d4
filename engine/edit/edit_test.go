package edit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func apply(t *testing.T, text string, req Request) (*Result, error) {
	t.Helper()
	given := []byte(text)
	r, err := Apply(t.Context(), given, req)
	if string(given) != text {
		t.Fatalf("the text that was given changed to %q", given)
	}
	if (r == nil) == (err == nil) {
		t.Fatalf("result %v with error %v", r, err)
	}
	if err == nil {
		checkChanges(t, given, r)
	}
	return r, err
}

// checkChanges rebuilds the new text from the changes alone.
func checkChanges(t *testing.T, before []byte, r *Result) {
	t.Helper()
	var out []byte
	last := Range{}
	for _, c := range r.Changes {
		if c.Before.From < last.To || c.Before == (Range{c.Before.From, c.Before.From}) && c.After.From == c.After.To {
			t.Fatalf("changes %+v are out of order or empty", r.Changes)
		}
		out = append(append(out, before[last.To:c.Before.From]...), r.Text[c.After.From:c.After.To]...)
		if c.After.To != len(out) {
			t.Fatalf("change %+v ends at %d of the new text", c, len(out))
		}
		if got := linesOf(before, c.Before); got != c.BeforeLines {
			t.Fatalf("change %+v: lines before are %v", c, got)
		}
		if got := linesOf(r.Text, c.After); got != c.AfterLines {
			t.Fatalf("change %+v: lines after are %v", c, got)
		}
		last = c.Before
	}
	if out = append(out, before[last.To:]...); !bytes.Equal(out, r.Text) {
		t.Fatalf("changes %+v of %q make %q, not %q", r.Changes, before, out, r.Text)
	}
}

func one(old, replacement string) []Edit { return []Edit{{old, replacement}} }

func at(from, to int) *Lines { return &Lines{from, to} }

func TestApply(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		req  Request
		want string
	}{
		"first occurrence":          {"a b a", Request{Edits: one("a", "x")}, "x b a"},
		"each sees the one before":  {"a", Request{Edits: []Edit{{"a", "bb"}, {"bb", "c"}}}, "c"},
		"same text twice":           {"a a a", Request{Edits: []Edit{{"a", "x"}, {"a", "y"}}}, "x y a"},
		"new text is no old text":   {"a a", Request{Edits: one("a", "aa")}, "aa a"},
		"deletion":                  {"one\ntwo\n", Request{Edits: one("one\n", "")}, "two\n"},
		"of everything":             {"one\n", Request{Edits: one("one\n", "")}, ""},
		"nothing changes":           {"one\n", Request{Edits: one("one", "one")}, "one\n"},
		"there and back":            {"one\n", Request{Edits: []Edit{{"one", "two"}, {"two", "one"}}}, "one\n"},
		"strategy without a target": {"a a", Request{Edits: one("a", "x"), Strategy: AllInTarget}, "x a"},
		"characters of many bytes":  {"äöü", Request{Edits: one("ö", "ø")}, "äøü"},
		"no final newline is added": {"a\nb", Request{Edits: one("b", "c\nd")}, "a\nc\nd"},

		"lf finds crlf":                {"a\r\nb\r\nc\r\n", Request{Edits: one("a\nb\n", "x\ny\nz\n")}, "x\r\ny\r\nz\r\nc\r\n"},
		"crlf finds crlf":              {"a\r\nb\r\n", Request{Edits: one("a\r\nb", "x\r\ny")}, "x\r\ny\r\n"},
		"new lines on a crlf line":     {"a\r\nb\r\n", Request{Edits: one("b", "b\nc")}, "a\r\nb\r\nc\r\n"},
		"on the last crlf line":        {"a\r\nb", Request{Edits: one("b", "b\nc")}, "a\r\nb\r\nc"},
		"mixed: crlf stays":            {"a\nb\r\nc\n", Request{Edits: one("b\nc", "x\ny")}, "a\nx\r\ny\n"},
		"mixed: lf stays":              {"a\r\nb\nc\r\n", Request{Edits: one("b", "b\nx")}, "a\r\nb\nx\nc\r\n"},
		"old text is one newline":      {"a\r\nb", Request{Edits: one("\n", "")}, "ab"},
		"begins with a newline":        {"a\r\nb", Request{Edits: one("\nb", "\nc")}, "a\r\nc"},
		"lone carriage return":         {"a\rb\r\n", Request{Edits: one("\r", "-")}, "a-b\r\n"},
		"and one before a crlf":        {"a\r\r\nb", Request{Edits: one("\r\n", "\n")}, "a\r\r\nb"},
		"crlf is kept in lf":           {"a\nb\n", Request{Edits: one("a", "a\r\nx")}, "a\r\nx\nb\n"},
		"untouched endings stay":       {"a\r\nb\nc\rd\r\n", Request{Edits: one("d", "e")}, "a\r\nb\nc\re\r\n"},
		"form feeds end no line":       {"a\fb\u2028c\n", Request{Edits: one("c", "d"), Target: at(1, 1), Strategy: InTarget}, "a\fb\u2028d\n"},
		"byte order mark":              {bom + "a\n", Request{Edits: one("a", "b")}, bom + "b\n"},
		"edit brings it":               {bom + "a\n", Request{Edits: one(bom+"a", bom+"b")}, bom + "b\n"},
		"edit forgets it":              {bom + "a\n", Request{Edits: one(bom+"a", "b")}, bom + "b\n"},
		"edit doubles it":              {bom + "a\n", Request{Edits: one("a", bom+"b")}, bom + "b\n"},
		"in front of the first line":   {bom + "a\n", Request{Edits: one("a\n", "x\na\n")}, bom + "x\na\n"},
		"the target is the first line": {bom + "a\nb\n", Request{Edits: one("a\n", "x\n"), Target: at(1, 1)}, bom + "x\nb\n"},

		"exact":                        {"a\na\na\n", Request{Edits: one("a\n", "x\n"), Target: at(2, 2)}, "a\nx\na\n"},
		"exact, no newline in old":     {"a\na\na\n", Request{Edits: one("a", "x"), Target: at(2, 2), Strategy: Exact}, "a\nx\na\n"},
		"exact, no newline in text":    {"a\nb", Request{Edits: one("b\n", "c\n"), Target: at(2, 2)}, "a\nc"},
		"exact, crlf, none in text":    {"a\r\nb", Request{Edits: one("b\n", "c\nd\n"), Target: at(2, 2)}, "a\r\nc\r\nd"},
		"exact, crlf":                  {"a\r\nb\r\nb\r\n", Request{Edits: one("b\n", "c\n"), Target: at(3, 3)}, "a\r\nb\r\nc\r\n"},
		"exact, crlf, no newline":      {"a\r\nb\r\n", Request{Edits: one("b", "c"), Target: at(2, 2)}, "a\r\nc\r\n"},
		"exact, twice":                 {"a\nb\nc\n", Request{Edits: []Edit{{"b", "x\ny"}, {"x\ny\n", "z\n"}}, Target: at(2, 2)}, "a\nz\nc\n"},
		"exact, blank lines":           {"a\n\n\nb\n", Request{Edits: one("\n", "x\n"), Target: at(3, 3)}, "a\n\nx\nb\n"},
		"exact, of an empty text":      {"a", Request{Edits: []Edit{{"a", ""}, {"\n", "x\n"}}, Target: at(1, 1)}, "x"},
		"within":                       {"a a\nb a a\na\n", Request{Edits: one("a", "x"), Target: at(2, 2), Strategy: InTarget}, "a a\nb x a\na\n"},
		"within, more lines":           {"f\nf\nf\nf\n", Request{Edits: one("f\nf", "g"), Target: at(2, 3), Strategy: InTarget}, "f\ng\nf\n"},
		"within, the target grows":     {"a\nb\na\n", Request{Edits: []Edit{{"b", "a\nb\nc"}, {"c", "d"}, {"a", "x"}}, Target: at(2, 2), Strategy: InTarget}, "a\nx\nb\nd\na\n"},
		"all":                          {"a\na a\naa\na\n", Request{Edits: one("a", "bb"), Target: at(2, 3), Strategy: AllInTarget}, "a\nbb bb\nbbbb\na\n"},
		"all, not over the border":     {"xx\nxx\nxx\n", Request{Edits: one("x\nx", "-"), Target: at(2, 3), Strategy: AllInTarget}, "xx\nx-x\n"},
		"all, again":                   {"a\na\na\n", Request{Edits: []Edit{{"a", "a\na"}, {"a", "b"}}, Target: at(2, 2), Strategy: AllInTarget}, "a\nb\nb\na\n"},
		"all, without overlap":         {"aaaaa\n", Request{Edits: one("aa", "b"), Target: at(1, 1), Strategy: AllInTarget}, "bba\n"},
		"all, in crlf":                 {"a\r\na\r\na\r\n", Request{Edits: one("a\n", "b\n"), Target: at(1, 2), Strategy: AllInTarget}, "b\r\nb\r\na\r\n"},
		"the target may end past them": {"a\nb", Request{Edits: one("b", "c"), Target: at(2, 9), Strategy: InTarget}, "a\nc"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := apply(t, c.text, c.req)
			if err != nil {
				t.Fatal(err)
			}
			if string(r.Text) != c.want {
				t.Errorf("got %q, want %q", r.Text, c.want)
			}
			if got, _, ok := model(c.text, c.req); !ok || got != c.want {
				t.Errorf("the model says %q, %v", got, ok)
			}
			if (len(r.Changes) == 0) != (c.text == c.want) {
				t.Errorf("changes of %q are %+v", c.want, r.Changes)
			}
		})
	}
}

func TestApplied(t *testing.T) {
	r, err := apply(t, "a\nb a\na\n", Request{
		Edits: []Edit{{"a", "x"}, {"a", "y"}}, Target: at(2, 3), Strategy: AllInTarget,
	})
	if err == nil {
		t.Fatalf("the second edit found %+v", r)
	}
	r, err = apply(t, "a\nb a\na\n", Request{Edits: []Edit{{"a", "x"}, {"a", "y\ny"}}, Target: at(2, 3), Strategy: InTarget})
	if err != nil {
		t.Fatal(err)
	}
	if want := []Applied{{Line: 2, Replaced: 1, Others: 2}, {Line: 3, Replaced: 1, Others: 1}}; !reflect.DeepEqual(r.Applied, want) {
		t.Errorf("got %+v, want %+v", r.Applied, want)
	}
	if r, err := apply(t, "a\nb", Request{Edits: one("b\n", "c\n"), Target: at(2, 2)}); err != nil || r.Applied[0] != (Applied{Line: 2, Replaced: 1}) {
		t.Errorf("an old text with a newline that its target has not: %+v, %v", r, err)
	}
	if want := (Lines{2, 4}); *r.Target != want {
		t.Errorf("the target stands on %v, want %v", *r.Target, want)
	}
	want := []Change{
		{Range{4, 5}, Range{4, 5}, Lines{2, 2}, Lines{2, 2}},
		{Range{6, 7}, Range{6, 9}, Lines{3, 3}, Lines{3, 4}},
	}
	if !reflect.DeepEqual(r.Changes, want) {
		t.Errorf("got %+v, want %+v", r.Changes, want)
	}
}

func TestRefuses(t *testing.T) {
	for name, req := range map[string]Request{
		"no edits":            {},
		"empty old text":      {Edits: []Edit{{"a", "b"}, {"", "x"}}},
		"old text not utf-8":  {Edits: one("\xff", "x")},
		"new text not utf-8":  {Edits: one("a", "\xff")},
		"unknown strategy":    {Edits: one("a", "b"), Strategy: "some"},
		"target before":       {Edits: one("a", "b"), Target: at(0, 1)},
		"target behind":       {Edits: one("a", "b"), Target: at(2, 2)},
		"target backwards":    {Edits: one("a", "b"), Target: at(1, 0)},
		"target in no line 3": {Edits: one("a", "b"), Target: at(3, 4)},
	} {
		if _, err := apply(t, "a\n", req); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
	var invalid *InvalidUTF8Error
	if _, err := apply(t, "aä\xffb", Request{Edits: one("a", "b")}); !errors.As(err, &invalid) || invalid.Offset != 3 {
		t.Errorf("a text that is no UTF-8: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Apply(ctx, []byte("a"), Request{Edits: one("a", "b")}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestAllOrNothing(t *testing.T) {
	_, err := apply(t, "one\ntwo\n", Request{Edits: []Edit{{"one", "1"}, {"two", "2"}, {"one", "x"}, {"2", "3"}}})
	var miss *NoMatchError
	if !errors.As(err, &miss) {
		t.Fatal(err)
	}
	if miss.Index != 2 || !miss.Spent || string(miss.Done.Text) != "1\n2\n" || len(miss.Done.Changes) == 0 {
		t.Errorf("got %+v with %q", miss, miss.Done.Text)
	}
	_, err = apply(t, "one\nnew\n", Request{Edits: one("old", "new")})
	if !errors.As(err, &miss) || miss.Spent || miss.Present != 2 || miss.Index != 0 {
		t.Errorf("got %+v", miss)
	}
	if _, err = apply(t, "", Request{Edits: one("old", "new")}); !errors.As(err, &miss) || miss.Nearest != nil {
		t.Errorf("an empty text: %+v", err)
	}
	if _, err = apply(t, bom+"a", Request{Edits: one(bom, "")}); !errors.As(err, &miss) {
		t.Errorf("the byte order mark alone: %v", err)
	}
	if _, err = apply(t, bom+"a\na", Request{Edits: one(bom+"a\na\n", "")}); !errors.As(err, &miss) {
		t.Errorf("more than the text: %v", err)
	}
	if _, err = apply(t, bom+"b a", Request{Edits: one(bom+"a", "")}); !errors.As(err, &miss) {
		t.Errorf("a byte order mark that stands elsewhere: %v", err)
	}
	if _, err = apply(t, "a\n", Request{Edits: one("a\r\n", "")}); !errors.As(err, &miss) || !miss.Nearest.OnlySpace {
		t.Errorf("crlf in a text of lf: %v", err)
	}
}

func TestOutsideTarget(t *testing.T) {
	text := "a\r\nb\r\nc b\r\nb\r\n"
	for name, c := range map[string]struct {
		req  Request
		want TargetError
	}{
		"exact, a part": {
			Request{Edits: one("c", "x"), Target: at(3, 3)},
			TargetError{Strategy: Exact, Target: Lines{3, 3}, InTarget: true, Matches: []int{3}, First: 6},
		},
		"exact, elsewhere": {
			Request{Edits: []Edit{{"b", "b\nb"}, {"a", "x"}}, Target: at(2, 2)},
			TargetError{Index: 1, Strategy: Exact, Target: Lines{2, 3}, Matches: []int{1}},
		},
		"exact, more": {
			Request{Edits: one("b\nc", "x"), Target: at(2, 2)},
			TargetError{Strategy: Exact, Target: Lines{2, 2}, Matches: []int{2}, First: 3},
		},
		"within": {
			Request{Edits: one("b", "x"), Target: at(1, 1), Strategy: InTarget},
			TargetError{Strategy: InTarget, Target: Lines{1, 1}, Matches: []int{2, 3, 4}, First: 3},
		},
		"within, over its end": {
			Request{Edits: one("a\nb", "x"), Target: at(1, 1), Strategy: InTarget},
			TargetError{Strategy: InTarget, Target: Lines{1, 1}, Matches: []int{1}},
		},
		"all": {
			Request{Edits: one("a", "x"), Target: at(2, 4), Strategy: AllInTarget},
			TargetError{Strategy: AllInTarget, Target: Lines{2, 4}, Matches: []int{1}},
		},
	} {
		_, err := apply(t, text, c.req)
		var got *TargetError
		if !errors.As(err, &got) {
			t.Errorf("%s: error is %v", name, err)
			continue
		}
		got.Done = nil
		if !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", name, *got, c.want)
		}
	}
}

// random makes texts of few words, so that edits meet and repeat.
type random struct{ *rand.Rand }

func (r random) text(most int, parts ...string) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

func (r random) request(text string) Request {
	parts := []string{"a", "b", "ab", "\n", "\n", "\r\n", "\r", "é"}
	req := Request{Strategy: []Strategy{"", Exact, InTarget, AllInTarget}[r.IntN(4)]}
	for range 1 + r.IntN(4) {
		e := Edit{Old: r.text(3, parts...), New: r.text(3, parts...)}
		if runes := []rune(text); len(runes) > 0 && r.IntN(3) > 0 { // mostly a piece of the text
			from := r.IntN(len(runes))
			e.Old = string(runes[from : from+min(1+r.IntN(5), len(runes)-from)])
			if r.IntN(2) == 0 {
				e.Old = strings.ReplaceAll(e.Old, "\r\n", "\n")
			}
		}
		if e.Old == "" {
			e.Old = "\n"
		}
		req.Edits = append(req.Edits, e)
	}
	if n := CountLines([]byte(text)); n > 0 && r.IntN(3) > 0 {
		from := 1 + r.IntN(n)
		to := from + r.IntN(3)
		req.Target = at(from, to)
		if first := strings.SplitAfter(text, "\n")[from-1 : min(to, n)]; r.IntN(2) == 0 {
			req.Edits[0].Old = strings.Join(first, "")
		}
	}
	return req
}

func TestApplyIsTheModel(t *testing.T) {
	r := random{rand.New(rand.NewPCG(1, 2))}
	hits := 0
	for range 15_000 {
		text := r.text(14, "a", "b", "ab", "\n", "\r\n", "\r", "é")
		req := r.request(text)
		if compare(t, text, req) {
			hits++
		}
	}
	if hits < 3_000 {
		t.Errorf("only %d requests found something", hits)
	}
}

func compare(t *testing.T, text string, req Request) bool {
	t.Helper()
	want, applied, ok := model(text, req)
	r, err := apply(t, text, req)
	if ok != (err == nil) {
		t.Fatalf("%q, %s: the model says %v, %q; Apply %v", text, describe(req), ok, want, err)
	}
	if ok && string(r.Text) != want {
		t.Fatalf("%q, %s:\ngot  %q\nwant %q", text, describe(req), r.Text, want)
	}
	if ok && !slices.Equal(r.Applied, applied) {
		t.Fatalf("%q, %s: did %+v, want %+v", text, describe(req), r.Applied, applied)
	}
	if ok {
		if got, err := patch(text, Diff("f", []byte(text), r.Text, r.Changes)); err != nil || got != want {
			t.Fatalf("%q, %s: its diff makes %q (%v)", text, describe(req), got, err)
		}
	}
	return ok
}

func describe(req Request) string {
	s := fmt.Sprintf("%q %s", req.Edits, req.Strategy)
	if req.Target != nil {
		s += fmt.Sprintf(" %v", *req.Target)
	}
	return s
}

func FuzzApply(f *testing.F) {
	f.Add("a\nb\nc\n", "b", "x", "x", "y", 0, 0, 0)
	f.Add("a\r\nb\r\n", "a\nb", "c\nd\ne", "e\r\n", "", 1, 2, 1)
	f.Add("aa\naa\naa", "a", "bb", "b", "a\n", 2, 2, 2)
	f.Add("a\n\r\n\rb", "\n", "\r", "\r\n", "\n", 1, 3, 2)
	f.Add("x\ny", "y\n", "z\n", "z", "", 2, 2, 0)
	f.Add("\u00e9\u2028\n\t", "\u2028", "", "\t", " ", 1, 9, 1)
	f.Fuzz(func(t *testing.T, text, old1, new1, old2, new2 string, from, to, strategy int) {
		if len(text)+len(new1)+len(new2) > 1<<9 {
			return // the model is slow
		}
		req := Request{Edits: []Edit{{old1, new1}, {old2, new2}}}
		if strategy &= 3; strategy < 3 && from > 0 {
			req.Target, req.Strategy = at(from, to), []Strategy{Exact, InTarget, AllInTarget}[strategy]
		}
		r, err := apply(t, text, req)
		var invalid *InvalidUTF8Error
		if errors.Is(err, ErrInvalid) || errors.As(err, &invalid) {
			return
		}
		if strings.HasPrefix(text, bom) && err == nil && !bytes.HasPrefix(r.Text, []byte(bom)) {
			t.Fatalf("the byte order mark is gone from %q", r.Text)
		}
		compare(t, text, req)
	})
}
