// Package stdlog redirects the standard loggers. net/http, HTTP/2 and other libraries write to log and slog,
// which would print on standard error, also texts from a peer.
package stdlog

import (
	"io"
	"log"
	"log/slog"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/secret"
)

// Silence discards the output of the standard loggers, except while a run's log receives it; see To. Call it
// once, at the start of the program. hider removes the program's keys; nil removes none.
func Silence(hider *secret.Hider) {
	sink.mu.Lock()
	defer sink.mu.Unlock()
	sink.hider = hider
	log.SetFlags(0)
	log.SetPrefix("")
	log.SetOutput(&sink)
	slog.SetDefault(slog.New(slog.NewTextHandler(&sink, &slog.HandlerOptions{ReplaceAttr: withoutTime})))
	log.SetOutput(&sink) // SetDefault has replaced it with slog
}

// Hide replaces the Hider of Silence, when more keys are known.
func Hide(hider *secret.Hider) {
	sink.mu.Lock()
	defer sink.mu.Unlock()
	sink.hider = hider
}

// withoutTime removes the time, which the run's log adds itself.
func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// To passes lines to a run's log until end is called. It has no effect unless Silence was called before.
func To(note func(line string)) (end func()) {
	sink.mu.Lock()
	defer sink.mu.Unlock()
	sink.notes = append(sink.notes, &note)
	return func() {
		sink.mu.Lock()
		defer sink.mu.Unlock()
		for i, other := range sink.notes {
			if other == &note {
				sink.notes = append(sink.notes[:i:i], sink.notes[i+1:]...)
				return
			}
		}
	}
}

// writer receives the output of the standard loggers.
type writer struct {
	mu    sync.Mutex
	hider *secret.Hider
	notes []*func(string) // functions of the open runs; the last one gets the lines
}

var sink writer

var _ io.Writer = &sink

// maxLine is the maximum number of bytes of a line.
const maxLine = 400

// quoted matches text that a library quotes from a peer: starting with "…".
var quoted = lazy.Compile("\"(?:[^\"\\\\]|\\\\.)*\"?|`[^`]*`?")

// Write receives one line.
func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	var note *func(string)
	if n := len(w.notes); n > 0 {
		note = w.notes[n-1]
	}
	hider := w.hider
	w.mu.Unlock()
	if note == nil {
		return len(p), nil
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(p)), "\n") // without the stack after it
	line = secret.Redact(hider.Hide(quoted.ReplaceAllString(line, "(left out)")))
	if len(line) > maxLine {
		line = strings.ToValidUTF8(line[:maxLine], "") + "…"
	}
	(*note)("library  " + line)
	return len(p), nil
}
