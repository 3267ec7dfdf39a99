package coordinator

import (
	"fmt"
	"time"
)

// aloneFor is the time without a worker after which the user gets a warning, if it is less than Times.QuietAfter.
const aloneFor = 10 * time.Second

// missWorkers tells the user, once each time, that no worker makes the traces of this run: the run would otherwise wait
// without a word. A worker that takes no work says why, see trouble, but does not count here.
func (c *Coordinator) missWorkers() {
	wait := min(c.o.Times.QuietAfter, aloneFor)
	there, told := time.Now(), false // when a worker was last there
	for looked := there; pause(c.ending, wait/10); looked = time.Now() {
		stopped := time.Since(looked) > wait/2 // this process: it could not hear anybody
		c.mu.Lock()
		needed := len(c.wanted) > 0 && !c.draining
		for _, s := range c.workers {
			if time.Since(s.heard) < silentFor {
				needed = false
			}
		}
		c.mu.Unlock()
		if !needed || stopped || !c.o.Link.Conn.IsConnected() { // watch says that the hub does not answer
			there, told = time.Now(), false
			continue
		}
		if !told && time.Since(there) >= wait {
			told = true
			c.o.Warn(fmt.Sprintf("no worker makes traces of this run, which waits: start one with `concur work %s`",
				c.o.Link.Conn.ConnectedUrlRedacted()))
		}
	}
}
