package indexer

import (
	"context"
	"fmt"

	"github.com/ralph-index/ralph-index/graph"
	"github.com/ralph-index/ralph-index/lexical"
)

// feeder hands the words of one run to the lexical index beside the run: so parsing
// goes on meanwhile, and a run that is cancelled does not wait for a batch that is
// under way. Files whose words are still on the way are unheld. The indexer owns the
// goroutine: one at a time, waited for before the next run and by Close.
type feeder struct {
	x    *Indexer
	in   chan []lexical.Doc
	done chan struct{}
	err  error // set before done is closed

	// Guarded by Indexer.mu.
	applied   []graph.FileID // held now, and not known outside the run
	published bool           // from now on the indexer's list of unheld files is the one to change
}

// feed starts a feeder. The caller holds the writer's turn, so none is running.
func (x *Indexer) feed(ctx context.Context) *feeder {
	f := &feeder{x: x, in: make(chan []lexical.Doc), done: make(chan struct{})}
	<-x.idle
	go func() {
		defer func() { x.idle <- struct{}{} }()
		defer close(f.done)
		for docs := range f.in {
			if ctx.Err() != nil || f.err != nil {
				continue
			}
			f.err = f.apply(ctx, docs)
		}
	}()
	return f
}

func (f *feeder) apply(ctx context.Context, docs []lexical.Doc) error {
	// What is not on disk when the next batch comes is merged with it on its way there,
	// which costs more than to wait here.
	if err := f.x.o.Lexical.Flush(ctx); err != nil {
		if ctx.Err() != nil {
			return nil // the files of the batch stay unheld
		}
		return fmt.Errorf("feed lexical index: %w", err)
	}
	if err := f.x.o.Lexical.Apply(ctx, lexical.Batch{Put: docs}); err != nil {
		return fmt.Errorf("feed lexical index: %w", err)
	}
	f.x.reached(StepFed)
	f.x.mu.Lock()
	defer f.x.mu.Unlock()
	for i := range docs {
		if f.published {
			delete(f.x.unheld, docs[i].ID)
		} else {
			f.applied = append(f.applied, docs[i].ID)
		}
	}
	return nil
}

// send passes a batch on, unless ctx ends first: then its files stay unheld.
func (f *feeder) send(ctx context.Context, docs []lexical.Doc) {
	select {
	case f.in <- docs:
	case <-ctx.Done():
	}
}

// end tells the feeder that no more comes.
func (f *feeder) end() { close(f.in) }

// wait returns when everything is held, or when ctx ends.
func (f *feeder) wait(ctx context.Context) error {
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		return nil
	}
}

// settled takes the turn's wait for a feeder that an earlier run left behind.
func (x *Indexer) settled(ctx context.Context) error {
	select {
	case <-x.idle:
		x.idle <- struct{}{}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close waits for what runs beside the last run. Nothing may run meanwhile.
func (x *Indexer) Close() {
	x.apart.close()
	<-x.idle
	x.idle <- struct{}{}
}
