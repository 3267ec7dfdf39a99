package main

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// listener ends a run in order: the first signal closes drain and prints how to go on, the
// second ends the process at once, as does the first before a run has begun.
type listener struct {
	drain chan struct{} // closed by the first signal
	over  chan struct{}
	ended sync.WaitGroup

	exit func(code int)

	mu  sync.Mutex
	say func(string)
	// The run's folder and the command that resumes it; "" before a run has begun.
	dir, resume string
}

// notified receives the signals that end a command. One that the caller of this process
// ignores, as nohup does, stays ignored.
func notified() chan os.Signal {
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	return signals
}

// listen begins to listen.
func (c *console) listen() *listener {
	l := &listener{
		drain: make(chan struct{}), over: make(chan struct{}),
		exit: func(code int) { c.assembler.Kill(); c.exit(code) }, say: func(text string) { fmt.Fprintln(c.err, "concur: "+text) },
	}
	signals := notified()
	// A reader that has gone must not end a run; writes to it fail like any other.
	signal.Ignore(syscall.SIGPIPE)
	l.ended.Go(func() {
		defer signal.Stop(signals)
		for first := true; ; first = false {
			select {
			case <-l.over:
				return
			case s := <-signals:
				if first {
					close(l.drain)
				}
				if !first || !l.tell(s) { // a second signal, or no run has begun
					l.exit(exitInterrupted)
				}
			}
		}
	})
	return l
}

// kept sets the run's folder, the command that resumes it, and where to print.
func (l *listener) kept(dir, resume string, say func(string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dir, l.resume, l.say = dir, resume, say
}

// tell prints the effect of a signal, and reports whether a run has begun.
func (l *listener) tell(s os.Signal) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dir == "" {
		l.say(fmt.Sprintf("%s: nothing was begun", s))
		return false
	}
	l.say(fmt.Sprintf("%s: no new traces; those in flight have %s, then they are cancelled. A second signal ends at once.\nThe run is kept in %s; go on with: %s", s, drainGrace, l.dir, l.resume))
	return true
}

func (l *listener) stop() {
	close(l.over)
	l.ended.Wait()
}
