package server

import (
	"fmt"
	"sync"
)

// logger passes warnings and errors of the server on, and keeps the error that ended its start.
type logger struct {
	say func(string)

	mu      sync.Mutex
	last    string // error that ended the start
	started bool   // errors after the start are said
}

func (l *logger) Noticef(string, ...any)         {}
func (l *logger) Debugf(string, ...any)          {}
func (l *logger) Tracef(string, ...any)          {}
func (l *logger) Warnf(format string, v ...any)  { l.say(fmt.Sprintf(format, v...)) }
func (l *logger) Errorf(format string, v ...any) { l.say(fmt.Sprintf(format, v...)) }
func (l *logger) Fatalf(format string, v ...any) { l.fail(fmt.Sprintf(format, v...)) }

func (l *logger) fail(text string) {
	l.mu.Lock()
	l.last = text
	started := l.started
	l.mu.Unlock()
	if started { // otherwise it is in the error of Start
		l.say(text)
	}
}

// fatal returns the error that ended the start of the server; "" without one.
func (l *logger) fatal() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}
