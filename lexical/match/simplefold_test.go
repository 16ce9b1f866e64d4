package match

import (
	"testing"
)

// foldText holds a line for each letter whose case is unlike the others', and for
// what it might be taken for.
const foldText = "i\nI\nİ\nı\nk\nK\n\u212a\ns\nS\nſ\nß\nẞ\nΣ\nσ\nς\nå\n\u212b\nx\nix\nİx\nkk\nk\u212a\nab\nAB\n"

// TestBacktrackFolds: with lookaround that changes nothing, a pattern without case
// finds what it finds without lookaround, and no line lacks what the index asks for.
func TestBacktrackFolds(t *testing.T) {
	for _, text := range []string{
		"i", "I", "İ", "ı", "k", "\u212a", "s", "ſ", "ß", "ẞ", "Σ", "σ", "ς", "å",
		"[ik]", "[^k]", "[h-j]", "[^h-j]", "[\u0130]", `\x{130}`, `\x69`, `\x{3c3}`, `\pL`, `\p{Lu}`, `\w`, `\W`,
		"(?i)i", "(?i:s)k?", "(?-i)k", "(?-i:I)", "(?P<name>k)", "i|s", "(?:i)x", `k{2}`, "(?i)k(?-i:k)", "(a)(?i)b",
		`\bi`, `[\w]`, "[[:upper:]]", ".x", `\.|σ`, "[]i]",
	} {
		for _, sensitive := range []bool{false, true} {
			for _, word := range []bool{false, true} {
				src := []byte(foldText)
				plain := compile(t, Spec{Text: "(?:" + text + ")", Regex: true, CaseSensitive: sensitive, WholeWord: word})
				around := compile(t, Spec{Text: "(?:" + text + ")(?!zz)", Regex: true, CaseSensitive: sensitive, WholeWord: word})
				want, got := lines(t, plain, src), lines(t, around, src)
				if len(want) != len(got) {
					t.Errorf("%q, case %v, word %v: lines %v with lookaround, %v without", text, sensitive, word, got, want)
				} else {
					for i := range want {
						if want[i] != got[i] {
							t.Errorf("%q, case %v, word %v: lines %v with lookaround, %v without", text, sensitive, word, got, want)
							break
						}
					}
				}
				checkNeed(t, around.Need(), src, got)
			}
		}
	}
}

// TestBacktrackFoldsElse: what is not spelled out still matches, and the index rules
// nothing out for it.
func TestBacktrackFoldsElse(t *testing.T) {
	src := []byte(foldText)
	for text, want := range map[string]int{
		`(k)\1`:             2,
		`(?P<n>k)\k<n>`:     2,
		`(?>K)k`:            2,
		`(?#note)AB(?!x)`:   2,
		`(a)?(?(1)b|zz)`:    2,
		`(?x) a b (?!z)`:    2,
		`(?<=A)b`:           2,
		`(?<!\x{130})x`:     2,
		`(?ms-i:A)(?=B)B`:   1,
		`(?i-m)A(?-i)(?=B)`: 1,
	} {
		p := compile(t, Spec{Text: text, Regex: true})
		got := lines(t, p, src)
		if len(got) != want {
			t.Errorf("%q: lines %v, want %d", text, got, want)
		}
		checkNeed(t, p.Need(), src, got)
	}
}
