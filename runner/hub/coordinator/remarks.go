package coordinator

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// Bounds of what agents say: a worker that lies must not fill the memory or the terminal.
const (
	mostUnlogged = 1 << 12  // messages that wait here; further ones are dropped
	mostRemark   = 64 << 10 // bytes of a message
	mostWarning  = 500      // bytes of a warning on the terminal
	mostWarnings = 100      // different warnings on the terminal of all workers
)

// hearRemarks writes what the agents of workers say into the log. It has a goroutine of its own, so that many lines do
// not delay the signs that workers live.
func (c *Coordinator) hearRemarks() error {
	said := make(chan *nats.Msg, mostUnlogged)
	s, err := c.o.Link.Conn.ChanSubscribe(c.o.Run.RemarkSubject(), said)
	if err != nil {
		return fmt.Errorf("listen to agents: %w", err)
	}
	c.heard = append(c.heard, s)
	hear := func(m *nats.Msg) {
		var s wire.Remark
		if len(m.Data) > 2*mostRemark || json.Unmarshal(m.Data, &s) != nil {
			return
		}
		if s.Warning && c.warnOf("", s.Worker, s.Text) {
			return
		}
		c.o.Log(fmt.Sprintf("worker %.60q: %.*s", s.Worker, mostRemark, s.Text))
	}
	c.begin(func() {
		for {
			select {
			case <-c.ending.Done():
				for len(said) > 0 { // this is the only receiver
					hear(<-said)
				}
				return
			case m := <-said:
				hear(m)
			}
		}
	})
	return nil
}

// warnOf prints what a worker says, once for all workers, in one line: a worker that lies must not print lines that
// look like those of this run, nor print for ever. It returns false if there were too many such lines. about is "", or
// what the worker says it about.
func (c *Coordinator) warnOf(about, worker, said string) bool {
	said = strings.ToValidUTF8(said[:min(len(said), mostWarning)], "") // it may be cut within a character
	said = strings.Join(strings.Fields(said), " ")
	c.mu.Lock()
	known, full := c.printed[said], len(c.printed) >= mostWarnings
	if !full {
		c.printed[said] = true
	}
	c.mu.Unlock()
	if !known && !full {
		c.o.Warn(fmt.Sprintf("worker %.60q%s: %s", worker, about, said))
	}
	return known || !full
}
