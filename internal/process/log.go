package process

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// Bounds of what is kept of standard error.
const (
	maxLogged = 64 << 10 // bytes for one name
	maxTail   = 600      // bytes in a cause

	lineOverhead = 64 // bytes that the log adds to a line, about
)

// Log passes lines of standard error on, up to maxLogged bytes, and keeps the last.
type Log struct {
	log  func(string)
	who  string // writes: agent, …
	name string // of the trace, or of what else it writes about

	mu     sync.Mutex
	line   []byte
	logged int
	last   []byte
}

// NewLog is the log of a process's standard error. log gets its lines, each after who and name;
// it may be nil, and is called from several goroutines.
func NewLog(log func(line string), who, name string) *Log {
	return &Log{log: log, who: who, name: name}
}

func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = append(l.last, p...)
	if extra := len(l.last) - 2*maxTail; extra > 0 {
		l.last = append(l.last[:0], l.last[extra:]...)
	}
	for rest := p; len(rest) > 0 && l.logged <= maxLogged; {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		l.line, rest = append(l.line, line...), after
		if whole || len(l.line) > maxTail {
			l.flush()
		}
	}
	return len(p), nil
}

func (l *Log) flush() {
	if l.log != nil && len(l.line) > 0 && l.logged <= maxLogged {
		l.log(l.who + "  " + l.name + "  " + strings.ToValidUTF8(string(l.line), "\uFFFD"))
		if l.logged += len(l.line) + lineOverhead; l.logged > maxLogged {
			l.log(l.who + "  " + l.name + "  further lines of standard error are not logged")
		}
	}
	l.line = l.line[:0]
}

// Begin names the trace that the next lines are of.
func (l *Log) Begin(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
	l.name, l.logged = name, 0
}

// Note logs a line about the process.
func (l *Log) Note(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
	l.line = append(l.line, text...)
	l.flush()
}

// End logs what is left of a line.
func (l *Log) End() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
}

// Tail is the end of standard error for a cause, or "". Of several lines, the one that names the error comes first,
// because tables and lists show only the first line of a cause.
func (l *Log) Tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSpace(string(l.last))
	if text == "" {
		return ""
	}
	end := Last([]byte(text), maxTail)
	if line := errorLine(end); line != "" && strings.Contains(end, "\n") {
		return "; its standard error says " + line + "\nit ends:\n" + end
	}
	return "; its standard error ends: " + end
}

// errorWord begins or is within the lines in which interpreters and programs name an error.
var errorWord = regexp.MustCompile(`(?i)^\S*(error|exception|panic|fatal)\b|cannot|can't|no such|not found|failed`)

// errorLine is the last line of an output that names an error: KeyError: 'x' of a traceback, Error: x above a stack.
// It is "" if no line does.
func errorLine(output string) string {
	found := ""
	for line := range strings.Lines(output) {
		if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") && errorWord.MatchString(line) {
			found = strings.TrimSpace(line)
		}
	}
	return found
}

// Last is the end of an output, at most that many bytes, in whole characters.
func Last(output []byte, most int) string {
	if len(output) <= most {
		return string(output)
	}
	return "…" + strings.ToValidUTF8(string(output[len(output)-most:]), "")
}
