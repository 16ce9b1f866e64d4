package match

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dlclark/regexp2"
)

func TestOverBudget(t *testing.T) {
	for _, text := range []string{`(a+)+(?=c)$`, `(a+)+(?=c)$|none`} { // with a guard in front, and without
		p := compile(t, Spec{Text: text, Regex: true, CaseSensitive: true})
		src := "ac\nbac\n" + strings.Repeat("b\n", 3) + "c" + strings.Repeat("a", 64) + "\nac\n"
		err := p.Lines(context.Background(), []byte(src), func(LineMatch) bool { return true })
		pe := (*PatternError)(nil)
		if !errors.As(err, &pe) || pe.Kind != OverBudget || pe.Line != 6 || !strings.Contains(pe.Message, "line 6") {
			t.Errorf("%s: error %#v, want over budget on line 6", text, err)
		}
	}
}

func TestOverBudgetKeepsMatches(t *testing.T) {
	p := compile(t, Spec{Text: `^(a+)+(?=c)`, Regex: true, CaseSensitive: true})
	var found []uint32
	src := "ac\nb\naac\n" + strings.Repeat("a", 64) + "c\n" + strings.Repeat("a", 64) + "dc\nac\n"
	err := p.Lines(context.Background(), []byte(src), func(m LineMatch) bool { found = append(found, m.Line); return true })
	pe := (*PatternError)(nil)
	if !errors.As(err, &pe) || pe.Line != 5 || !slices.Equal(found, []uint32{1, 3, 4}) {
		t.Errorf("error %v, lines %v; want lines 1, 3 and 4 and an error on 5", err, found)
	}
}

// TestStarvedTries has tries run into their limits while the thread seems to get some
// share of the budget at each.
func TestStarvedTries(t *testing.T) {
	const tooLong = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	for _, tt := range []struct {
		name   string
		line   string
		share  time.Duration
		unread bool // the system does not tell processor times
		cancel int  // reading of the clock at which the caller gives up; 0 is never
		limits []time.Duration
		want   error
	}{
		{"a whole budget", tooLong, lineBudget, false, 0, []time.Duration{1}, errTooDear},
		{"nothing until the caller gives up", tooLong, lineBudget / 1000, false, 8, []time.Duration{1}, context.Canceled},
		{"a part each time", tooLong, lineBudget * 9 / 10, false, 0, []time.Duration{1}, errTooDear},
		{"no clock", tooLong, 0, true, 0, []time.Duration{1, 1}, errTooDear},
		{"enough at last", "aaaaaaaaaaaaaaaaaaaa", lineBudget / 1000, false, 0, []time.Duration{1, 10 * time.Minute}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			f, err := newBacktrackFinder(`^(a+)+(?=c)$`, regexp2.RE2, tt.limits...)
			if err != nil {
				t.Fatal(err)
			}
			readings := 0
			f.clock = func() (time.Duration, bool) {
				if readings++; readings == tt.cancel {
					cancel()
				}
				return time.Duration(readings) * tt.share, !tt.unread
			}
			m, err := f.onLine(ctx, tt.line)
			if m != nil || !errors.Is(err, tt.want) {
				t.Errorf("match %v, error %v, want %v", m, err, tt.want)
			}
		})
	}
}

// TestHarmlessUnderLoad runs so many searches at once that each waits longer than the
// budget whenever its slice of time ends.
func TestHarmlessUnderLoad(t *testing.T) {
	p := compile(t, Spec{Text: `(\w)\1\1`, Regex: true, CaseSensitive: true})
	src := []byte(strings.Repeat(strings.Repeat("harmless words ", 300)+"ooo\n", 2))
	var searches sync.WaitGroup
	for range 30 * runtime.GOMAXPROCS(0) {
		searches.Go(func() {
			lines := 0
			err := p.Lines(context.Background(), src, func(LineMatch) bool { lines++; return true })
			if err != nil || lines != 2 {
				t.Errorf("error %v, %d lines of 2", err, lines)
			}
		})
	}
	searches.Wait()
}
