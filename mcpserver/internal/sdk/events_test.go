package sdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/server"
)

func replay(t *testing.T, l *eventLog, session, after string) (string, string, error) {
	t.Helper()
	var got []string
	stream, err := l.ReplayEventsAfter(t.Context(), session, after, func(_ string, msg json.RawMessage) error {
		got = append(got, string(msg))
		return nil
	})
	return stream, strings.Join(got, " "), err
}

func TestEventsAreReplayedOnTheirStream(t *testing.T) {
	l := newEventLog()
	store := func(session, stream, msg string) string {
		t.Helper()
		id, err := l.StoreEvent(t.Context(), session, stream, json.RawMessage(msg))
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first := store("s", "x", "1")
	store("s", "y", "2")
	store("s", "x", "3")
	store("other", "x", "4")
	last := store("s", "x", "5")
	if stream, got, err := replay(t, l, "s", first); err != nil || stream != "x" || got != "3 5" {
		t.Errorf("got %s on %s, %v", got, stream, err)
	}
	if _, got, err := replay(t, l, "s", last); err != nil || got != "" {
		t.Errorf("got %s, %v", got, err)
	}
	for _, bad := range []string{"", "x", "-1", "999"} {
		if _, _, err := replay(t, l, "s", bad); !errors.Is(err, server.ErrUnknownEventID) {
			t.Errorf("%q: got %v", bad, err)
		}
	}
	if _, _, err := replay(t, l, "other", first); !errors.Is(err, server.ErrUnknownEventID) {
		t.Errorf("a session reads the events of another: %v", err)
	}
	if err := l.PurgeSession(t.Context(), "s"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := replay(t, l, "s", first); !errors.Is(err, server.ErrUnknownEventID) {
		t.Errorf("a purged session is still there: %v", err)
	}
}

func TestEventsAreBounded(t *testing.T) {
	l := newEventLog()
	for i := range maxEvents * 2 {
		if _, err := l.StoreEvent(t.Context(), "s", "x", json.RawMessage(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(l.sessions["s"].events); n != maxEvents {
		t.Errorf("%d events are kept", n)
	}
	big := json.RawMessage(`"` + strings.Repeat("x", maxEventBytes/2) + `"`)
	for range 5 {
		if _, err := l.StoreEvent(t.Context(), "s", "x", big); err != nil {
			t.Fatal(err)
		}
	}
	if s := l.sessions["s"]; s.bytes > maxEventBytes || len(s.events) == 0 {
		t.Errorf("%d events of %d bytes are kept", len(s.events), s.bytes)
	}
}
