package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/client"
)

func TestDescribeProgress(t *testing.T) {
	for _, c := range []struct {
		p    api.Progress
		want string
	}{
		{api.Progress{Stage: "walk", Done: 1234}, "walk     1,234 files"},
		{api.Progress{Stage: "parse", Done: 3210, Total: 7800, Bytes: 120e6}, "parse    ████        41%  3,210/7,800 files  12 MB/s  eta 14s"},
		{api.Progress{Stage: "parse", Done: 9, Total: 9}, "parse    ██████████ 100%  9/9 files"},
		{api.Progress{Stage: "parse", Done: 12, Total: 9}, "parse    ██████████ 100%  12/9 files"},
		{api.Progress{Stage: "parse", Done: 0, Total: 9}, "parse                 0%  0/9 files"},
	} {
		if got := describeProgress(c.p, 10*time.Second); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

func TestBarOnATerminalLeavesNothing(t *testing.T) {
	var out bytes.Buffer
	b := &bar{w: &out, terminal: true}
	b.step(api.Progress{Stage: "parse", Done: 1, Total: 2})
	b.note(client.Progress{Message: "parse 2/2 files", Progress: 2, Total: 2})
	b.clear()
	if !strings.HasSuffix(out.String(), "\r\x1b[K") || !strings.Contains(out.String(), "parse    ██████████ 100%  2/2 files") {
		t.Errorf("got %q", out.String())
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", 100000: "100,000"} {
		if got := thousands(n); got != want {
			t.Errorf("%d is written %s", n, got)
		}
	}
}

func TestNoEstimateAtTheBeginning(t *testing.T) {
	p := api.Progress{Stage: "parse", Done: 10, Total: 100}
	for running, want := range map[time.Duration]bool{2 * time.Second: false, 3 * time.Second: true} {
		if got := strings.Contains(describeProgress(p, running), "eta"); got != want {
			t.Errorf("after %v: estimate %t", running, got)
		}
	}
}

func TestCutLine(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"äöüß", 3, "äö…"},
		{"\x1b[1mabc\x1b[0m", 3, "\x1b[1mabc\x1b[0m"},
		{"\x1b[1mabcd\x1b[0m", 3, "\x1b[1mab…\x1b[0m"},
		{"\tabc", 10, "\ta…"},
		{"", 3, ""},
	} {
		if got := cutLine(c.text, c.width); got != c.want {
			t.Errorf("%q at %d: got %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestEstimateIsOfTheStage(t *testing.T) {
	var out bytes.Buffer
	b := &bar{w: &out, terminal: true}
	b.step(api.Progress{Stage: "walk", Done: 1})
	b.since = b.since.Add(-time.Hour)
	b.step(api.Progress{Stage: "parse", Done: 1, Total: 100})
	if strings.Contains(out.String(), "eta") {
		t.Errorf("the time of another stage is counted: %q", out.String())
	}
	b.since = b.since.Add(-30 * time.Second)
	b.step(api.Progress{Stage: "parse", Done: 9, Total: 100})
	if strings.Contains(out.String(), "eta") {
		t.Errorf("an estimate from a few large files: %q", out.String())
	}
	b.since, b.drawn = b.since.Add(20*time.Second), time.Time{}
	b.step(api.Progress{Stage: "parse", Done: 50, Total: 100})
	if !strings.Contains(out.String(), "eta 10s") {
		t.Errorf("got %q", out.String())
	}
}
