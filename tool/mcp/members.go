package mcp

import (
	"net/http"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/internal/serving"
)

// sessionHeader names a session in requests and replies
// (https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#session-management).
const sessionHeader = "Mcp-Session-Id"

// sessionTime is the time without requests after which a session ends.
const sessionTime = time.Hour

// members tells the server which connections belong to a session: those with a request of a session that has
// begun, and those with a request that the handler accepts. The calls of such connections may take long, and
// the server does not end them in favour of unknown clients.
type members struct {
	next http.Handler

	mu       sync.Mutex
	sessions map[string]time.Time // time of the last request of each session
}

func (m *members) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if m.has(r.Header.Get(sessionHeader)) {
		serving.Know(r)
	}
	m.next.ServeHTTP(&memberReply{ResponseWriter: w, request: r, members: m}, r)
}

// has reports whether a session has begun here, and records that it is in use.
func (m *members) has(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, begun := m.sessions[id]
	if begun {
		m.sessions[id] = time.Now()
	}
	return begun
}

// enter records the beginning of a session, and removes expired sessions.
func (m *members) enter(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.sessions == nil {
		m.sessions = map[string]time.Time{}
	}
	for old, used := range m.sessions {
		if time.Since(used) > sessionTime {
			delete(m.sessions, old)
		}
	}
	m.sessions[id] = time.Now()
}

// memberReply records the session that a reply names.
type memberReply struct {
	http.ResponseWriter
	request *http.Request
	members *members
	begun   bool
}

func (w *memberReply) WriteHeader(status int) {
	w.begun = true
	if status < http.StatusBadRequest {
		serving.Know(w.request)
		if id := w.Header().Get(sessionHeader); id != "" {
			w.members.enter(id)
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *memberReply) Write(b []byte) (int, error) {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap returns the inner writer, for http.ResponseController.
func (w *memberReply) Unwrap() http.ResponseWriter { return w.ResponseWriter }
