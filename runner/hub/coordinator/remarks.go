package coordinator

import (
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go"

	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// Bounds of what agents say: a worker that lies must not fill the memory or the terminal.
const (
	mostUnlogged = 1 << 12  // messages that wait here; further ones are dropped
	mostRemark   = 64 << 10 // bytes of a message
	mostWarning  = 500      // bytes of a warning on the terminal
	mostWarnings = 100      // different warnings on the terminal
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
	warned := 0
	hear := func(m *nats.Msg) {
		var s wire.Remark
		if len(m.Data) > 2*mostRemark || json.Unmarshal(m.Data, &s) != nil {
			return
		}
		if s.Warning && warned < mostWarnings {
			warned++
			c.warnOnce("said "+s.Text, fmt.Sprintf("worker %.60q: %.*s", s.Worker, mostWarning, s.Text))
			return
		}
		c.o.Log(fmt.Sprintf("worker %.60q: %.*s", s.Worker, mostRemark, s.Text))
	}
	c.begin(func() {
		for {
			select {
			case <-c.ending.Done():
				for len(said) > 0 { // nobody else receives
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
