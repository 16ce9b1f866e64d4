package engine

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/ralph-index/ralph-index/engine/indexer"
	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/extract/worker"
	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/graph/resolve/c"
	"github.com/ralph-index/ralph-index/graph/resolve/generic"
	"github.com/ralph-index/ralph-index/graph/resolve/golang"
	"github.com/ralph-index/ralph-index/graph/resolve/java"
	"github.com/ralph-index/ralph-index/graph/resolve/markdown"
	"github.com/ralph-index/ralph-index/graph/resolve/php"
	"github.com/ralph-index/ralph-index/graph/resolve/python"
	"github.com/ralph-index/ralph-index/graph/resolve/ruby"
	"github.com/ralph-index/ralph-index/graph/resolve/rust"
	"github.com/ralph-index/ralph-index/graph/resolve/typescript"
)

// rules are the resolvers of all languages.
type rules struct {
	list   []graph.Resolver
	byLang map[string]graph.Resolver
}

// newRules lists the resolvers: the one place where a language's binding rules
// enter the product.
func newRules() rules {
	r := rules{
		list:   []graph.Resolver{c.Resolver{}, golang.Resolver{}, java.Resolver{}, php.Resolver{}, python.New(), ruby.Resolver{}, rust.Resolver{}, typescript.New(), markdown.Resolver{}},
		byLang: map[string]graph.Resolver{},
	}
	r.list = append(r.list, generic.Resolvers()...)
	for _, one := range r.list {
		for _, lang := range one.Languages() {
			r.byLang[lang] = one
		}
	}
	return r
}

type closingExtractor interface {
	indexer.Extractor
	// Warm makes ready what the next file would else wait for.
	Warm(context.Context) error
	Close() error
}

func newExtractor(o Options) (closingExtractor, error) {
	if len(o.WorkerCommand) == 0 {
		p := newInProcess()
		p.before = o.extracting
		return p, nil
	}
	p, err := worker.Start(worker.Options{Command: o.WorkerCommand, Workers: o.Workers, Logger: o.Logger})
	if err != nil {
		return nil, fmt.Errorf("start parser processes: %w", err)
	}
	return p, nil
}

// inProcess extracts in this process: a grammar that hangs or crashes takes the
// process with it, so servers use worker processes instead.
type inProcess struct {
	before func(graph.Path) // of tests; nil for none

	mu   sync.Mutex
	idle []*extract.Extractor
}

func newInProcess() *inProcess { return &inProcess{} }

func (p *inProcess) Extract(ctx context.Context, f extract.File) ([]byte, error) {
	if p.before != nil {
		p.before(f.Path)
	}
	x := p.take()
	defer p.give(x)
	return x.Encoded(ctx, f)
}

func (p *inProcess) Warm(context.Context) error {
	p.give(p.take())
	return nil
}

func (p *inProcess) take() *extract.Extractor {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		x := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return x
	}
	return extract.New(extract.Limits{})
}

func (p *inProcess) give(x *extract.Extractor) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, x)
}

func (p *inProcess) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range p.idle {
		x.Close()
	}
	p.idle = nil
	return nil
}

func sum(b []byte) graph.Hash { return sha256.Sum256(b) }
