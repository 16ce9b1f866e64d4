// Command ralph-index keeps an exact index of a workspace and answers questions
// about it: to agents over MCP (serve), to people and programs as a command line.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(mainCode()) }

// mainCode is main without the exit, so that deferred work is done.
func mainCode() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// The first signal ends what runs in order, the second one at once.
	context.AfterFunc(ctx, stop)
	return run(ctx, os.Args[1:], system())
}
