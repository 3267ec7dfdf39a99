package runner

import (
	"strings"
	"sync"
	"sync/atomic"
)

// sentCount counts the requests of an agent, including the requests of its sub-agents. The zero value has
// counted no request.
type sentCount struct {
	n      atomic.Int64
	caller *sentCount // nil for the trace's own agent

	mu    sync.Mutex
	below map[string]*sentCount // by path; only the trace's own agent's has them
}

func (c *sentCount) add() {
	for ; c != nil; c = c.caller {
		c.n.Add(1)
	}
}

func (c *sentCount) load() int { return int(c.n.Load()) }

// of returns a new count for the agent at a path. c is the count of the trace's own agent, which includes it.
func (c *sentCount) of(path string) *sentCount {
	c.mu.Lock()
	defer c.mu.Unlock()
	caller := c
	if i := strings.LastIndexByte(path, '/'); i >= 0 && c.below[path[:i]] != nil {
		caller = c.below[path[:i]]
	}
	if c.below == nil {
		c.below = map[string]*sentCount{}
	}
	c.below[path] = &sentCount{caller: caller}
	return c.below[path]
}
