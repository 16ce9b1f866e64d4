package worker

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/ralph-index/ralph-index/extract"
)

// Serve is the other end of a pool: it extracts the files that come in and writes
// the facts out, one after another, until in ends (nil), ctx is done, or a pipe
// breaks. Nothing else may write to out.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	x := extract.New(extract.Limits{})
	defer x.Close()
	return serve(ctx, in, out, x.Encoded)
}

func serve(ctx context.Context, in io.Reader, out io.Writer, run func(context.Context, extract.File) ([]byte, error)) error {
	r, w := bufio.NewReaderSize(in, 64<<10), bufio.NewWriterSize(out, 64<<10)
	var buf []byte
	rss := int64(0)
	for n := 0; ; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		if buf, err = readFrame(r, buf); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("serve: %w", err)
		}
		f, err := parseRequest(buf)
		if err != nil {
			return fmt.Errorf("serve: %w", err)
		}
		facts, err := run(ctx, f)
		if n%rssStride == 0 || len(f.Src) > rssLarge {
			rss = residentSize()
		}
		rep := reply{kind: replyNothing, rss: rss}
		switch {
		case err != nil:
			rep.kind, rep.body = replyError, []byte(err.Error())
		case facts != nil:
			rep.kind, rep.body = replyBlob, facts
		}
		if err := writeReply(w, rep); err != nil {
			return fmt.Errorf("serve: %w", err)
		}
		if cap(buf) > keepBuffer {
			buf = nil
		}
	}
}

const (
	rssStride  = 32        // files between two looks at the resident size
	rssLarge   = 128 << 10 // a larger file is worth a look of its own
	keepBuffer = 4 << 20   // a larger request buffer is not kept
)

// residentSize returns the resident size of this process in bytes, or 0 where the
// system does not say.
func residentSize() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(b)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
