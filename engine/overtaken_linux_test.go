package engine

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/engine/indexer"
	"github.com/ralph-index/ralph-index/graph/query"
)

// A file that goes away after a run has read it, and before the run publishes it, is
// not in the index afterwards, although somebody asks in between: the event is about
// a file that has no record yet.
func TestFileGoneBeforeItIsPublished(t *testing.T) {
	read, publish := make(chan struct{}), make(chan struct{})
	free := sync.OnceFunc(func() { close(publish) })
	defer free()
	var armed atomic.Bool
	s := watched(t, smallGo(), func(o *Options) {
		o.Reached = func(step string) {
			if step == string(indexer.StepNoted) && armed.CompareAndSwap(true, false) {
				close(read)
				<-publish
			}
		}
	})
	s.untilTrusted()
	x := s.index()
	armed.Store(true)
	s.write("gone.go", "package m\n\nfunc Gone() { G() }\n")
	<-read
	s.remove("gone.go")
	if !x.hear(t.Context(), api.Required) {
		t.Fatal("events are not trusted")
	}
	free()
	// A question that looks at no file by itself: it would notice.
	s.graph(query.Request{Type: query.Hubs}, api.Required)
	if st := s.status(); st.FilesIndexed != len(smallGo()) {
		t.Errorf("%d files are indexed, want %d", st.FilesIndexed, len(smallGo()))
	}
}
