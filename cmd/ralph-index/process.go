package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// protocolStreams takes the real standard output for the protocol alone: whatever
// else writes to descriptor 1, in this process or a child, goes to the error
// stream from now on. Other writers, in tests, are returned as they are.
func protocolStreams(stdout io.Writer, stdin io.Reader) (io.Writer, io.Reader, error) {
	f, ok := stdout.(*os.File)
	if !ok || f.Fd() != 1 {
		return stdout, stdin, nil
	}
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, nil, fmt.Errorf("set the output aside: %w", err)
	}
	if err := redirect(2, 1); err != nil {
		return nil, nil, fmt.Errorf("send stray output to the error stream: %w", err)
	}
	return os.NewFile(uintptr(fd), "protocol"), stdin, nil
}

// parentPoll is how often a server looks whether the process that started it
// still lives.
const parentPoll = 500 * time.Millisecond

// withParent returns a context that ends with the parent process. Most parents
// close our input when they die, but not when another process holds the pipe. The
// kernel's own signal for this is of no use: it follows the parent's thread.
func withParent(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(parentPoll)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if os.Getppid() != parent {
					cancel()
					return
				}
			}
		}
	}()
	return ctx, func() {
		cancel()
		<-done
	}
}
