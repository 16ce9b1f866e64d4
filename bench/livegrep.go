package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/ralph-index/ralph-index/engine/api"
)

// Marks of a search without an index, in ripgrep's time.
const (
	liveLiteralMark = 1.2
	liveRegexMark   = 2
)

// liveLimit is the most matches that a call returns. Patterns with more are passed
// over: of those, ripgrep would do more than we.
const liveLimit = 10000

// liveClass is a kind of pattern.
type liveClass struct {
	name     string
	mark     float64 // 0: reported only
	regex    bool
	fold     bool
	word     bool
	empty    bool // nothing is to be found
	patterns []string
}

// Of each kind so many patterns are measured, and at most so many are tried: those that
// find nothing, where something is to be found, are passed over too.
const (
	liveEach = 4
	liveTry  = 60
)

// liveClasses makes patterns of each kind out of the words of the tree.
func liveClasses(cen *census, rng *rand.Rand) []liveClass {
	made := func(make func() string) []string {
		var out []string
		for range liveTry {
			out = append(out, make())
		}
		return out
	}
	words := func(lo, hi float64) func() string {
		list := cen.band(rng, 10*liveTry, lo, hi)
		return func() string { return regexp.QuoteMeta(list[rng.IntN(len(list))]) }
	}
	some, few := words(0.001, 0.03), words(0.0005, 0.005)
	return []liveClass{
		{name: "literal, rare (< 0.1 % of files)", mark: liveLiteralMark, patterns: cen.band(rng, liveTry, 0, 0.001)},
		{name: "literal, medium (0.1-2 %)", mark: liveLiteralMark, patterns: cen.band(rng, liveTry, 0.001, 0.02)},
		{name: "literal, common (2-15 %)", mark: liveLiteralMark, patterns: cen.band(rng, liveTry, 0.02, 0.15)},
		{name: "literal, absent", empty: true, mark: liveLiteralMark, patterns: cen.absent(rng, liveEach)},
		{name: "literal, part of a word", mark: liveLiteralMark, patterns: cen.subWords(rng, liveTry)},
		{name: "literal, any case", mark: liveLiteralMark, fold: true, patterns: cen.band(rng, liveTry, 0, 0.02)},
		{name: "literal, whole word", mark: liveLiteralMark, word: true, patterns: cen.band(rng, liveTry, 0, 0.02)},
		{name: "regex, literal first", mark: liveRegexMark, regex: true, patterns: made(func() string { return some() + `\w*\(` })},
		{name: "regex, literal inside", mark: liveRegexMark, regex: true, patterns: made(func() string { return `\w+` + few() + `\w+` })},
		{name: "regex, literal last", mark: liveRegexMark, regex: true, patterns: made(func() string { return `[a-z]\w*` + some() + `$` })},
		{name: "regex, two literals", mark: liveRegexMark, regex: true, patterns: made(func() string { return cen.pair(rng) })},
		{name: "regex, one of three", mark: liveRegexMark, regex: true, patterns: made(func() string { return "(" + few() + "|" + few() + "|" + few() + `)\b` })},
		{name: "regex, any case", mark: liveRegexMark, regex: true, fold: true, patterns: made(func() string { return few() + `\s*[(:=]` })},
		{name: "regex, whole word", mark: liveRegexMark, regex: true, word: true, patterns: made(func() string { return few() + `\w*` })},
		{name: "regex, no literal", regex: true, patterns: []string{`\b\w{45,}\b`, `[0-9]{9,}[a-z]`, `[A-Z]{3,}[0-9]+[a-z]+[A-Z]{2,}`, `(\w)[(]{3}`}},
	}
}

// pair makes a pattern of two words that stand on one line.
func (c *census) pair(rng *rand.Rand) string {
	for range liveTry {
		words := identifier.FindAllString(string(c.lines[rng.IntN(len(c.lines))]), -1)
		if n := len(words); n > 1 {
			return words[0] + ".*" + words[n-1]
		}
	}
	return "func.*error"
}

var identifier = regexp.MustCompile(`[A-Za-z]{5,}`)

// LiveGrep measures searches without an index: a call of a running server, over its
// pipe, against a process of ripgrep with as many threads on the same files.
func LiveGrep(ctx context.Context, c *Config) (*Report, error) {
	rng := rand.New(rand.NewPCG(c.Seed, 3))
	cen, err := takeCensus(ctx, c.Dir, rng)
	if err != nil {
		return nil, err
	}
	s, err := c.toolServer(ctx, "", os.DevNull)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.c.Close() }()
	r := &Report{}
	for _, class := range liveClasses(cen, rng) {
		if err := liveClassOf(ctx, c, s, cen, r, class); err != nil {
			return nil, fmt.Errorf("%s: %w", class.name, err)
		}
	}
	return r, nil
}

func liveClassOf(ctx context.Context, c *Config, s *toolServer, cen *census, r *Report, class liveClass) error {
	var wall, cpu, rgWall, rgCPU []float64
	differ, used, lines := "", 0, 0
	for _, p := range class.patterns {
		if used == liveEach {
			break
		}
		got, _, err := s.liveGrep(ctx, class, p)
		if err != nil {
			return err
		}
		if got.Truncated || len(got.Matches) == 0 && !class.empty {
			continue
		}
		used++
		lines += len(got.Matches)
		for round := range max(c.Rounds, 1) {
			_, ours, err := s.liveGrep(ctx, class, p)
			if err != nil {
				return err
			}
			out, theirs, err := liveRipgrep(ctx, c.Dir, class, p)
			if err != nil {
				return err
			}
			wall, cpu = append(wall, ours.wall), append(cpu, ours.cpu)
			rgWall, rgCPU = append(rgWall, theirs.wall), append(rgCPU, theirs.cpu)
			if diff := difference(cen, got, placesOf(cen, out)); round == 0 && diff != "" {
				differ = fmt.Sprintf("%q: %s", p, diff)
			}
		}
	}
	p50, peer50 := quantile(wall, 0.5), quantile(rgWall, 0.5)
	opts := []func(*Row){peer(peer50), note("%d patterns, %d lines; p95 %.0f against %.0f ms", used, lines, quantile(wall, 0.95), quantile(rgWall, 0.95))}
	r.add(c, "livegrep", class.name+", p50", p50, "ms", opts...)
	if class.mark > 0 {
		r.add(c, "livegrep", class.name+": ours / ripgrep", p50/peer50, "x", atMost(class.mark))
	} else {
		r.add(c, "livegrep", class.name+": ours / ripgrep", p50/peer50, "x")
	}
	r.add(c, "livegrep", class.name+": processor time, ours / ripgrep", quantile(cpu, 0.5)/quantile(rgCPU, 0.5), "x",
		note("%.0f against %.0f ms", quantile(cpu, 0.5), quantile(rgCPU, 0.5)))
	if differ != "" {
		r.add(c, "livegrep", class.name+": result sets that differ", 1, "", atMost(0), note("%s", differ))
	}
	return nil
}

func (s *toolServer) liveGrep(ctx context.Context, class liveClass, pattern string) (*api.GrepAnswer, spent, error) {
	res, took, err := s.call(ctx, "grep_files", map[string]any{
		"pattern": pattern, "regex": class.regex, "case_sensitive": !class.fold, "whole_word": class.word, "limit": liveLimit,
	})
	if err != nil {
		return nil, spent{}, err
	}
	ans := &api.GrepAnswer{}
	if err := json.Unmarshal([]byte(res.Text), ans); err != nil {
		return nil, spent{}, fmt.Errorf("read answer: %w", err)
	}
	return ans, took, nil
}

// liveRipgrep searches the files that the ignore rules of git let through, hidden ones
// too. Its classes are those of RE2.
func liveRipgrep(ctx context.Context, dir string, class liveClass, pattern string) ([]byte, spent, error) {
	args := []string{
		"--no-config", "--hidden", "--no-ignore-dot", "--no-require-git", "--no-heading", "--with-filename", "-n", "--color", "never", "--no-messages", "--null",
		"-j" + strconv.Itoa(runtime.GOMAXPROCS(0)),
	}
	for _, name := range []string{".git", ".agent", ".hg", ".svn"} {
		args = append(args, "-g", "!"+name)
	}
	switch {
	case !class.regex:
		args = append(args, "-F")
	case !class.fold:
		args = append(args, "--no-unicode")
	default:
		pattern = strings.NewReplacer(`\s`, `[\t\n\f\r ]`, `\w`, `[0-9A-Za-z_]`).Replace(pattern)
	}
	args = append(args, map[bool]string{true: "-i", false: "-s"}[class.fold])
	if class.word {
		args = append(args, "-w")
	}
	cmd := exec.CommandContext(ctx, "rg", append(args, "-e", pattern, ".")...)
	cmd.Dir = dir
	var out []byte
	wall, err := timed(func() (err error) {
		out, err = cmd.Output()
		return err
	})
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() < 0 || exit.ExitCode() > 1 && len(out) == 0) {
		return nil, spent{}, fmt.Errorf("run rg: %w", err)
	}
	return out, spent{wall, milliseconds(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime())}, nil
}
