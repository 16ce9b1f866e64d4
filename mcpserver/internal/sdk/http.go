package sdk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/server"
)

// HTTPOptions configures ServeHTTP; zero fields take the defaults.
type HTTPOptions struct {
	Token   string        // every request must carry it as a bearer token; "" asks for none
	MaxBody int64         // longest request in bytes; 16 MiB
	Drain   time.Duration // for answers to be written when ctx is done; 5 s
}

// sessionTTL is how long a client of the older revisions may be silent.
const sessionTTL = time.Hour

// maxHealthBody bounds what somebody may send who only asks whether the server lives.
const maxHealthBody = 1 << 10

// ServeHTTP serves /mcp, and /healthz without a token, until ctx is done; foreign
// hosts and origins get neither. A client
// that disconnects cancels its calls. It closes the listener.
func (s *Server) ServeHTTP(ctx context.Context, ln net.Listener, opts HTTPOptions) error {
	if opts.MaxBody == 0 {
		opts.MaxBody = 16 << 20
	}
	if opts.Drain == 0 {
		opts.Drain = 5 * time.Second
	}
	protocol := server.NewStreamableHTTPServer(s.mcp,
		server.WithSessionIdManager(&sessionIDs{}),
		server.WithSessionIdleTTL(sessionTTL),
		server.WithEventStore(newEventLog()),
		server.WithStreamableHTTPLogger(s.opts.Logger),
		server.WithDisableLocalhostProtection(true), // the guard is stricter
	)
	mux := http.NewServeMux()
	anyIP := !loopbackAddr(ln.Addr())
	mux.Handle("/mcp", &guard{next: protocol, token: opts.Token, anyIP: anyIP, maxBody: opts.MaxBody})
	health := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "ok\n") // a client that is gone needs no answer
	})
	mux.Handle("/healthz", &guard{next: health, anyIP: anyIP, maxBody: maxHealthBody})
	srv := &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan struct{})
	var served error // why Serve ended; read after ended
	go func() {
		defer close(ended)
		served = srv.Serve(ln)
	}()
	select {
	case <-ended:
		return fmt.Errorf("serve: %w", served)
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), opts.Drain)
	defer cancel()
	err := protocol.Shutdown(late) // ends the streams that would last for ever
	if e := srv.Shutdown(late); e != nil {
		err = errors.Join(err, srv.Close())
	}
	<-ended
	if err != nil {
		return fmt.Errorf("shut down: %w", err)
	}
	return nil
}

// sessionIDs knows the sessions that initialize began. A client need not begin one:
// a request that names none is answered by itself. One that names a session which is
// not, or is no longer, there is refused, so that the client begins another.
type sessionIDs struct {
	server.InsecureStatefulSessionIdManager
}

// Validate is asked about the session that a request names, "" for none.
func (s *sessionIDs) Validate(id string) (ended bool, err error) {
	if id == "" {
		return false, nil
	}
	return s.InsecureStatefulSessionIdManager.Validate(id)
}

func loopbackAddr(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return !ok || tcp.IP.IsLoopback()
}
