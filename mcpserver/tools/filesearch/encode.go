package filesearch

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/ralph-index/ralph-index/engine/api"
	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// AppendJSON implements tool.Appender: encoding thousands of matches by reflection takes
// longer than finding them.
func (o *grepOut) AppendJSON(b []byte) ([]byte, error) {
	ans := *o.GrepAnswer
	ans.Matches = []api.Match{}
	raw, err := tool.MarshalJSON(grepOut{GrepAnswer: &ans, EvidenceIDs: o.EvidenceIDs})
	if err != nil {
		return nil, err
	}
	// Within a string of the answer the quotes would be escaped.
	before, after, ok := bytes.Cut(raw, []byte(`"matches":[`))
	if !ok {
		return nil, fmt.Errorf("encode matches: no place for them in %.100q", raw)
	}
	b = append(append(b, before...), `"matches":[`...)
	for i := range o.Matches {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendMatch(b, &o.Matches[i])
	}
	return append(b, after...), nil
}

// appendMatch writes a match as its JSON tags have it.
func appendMatch(b []byte, m *api.Match) []byte {
	b = tool.AppendText(append(b, `{"path":`...), string(m.Path))
	b = appendSet(b, `,"path_id":`, m.PathID)
	b = strconv.AppendUint(append(b, `,"line":`...), uint64(m.Line), 10)
	b = strconv.AppendUint(append(b, `,"col":`...), uint64(m.Col), 10)
	b = tool.AppendText(append(b, `,"text":`...), m.Text)
	if m.TextTruncated {
		b = append(b, `,"text_truncated":true`...)
	}
	b = appendLines(append(b, `,"context_before":`...), m.ContextBefore)
	b = appendLines(append(b, `,"context_after":`...), m.ContextAfter)
	if m.ContextCut {
		b = append(b, `,"context_truncated":true`...)
	}
	b = appendSet(b, `,"evidence_id":`, m.EvidenceID)
	b = appendSet(b, `,"symbol":`, m.Symbol)
	return append(b, '}')
}

func appendSet(b []byte, key, value string) []byte {
	if value == "" {
		return b
	}
	return tool.AppendText(append(b, key...), value)
}

func appendLines(b []byte, lines []string) []byte {
	if lines == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for i, l := range lines {
		if i > 0 {
			b = append(b, ',')
		}
		b = tool.AppendText(b, l)
	}
	return append(b, ']')
}
