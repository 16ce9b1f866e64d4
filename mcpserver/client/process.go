package client

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// stopTime is how long a child may take to end after its input was closed: a
// server lets running calls finish for five seconds.
const stopTime = 8 * time.Second

// Start runs a server as a child process and returns a client on its pipes. The
// caller sets up the command but not its input and output. Close closes the
// child's input, waits for it, and kills it when it does not end.
func Start(cmd *exec.Cmd, opts Options) (*Client, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("open pipe to server: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("open pipe from server: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	return New(&child{cmd: cmd, Reader: out, in: in, ended: make(chan struct{})}, opts), nil
}

// child is a process as a connection.
type child struct {
	io.Reader
	cmd   *exec.Cmd
	in    io.WriteCloser
	ended chan struct{} // the output has ended
}

func (c *child) Write(p []byte) (int, error) {
	return c.in.Write(p)
}

// Read marks the end of the output, before which the process must not be waited
// for.
func (c *child) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if err != nil {
		select {
		case <-c.ended:
		default:
			close(c.ended)
		}
	}
	return n, err
}

// Close ends the child.
func (c *child) Close() error {
	closeErr := c.in.Close()
	killed := false
	select {
	case <-c.ended:
	case <-time.After(stopTime):
		killed = true
		_ = c.cmd.Process.Kill() // it may just have ended
		<-c.ended
	}
	if err := c.cmd.Wait(); err != nil {
		if killed {
			return errors.New("the server did not end and was killed")
		}
		return fmt.Errorf("server: %w", err)
	}
	if closeErr != nil {
		return fmt.Errorf("close pipe to server: %w", closeErr)
	}
	return nil
}
