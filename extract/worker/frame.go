package worker

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/ralph-index/ralph-index/extract"
	"github.com/ralph-index/ralph-index/graph"
)

// The two ends speak in frames: a little-endian 32-bit length and that many bytes.
// A request is the length of the path, the path, the hash and the source. A reply is
// a kind, the resident size of the process in kilobytes, and the blob or the error.
const (
	replyNothing byte = iota // nothing is extracted from such files
	replyBlob
	replyError
)

const (
	maxFrame    = 1<<31 - 1
	replyHeader = 1 + 4
)

type reply struct {
	kind byte
	rss  int64 // bytes
	body []byte
}

// appendRequest writes all of a request but the source.
func appendRequest(b []byte, f extract.File) []byte {
	size := 4 + len(f.Path) + len(f.Hash) + len(f.Src)
	b = binary.LittleEndian.AppendUint32(b, uint32(size))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(f.Path)))
	b = append(b, f.Path...)
	return append(b, f.Hash[:]...)
}

// readFrame reads one frame into buf, which it grows.
func readFrame(r *bufio.Reader, buf []byte) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := int(binary.LittleEndian.Uint32(head[:]))
	if n > maxFrame {
		return nil, fmt.Errorf("read frame: %d bytes", n)
	}
	if cap(buf) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	if _, err := io.ReadFull(r, buf); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return buf, nil
}

func parseRequest(b []byte) (extract.File, error) {
	var f extract.File
	if len(b) < 4 {
		return f, fmt.Errorf("read request: %d bytes", len(b))
	}
	n := int(binary.LittleEndian.Uint32(b))
	b = b[4:]
	if n < 0 || len(b) < n+len(f.Hash) {
		return f, fmt.Errorf("read request: path of %d bytes", n)
	}
	f.Path = graph.Path(b[:n])
	b = b[n:]
	b = b[copy(f.Hash[:], b):]
	f.Src = b
	return f, nil
}

func writeReply(w *bufio.Writer, r reply) error {
	var head [4 + replyHeader]byte
	binary.LittleEndian.PutUint32(head[:], uint32(replyHeader+len(r.body)))
	head[4] = r.kind
	binary.LittleEndian.PutUint32(head[5:], uint32(r.rss>>10))
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	if _, err := w.Write(r.body); err != nil {
		return err
	}
	return w.Flush()
}

func parseReply(b []byte) (reply, error) {
	if len(b) < replyHeader {
		return reply{}, fmt.Errorf("read reply: %d bytes", len(b))
	}
	return reply{kind: b[0], rss: int64(binary.LittleEndian.Uint32(b[1:])) << 10, body: b[replyHeader:]}, nil
}
