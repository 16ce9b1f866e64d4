package tool_test

import (
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

func FuzzAppendText(f *testing.F) {
	for _, s := range []string{
		"", "a\"b\\", "\x00\b\t\n\f\r\x1f\x7f", "<é>&\u2028\u2029\ufffd😀", "\xff\xc3(\xed\xa0\x80\xe2\x80", strings.Repeat("\n", 9),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := tool.MarshalJSON(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := tool.AppendText([]byte("x"), s); string(got) != "x"+string(want) {
			t.Errorf("got %s, want x%s", got, want)
		}
	})
}
