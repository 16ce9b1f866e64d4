package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

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
	dir     string
	roots   []string
	noIndex bool
	asJSON  bool
	color   string
	verbose int
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, e env) int {
	a := &app{env: e}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(e.stdin)
	root.SetOut(e.stdout)
	root.SetErr(e.stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	return a.fail(err)
}

func (a *app) logger() *slog.Logger {
	level := slog.LevelWarn
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
		return "", &exitError{exitNoIndex, fmt.Errorf("find the workspace: %w; name one with --workspace DIR", err)}
	}
	return dir, nil
}

func (a *app) engineOptions(dir string) (engine.Options, error) {
	self, err := a.executable()
	if err != nil {
		return engine.Options{}, fmt.Errorf("find this program: %w", err)
	}
	return engine.Options{
		Workspace: dir, Roots: a.roots, NoIndex: a.noIndex,
		WorkerCommand: []string{self, workerCommand}, Version: buildVersion().Version,
		Logger: a.logger(),
	}, nil
}

// withEngine opens the workspace, runs f, and closes it whatever happened: an
// interrupted command leaves a valid index.
func (a *app) withEngine(ctx context.Context, f func(svc api.Service, dir string) error) error {
	dir, err := a.workspaceDir()
	if err != nil {
		return err
	}
	opts, err := a.engineOptions(dir)
	if err != nil {
		return err
	}
	svc, err := a.open(ctx, opts)
	if err != nil {
		return fmt.Errorf("open %s: %w", dir, err)
	}
	err = f(svc, dir)
	if e := svc.Close(context.WithoutCancel(ctx)); e != nil {
		err = errors.Join(err, fmt.Errorf("close %s: %w", dir, e))
	}
	return err
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
