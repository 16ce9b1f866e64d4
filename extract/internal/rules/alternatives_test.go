package rules_test

import (
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/extract/internal/rules"
)

func TestUnion(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"A", "B", "A|B"},
		{"A|B", "B|C", "A|B|C"},
		{"", "A", "?|A"},
		{"A", "", "A|?"},
		{"f(A|B)", "L<A|B>", "f(A|B)|L<A|B>"},
		{"$a->f(x|y)", "{A|B}", "$a->f(x|y)|{A|B}"},
		{strings.Repeat("a", rules.MaxValue), "b", ""},
	} {
		if got := rules.Union(c.a, c.b); got != c.want {
			t.Errorf("Union(%q, %q) = %q, want %q", c.a, c.b, got, c.want)
		}
	}
	if got := strings.Join(rules.Alternatives("a(b|c)|d->e|f"), " "); got != "a(b|c) d->e f" {
		t.Errorf("alternatives %q", got)
	}
}
