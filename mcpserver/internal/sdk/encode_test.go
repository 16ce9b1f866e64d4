package sdk

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// decoded is a message as any reader sees it.
func decoded(t *testing.T, line []byte) any {
	t.Helper()
	if n := bytes.IndexByte(line, '\n'); n != len(line)-1 {
		t.Fatalf("no single line: %q", line)
	}
	var v any
	if err := json.Unmarshal(line, &v); err != nil {
		t.Fatalf("%v: %q", err, line)
	}
	return v
}

func answerOf(text string, structured string, isError bool) mcp.JSONRPCResponse {
	res := mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(text)}, IsError: isError}
	if structured != "" {
		res.RawStructuredContent = json.RawMessage(structured)
	}
	return mcp.JSONRPCResponse{JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId("a\"1"), Result: res}
}

func TestAppendResponseSaysWhatTheLibrarySays(t *testing.T) {
	meta := answerOf("m", `{}`, false)
	res := meta.Result.(mcp.CallToolResult)
	res.Meta = &mcp.Meta{AdditionalFields: map[string]any{"k": "<v>"}}
	res.ResultType = "complete"
	meta.Result = &res
	for _, m := range []mcp.JSONRPCResponse{
		answerOf("", "", false),
		answerOf("plain < text & more\n\t\r\x00\x1f\x7f \"q\" \\ é \u2028 \xff\xc3", "", true),
		answerOf(`{"a":1}`, "{\"a\": \"x\\n\",\n \"b\":[1, 2]}", false),
		answerOf("<", `{"html":"<a&b>"}`, true),
		meta,
	} {
		want, err := encodeLine(m)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := appendResponse([]byte{}, m)
		if !ok {
			t.Fatalf("not taken: %v", m)
		}
		if !reflect.DeepEqual(decoded(t, got), decoded(t, want)) {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}

func TestAppendResponseLeavesTheRest(t *testing.T) {
	two := answerOf("a", "", false)
	res := two.Result.(mcp.CallToolResult)
	res.Content = append(res.Content, mcp.NewTextContent("b"))
	two.Result = res
	bad := answerOf("a", "{\n", false)
	for _, m := range []mcp.JSONRPCMessage{
		two, bad, mcp.JSONRPCResponse{Result: map[string]any{}}, mcp.JSONRPCResponse{Result: (*mcp.CallToolResult)(nil)},
		mcp.NewJSONRPCError(mcp.NewRequestId(1), 1, "m", nil),
	} {
		if _, ok := appendResponse(nil, m); ok {
			t.Errorf("taken: %v", m)
		}
	}
}
