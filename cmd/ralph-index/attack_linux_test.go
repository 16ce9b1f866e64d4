package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// secret is what the files outside hold.
const secret = "untouched outside"

// besieged is a workspace with ways out of it, beside a directory that nothing may
// read or change.
func besieged(t *testing.T) (dir, out string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, out = filepath.Join(base, "a"), filepath.Join(base, "a_evil")
	for name, text := range map[string]string{
		"a/f": "F", "a/sub/x": "inside\n", "a/d/x": "inside\n", "a/.git/config": "c", "a/.git/hooks/h": "h", "a_evil/x": secret, "a_evil/d/y": secret,
	} {
		put(t, filepath.Join(base, name), text)
	}
	for name, target := range map[string]string{
		"out": out, "outfile": out + "/x", "rel": "../a_evil", "relfile": "../a_evil/x", "new": out + "/new", "chain": "rel", "chain2": "chain/d",
		"sub/up": "../..", "root": "/", "proc": "/proc/self/root", "loop": "loop", "git": ".git", "index": ".agent/ralph-explore", "agent": ".agent",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.Mkfifo(filepath.Join(dir, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, out
}

// waysOut are paths that lead outside, or nowhere.
func waysOut(dir, out string) []string {
	return []string{
		"..", "../", "sub/../..", "/", "../a_evil/x", "../a_evil/new", out, out + "/x", out + "/d/y", dir + "_evil/x", dir + "/../a_evil/x", "f/../../a_evil/x",
		"out", "out/", "out/x", "out/new", "out/d/y", "outfile", "rel/x", "rel/d/new", "relfile", "new", "new/x", "chain/x", "chain2/y", "chain2/new/deep",
		"sub/up", "sub/up/a_evil/x", "root/etc", "root" + out + "/x", "proc", "proc" + out + "/x", "/proc/self/root" + out + "/x", "/proc/self/cwd/../a_evil/x",
		"/etc/passwd", "/etc/ralph-test", "/dev/stdin", "loop", "loop/x", "f/x", "f/", "fifo/x",
		"nul\x00", "f\x00", "f\x00/../x", strings.Repeat("n", 256), strings.Repeat("n", 256) + "/x", strings.Repeat("d/", 2040) + "x", strings.Repeat("../", 1300) + "etc",
	}
}

// kept are paths inside that are read but not changed, or no files, or odd names.
func kept() []string {
	return []string{
		".git", ".git/config", ".git/hooks/new", ".GIT/hooks/new", ".Git", "sub/.git/config", "git", "git/config", "git/new", ".agent/ralph-explore", ".agent/ralph-explore/new",
		"index", "index/new", "agent/ralph-explore/new", "sub/../.agent/ralph-explore/new", "line\nbreak", "tab\there", "\x7f", ".ralph-tmp-1",
	}
}

// asked is a call with a path.
type asked struct {
	tool string
	args func(path string) object
}

func lookers() []asked {
	at := func(more object) func(string) object { return func(p string) object { return with(more, "path", p) } }
	return []asked{
		{"read_file", at(object{})}, {"read_file", at(object{"head": 1})}, {"read_file", at(object{"limit": 9})}, {"read_file", at(object{"expected_content_hash": "00"})},
		{"read_multiple_files", func(p string) object { return object{"paths": []string{p}} }},
		{"read_multiple_files", func(p string) object {
			return object{"items": []any{object{"path": p, "line_start": 1, "line_end": 2}}}
		}},
		{"stat_path", at(object{})},
		{"list_directory", at(object{})}, {"list_directory", at(object{"view": "compact"})}, {"list_directory", at(object{"recursive": true})}, {"list_directory_recursive", at(object{})},
		{"directory_tree", at(object{})}, {"directory_tree", at(object{"view": "outline"})}, {"directory_tree", at(object{"changed_only": true})},
		{"search_files", at(object{"pattern": "*"})}, {"search_files", at(object{"pattern": "*", "return_evidence_ids": true, "ranked": true})},
		{"grep_files", at(object{"pattern": "untouched"})}, {"grep_files", at(object{"pattern": "untouched", "use_index": "never"})},
	}
}

func changers() []asked {
	edit := []any{object{"oldText": "F", "newText": "evil"}, object{"oldText": "untouched", "newText": "evil"}}
	at := func(more object) func(string) object { return func(p string) object { return with(more, "path", p) } }
	to := func(p string) object { return object{"src": "f", "dest": p, "overwrite": true} }
	from := func(p string) object { return object{"src": p, "dest": "taken", "overwrite": true} }
	return []asked{
		{"write_file", at(object{"content": "evil"})}, {"append_file", at(object{"content": "evil"})}, {"create_directory", at(object{})},
		{"edit_file", at(object{"edits": edit})}, {"edit_file", at(object{"edits": edit, "dry_run": true})}, {"delete_path", at(object{"recursive": true})},
		{"move_file", to}, {"move_file", from}, {"copy_file", to}, {"copy_file", from},
	}
}

// links are names of links: a link itself is moved, copied and removed as the thing
// that it is, and a file put in its place.
func isLinkItself(tool, path string) bool {
	links := []string{"out", "outfile", "rel", "relfile", "new", "sub/up", "proc", "loop", "git", "index"}
	return slices.Contains([]string{"delete_path", "move_file", "copy_file"}, tool) && slices.Contains(links, path)
}

// refusal checks that an answer is a refusal of the closed list, or says of a path that
// there is nothing: then nothing of it may be shown.
func refusal(tool string, ans object, refused bool) error {
	codes := []string{"outside_workspace", "protected_path", "invalid_params", "not_found", "not_a_regular_file", "permission_denied", "destination_exists", "stale_evidence"}
	if text := fmt.Sprint(ans); strings.Contains(text, secret) || strings.Contains(text, "root:x:") {
		return fmt.Errorf("shows what is outside: %.300s", text)
	}
	if files, ok := ans["files"].([]any); ok && len(files) == 1 {
		ans, refused = files[0].(object), files[0].(object)["is_error"] == true
		ans["message"] = ans["error"]
	}
	status, _ := ans["status"].(string)
	message, _ := ans["message"].(string)
	text, _ := ans["text"].(string)
	switch {
	case refused && slices.Contains(codes, status) && message != "", !refused && ans["type"] == "missing":
		return nil
	case !refused && strings.HasPrefix(tool, "list_directory") && strings.HasPrefix(text, "Directory") && !strings.Contains(text, "\n"):
		return nil // as the reference has it, what is no directory lists nothing
	}
	return fmt.Errorf("refused %t: %.300v", refused, ans)
}

// TestNoPathLeadsOut gives paths that lead out of the workspace to every tool that takes
// one, and those that tools do not change to every tool that changes files.
func TestNoPathLeadsOut(t *testing.T) {
	t.Parallel()
	dir, out := besieged(t)
	w := serveAt(t, dir)
	w.untilIndexed()
	inside, outside := disk(t, dir), disk(t, out)
	calls := 0
	try := func(a asked, path string) {
		if isLinkItself(a.tool, path) {
			return
		}
		calls++
		ans, refused := w.ask(a.tool, a.args(path))
		if err := refusal(a.tool, ans, refused); err != nil {
			t.Errorf("%s %.80q: %v", a.tool, a.args(path), err)
		}
	}
	for _, path := range waysOut(dir, out) {
		for _, a := range slices.Concat(lookers(), changers()) {
			try(a, path)
		}
	}
	for _, path := range kept() {
		for _, a := range changers() {
			try(a, path)
		}
	}
	// Names that other programs read something into stand for themselves.
	for _, path := range []string{`"f"`, "'f'", "f ", "f\t", "F", "~", "~/f", "%2e%2e%2fa_evil%2fx", `..\a_evil\x`, "C:\\", "file:///etc/passwd", "*"} {
		for _, a := range lookers() {
			try(a, path)
		}
	}
	if got := disk(t, dir); got != inside {
		t.Errorf("the workspace was changed:\n%s\nwas\n%s", got, inside)
	}
	if got := disk(t, out); got != outside {
		t.Errorf("what lies outside was changed:\n%s", got)
	}
	t.Logf("%d calls", calls)
}

// TestNoSwapLeadsOut exchanges a directory and a link that leads outside, again and
// again, while every tool works in it.
func TestNoSwapLeadsOut(t *testing.T) {
	t.Parallel()
	dir, out := besieged(t)
	w := serveAt(t, dir)
	w.untilIndexed()
	if err := os.Symlink(out, filepath.Join(dir, "evil")); err != nil {
		t.Fatal(err)
	}
	outside := disk(t, out)
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	swaps := 0
	wg.Go(func() {
		for ctx.Err() == nil {
			if swaps%2 == 0 { // rests now and then while the directory has its own name
				time.Sleep(time.Duration(rand.IntN(1000)) * time.Microsecond)
			}
			if err := unix.Renameat2(unix.AT_FDCWD, filepath.Join(dir, "d"), unix.AT_FDCWD, filepath.Join(dir, "evil"), unix.RENAME_EXCHANGE); err != nil {
				t.Error(err)
				return
			}
			swaps++
		}
	})
	done := map[string]int{}
	for range 15 {
		for _, a := range slices.Concat(lookers(), changers()) {
			for _, path := range []string{"d/x", "d", "d/d/y", "d/made"} {
				if path == "d" && slices.ContainsFunc(changers(), func(c asked) bool { return c.tool == a.tool }) {
					continue // the directory itself may be changed
				}
				ans, refused := w.ask(a.tool, a.args(path))
				if text := fmt.Sprint(ans); strings.Contains(text, secret) {
					t.Errorf("%s %s shows what is outside: %.300s", a.tool, path, text)
				}
				if !refused {
					done[a.tool]++
				}
			}
		}
		put(t, filepath.Join(dir, "f"), "F") // which may have been moved
	}
	stop()
	wg.Wait()
	if got := disk(t, out); got != outside {
		t.Errorf("what lies outside was changed:\n%s", got)
	}
	t.Logf("%d swaps; done: %v", swaps, done)
}
