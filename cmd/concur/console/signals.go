package console

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/seed-5817661a/concur/internal/filewatch"
)

// Listener ends a run in order. The first signal closes drain and prints how to continue; the second ends the
// process immediately. Before a run has begun, the first signal ends the process.
type Listener struct {
	Drain chan struct{} // closed by the first signal
	over  chan struct{}
	ended sync.WaitGroup
	Began atomic.Pointer[func(os.Signal)] // prints how to continue; nil before a run has begun
}

// Notified returns a channel with the signals that end a command. A signal that the process's caller ignores,
// as nohup does, stays ignored.
func Notified() chan os.Signal {
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	return signals
}

// Listen begins to listen for the signals that end a command.
func (c *Console) Listen() *Listener {
	l := &Listener{Drain: make(chan struct{}), over: make(chan struct{})}
	signals := Notified()
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
					close(l.Drain)
				}
				switch began := l.Began.Load(); {
				case first && began != nil:
					(*began)(s)
					continue
				case first:
					fmt.Fprintf(c.Err, "concur: %s: nothing was begun\n", s)
				}
				c.Assembler.Kill()
				c.Exit(ExitInterrupted)
			}
		}
	})
	return l
}

// Stop ends the listening.
func (l *Listener) Stop() {
	close(l.over)
	l.ended.Wait()
}

// AwaitChange waits for a change of files. A signal ends it.
func (c *Console) AwaitChange(ctx context.Context, files *filewatch.Watcher, signals *Listener) ([]string, error) {
	signals.Began.Store(new(func(os.Signal) {}))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	over := WithCode(ExitInterrupted, errors.New("interrupted; nothing was running"))
	go func() {
		select {
		case <-signals.Drain:
			cancel(over)
		case <-ctx.Done():
		}
	}()
	return files.Changed(ctx)
}
