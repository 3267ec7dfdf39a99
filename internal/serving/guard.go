package serving

import (
	"io"
	"net/http"
	"time"
)

// guard sets a deadline for the body of each request, and closes the connection after each refusal.
func guard(next http.Handler, limits Limits) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := &reply{ResponseWriter: w, connection: http.NewResponseController(w)}
		expects := r.Header.Get("Expect") != ""
		if r.Body != nil && r.Body != http.NoBody {
			out.body = &body{ReadCloser: r.Body, connection: out.connection}
			r.Body = out.body
			_ = out.connection.SetReadDeadline(time.Now().Add(limits.Body))
		}
		next.ServeHTTP(out, r)
		if out.refused && out.body != nil && !out.body.whole {
			out.linger(limits.Linger, expects)
		}
	})
}

// reply records whether the request was refused, which closes the connection.
type reply struct {
	http.ResponseWriter
	connection *http.ResponseController
	body       *body // nil if the request has none
	begun      bool
	refused    bool
}

func (w *reply) WriteHeader(status int) {
	if !w.begun && status >= http.StatusOK {
		w.begun, w.refused = true, status >= http.StatusBadRequest
		if w.refused {
			w.Header().Set("Connection", "close") // this also keeps net/http from reading the body before it answers
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *reply) Write(b []byte) (int, error) {
	w.begun = true
	return w.ResponseWriter.Write(b)
}

// Flush sends the bytes written so far.
func (w *reply) Flush() { _ = w.connection.Flush() }

// Unwrap returns the writer to an http.ResponseController.
func (w *reply) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// maxRest is the maximum number of bytes that are read of the rest of a refused request's body.
const maxRest = 16 << 20

// linger sends a refusal and reads the rest of the body for a moment: a connection that is closed with unread
// bytes is reset, and its client may lose the refusal (RFC 9112, section 9.6). A client that waits for
// permission to send the body sends nothing.
func (w *reply) linger(limit time.Duration, expects bool) {
	_ = w.connection.Flush()
	if expects {
		limit = 0
	}
	_ = w.connection.SetReadDeadline(time.Now().Add(limit))
	_, _ = io.Copy(io.Discard, io.LimitReader(w.body.ReadCloser, maxRest))
	_ = w.connection.SetReadDeadline(time.Now()) // else net/http would wait for the missing rest
}

// body is the body of a request. The deadline applies until the body has arrived completely; the time after
// that belongs to the handler.
type body struct {
	io.ReadCloser
	connection *http.ResponseController
	whole      bool
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF && !b.whole {
		b.whole = true
		_ = b.connection.SetReadDeadline(time.Time{})
	}
	return n, err
}
