package glob

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ralph-index/ralph-index/graph"
)

// randomOf joins up to most pieces.
func randomOf(rng *rand.Rand, most int, pieces ...string) string {
	var b strings.Builder
	for range 1 + rng.IntN(most) {
		b.WriteString(pieces[rng.IntN(len(pieces))])
	}
	return b.String()
}

func randomPatterns(rng *rand.Rand, n int, more ...string) []string {
	pieces := append([]string{"a", "b", "ab", "c", "-", ".", "*", "*", "?", "[", "]", "[!", "[^", "[a", "[]", "-b]", "]", "[a-b]", "[!a-b]", `\`, `\*`,
		"[[:digit:]", "[[:upper:][:punct:]]", "[:alpha:]", "[+-9]", "[b-a]"}, more...)
	var out []string
	for len(out) < n {
		p := randomOf(rng, 6, pieces...)
		if _, err := Compile(p); err == nil {
			out = append(out, p)
		}
	}
	return out
}

func run(t *testing.T, dir, stdin string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, append(os.Environ(), env...), strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%s: %v\n%s", name, err, stderr.String())
	}
	return string(out)
}

// gitMatches asks git about all paths and patterns at once, as attributes.
func gitMatches(t *testing.T, patterns, paths []string) map[string]map[int]bool {
	t.Helper()
	dir := t.TempDir()
	env := []string{"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_DIR=" + filepath.Join(dir, ".git")}
	run(t, dir, "", env, "git", "init", "-q")
	var attributes strings.Builder
	for i, p := range patterns {
		fmt.Fprintf(&attributes, "%s n%d\n", p, i)
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte(attributes.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out := map[string]map[int]bool{}
	fields := strings.Split(run(t, dir, strings.Join(paths, "\x00")+"\x00", env, "git", "check-attr", "--stdin", "-z", "-a"), "\x00")
	for i := 0; i+2 < len(fields); i += 3 {
		var n int
		if _, err := fmt.Sscanf(fields[i+1], "n%d", &n); err != nil {
			continue // a macro of git's own
		}
		if out[fields[i]] == nil {
			out[fields[i]] = map[int]bool{}
		}
		out[fields[i]][n] = true
	}
	return out
}

// backwards reports whether a range may be, of which git takes the first character.
func backwards(p string) bool {
	for i := 1; i+1 < len(p); i++ {
		if p[i] == '-' && p[i-1] > p[i+1] {
			return true
		}
	}
	return false
}

// Git's patterns without braces mean the same, but that its last "**" wants a segment.
func TestModelIsGit(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	paths := map[string]bool{}
	for len(paths) < 120 {
		if p := randomOf(rng, 7, "a", "b", "ab", "/", "/", ".", "-", "*", "[", "]", "!", "^", `\`, "B", "7", ":", "a/b", "/a"); cleanPath(p) {
			paths[p] = true
			for d := graph.Path(p).Dir(); d != ""; d = d.Dir() {
				paths[string(d)] = true
			}
		}
	}
	var asked []string // four of git's for each of ours: the names, the tail, the whole, and that without "/**"
	var patterns []string
	for _, p := range randomPatterns(rng, 700, "/", "/", "/**/", "**/", "/**", "/a/", "/*/") {
		segments := modelSplit(plain([]rune(p)))
		odd := slices.ContainsFunc(segments, func(s []rune) bool {
			return len(s) == 0 || len(s) > 2 && strings.Contains(string(s), "**")
		})
		if odd || backwards(p) || strings.HasPrefix(p, "./") || strings.HasPrefix(p, `\./`) {
			continue // which git takes for something else
		}
		base := string(plain([]rune(p)))
		for strings.HasSuffix(base, "/**") {
			base = strings.TrimSuffix(base, "/**")
		}
		one := "/nothing/is/named/so"
		if !strings.Contains(p, "/") && !strings.ContainsAny(p[:1], `!#"`) {
			one = p
		}
		patterns = append(patterns, p)
		asked = append(asked, one, "/**/"+p, "/"+p, "/"+base)
	}
	list := slices.Sorted(func(yield func(string) bool) {
		for p := range paths {
			if !yield(p) {
				return
			}
		}
	})
	git := gitMatches(t, asked, list)
	hits := 0
	for i, p := range patterns {
		single := len(modelSplit(plain([]rune(p)))) == 1
		whole := slices.ContainsFunc(modelSplit(plain([]rune(p))), func(s []rune) bool { return string(s) == "**" })
		for _, path := range list {
			is := func(k int) bool { return git[path][4*i+k] }
			want := is(1)
			if rooted := modelMatch("/"+p, path); rooted != (is(2) || is(3)) {
				t.Fatalf("/%s on %s: %t, git says otherwise", p, path, rooted)
			}
			switch {
			case whole:
				want = is(2) || is(3)
			case single:
				want = false
				for d := graph.Path(path); d != ""; d = d.Dir() {
					want = want || git[string(d)][4*i+1]
					if named := git[string(d)][4*i]; asked[4*i] == p && named != git[string(d)][4*i+1] {
						t.Fatalf("git says two things of %s on %s", p, d)
					}
				}
			}
			if got := modelMatch(p, path); got != want {
				t.Fatalf("%s on %s: %t, git says otherwise", p, path, got)
			}
			if want {
				hits++
			}
		}
	}
	if hits < 2_000 {
		t.Errorf("only %d matches of %d patterns", hits, len(patterns))
	}
}

// Bash's patterns mean the same in a name, characters beyond ASCII included.
func TestModelIsBash(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var names, patterns []string
	for range 60 {
		names = append(names, randomOf(rng, 4, "a", "b", "é", "日", "-", ".", "*", "]", "[", "!", "^", `\`, "B", "7", ":"))
	}
	for _, p := range randomPatterns(rng, 1500, "é", "日", "[é-日]", "[!日]", "é]") {
		if !strings.Contains(p, "[.") {
			patterns = append(patterns, p)
		}
	}
	const script = `mapfile -d '' -t names < names; mapfile -d '' -t patterns < patterns
for p in "${patterns[@]}"; do
  line=
  for n in "${names[@]}"; do if [[ $n == $p ]]; then line+=1; else line+=0; fi; done
  echo "$line"
done`
	dir := t.TempDir()
	for file, list := range map[string][]string{"names": names, "patterns": patterns} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(strings.Join(list, "\x00")+"\x00"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Fields(run(t, dir, "", []string{"LC_ALL=C.UTF-8"}, "bash", "-c", script))
	hits := 0
	for i, p := range patterns {
		for k, n := range names {
			if strings.Contains(p, "[:") && utf8.RuneCountInString(n) < len(n) {
				continue // bash's classes have letters that are not in ASCII
			}
			want := lines[i][k] == '1'
			if got := modelName([]rune(p), []rune(n)); got != want {
				t.Fatalf("%s on %s: %t, bash says otherwise", p, n, got)
			}
			if want {
				hits++
			}
		}
	}
	if hits < 2000 {
		t.Errorf("only %d matches of %d patterns", hits, len(patterns))
	}
}

// Bash spells braces out in the same way, and in the same order.
func TestBracesAreBashs(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	var grow func(depth int) string
	grow = func(depth int) string {
		var b strings.Builder
		for range 1 + rng.IntN(3) {
			if depth == 0 || rng.IntN(3) > 0 {
				b.WriteString(randomOf(rng, 2, "a", "b", "/", "*", "?"))
				continue
			}
			alternatives := []string{grow(depth - 1), grow(depth - 1), ""}
			b.WriteString("{" + strings.Join(alternatives[:2+rng.IntN(2)], ",") + "}")
		}
		return b.String()
	}
	var patterns []string
	for range 400 {
		patterns = append(patterns, "x"+grow(3))
	}
	script := "set -f\n"
	for _, p := range patterns {
		script += "echo " + p + "\n"
	}
	lines := strings.Split(run(t, t.TempDir(), "", nil, "bash", "-c", script), "\n")
	for i, p := range patterns {
		var model []string
		for _, s := range spellOut([]rune(p)) {
			model = append(model, string(s))
		}
		if got := strings.Join(model, " "); got != lines[i] {
			t.Fatalf("%s is spelt %s, bash: %s", p, got, lines[i])
		}
		if out, ok := expand(p); ok && strings.Join(out, " ") != lines[i] {
			t.Fatalf("%s is spelt %s, bash: %s", p, out, lines[i])
		}
	}
}

// With globstar, bash lists what a pattern for whole paths matches.
func TestModelIsGlobstar(t *testing.T) {
	dir := t.TempDir()
	var entries []string
	for _, a := range []string{"a", "b", "ab"} {
		for _, b := range []string{"a", "b", ".c"} {
			for _, c := range []string{"a", "b", "ab"} {
				if err := os.MkdirAll(filepath.Join(dir, a, b, c), 0o700); err != nil {
					t.Fatal(err)
				}
				entries = append(entries, a+"/"+b+"/"+c)
			}
			entries = append(entries, a+"/"+b)
		}
		entries = append(entries, a)
	}
	rng := rand.New(rand.NewPCG(11, 12))
	script := "shopt -s globstar dotglob nullglob\n"
	var patterns []string
	for range 400 {
		var segments []string
		for range 1 + rng.IntN(4) {
			segments = append(segments, []string{"a", "b", "*", "?", "**", "[!a]", "*b", "a**"}[rng.IntN(8)])
		}
		patterns = append(patterns, strings.Join(segments, "/"))
		script += "echo " + strings.Join(segments, "/") + "\n"
	}
	lines := strings.Split(run(t, dir, "", nil, "bash", "-c", script), "\n")
	for i, p := range patterns {
		listed := map[string]bool{}
		for _, name := range strings.Fields(lines[i]) {
			listed[strings.TrimSuffix(name, "/")] = true
		}
		for _, e := range entries {
			if !strings.ContainsAny(p, "*?[") {
				continue // is listed whether it is there or not
			}
			if got := modelMatch("/"+p, e); got != listed[e] {
				t.Fatalf("/%s on %s: %t, bash lists %v", p, e, got, lines[i])
			}
		}
	}
}
