package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/ralph-index/ralph-index/engine"
	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/workspace"
)

// env is the world outside: streams, variables, and how an engine is opened.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	cwd            string // "": the process's
	open           func(context.Context, engine.Options) (service, error)
	executable     func() (string, error)
}

// service is an engine that someone must close.
type service interface {
	api.Service
	Close(ctx context.Context) error
}

func system() env {
	return env{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv,
		open: func(ctx context.Context, opts engine.Options) (service, error) {
			e, err := engine.Open(ctx, opts)
			if err != nil {
				return nil, err
			}
			return e, nil
		},
		executable: os.Executable,
	}
}

// app is what every command shares: the outside and the global flags.
type app struct {
	env
	dir      string
	roots    []string
	noIndex  bool
	existing bool // an index that is not there is not made
	asJSON   bool
	color    string
	verbose  int

	damaged func() bool // whether the index that is open turned out to be damaged; nil before one is
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, e env) int {
	a := &app{env: e}
	root := newRoot(a)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	return a.fail(err)
}

// logger logs to the error stream: from least on, and more when -v asks for it.
func (a *app) logger(least slog.Level) *slog.Logger {
	level := least
	switch {
	case a.verbose == 1:
		level = slog.LevelInfo
	case a.verbose > 1:
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
}

// workspaceDir finds the workspace that the flags and the environment name.
func (a *app) workspaceDir() (string, error) {
	dir, _, err := workspace.Find(workspace.Query{Flag: a.dir, Getenv: a.getenv, Cwd: a.cwd})
	if err != nil {
		switch {
		case errors.Is(err, workspace.ErrRefused): // it says what to do
		case errors.Is(err, fs.ErrNotExist) && a.dir != "":
			err = fmt.Errorf("%s does not exist; name a workspace with --workspace DIR", a.dir)
		default:
			err = fmt.Errorf("%w; name a workspace with --workspace DIR", err)
		}
		return "", &exitError{exitNoIndex, err}
	}
	return dir, nil
}

func (a *app) engineOptions() (engine.Options, error) {
	dir, err := a.workspaceDir()
	if err != nil {
		return engine.Options{}, err
	}
	for _, root := range a.roots {
		given := root
		if !filepath.IsAbs(given) {
			given = filepath.Join(a.workingDir(), given)
		}
		if st, err := os.Stat(given); err != nil || !st.IsDir() {
			return engine.Options{}, usage(fmt.Errorf("--root %s is no directory that can be read", root))
		}
	}
	self, err := a.executable()
	if err != nil {
		return engine.Options{}, fmt.Errorf("find this program: %w", err)
	}
	return engine.Options{
		Workspace: dir, Roots: a.roots, NoIndex: a.noIndex, Existing: a.existing,
		WorkerCommand: []string{self, workerCommand}, Version: buildVersion().Version,
		Logger: a.logger(slog.LevelWarn),
	}, nil
}

// withExisting is withEngine for commands that only ask: where there is no index they
// make none, nor its directory.
func (a *app) withExisting(ctx context.Context, f func(svc api.Service, dir string) error) error {
	a.existing = true
	return a.withEngine(ctx, f)
}

// withEngine opens the workspace, runs f, and closes it whatever happened: an
// interrupted command leaves a valid index.
func (a *app) withEngine(ctx context.Context, f func(svc api.Service, dir string) error) error {
	opts, err := a.engineOptions()
	if err != nil {
		return err
	}
	opts.Logger = a.logger(slog.LevelError) // what a command must say of the index it says itself
	var damaged atomic.Bool
	opts.Damaged = func(error) {
		if !damaged.Swap(true) {
			then := "is built again"
			if a.existing { // a command that only asks builds none
				then = "was thrown away; to build it again, run: ralph-index reindex"
			}
			a.note("the index was damaged, or of a form that this program does not know, and %s", then)
		}
	}
	svc, err := a.open(ctx, opts)
	if err != nil {
		return fmt.Errorf("open %s: %w", opts.Workspace, err)
	}
	a.damaged = damaged.Load
	err = unusable(ctx, svc, f(svc, opts.Workspace), damaged.Load())
	if e := svc.Close(context.WithoutCancel(ctx)); e != nil {
		err = errors.Join(err, fmt.Errorf("close %s: %w", opts.Workspace, e))
	}
	return err
}

// unusable gives what ended for want of an index the code of one that is there and of
// no use: it was damaged, or it is a newer program's.
func unusable(ctx context.Context, svc api.Service, err error, damaged bool) error {
	if err == nil || codeOf(err) != exitNoIndex {
		return err
	}
	if !damaged {
		st, serr := svc.Status(ctx)
		if serr != nil || !strings.HasPrefix(st.Degraded, "newer_version") && !strings.HasPrefix(st.Degraded, "leader_of_another_version") &&
			!strings.HasPrefix(st.Degraded, "index_damaged") {
			return err
		}
	}
	var own *exitError
	if errors.As(err, &own) {
		return &exitError{exitCorrupt, own.err}
	}
	return &exitError{exitCorrupt, err}
}

// noteDegraded says why an answer came from no index, where there should be one.
// what is the beginning of the sentence.
func (a *app) noteDegraded(ctx context.Context, svc api.Service, what string, fallback *string) {
	if fallback == nil || *fallback != api.FallbackNoIndex && *fallback != api.FallbackLeaderSilent {
		return
	}
	st, err := svc.Status(ctx)
	if err == nil && st.Degraded != "" {
		a.note("%sthe index cannot be used: %s", what, visible(st.Degraded))
	}
}

func (a *app) workingDir() string {
	if a.cwd != "" {
		return a.cwd
	}
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	return dir
}
