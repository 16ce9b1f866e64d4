package worker

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/ralph-index/ralph-index/extract"
)

// depth is how many files a process has at once: while it works on one, the next
// stands in its pipe.
const depth = 2

// child is one worker process with the goroutines that serve its pipes.
type child struct {
	cmd     *exec.Cmd
	stdin   io.Closer
	send    chan extract.File // to the writer; holds depth
	replies chan reply        // from the reader; closed when the process is gone; holds depth
	pipes   sync.WaitGroup
	stderr  tail
}

// oneArena keeps the C library from having an arena for each thread that ever parsed: a
// process parses one file at a time, on whatever thread, and what is freed in one arena
// is of no use to the next. It halves the memory of a process.
const oneArena = "MALLOC_ARENA_MAX=1"

// oneProcessor is for the same reason: on more, the runtime looks for other work to run
// and collects garbage beside the parser, a tenth of the processor time of a first index.
const oneProcessor = "GOMAXPROCS=1"

// seldomCollect is because next to nothing lives longer than one file: a heap of 20 MB in
// place of 5 is a quarter of the collections.
const seldomCollect = "GOGC=400"

func startChild(opt *Options) (*child, error) {
	c := &child{
		cmd:     exec.Command(opt.Command[0], opt.Command[1:]...),
		send:    make(chan extract.File, depth),
		replies: make(chan reply, depth),
	}
	// What is said twice counts as it is said last.
	c.cmd.Env = slices.Concat([]string{oneArena, oneProcessor, seldomCollect}, os.Environ(), opt.Env)
	c.cmd.Stderr = &c.stderr
	setProcessAttributes(c.cmd)
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, startError(err)
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, startError(err)
	}
	widen(stdin)
	widen(stdout)
	if err := c.cmd.Start(); err != nil {
		return nil, startError(err)
	}
	c.stdin = stdin
	c.pipes.Add(2)
	go c.write(stdin)
	go c.read(stdout)
	return c, nil
}

// write sends files until the channel is closed or the pipe breaks; what is wrong
// with the process the reader finds out.
func (c *child) write(w io.WriteCloser) {
	defer c.pipes.Done()
	defer func() { _ = w.Close() }() // the process sees the end of its input
	var buf []byte
	for f := range c.send {
		buf = appendRequest(buf[:0], f)
		if len(f.Src) < 64<<10 { // one system call for most files
			buf = append(buf, f.Src...)
			if _, err := w.Write(buf); err != nil {
				break
			}
			continue
		}
		if _, err := w.Write(buf); err != nil {
			break
		}
		if _, err := w.Write(f.Src); err != nil {
			break
		}
	}
	for range c.send { // the pipe is broken: let the slot go on
	}
}

func (c *child) read(r io.Reader) {
	defer c.pipes.Done()
	defer close(c.replies)
	br := bufio.NewReaderSize(r, 64<<10)
	for {
		b, err := readFrame(br, nil)
		if err != nil {
			return
		}
		rep, err := parseReply(b)
		if err != nil {
			return
		}
		c.replies <- rep
	}
}

// stop ends the process, at once or after the files that it has, and waits for it.
// It returns why the process ended and what it wrote to its standard error.
func (c *child) stop(kill bool) string {
	close(c.send)
	if kill {
		_ = c.cmd.Process.Kill() // it may be gone already
	} else {
		late := time.AfterFunc(patience, func() { _ = c.cmd.Process.Kill() })
		defer late.Stop()
	}
	for range c.replies { // until the process is gone
	}
	_ = c.stdin.Close()
	c.pipes.Wait()
	err := c.cmd.Wait()
	return fmt.Sprintf("%v: %s", err, c.stderr.String())
}

// patience is how long a process without work may take to end by itself.
const patience = 2 * time.Second

// tail keeps the end of what is written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

const tailSize = 2 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if extra := len(t.b) - tailSize; extra > 0 {
		t.b = append(t.b[:0], t.b[extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.b)
}
