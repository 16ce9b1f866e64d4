package sdk

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ralph-index/ralph-index/mcpserver/tool"
)

// appendResponse writes the answer of a tool as a line: what the library's encoder
// would, but for the escapes that are meant for HTML. An answer holds megabytes, and
// the library reads and copies each of them once for every level of the message. ok
// is false for a message that it does not know.
func appendResponse(b []byte, msg mcp.JSONRPCMessage) (line []byte, ok bool) {
	m, ok := msg.(mcp.JSONRPCResponse)
	if !ok {
		return b, false
	}
	res, ok := toolResult(m.Result)
	if !ok || len(res.Content) != 1 || res.StructuredContent != nil || len(res.InputRequests) > 0 || res.RequestState != "" {
		return b, false
	}
	text, ok := res.Content[0].(mcp.TextContent)
	if !ok || text.Annotations != nil || text.Meta != nil {
		return b, false
	}
	id, err := json.Marshal(m.ID)
	if err != nil {
		return b, false
	}
	b = slices.Grow(b, len(text.Text)*5/4+len(res.RawStructuredContent)+512) // growing bit by bit copies as much again
	b = append(append(append(b, `{"jsonrpc":`...), quoted(m.JSONRPC)...), `,"id":`...)
	b = append(append(b, id...), `,"result":{`...)
	if res.Meta != nil {
		meta, err := json.Marshal(res.Meta)
		if err != nil {
			return b, false
		}
		b = append(append(append(b, `"_meta":`...), meta...), ',')
	}
	b = append(b, `"content":[{"type":"text","text":`...)
	b = append(tool.AppendText(b, text.Text), `}]`...)
	if res.IsError {
		b = append(b, `,"isError":true`...)
	}
	if res.ResultType != "" {
		b = append(append(b, `,"resultType":`...), quoted(string(res.ResultType))...)
	}
	if len(res.RawStructuredContent) > 0 {
		b = append(b, `,"structuredContent":`...)
		if b, ok = appendRaw(b, res.RawStructuredContent); !ok {
			return b, false
		}
	}
	return append(b, "}}\n"...), true
}

func toolResult(result any) (mcp.CallToolResult, bool) {
	switch r := result.(type) {
	case mcp.CallToolResult:
		return r, true
	case *mcp.CallToolResult:
		if r != nil {
			return *r, true
		}
	}
	return mcp.CallToolResult{}, false
}

func quoted(s string) []byte { return tool.AppendText(nil, s) }

// appendRaw writes JSON that a tool has made. It must be one line of the stream.
func appendRaw(b []byte, raw json.RawMessage) ([]byte, bool) {
	if bytes.IndexByte(raw, '\n') < 0 {
		return append(b, raw...), true
	}
	out := bytes.NewBuffer(b)
	err := json.Compact(out, raw)
	return out.Bytes(), err == nil
}
