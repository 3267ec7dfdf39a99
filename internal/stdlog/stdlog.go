// Package stdlog takes what the standard logger gets: net/http, HTTP/2 and other libraries write to log and slog, which
// print on standard error, also what a peer has sent.
//
// It imports internal/secret alone of this module.
package stdlog

import (
	"io"
	"log"
	"log/slog"
	"regexp"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/secret"
)

// Silence discards what the standard loggers get, but while a run's log takes it; see To. It is called once, at the
// start of the program. hider removes the program's keys; nil removes none.
func Silence(hider *secret.Hider) {
	sink.mu.Lock()
	defer sink.mu.Unlock()
	sink.hider = hider
	log.SetFlags(0)
	log.SetPrefix("")
	log.SetOutput(&sink)
	slog.SetDefault(slog.New(slog.NewTextHandler(&sink, &slog.HandlerOptions{ReplaceAttr: withoutTime})))
	log.SetOutput(&sink) // SetDefault has put slog in its place
}

// withoutTime leaves the time to the run's log.
func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// To passes lines to a run's log until end is called. Without Silence before, nothing comes.
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

// writer is where the standard loggers write.
type writer struct {
	mu    sync.Mutex
	hider *secret.Hider
	notes []*func(string) // of the open runs; the last one gets the lines
}

var sink writer

var _ io.Writer = &sink

// maxLine bounds the bytes of a line.
const maxLine = 400

// quoted matches what a library quotes of a peer: starting with "…".
var quoted = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"?|`[^`]*`?")

// Write takes a line.
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
	line, _, _ := strings.Cut(strings.TrimSpace(string(p)), "\n") // a stack follows
	line = secret.Redact(hider.Hide(quoted.ReplaceAllString(line, "(left out)")))
	if len(line) > maxLine {
		line = strings.ToValidUTF8(line[:maxLine], "") + "…"
	}
	(*note)("library  " + line)
	return len(p), nil
}
