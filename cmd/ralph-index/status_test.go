package main

import (
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
)

func TestStatusNamesOddFiles(t *testing.T) {
	st := api.Status{Enabled: true, IndexExists: true, Generation: 1, Odd: []api.OddFiles{
		{Kind: api.OddUnreadable, Count: 1, Files: []api.OddFile{{Path: "locked", Reason: "permission"}}},
		{Kind: api.OddDangling, Count: 9, Files: []api.OddFile{{Path: "a\nb"}, {Path: "c"}, {Path: "d"}, {Path: "e"}}},
	}}
	got := runWith(t, &fake{status: st}, "status")
	const want = "odd        1 unreadable: locked (permission)\n           9 dangling link: a\uFFFDb, c, d, …\n"
	if !strings.Contains(got.stdout, want) {
		t.Errorf("got %s, want it to hold %s", got.stdout, want)
	}
	for _, line := range []string{`"odd_files":[{"kind":"unreadable","count":1,"files":[{"path":"locked","reason":"permission"}]},`} {
		if got := runWith(t, &fake{status: st}, "status", "--json"); !strings.Contains(got.stdout, line) {
			t.Errorf("JSON lacks %s: %s", line, got.stdout)
		}
	}
}

func TestStatusCountsAgree(t *testing.T) {
	st := api.Status{
		Enabled: true, IndexExists: true, Generation: 1, FilesIndexed: 1200, Partial: 5,
		LastJob: &api.Job{Mode: api.ReindexChanged, Status: api.JobTimedOut, FilesChanged: 1, FinishedAt: 0.5},
		Odd:     []api.OddFiles{{Kind: api.OddPartial, Count: 3}, {Kind: api.OddCapped, Count: 2}},
	}
	got := runWith(t, &fake{status: st}, "status")
	for _, want := range []string{
		"files      1,200 indexed; 0 stale, 0 dirty; 5 parsed in part (2 capped), 0 failed to parse\n",
		"last job   changed, cut by its time budget, the rest is still to be done: 1 file changed, 0 removed, 0 failed, in 500ms\n",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("got %s, want it to hold %s", got.stdout, want)
		}
	}
}

func TestStates(t *testing.T) {
	job := &api.Job{Mode: api.ReindexChanged, Status: api.JobOK}
	for _, c := range []struct {
		name   string
		st     api.Status
		check  int
		index  string
		advice string
	}{
		{"off", api.Status{}, 1, "off", ""},
		{"damaged", api.Status{Degraded: "index_damaged: it is being built again"}, 1, "damaged, to be built again", "the index was damaged and is built again"},
		{"silent", api.Status{Degraded: "leader_unresponsive: the leading process (pid 7) does not answer"}, 1, "held by a process that does not answer", "(pid 7)"},
		{"marked", api.Status{Enabled: true, IndexExists: true, Generation: 2, IsStale: true, DirtyPathsCount: 1}, 1, "generation 2, stale", "1 path marked as changed"},
		{"absent", api.Status{Enabled: true, ColdIndexRequired: true}, 1, "absent", "there is no index yet; run: ralph-index reindex"},
		{"empty", api.Status{Enabled: true, IndexExists: true, Generation: 1, LastJob: job}, 0, "empty: nothing to index", ""},
		{
			"incomplete", api.Status{Enabled: true, IndexExists: true, Generation: 3, FilesIndexed: 1200, ColdIndexRequired: true, IsStale: true, LastJob: job},
			1, "generation 3, incomplete: 1,200 files indexed", "incomplete: 1,200 files indexed; to go on, run: ralph-index reindex",
		},
		{
			"being built", api.Status{
				Enabled: true, IndexExists: true, Generation: 3, FilesIndexed: 12, ColdIndexRequired: true, ReindexInProgress: true,
				Progress: &api.Progress{Stage: "parse", Done: 4, Total: 9},
			},
			1, "generation 3, incomplete: 12 files indexed, a job is running (parse 4/9)", "",
		},
		{"stale", api.Status{Enabled: true, IndexExists: true, Generation: 2, IsStale: true}, 1, "generation 2, stale", "run: ralph-index reindex"},
		{"fresh", api.Status{Enabled: true, IndexExists: true, Generation: 2, FilesIndexed: 3}, 0, "generation 2, fresh", ""},
	} {
		got := runWith(t, &fake{status: c.st}, "status", "--check")
		if got.code != c.check || !strings.Contains(got.stdout, "index      "+c.index+"\n") {
			t.Errorf("%s: exit code %d, says %s", c.name, got.code, got.stdout)
		}
		if !strings.Contains(got.stderr, c.advice) || c.advice == "" && got.stderr != "" {
			t.Errorf("%s: advises %q, want %q", c.name, got.stderr, c.advice)
		}
	}
}
