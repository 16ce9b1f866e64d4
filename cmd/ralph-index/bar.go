package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/client"
)

// bar shows the progress of a job on the error stream: redrawn in place on a
// terminal, a plain line every few seconds elsewhere. Its methods may be called
// concurrently.
type bar struct {
	w        io.Writer
	terminal bool
	every    time.Duration

	mu    sync.Mutex
	drawn time.Time
	shown bool
	stage string // of the last step, and when it began
	since time.Time
}

const (
	redraw   = 100 * time.Millisecond
	repeat   = 5 * time.Second
	barWidth = 10
	etaAfter = 3 * time.Second // before that an estimate is a guess
	// etaShare is the part of the files before which it is one, too: the large ones
	// come first, and count no more than others.
	etaShare = 0.1
)

func (a *app) newBar() *bar {
	b := &bar{w: a.stderr, terminal: isTerminal(a.stderr) && a.getenv("TERM") != "dumb", every: repeat}
	if b.terminal {
		b.every = redraw
	} else {
		b.drawn = time.Now() // a short job says nothing
	}
	return b
}

func (b *bar) step(p api.Progress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if p.Stage != b.stage || b.since.IsZero() {
		b.stage, b.since = p.Stage, now
	}
	if now.Sub(b.drawn) < b.every {
		return
	}
	b.drawn, b.shown = now, true
	text := describeProgress(p, now.Sub(b.since))
	if b.terminal {
		_, _ = fmt.Fprintf(b.w, "\r\x1b[K%s", text)
		return
	}
	_, _ = fmt.Fprintln(b.w, text)
}

// note shows a progress notification, whose message begins with the stage.
func (b *bar) note(p client.Progress) {
	stage, _, _ := strings.Cut(p.Message, " ")
	b.step(api.Progress{Stage: stage, Done: int(p.Progress), Total: int(p.Total)})
}

// clear removes the bar.
func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown && b.terminal {
		_, _ = fmt.Fprint(b.w, "\r\x1b[K")
	}
}

// describeProgress writes "parse ████▌      41%  3,210/7,800 files  12 MB/s  eta 9s" of
// a stage that has run for a while.
func describeProgress(p api.Progress, running time.Duration) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%-8s", p.Stage)
	if p.Total > 0 {
		share := min(float64(p.Done)/float64(p.Total), 1)
		fmt.Fprintf(&s, " %s %3.0f%%  %s/%s files", blocks(share), share*100, thousands(p.Done), thousands(p.Total))
	} else {
		fmt.Fprintf(&s, " %s files", thousands(p.Done))
	}
	if sec := running.Seconds(); p.Bytes > 0 && sec > 0 {
		fmt.Fprintf(&s, "  %.0f MB/s", float64(p.Bytes)/1e6/sec)
	}
	if p.Total > p.Done && float64(p.Done) >= etaShare*float64(p.Total) && p.Done > 0 && running >= etaAfter {
		left := time.Duration(float64(running) * float64(p.Total-p.Done) / float64(p.Done))
		fmt.Fprintf(&s, "  eta %v", left.Round(time.Second))
	}
	return s.String()
}

func blocks(share float64) string {
	eighths := int(share * barWidth * 8)
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune(" ▏▎▍▌▋▊▉")[rest])
	}
	return s + strings.Repeat(" ", barWidth-len([]rune(s)))
}

// thousands writes 12345 as 12,345.
// counted writes "1 file" or "1,234 files".
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return thousands(n) + " " + noun
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
