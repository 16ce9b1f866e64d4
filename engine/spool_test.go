package engine

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/engine/api"
)

// An export by way of processes that end while it runs is whole all the same, and
// nothing of one that was cut off is passed on.
func TestExportOutlivesLeaders(t *testing.T) {
	s := &testSpace{t: t, dir: t.TempDir()}
	generate(t, s.dir, 400, 0)
	s.open()
	s.reindex(api.ReindexChanged)
	want := s.exported()
	leader := s.Engine
	for i := range 12 {
		other := s.follow()
		got := make(chan error, 1)
		var out bytes.Buffer
		go func() { got <- other.Export(t.Context(), &out) }()
		time.Sleep(time.Duration(i) * 4 * time.Millisecond) // another moment each time; what must hold does not depend on it
		if err := leader.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := <-got; err != nil || out.String() != want {
			t.Fatalf("round %d: %d of %d bytes, %v", i, out.Len(), len(want), err)
		}
		leader = other
	}
}

func TestSpool(t *testing.T) {
	for _, size := range []int{0, 1, spoolAbove, 2*spoolAbove + 7} {
		s := &spool{}
		part := bytes.Repeat([]byte("0123456789"), 7000)
		want := []byte{}
		for len(want) < size {
			p := part[:min(len(part), size-len(want))]
			if n, err := s.Write(p); n != len(p) || err != nil {
				t.Fatal(n, err)
			}
			want = append(want, p...)
		}
		if onDisk := s.file != nil; onDisk != (size > spoolAbove) {
			t.Errorf("%d bytes on the disk: %v", size, onDisk)
		}
		var out strings.Builder
		if err := s.pass(&out); err != nil || out.String() != string(want) {
			t.Errorf("%d bytes became %d, %v", size, out.Len(), err)
		}
		if err := s.drop(); err != nil {
			t.Error(err)
		}
	}
}
