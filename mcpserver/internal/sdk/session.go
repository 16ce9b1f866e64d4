package sdk

import "github.com/mark3labs/mcp-go/mcp"

// notesInFlight is how many notifications may wait for a client that does not
// read; the library drops what comes after.
const notesInFlight = 1024

// stdioSession is the one client of a stdio transport, as the library wants it.
type stdioSession struct {
	notes chan mcp.JSONRPCNotification
}

func newStdioSession() *stdioSession {
	return &stdioSession{notes: make(chan mcp.JSONRPCNotification, notesInFlight)}
}

func (s *stdioSession) SessionID() string                                   { return "stdio" }
func (s *stdioSession) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notes }

// Initialized is always true: newer clients never send initialize.
func (s *stdioSession) Initialized() bool { return true }
func (s *stdioSession) Initialize()       {}
