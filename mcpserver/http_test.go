package mcpserver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/ralph-index/ralph-index/mcpserver/session"
)

const testToken = "0123456789abcdef0123456789abcdef"

// web is a client of a server on a real port.
type web struct {
	t     *testing.T
	url   string
	addr  string
	stop  context.CancelFunc
	ended chan error
}

func serveHTTP(t *testing.T, s *Server, token string) *web {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	w := &web{t: t, url: "http://" + ln.Addr().String(), addr: ln.Addr().String(), stop: stop, ended: make(chan error, 1)}
	go func() { w.ended <- s.ServeHTTP(ctx, ln, token) }()
	t.Cleanup(func() {
		stop()
		if err := within(t, "the end of the server", w.ended); err != nil {
			t.Errorf("server ended with %v", err)
		}
		w.ended <- nil
	})
	return w
}

// post sends a message and returns the status and the body.
func (w *web) post(body string, change func(*http.Request)) (int, string, http.Header) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.url+"/mcp", strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Authorization", "Bearer "+testToken)
	if change != nil {
		change(req)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return resp.StatusCode, string(raw), resp.Header
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// session shakes hands and returns what later requests must carry.
func (w *web) session() func(*http.Request) {
	w.t.Helper()
	code, body, header := w.post(initialize, nil)
	id := header.Get("Mcp-Session-Id")
	if code != http.StatusOK || id == "" {
		w.t.Fatalf("initialize gets %d %s", code, body)
	}
	return func(r *http.Request) { r.Header.Set("Mcp-Session-Id", id) }
}

func TestHTTPCall(t *testing.T) {
	w := serveHTTP(t, newProbes().server(t, session.Development), testToken)
	in := w.session()
	code, body, _ := w.post(probeCall("2", `{"text":"over http"}`), in)
	if code != http.StatusOK || !strings.Contains(body, "over http") {
		t.Errorf("got %d %s", code, body)
	}
	// The revision without sessions needs no handshake.
	code, body, _ = w.post(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"probe","arguments":{"text":"no session"},`+modern+`}}`,
		func(r *http.Request) {
			r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
			r.Header.Set("Mcp-Method", "tools/call")
			r.Header.Set("Mcp-Name", "probe")
		})
	if code != http.StatusOK || !strings.Contains(body, "no session") {
		t.Errorf("got %d %s", code, body)
	}
}

// TestHTTPWithoutInitialize: a client may ask at once, in either era, and go on
// without a session.
func TestHTTPWithoutInitialize(t *testing.T) {
	w := serveHTTP(t, newProbes().server(t, session.Development), testToken)
	newEra := func(method string) func(*http.Request) {
		return func(r *http.Request) {
			r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
			r.Header.Set("Mcp-Method", method)
		}
	}
	older := func(r *http.Request) { r.Header.Set("Mcp-Protocol-Version", "2025-06-18") }
	for name, c := range map[string]struct {
		body   string
		change func(*http.Request)
		want   string
	}{
		"list":           {`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil, `"probe"`},
		"list, older":    {`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, older, `"probe"`},
		"list, newer":    {`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modern + `}}`, newEra("tools/list"), `"probe"`},
		"discover":       {`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modern + `}}`, newEra("server/discover"), `"2026-07-28"`},
		"call":           {probeCall("2", `{"text":"no handshake"}`), nil, "no handshake"},
		"ping":           {`{"jsonrpc":"2.0","id":"p","method":"ping"}`, nil, `"p"`},
		"with progress":  {`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"probe","arguments":{"text":"steps","steps":2},"_meta":{"progressToken":1}}}`, nil, "notifications/progress"},
		"another's id":   {probeCall("2", `{"text":"same id"}`), nil, "same id"},
		"unknown method": {`{"jsonrpc":"2.0","id":7,"method":"tools/nothing"}`, nil, "-32601"},
	} {
		code, body, h := w.post(c.body, c.change)
		if code != http.StatusOK || !strings.Contains(body, c.want) {
			t.Errorf("%s: %d %s, want %s", name, code, body, c.want)
		}
		if id := h.Get("Mcp-Session-Id"); id != "" {
			t.Errorf("%s: got session %s", name, id)
		}
	}
	// What was streamed to one client without a session is not replayed to another.
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+testToken)
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Last-Event-ID", "1")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		t.Errorf("a stranger's stream can be read again")
	}
}

func TestHTTPProgress(t *testing.T) {
	w := serveHTTP(t, newProbes().server(t, session.Development), testToken)
	in := w.session()
	_, body, header := w.post(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"probe","arguments":{"text":"x","steps":3,"ms":50},"_meta":{"progressToken":1}}}`, in)
	if got := strings.Count(body, "notifications/progress"); got != 3 || !strings.HasPrefix(header.Get("Content-Type"), "text/event-stream") {
		t.Errorf("%d notes in %s", got, body)
	}
	if !strings.Contains(body[strings.LastIndex(body, "data:"):], `\"text\":\"x\"`) {
		t.Errorf("the reply is not last in %s", body)
	}
}

func TestHTTPGuard(t *testing.T) {
	w := serveHTTP(t, newProbes().server(t, session.Development), testToken)
	port := w.addr[strings.LastIndex(w.addr, ":"):]
	header := func(k, v string) func(*http.Request) { return func(r *http.Request) { r.Header.Set(k, v) } }
	host := func(h string) func(*http.Request) { return func(r *http.Request) { r.Host = h } }
	for name, c := range map[string]struct {
		change func(*http.Request)
		want   int
	}{
		"plain":              {nil, 200},
		"no token":           {func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		"wrong token":        {header("Authorization", "Bearer "+testToken+"0"), 401},
		"short token":        {header("Authorization", "Bearer "), 401},
		"other scheme":       {header("Authorization", "Basic "+testToken), 401},
		"token in the query": {func(r *http.Request) { r.Header.Del("Authorization"); r.URL.RawQuery = "token=" + testToken }, 401},
		"foreign origin":     {header("Origin", "https://evil.example"), 403},
		"null origin":        {header("Origin", "null"), 403},
		"file origin":        {header("Origin", "file://"), 403},
		"look-alike origin":  {header("Origin", "http://localhost.evil.example"), 403},
		"user-info origin":   {header("Origin", "http://localhost@evil.example"), 403},
		"local origin":       {header("Origin", "http://localhost:6274"), 200},
		"address origin":     {header("Origin", "http://127.0.0.1"+port), 200},
		"foreign host":       {host("evil.example"), 403},
		"rebound host":       {host("evil.example" + port), 403},
		"host with a dot":    {host("localhost."), 403},
		"any address":        {host("0.0.0.0" + port), 403},
		"localhost":          {host("localhost" + port), 200},
		"localhost, no port": {host("LOCALHOST"), 200},
		"IPv6":               {host("[::1]" + port), 200},
		"both bad":           {func(r *http.Request) { r.Host = "evil.example"; r.Header.Del("Authorization") }, 403},
	} {
		code, body, h := w.post(initialize, c.change)
		if code != c.want {
			t.Errorf("%s: %d %s, want %d", name, code, body, c.want)
		}
		if code == 401 && h.Get("WWW-Authenticate") == "" {
			t.Errorf("%s: no WWW-Authenticate", name)
		}
		if strings.Contains(body, testToken) {
			t.Errorf("%s: the token is told", name)
		}
	}
}

func TestHTTPSizeAndSessions(t *testing.T) {
	w := serveHTTP(t, newProbes().server(t, session.Development), testToken)
	in := w.session()
	if code, _, _ := w.post(probeCall("2", `{"text":"`+strings.Repeat("x", 17<<20)+`"}`), in); code != http.StatusRequestEntityTooLarge {
		t.Errorf("17 MB get %d", code)
	}
	if code, _, _ := w.post(probeCall("2", `{}`), func(r *http.Request) {
		r.Header.Set("Mcp-Session-Id", "mcp-session-00000000-0000-4000-8000-000000000000")
	}); code != http.StatusNotFound {
		t.Errorf("an invented session gets %d", code)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, w.url+"/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	in(req)
	req.Header.Set("Authorization", "Bearer "+testToken)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if code, _, _ := w.post(probeCall("3", `{}`), in); code != http.StatusNotFound {
		t.Errorf("an ended session gets %d", code)
	}
}

func TestHTTPHealthNeedsNoToken(t *testing.T) {
	w := serveHTTP(t, newProbes().server(t, session.Development), testToken)
	resp, err := http.Get(w.url + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != 200 || string(raw) != "ok\n" {
		t.Errorf("got %d %s", resp.StatusCode, raw)
	}
	for name, change := range map[string]func(*http.Request){
		"foreign host":   func(r *http.Request) { r.Host = "evil.example" },
		"foreign origin": func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		change(req)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s gets %d", name, resp.StatusCode)
		}
	}
	get, err := http.Get(w.url + "/mcp") // the stream
	if err != nil {
		t.Fatal(err)
	}
	get.Body.Close()
	if get.StatusCode != http.StatusUnauthorized {
		t.Errorf("the stream without a token gets %d", get.StatusCode)
	}
}

func TestHTTPDisconnectCancels(t *testing.T) {
	p := newProbes()
	w := serveHTTP(t, p.server(t, session.Development), testToken)
	in := w.session()
	ctx, hangUp := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url+"/mcp", strings.NewReader(probeCall("2", `{"text":"gone","ms":60000}`)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+testToken)
	in(req)
	done := make(chan error, 1)
	go func() {
		_, err := http.DefaultClient.Do(req)
		done <- err
	}()
	within(t, "the call", p.started)
	hangUp()
	if got := within(t, "the end of the handler's context", p.ended); got != "gone" {
		t.Errorf("ended %q", got)
	}
	<-done
}

// TestHTTPCancelOfNoSession: two clients of the revision without sessions may use
// the same id, and must not be able to end each other's calls.
func TestHTTPCancelOfNoSession(t *testing.T) {
	p := newProbes()
	w := serveHTTP(t, p.server(t, session.Development), testToken)
	newEra := func(method, name string) func(*http.Request) {
		return func(r *http.Request) {
			r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
			r.Header.Set("Mcp-Method", method)
			if name != "" {
				r.Header.Set("Mcp-Name", name)
			}
		}
	}
	answer := make(chan string, 1)
	go func() {
		_, body, _ := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"probe","arguments":{"text":"mine","ms":600},`+modern+`}}`, newEra("tools/call", "probe"))
		answer <- body
	}()
	within(t, "the call", p.started)
	code, _, _ := w.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,`+modern+`}}`, newEra("notifications/cancelled", ""))
	if code != http.StatusAccepted {
		t.Errorf("the notification gets %d", code)
	}
	if body := within(t, "the answer", answer); !strings.Contains(body, `mine`) || strings.Contains(body, "cancelled") {
		t.Errorf("a stranger's cancel ended the call: %s", body)
	}
}

func TestHTTPWithoutToken(t *testing.T) {
	w := serveHTTP(t, newProbes().server(t, session.Development), "")
	if code, body, _ := w.post(initialize, func(r *http.Request) { r.Header.Del("Authorization") }); code != 200 {
		t.Errorf("got %d %s", code, body)
	}
	if code, _, _ := w.post(initialize, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }); code != 403 {
		t.Errorf("a foreign page gets %d", code)
	}
}

func TestHTTPManyClients(t *testing.T) {
	w := serveHTTP(t, newProbes().server(t, session.Development), testToken)
	answers := make(chan string, 100)
	for range 5 {
		in := w.session()
		for i := range 20 {
			go func() {
				_, body, _ := w.post(probeCall(fmt.Sprint(i), fmt.Sprintf(`{"text":"n%dn"}`, i)), in)
				answers <- body
			}()
		}
	}
	seen := map[string]int{}
	for range 100 {
		body := within(t, "an answer", answers)
		for i := range 20 {
			if strings.Contains(body, fmt.Sprintf("n%dn", i)) {
				seen[fmt.Sprint(i)]++
			}
		}
	}
	for i := range 20 {
		if seen[fmt.Sprint(i)] != 5 {
			t.Errorf("call %d was answered %d times", i, seen[fmt.Sprint(i)])
		}
	}
}

// TestHTTPOldClient: a client of HTTP/1.0 sends no Host, and nothing can be said
// of where it believes to be.
func TestHTTPOldClient(t *testing.T) {
	w := serveHTTP(t, newProbes().server(t, session.Development), testToken)
	c, err := net.Dial("tcp", w.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET /mcp HTTP/1.0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(raw, []byte(" 403 ")) {
		t.Errorf("got %s", raw)
	}
}
