package main

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
)

// listener ends a run in order. The first signal closes drain and prints how to continue; the second ends the
// process immediately. Before a run has begun, the first signal ends the process.
type listener struct {
	drain chan struct{} // closed by the first signal
	over  chan struct{}
	ended sync.WaitGroup
	began atomic.Pointer[func(os.Signal)] // prints how to continue; nil before a run has begun
}

// notified returns a channel with the signals that end a command. A signal that the process's caller ignores,
// as nohup does, stays ignored.
func notified() chan os.Signal {
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	return signals
}

func (c *console) listen() *listener {
	l := &listener{drain: make(chan struct{}), over: make(chan struct{})}
	signals := notified()
	// A reader that disconnects must not end a run; writes to it fail like other writes.
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
				switch began := l.began.Load(); {
				case first && began != nil:
					(*began)(s)
					continue
				case first:
					fmt.Fprintf(c.err, "concur: %s: nothing was begun\n", s)
				}
				c.assembler.Kill()
				c.exit(exitInterrupted)
			}
		}
	})
	return l
}

func (l *listener) stop() {
	close(l.over)
	l.ended.Wait()
}
