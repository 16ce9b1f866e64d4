package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/ralph-index/ralph-index/engine/api"
)

// compareGreps compares searches with those of the cold engine, with live ones, and
// literal ones with a plain scan.
func (r *run) compareGreps(ctx context.Context, cold Engine, rng *rand.Rand) error {
	texts, err := r.disk.texts(ctx)
	if err != nil {
		return err
	}
	letter := func(of string) string { return string(of[rng.IntN(len(of))]) }
	reqs := []api.GrepRequest{
		{Pattern: "needle", CaseSensitive: true},
		{Pattern: "F" + letter(functions), CaseSensitive: true},
		{Pattern: "C" + letter(classes) + ".M" + letter(methods), CaseSensitive: true},
		{Pattern: "m" + letter(methods) + "(", CaseSensitive: false},
		{Pattern: "eedl", CaseSensitive: true, Path: []string{"", "lib", "web"}[rng.IntN(3)]},
		{Pattern: "F" + letter(functions), CaseSensitive: true, WholeWord: true},
		{Pattern: "(def|func|function) F[a-" + letter(functions) + "]", Regex: true, CaseSensitive: true},
		{Pattern: `new C\w+\(`, Regex: true, CaseSensitive: true},
	}
	for _, req := range reqs {
		req.Limit = 10000
		r.counts.Greps++
		if err := r.compareGrep(ctx, cold, req, texts); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) compareGrep(ctx context.Context, cold Engine, req api.GrepRequest, texts map[string][]byte) error {
	live := req
	live.UseIndex = api.IndexNever
	got, err := search(ctx, r.engine, req)
	if err != nil {
		return err
	}
	for _, other := range []struct {
		name string
		e    Engine
		req  api.GrepRequest
	}{{"a live search", r.engine, live}, {"a cold engine", cold, req}} {
		want, err := search(ctx, other.e, other.req)
		if err != nil {
			return err
		}
		if !slices.Equal(got, want) {
			return differs(fmt.Sprintf("search for %+v against %s", req, other.name), "%s", lineDiff(got, want))
		}
	}
	if req.Regex || req.WholeWord || req.Path != "" {
		return nil
	}
	got = slices.DeleteFunc(got, func(l string) bool { return strings.HasPrefix(l, "#") })
	if want := scan(texts, req); !slices.Equal(got, want) {
		return differs(fmt.Sprintf("search for %+v against a plain scan", req), "%s", lineDiff(got, want))
	}
	return nil
}

// search lists matches, and what was skipped. A base that is not there has none.
func search(ctx context.Context, e Engine, req api.GrepRequest) ([]string, error) {
	ans, err := e.Grep(ctx, &req)
	var refused *api.Error
	if errors.As(err, &refused) && req.Path != "" {
		return []string{"# " + string(refused.Code)}, nil
	}
	if err != nil {
		return nil, err
	}
	var out []string
	for _, m := range ans.Matches {
		out = append(out, fmt.Sprintf("%s:%d", m.Path, m.Line))
	}
	slices.Sort(out)
	return append(out, fmt.Sprintf("# skipped %v, cut %v", ans.Skipped, ans.Truncated)), nil
}

// scan lists the lines that hold a literal.
func scan(texts map[string][]byte, req api.GrepRequest) []string {
	var out []string
	pattern := []byte(req.Pattern)
	if !req.CaseSensitive {
		pattern = bytes.ToLower(pattern)
	}
	for p, text := range texts {
		if !req.CaseSensitive {
			text = bytes.ToLower(text)
		}
		for i, line := range bytes.Split(text, []byte{'\n'}) {
			if bytes.Contains(line, pattern) {
				out = append(out, fmt.Sprintf("%s:%d", p, i+1))
			}
		}
	}
	slices.Sort(out)
	return out
}

// texts reads the text files that git does not ignore. A link is no file: what it
// leads to has a path of its own.
func (d *disk) texts(ctx context.Context) (map[string][]byte, error) {
	files := d.list().files
	ignored, err := d.ignored(ctx, files)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, p := range files {
		if ignored[p] {
			continue
		}
		text, err := os.ReadFile(d.path(p))
		if err != nil || bytes.IndexByte(text, 0) >= 0 {
			continue // what cannot be read is not searched
		}
		if !bytes.HasPrefix(text, []byte{0xff, 0xfe}) && !bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
			out[p] = text
		}
	}
	return out, nil
}

// ignored asks git which paths its rules exclude, whether it tracks them or not.
func (d *disk) ignored(ctx context.Context, paths []string) (map[string]bool, error) {
	out := map[string]bool{}
	if len(paths) == 0 {
		return out, nil
	}
	list, err := d.gitWith(ctx, []byte(strings.Join(paths, "\x00")), "check-ignore", "--no-index", "-z", "--stdin")
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1: none
		return nil, fmt.Errorf("ask git what is ignored: %w: %s", err, list)
	}
	for p := range strings.SplitSeq(string(list), "\x00") {
		out[p] = true
	}
	return out, nil
}
