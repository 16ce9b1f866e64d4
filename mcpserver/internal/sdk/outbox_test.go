package sdk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

func TestResultThatCannotBeEncodedIsAnswered(t *testing.T) {
	var out bytes.Buffer
	o := newOutbox(&out, make(chan mcp.JSONRPCNotification))
	call := &inflight{id: json.RawMessage(`"a"`)}
	<-o.put(mcp.NewJSONRPCResultResponse(mcp.NewRequestId("a"), map[string]any{"f": func() {}}), call)
	o.close()
	<-o.done
	if got := out.String(); !strings.Contains(got, `"id":"a"`) || !strings.Contains(got, "-32603") {
		t.Errorf("got %s", got)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestBrokenOutputReleasesEveryone(t *testing.T) {
	o := newOutbox(brokenWriter{}, make(chan mcp.JSONRPCNotification))
	big := strings.Repeat("x", 1<<20)
	for range 3 {
		<-o.put(mcp.NewJSONRPCResultResponse(mcp.NewRequestId("a"), big), nil)
	}
	<-o.done
	<-o.put(mcp.NewJSONRPCResultResponse(mcp.NewRequestId("a"), big), nil)
	if o.err == nil {
		t.Error("nobody says that the output broke")
	}
}

func TestReadLine(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string // "!" is a line that is too long
	}{
		{"", nil},
		{"a\nb\n", []string{"a\n", "b\n"}},
		{"a\n\nb", []string{"a\n", "\n", "b"}},
		{"12345678\n123456789\nx\n", []string{"12345678\n", "!", "x\n"}},
		{"123456789", []string{"123456789"}},
		{"1234567890", []string{"!"}},
		{strings.Repeat("y", 100) + "\nx", []string{"!", "x"}},
	} {
		r := bufio.NewReaderSize(strings.NewReader(c.in), 16)
		var got []string
		for {
			line, err := readLine(r, 9)
			if errors.Is(err, errLineTooLong) {
				got = append(got, "!")
				continue
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					t.Errorf("%q: %v", c.in, err)
				}
				break
			}
			got = append(got, string(line))
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzIDKey(f *testing.F) {
	for _, s := range []string{`1`, `"1"`, `null`, `-1e5`, `"\u0061"`, ``, ` 1 `} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, id string) {
		key, ok := idKey(json.RawMessage(id))
		if ok && (len(key) == 0 || key[0] != 's' && key[0] != 'n') {
			t.Errorf("%q has key %q", id, key)
		}
	})
}
