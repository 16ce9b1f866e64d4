package sdk

import (
	"bytes"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/server"
)

// guard stands before the library's handler, which checks neither origin nor
// token nor size. A page of a foreign site must reach nothing, also when its name
// has been pointed at this machine.
type guard struct {
	next    http.Handler
	token   string
	anyIP   bool // bound beyond loopback: any address is a good Host, a name is not
	maxBody int64
}

// bodyTime is how long a client may take to send a request.
const bodyTime = 30 * time.Second

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Accel-Buffering", "no")
	switch {
	case !g.goodHost(r.Host):
		http.Error(w, "forbidden host", http.StatusForbidden)
		return
	case !goodOrigin(r.Header.Values("Origin")):
		http.Error(w, "forbidden origin", http.StatusForbidden)
		return
	case !g.authorized(r):
		w.Header().Set("WWW-Authenticate", `Bearer realm="ralph-index"`)
		http.Error(w, "missing or wrong bearer token", http.StatusUnauthorized)
		return
	}
	if r.Method == http.MethodPost {
		body, ok := g.body(w, r)
		if !ok {
			return
		}
		if strayCancel(r, body) {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	g.next.ServeHTTP(w, r)
}

// body reads the request within size and time. The deadline is lifted again: an
// answer may be a long stream.
func (g *guard) body(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Now().Add(bodyTime)) // unsupported by some test writers
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, g.maxBody))
	_ = rc.SetReadDeadline(time.Time{})
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		http.Error(w, "request body too large", http.StatusRequestEntityTooLarge)
		return nil, false
	case err != nil:
		http.Error(w, "request body cannot be read", http.StatusBadRequest)
		return nil, false
	}
	return body, true
}

// strayCancel recognises a cancel that belongs to no session. The library would
// apply it to whichever client's request has the same id. Clients without a
// session cancel by closing the request.
func strayCancel(r *http.Request, body []byte) bool {
	if r.Header.Get(server.HeaderKeySessionID) != "" || !bytes.Contains(body, []byte("cancelled")) {
		return false
	}
	var m struct {
		Method string `json:"method"`
	}
	return json.Unmarshal(body, &m) == nil && m.Method == "notifications/cancelled"
}

func (g *guard) authorized(r *http.Request) bool {
	if g.token == "" {
		return true
	}
	got, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && subtle.ConstantTimeCompare([]byte(got), []byte(g.token)) == 1
}

func (g *guard) goodHost(host string) bool {
	name := hostName(host)
	if loopbackName(name) {
		return true
	}
	return g.anyIP && net.ParseIP(name) != nil
}

// goodOrigin allows clients that are no browser, which send none, and pages that
// this machine serves.
func goodOrigin(origins []string) bool {
	for _, o := range origins {
		u, err := url.Parse(o)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || !loopbackName(hostName(u.Host)) {
			return false
		}
	}
	return true
}

func hostName(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		return h
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

func loopbackName(name string) bool {
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}
