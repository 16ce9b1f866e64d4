package bench

import (
	"os"
	"slices"
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	const rest = " 1 1 0 -1 4194560 0 0 0 0 250 7 0 0 20 0 1 0 5 0 0\n"
	for _, c := range []struct {
		name, text string
		want       process
		fails      bool
	}{
		{name: "plain", text: "42 (server) S 7" + rest, want: process{7, 2570 * time.Millisecond}},
		{name: "a name like the fields after it", text: "42 (a) S 9 (b) R 8) S 7" + rest, want: process{7, 2570 * time.Millisecond}},
		{name: "a name with a line end", text: "42 (a\nb) S 7" + rest, want: process{7, 2570 * time.Millisecond}},
		{name: "no name", text: "42 server S 7" + rest, fails: true},
		{name: "cut off", text: "42 (server) S 7 1 1", fails: true},
		{name: "no number", text: "42 (server) S x" + rest, fails: true},
		{name: "empty", fails: true},
	} {
		got, err := parseStat([]byte(c.text))
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%s: got %v, %v", c.name, got, err)
		}
	}
}

func TestStatusNumber(t *testing.T) {
	const status = "Name:\tserver\nVmRSS:\t  123456 kB\nRssAnon:\t   98304 kB\nRssFile:\t  1 kB\nThreads:\t12\nCpus_allowed:\tff\nOdd:\t\n"
	for _, c := range []struct {
		name  string
		want  int64
		fails bool
	}{
		{"RssAnon", 98304, false},
		{"VmRSS", 123456, false},
		{"Threads", 12, false},
		{"Rss", 0, true},
		{"Cpus_allowed", 0, true},
		{"Odd", 0, true},
		{"RssShmem", 0, true},
	} {
		got, err := statusNumber([]byte(status), c.name)
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%s: got %d, %v", c.name, got, err)
		}
	}
}

func TestFamily(t *testing.T) {
	all := map[int]process{1: {}, 10: {parent: 1}, 11: {parent: 10}, 15: {parent: 10}, 12: {parent: 15}, 13: {parent: 1}, 14: {parent: 13}}
	if got, want := family(all, 10), []int{10, 11, 15, 12}; !slices.Equal(got, want) {
		t.Errorf("family of 10 is %v, want %v", got, want)
	}
	if got := family(all, 99); !slices.Equal(got, []int{99}) {
		t.Errorf("family of a process that is gone is %v", got)
	}
}

func TestGoroutinesOf(t *testing.T) {
	const dump = `level=WARN msg="goroutine 5 [running]:" said by a log
SIGQUIT: quit
PC=0x47 m=0 sigcode=0

goroutine 0 gp=0x1 m=0 mp=0x2 [idle]:
runtime.futex()

goroutine 1 [select, 2 minutes]:
main.run()
	/src/main.go:1 +0x1
created by main.main in goroutine 1
	/src/main.go:2 +0x1

goroutine 18 gp=0xc00 m=nil [GC worker (idle)]:
goroutine 21 [sync.Cond.Wait, 3 minutes, locked to thread]:
goroutine x [running]:
goroutine 9
rax    0x0
`
	if got := goroutinesOf(dump); got != 3 {
		t.Errorf("got %d goroutines, want 3", got)
	}
	if got := goroutinesOf(""); got != 0 {
		t.Errorf("got %d goroutines of nothing", got)
	}
}

// TestFootprint looks at this process where the system tells.
func TestFootprint(t *testing.T) {
	if procPresent() != nil {
		if _, err := footprintOf(os.Getpid()); err == nil {
			t.Error("a footprint is known where there is nothing to read it from")
		}
		return
	}
	f, err := footprintOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if f.own <= 0 || f.anon < f.own || f.processes < 1 || f.descriptors < 3 || f.threads < 1 {
		t.Errorf("footprint of this process is %+v", f)
	}
	if _, err := footprintOf(1 << 30); err == nil {
		t.Error("a process that does not exist has a footprint")
	}
}
