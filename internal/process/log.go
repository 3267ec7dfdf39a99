package process

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/secret"
)

// Limits for standard error.
const (
	maxLogged = 64 << 10 // maximum bytes for one name
	maxTail   = 600      // maximum bytes in a cause

	maxLine   = 64 << 10 // bytes after which a line is cut
	maxUnsure = 4 << 10  // maximum bytes kept back because they may begin a key

	lineOverhead = 64 // approximate bytes that the log adds to a line
)

// Log receives standard error, passes its lines on, up to maxLogged bytes, and keeps the last ones.
type Log struct {
	// Hider removes keys from each line before it is cut or kept; nil removes nothing. Set it before the
	// first line.
	Hider *secret.Hider

	log  func(string)
	who  string // the program that writes, such as agent
	name string // name of the trace, or of another subject of the lines

	mu     sync.Mutex
	line   []byte // the current line as written
	logged int
	last   []byte // the last lines, with keys removed
}

// NewLog returns the log of a process's standard error. It calls log with each line, with who and name before
// it. log may be nil, and is called by several goroutines.
func NewLog(log func(line string), who, name string) *Log {
	return &Log{log: log, who: who, name: name}
}

func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for rest := p; len(rest) > 0; {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		l.line, rest = append(l.line, line...), after
		switch {
		case whole:
			l.flush("\n")
		case len(l.line) > maxLine:
			l.cut()
		}
	}
	return len(p), nil
}

// cut logs the beginning of a long line. It keeps back an end that may be the beginning of a key.
func (l *Log) cut() {
	text := l.Hider.Hide(string(l.line))
	first := l.Hider.Complete(text)
	if len(text)-len(first) > maxUnsure {
		first = text
	}
	l.line = l.line[:0]
	l.pass(first, "")
	l.line = append(l.line, text[len(first):]...)
}

// flush logs the unfinished line.
func (l *Log) flush(end string) {
	text := l.Hider.Hide(string(l.line))
	l.line = l.line[:0]
	l.pass(text, end)
}

// pass logs a text in lines of about maxTail bytes, and keeps its end.
func (l *Log) pass(text, end string) {
	l.last = append(append(l.last, text...), end...)
	if extra := len(l.last) - 2*maxTail; extra > 0 {
		l.last = append(l.last[:0], l.last[extra:]...)
	}
	for text != "" && l.log != nil && l.logged <= maxLogged {
		n := len(text)
		if n > maxTail+utf8.UTFMax {
			for n = maxTail; !utf8.RuneStart(text[n]) && n > maxTail-utf8.UTFMax; n-- {
			}
		}
		l.log(l.who + "  " + l.name + "  " + strings.ToValidUTF8(text[:n], "\uFFFD"))
		text = text[n:]
		if l.logged += n + lineOverhead; l.logged > maxLogged {
			l.log(l.who + "  " + l.name + "  further lines of standard error are not logged")
		}
	}
}

// Begin sets the trace to which the next lines belong.
func (l *Log) Begin(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush("")
	l.name, l.logged = name, 0
}

// Note logs a line about the process.
func (l *Log) Note(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush("")
	last := l.last
	l.pass(l.Hider.Hide(text), "")
	l.last = last // the note is not output of the process
}

// End logs the rest of a line.
func (l *Log) End() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush("")
}

// Tail returns the end of standard error, for the cause of an error; "" if there was no output. If it has
// several lines, the line that names the error comes first, because tables and lists show only the first line
// of a cause.
func (l *Log) Tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSpace(string(l.last) + l.Hider.Hide(string(l.line)))
	if text == "" {
		return ""
	}
	end := LastBytes([]byte(text), maxTail)
	if line := errorLine(end); line != "" && strings.Contains(end, "\n") {
		return "; its standard error says " + line + "\nit ends:\n" + end
	}
	return "; its standard error ends: " + end
}

// errorWord matches lines in which interpreters and programs name an error.
var errorWord = lazy.Compile(`(?i)^\S*(error|exception|panic|fatal)\b|cannot|can't|no such|not found|failed`)

// errorLine returns the last line of an output that names an error, such as KeyError: 'x' after a traceback, or
// Error: x before a stack; "" if no line does.
func errorLine(output string) string {
	found := ""
	for line := range strings.Lines(output) {
		if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") && errorWord.MatchString(line) {
			found = strings.TrimSpace(line)
		}
	}
	return found
}

// LastBytes returns the end of an output, at most the given number of bytes, in whole characters.
func LastBytes(output []byte, most int) string {
	if len(output) <= most {
		return string(output)
	}
	return "…" + strings.ToValidUTF8(string(output[len(output)-most:]), "")
}
