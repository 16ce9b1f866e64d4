package sdk

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"github.com/mark3labs/mcp-go/server"
)

// Bounds of what is kept for clients that lost their connection, per session.
const (
	maxEvents     = 512
	maxEventBytes = 16 << 20
)

// eventLog keeps the latest events of each session, so that a client can
// reconnect and read what it missed. The library's own store keeps all of them
// for as long as the session lives.
type eventLog struct {
	mu       sync.Mutex
	next     uint64
	sessions map[string]*sessionEvents
}

type sessionEvents struct {
	events []event
	bytes  int
}

type event struct {
	id     uint64
	stream string
	msg    json.RawMessage
}

func newEventLog() *eventLog { return &eventLog{sessions: map[string]*sessionEvents{}} }

var _ server.EventStore = (*eventLog)(nil)

// StoreEvent appends an event and forgets the oldest ones beyond the bounds.
func (l *eventLog) StoreEvent(_ context.Context, session, stream string, msg json.RawMessage) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next++
	if session == "" { // nobody can ask for it again, and no stranger may
		return strconv.FormatUint(l.next, 10), nil
	}
	s := l.sessions[session]
	if s == nil {
		s = &sessionEvents{}
		l.sessions[session] = s
	}
	s.events = append(s.events, event{l.next, stream, append(json.RawMessage(nil), msg...)})
	s.bytes += len(msg)
	drop := 0
	for len(s.events)-drop > 1 && (len(s.events)-drop > maxEvents || s.bytes > maxEventBytes) {
		s.bytes -= len(s.events[drop].msg)
		drop++
	}
	if drop > 0 {
		s.events = append([]event(nil), s.events[drop:]...)
	}
	return strconv.FormatUint(l.next, 10), nil
}

// ReplayEventsAfter sends what followed an event on its stream.
func (l *eventLog) ReplayEventsAfter(
	_ context.Context, session, lastID string, send func(id string, msg json.RawMessage) error,
) (string, error) {
	stream, missed, err := l.after(session, lastID)
	if err != nil {
		return "", err
	}
	for _, e := range missed {
		if err := send(strconv.FormatUint(e.id, 10), e.msg); err != nil {
			return "", err
		}
	}
	return stream, nil
}

func (l *eventLog) after(session, lastID string) (stream string, missed []event, err error) {
	last, err := strconv.ParseUint(lastID, 10, 64)
	if err != nil {
		return "", nil, fmt.Errorf("event %q: %w", lastID, server.ErrUnknownEventID)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.sessions[session]
	if s == nil {
		return "", nil, fmt.Errorf("event %q: %w", lastID, server.ErrUnknownEventID)
	}
	found := false
	for _, e := range s.events {
		switch {
		case e.id == last:
			stream, found = e.stream, true
		case found && e.stream == stream:
			missed = append(missed, e)
		}
	}
	if !found {
		return "", nil, fmt.Errorf("event %q: %w", lastID, server.ErrUnknownEventID)
	}
	return stream, missed, nil
}

// PurgeSession forgets a session.
func (l *eventLog) PurgeSession(_ context.Context, session string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.sessions, session)
	return nil
}
