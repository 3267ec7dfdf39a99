package main

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// listen turns signals into an orderly end: the first closes drain and says where the
// run is kept, the second ends the process at once.
func listen(say func(string), dir string) (drain <-chan struct{}, stop func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// A reader that has gone must not end a run; writes to it fail like any other.
	signal.Ignore(syscall.SIGPIPE)
	closing, over := make(chan struct{}), make(chan struct{})
	var listening sync.WaitGroup
	listening.Go(func() {
		select {
		case <-over:
			return
		case s := <-signals:
			close(closing)
			say(fmt.Sprintf("%s: no new traces; those in flight have %s, then they are cancelled. A second signal ends at once.\nThe run is kept in %s; go on with: %s", s, drainGrace, dir, resumeCommand(dir)))
		}
		select {
		case <-over:
		case <-signals:
			os.Exit(exitInterrupted)
		}
	})
	return closing, func() {
		signal.Stop(signals)
		close(over)
		listening.Wait()
	}
}
