package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ralph-index/ralph-index/mcpserver/session"
)

// wire is a client that writes and reads lines over real pipes.
type wire struct {
	t     *testing.T
	in    *os.File
	lines chan string
	ended chan error // what ServeStdio returned
	stop  context.CancelFunc
}

func connect(t *testing.T, s *Server) *wire {
	t.Helper()
	serverIn, in := pipe(t)
	out, serverOut := pipe(t)
	ctx, stop := context.WithCancel(context.Background())
	w := &wire{t: t, in: in, lines: make(chan string, 20000), ended: make(chan error, 1), stop: stop}
	var wg sync.WaitGroup
	wg.Go(func() {
		err := s.ServeStdio(ctx, serverIn, serverOut)
		serverOut.Close()
		w.ended <- err
	})
	wg.Go(func() {
		defer close(w.lines)
		r := bufio.NewReader(out)
		for {
			line, err := r.ReadString('\n')
			if line != "" {
				w.lines <- strings.TrimSuffix(line, "\n")
			}
			if err != nil {
				return
			}
		}
	})
	t.Cleanup(func() { stop(); in.Close(); wg.Wait() })
	return w
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

func (w *wire) send(lines ...string) {
	w.t.Helper()
	if _, err := io.WriteString(w.in, strings.Join(lines, "\n")+"\n"); err != nil {
		w.t.Fatal(err)
	}
}

func (w *wire) probe(id string, args string) {
	w.t.Helper()
	w.send(probeCall(id, args))
}

func probeCall(id, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"probe","arguments":%s}}`, id, args)
}

// reply is a line from the server.
type reply struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Token    json.RawMessage `json:"progressToken"`
		Progress float64         `json:"progress"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	line string
}

func (w *wire) read() reply {
	w.t.Helper()
	line := within(w.t, "a line from the server", w.lines)
	r := reply{line: line}
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		w.t.Fatalf("line %q: %v", line, err)
	}
	return r
}

// rest ends the input and returns what still comes.
func (w *wire) rest() []reply {
	w.t.Helper()
	w.in.Close()
	if err := within(w.t, "the end of the server", w.ended); err != nil {
		w.t.Errorf("server ended with %v", err)
	}
	w.ended <- nil
	var out []reply
	for line := range w.lines {
		r := reply{line: line}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			w.t.Fatalf("line %q: %v", line, err)
		}
		out = append(out, r)
	}
	return out
}

func TestProgressComesBeforeTheReply(t *testing.T) {
	w := connect(t, newProbes().server(t, session.Development))
	for i := range 50 {
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"probe","arguments":{"steps":20},"_meta":{"progressToken":"t%d"}}}`, i, i))
		last := 0.0
		for n := 0; ; n++ {
			r := w.read()
			if r.Method == "" {
				if n != 20 || string(r.ID) != fmt.Sprint(i) {
					t.Fatalf("call %d: %d notes before %s", i, n, r.line)
				}
				break
			}
			if string(r.Params.Token) != fmt.Sprintf(`"t%d"`, i) || r.Params.Progress <= last {
				t.Fatalf("call %d: note %s after progress %v", i, r.line, last)
			}
			last = r.Params.Progress
		}
	}
	if more := w.rest(); len(more) > 0 {
		t.Errorf("more came: %v", more)
	}
}

func TestNoProgressWithoutAToken(t *testing.T) {
	w := connect(t, newProbes().server(t, session.Development))
	w.probe("1", `{"steps":5}`)
	if r := w.read(); r.Method != "" {
		t.Errorf("got %s", r.line)
	}
}

func TestManyCallsAtOnce(t *testing.T) {
	w := connect(t, newProbes().server(t, session.Development))
	const n = 200
	var b strings.Builder
	for i := range n {
		b.WriteString(probeCall(fmt.Sprint(i), fmt.Sprintf(`{"text":"t%d","ms":1}`, i)) + "\n")
	}
	w.send(strings.TrimSuffix(b.String(), "\n"))
	seen := map[string]bool{}
	for range n {
		r := w.read()
		if !strings.Contains(string(r.Result), fmt.Sprintf(`t%s\"`, r.ID)) {
			t.Errorf("reply to %s is %s", r.ID, r.line)
		}
		seen[string(r.ID)] = true
	}
	if len(seen) != n {
		t.Errorf("%d of %d answered", len(seen), n)
	}
}

func TestPingWhileAllWorkersAreBusy(t *testing.T) {
	p := newProbes()
	w := connect(t, p.server(t, session.Development))
	for i := range 150 {
		w.probe(fmt.Sprint(i), `{"ms":60000}`)
	}
	within(t, "a slow call", p.started)
	for i := range 10 {
		start := time.Now()
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"ping%d","method":"ping"}`, i))
		r := w.read()
		if string(r.ID) != fmt.Sprintf(`"ping%d"`, i) {
			t.Fatalf("got %s", r.line)
		}
		t.Logf("ping after %v", time.Since(start))
	}
}

func cancelled(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"test"}}`, id)
}

func TestCancelRunning(t *testing.T) {
	p := newProbes()
	w := connect(t, p.server(t, session.Development))
	w.probe("7", `{"text":"x","ms":60000}`)
	within(t, "the call", p.started)
	start := time.Now()
	w.send(cancelled("7"))
	if got := within(t, "the end of the handler's context", p.ended); got != "x" {
		t.Errorf("ended %q", got)
	}
	t.Logf("cancel reached the handler after %v", time.Since(start))
	w.send(`{"jsonrpc":"2.0","id":8,"method":"ping"}`)
	if more := w.rest(); len(more) != 1 || string(more[0].ID) != "8" {
		t.Errorf("a cancelled call is answered: %v", more)
	}
}

func TestCancelQueued(t *testing.T) {
	p := newProbes()
	w := connect(t, p.server(t, session.Development))
	const workers = 64
	for i := range workers {
		w.probe(fmt.Sprint(i), `{"text":"slow","ms":60000}`)
	}
	for range workers {
		within(t, "a slow call", p.started)
	}
	w.probe(`"queued"`, `{"text":"queued"}`)
	w.send(cancelled(`"queued"`))
	for i := range workers {
		w.send(cancelled(fmt.Sprint(i)))
	}
	for range workers {
		within(t, "the end of a slow call", p.ended)
	}
	if more := w.rest(); len(more) > 0 {
		t.Errorf("cancelled calls are answered: %v", more[0].line)
	}
	if len(p.started) > 0 {
		t.Errorf("the cancelled call in the queue ran: %s", <-p.started)
	}
}

func TestIDsAreToldApart(t *testing.T) {
	p := newProbes()
	w := connect(t, p.server(t, session.Development))
	ids := []string{`1`, `"1"`, `0`, `-5`, `9007199254740993`, `""`, `"é"`, `1.5`}
	for _, id := range ids {
		w.probe(id, `{"text":"x","ms":60000}`)
		within(t, "call "+id, p.started)
	}
	w.send(cancelled(`"1"`))
	within(t, "the end of call \"1\"", p.ended)
	w.probe("1", `{"text":"again"}`) // still running
	if r := w.read(); r.Error == nil || r.Error.Code != -32600 || string(r.ID) != "1" {
		t.Errorf("a second call with a running id gets %s", r.line)
	}
	for _, id := range ids[2:] {
		w.send(cancelled(id))
		within(t, "the end of call "+id, p.ended)
	}
	w.send(cancelled("404"), cancelled("null"), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}`)
	for _, id := range ids[2:] {
		w.probe(id, `{"text":"y"}`)
		if r := w.read(); string(r.ID) != id {
			t.Errorf("reply to %s has id %s", id, r.ID)
		}
	}
}

func TestEndOfInputLetsCallsFinish(t *testing.T) {
	for range 5 {
		p := newProbes()
		w := connect(t, p.server(t, session.Development))
		var lines []string
		for i := range 100 { // more than there are workers
			lines = append(lines, probeCall(fmt.Sprint(i), `{"ms":30}`))
		}
		if _, err := io.WriteString(w.in, strings.Join(lines, "\n")); err != nil { // no final newline
			t.Fatal(err)
		}
		if got := w.rest(); len(got) != 100 {
			t.Errorf("%d of 100 calls are answered at the end of the input", len(got))
		}
	}
}

func TestEndOfInputEndsSlowCalls(t *testing.T) {
	p := newProbes()
	w := connect(t, p.server(t, session.Development))
	w.probe("1", `{"text":"x","ms":60000}`)
	within(t, "the call", p.started)
	start := time.Now()
	got := w.rest()
	if d := time.Since(start); d < drainTime/2 { // a timer is never early
		t.Errorf("ended after %v: the call had no time to finish", d)
	}
	if len(got) != 1 || !strings.Contains(got[0].line, `cancelled`) {
		t.Errorf("got %v, want a cancelled result", got)
	}
}

func TestSignalEndsTheServerAtOnce(t *testing.T) {
	p := newProbes()
	w := connect(t, p.server(t, session.Development))
	w.probe("1", `{"text":"x","ms":60000}`)
	within(t, "the call", p.started)
	w.stop()
	if err := within(t, "the end of the server", w.ended); err != nil {
		t.Errorf("server ended with %v", err)
	}
	w.ended <- nil
	if r := w.read(); !strings.Contains(r.line, "cancelled") {
		t.Errorf("got %s, want a cancelled result", r.line)
	}
}

func TestClientThatGoesAway(t *testing.T) {
	p := newProbes()
	s := p.server(t, session.Development)
	serverIn, in := pipe(t)
	out, serverOut := pipe(t)
	ended := make(chan error, 1)
	go func() { ended <- s.ServeStdio(t.Context(), serverIn, serverOut) }()
	out.Close()
	if _, err := io.WriteString(in, probeCall("1", `{"text":"x","ms":60000}`)+"\n"+probeCall("2", `{}`)+"\n"); err != nil {
		t.Fatal(err)
	}
	within(t, "the end of the running call", p.ended)
	if err := within(t, "the end of the server", ended); err != nil {
		t.Errorf("server ended with %v", err)
	}
	in.Close()
}

func TestOddLines(t *testing.T) {
	w := connect(t, newProbes().server(t, session.Development))
	for _, c := range []struct {
		name, line string
		code       int
		id         string
	}{
		{"too long", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 17<<20) + `"}}`, -32600, "null"},
		{"no JSON", `hello`, -32700, "null"},
		{"half", `{"jsonrpc":"2.0","id":1,`, -32700, "null"},
		{"string", `"hello"`, -32700, "null"},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600, "null"},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, "null"},
		{"object id", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, "null"},
		{"unknown method", `{"jsonrpc":"2.0","id":3,"method":"tools/destroy"}`, -32601, "3"},
		{"no method", `{"jsonrpc":"2.0","id":4}`, -32601, "4"},
		{"wrong version", `{"jsonrpc":"1.0","id":5,"method":"ping"}`, -32600, "5"},
		{"params", `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":[]}`, -32600, "6"},
	} {
		w.send(c.line)
		r := w.read()
		if r.Error == nil || r.Error.Code != c.code || string(r.ID) != c.id {
			t.Errorf("%s: got %.200s, want error %d for id %s", c.name, r.line, c.code, c.id)
		}
		w.send("", "  ", `{"jsonrpc":"2.0","id":"after","method":"ping"}`)
		if r := w.read(); string(r.ID) != `"after"` || r.Error != nil {
			t.Errorf("%s: the next request gets %s", c.name, r.line)
		}
	}
	w.send("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":\"probe\",\"arguments\":{\"text\":\"\xff\xfe\"}}}")
	if r := w.read(); string(r.ID) != "9" || r.Error != nil {
		t.Errorf("invalid UTF-8 gets %s", r.line)
	}
	w.send(`{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"probe","arguments":"text"}}`)
	if r := w.read(); !strings.Contains(string(r.Result), "must be a JSON object") {
		t.Errorf("arguments that are no object get %s", r.line)
	}
}

func TestPanicIsAnswered(t *testing.T) {
	w := connect(t, newProbes().server(t, session.Development))
	w.probe("1", `{"do":"panic"}`)
	if r := w.read(); !strings.Contains(r.line, "internal_error") || strings.Contains(r.line, "goroutine") {
		t.Errorf("got %s", r.line)
	}
	w.probe("2", `{"text":"alive"}`)
	if r := w.read(); !strings.Contains(r.line, "alive") {
		t.Errorf("got %s", r.line)
	}
}

func TestListShowsWhatTheSessionMayUse(t *testing.T) {
	for drain, want := range map[session.Drain][]string{
		session.Development: {"edit_probe", "probe"},
		session.Review:      {"probe"},
	} {
		w := connect(t, newProbes().server(t, drain))
		w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		var res struct {
			Tools []struct {
				Name, Title string
				Annotations map[string]any
				InputSchema map[string]any
			}
			NextCursor string
		}
		if err := json.Unmarshal(w.read().Result, &res); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tl := range res.Tools {
			names = append(names, tl.Name)
			for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint", "title"} {
				if _, ok := tl.Annotations[hint]; !ok {
					t.Errorf("%s has no %s", tl.Name, hint)
				}
			}
			if tl.InputSchema["type"] != "object" || tl.Title == "" {
				t.Errorf("%s is listed as %+v", tl.Name, tl)
			}
		}
		if strings.Join(names, " ") != strings.Join(want, " ") || res.NextCursor != "" {
			t.Errorf("%s lists %q, want %v", drain, names, want)
		}
		w.rest()
	}
}

const modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

func TestBothErasWithoutAHandshake(t *testing.T) {
	w := connect(t, newProbes().server(t, session.Development))
	for _, c := range []struct{ line, says string }{
		{`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modern + `}}`, `"2026-07-28"`},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + modern + `}}`, `"ttlMs":300000`},
		{`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"probe","arguments":{"text":"new"},` + modern + `}}`, `"resultType":"complete"`},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"probe","arguments":{"text":"old"}}}`, `old`},
		{`{"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, `"protocolVersion":"2024-11-05"`},
		{`{"jsonrpc":"2.0","id":6,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, `"protocolVersion":"2025-03-26"`},
		{`{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, `"protocolVersion":"2025-06-18"`},
		{`{"jsonrpc":"2.0","id":8,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, `"instructions":"ralph serves`},
		{`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"mcp__ralph__probe","arguments":{"text":"alias"}}}`, `alias`},
		{`{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"prob","arguments":{"text":"x"}}}`, `unknown_tool`},
	} {
		w.send(c.line)
		if r := w.read(); r.Error != nil || !strings.Contains(r.line, c.says) {
			t.Errorf("%s gets %.300s, want %s", c.line, r.line, c.says)
		}
	}
}

func TestSubscriptionDoesNotHoldTheServer(t *testing.T) {
	w := connect(t, newProbes().server(t, session.Development))
	w.send(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + modern + `}}`)
	w.probe("2", `{"text":"meanwhile"}`)
	start := time.Now()
	got := w.rest()
	if time.Since(start) > drainTime-time.Second { // when calls are cancelled
		t.Errorf("the open subscription held the server for %v", time.Since(start))
	}
	var all strings.Builder
	for _, r := range got {
		all.WriteString(r.line)
	}
	if !strings.Contains(all.String(), "meanwhile") {
		t.Errorf("got %v", got)
	}
}

func TestHeartbeatReportsTheJobThatACallWaitsFor(t *testing.T) {
	w := connect(t, newProbes().server(t, session.Development))
	w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"probe","arguments":{"ms":2500},"_meta":{"progressToken":5}}}`)
	r := w.read()
	if r.Method != "notifications/progress" || !strings.Contains(r.line, "parse 3/9 files") || string(r.Params.Token) != "5" {
		t.Errorf("got %s", r.line)
	}
	for r.Method != "" {
		r = w.read()
	}
	if string(r.ID) != "1" {
		t.Errorf("got %s", r.line)
	}
}
