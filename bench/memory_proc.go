package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// procDir is where Linux tells what its processes take.
const procDir = "/proc"

// footprint is what a process and all that it has started take at one moment.
type footprint struct {
	anon        int64         // resident memory that no file stands behind, in bytes
	own         int64         // the same, of the process alone
	processor   time.Duration // that living ones have used
	processes   int
	descriptors int // of the process alone
	threads     int // of the process alone
}

// procPresent fails where the system does not tell what processes take.
func procPresent() error {
	b, err := os.ReadFile(filepath.Join(procDir, "self", "status"))
	if err == nil {
		_, err = statusNumber(b, "RssAnon")
	}
	if err != nil {
		return fmt.Errorf("memory is measured through %s of Linux, which is not to be had here: %w", procDir, err)
	}
	return nil
}

// footprintOf looks at a process and its descendants. One that ends meanwhile does not
// count, but the first one must live.
func footprintOf(pid int) (footprint, error) {
	var f footprint
	all, err := processes()
	if err != nil {
		return f, err
	}
	for _, p := range family(all, pid) {
		b, err := os.ReadFile(procFile(p, "status"))
		var anon int64
		if err == nil {
			anon, err = statusNumber(b, "RssAnon")
		}
		switch {
		case err == nil:
			f.anon += anon << 10
			f.processor += all[p].processor
			f.processes++
		case p == pid:
			return f, fmt.Errorf("look at process %d: %w", pid, err)
		default: // ended, or about to
			continue
		}
		if p != pid {
			continue
		}
		f.own = anon << 10
		if n, err := statusNumber(b, "Threads"); err == nil {
			f.threads = int(n)
		}
		if names, err := os.ReadDir(procFile(pid, "fd")); err == nil {
			f.descriptors = len(names)
		}
	}
	return f, nil
}

func procFile(pid int, name string) string {
	return filepath.Join(procDir, strconv.Itoa(pid), name)
}

// process is what a line of stat says.
type process struct {
	parent    int
	processor time.Duration
}

// processes lists all that run.
func processes() (map[int]process, error) {
	entries, err := os.ReadDir(procDir)
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	all := map[int]process{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		b, err := os.ReadFile(procFile(pid, "stat"))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
			continue // it has ended
		}
		if err != nil {
			return nil, fmt.Errorf("list processes: %w", err)
		}
		p, err := parseStat(b)
		if err != nil {
			return nil, err
		}
		all[pid] = p
	}
	return all, nil
}

// family lists a process and its descendants, ancestors first.
func family(all map[int]process, pid int) []int {
	out := []int{pid}
	for i := 0; i < len(out); i++ {
		first := len(out)
		for child, p := range all {
			if p.parent == out[i] {
				out = append(out, child)
			}
		}
		slices.Sort(out[first:])
	}
	return out
}

// clockTick is the unit of times in stat, on every machine that Go runs on.
const clockTick = 10 * time.Millisecond

// parseStat reads /proc/PID/stat. The second field is the name of the program in
// parentheses, and may hold any byte: what follows counts from the last parenthesis.
func parseStat(b []byte) (process, error) {
	_, rest, ok := bytes.Cut(b, []byte(" ("))
	end := bytes.LastIndex(rest, []byte(") "))
	if !ok || end < 0 {
		return process{}, fmt.Errorf("read stat of a process: no name in %q", b)
	}
	fields := strings.Fields(string(rest[end+2:]))
	if len(fields) < 13 {
		return process{}, fmt.Errorf("read stat of a process: %d fields after the name in %q", len(fields), b)
	}
	var n [3]int64
	for i, at := range [...]int{1, 11, 12} { // parent, user time, system time
		var err error
		if n[i], err = strconv.ParseInt(fields[at], 10, 64); err != nil {
			return process{}, fmt.Errorf("read stat of a process: %w", err)
		}
	}
	return process{parent: int(n[0]), processor: time.Duration(n[1]+n[2]) * clockTick}, nil
}

// statusNumber returns the number of a line of /proc/PID/status; sizes are in kB there.
func statusNumber(b []byte, name string) (int64, error) {
	for line := range bytes.Lines(b) {
		rest, ok := bytes.CutPrefix(line, []byte(name+":"))
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(rest), []byte("kB")))), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("read status of a process: %w", err)
		}
		return n, nil
	}
	return 0, fmt.Errorf("read status of a process: no %s in it", name)
}

// goroutinesOf counts the goroutines in what a program prints when it is told to quit.
func goroutinesOf(dump string) int {
	n := 0
	for line := range strings.Lines(dump) {
		rest, ok := strings.CutPrefix(line, "goroutine ")
		number, state, cut := strings.Cut(rest, " ")
		if id, err := strconv.Atoi(number); ok && cut && err == nil && id > 0 && strings.Contains(state, "[") && strings.HasSuffix(strings.TrimSpace(state), "]:") {
			n++
		}
	}
	return n
}
