package coordinator

import "time"

// State is what the workers of a run do at the moment.
type State struct {
	Workers int // that were heard in the last seconds
	Places  int // of these workers
	Running int // traces that they run, as far as they have said so: at most 5 s ago
	// PerMinute is the number of results that came in the last minute. In the first minute of a session it is computed
	// from the time so far; it is 0 before the first result.
	PerMinute float64
}

// State returns what the workers do.
func (c *Coordinator) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	out := State{PerMinute: c.pace.perMinute(now)}
	for _, s := range c.workers {
		if now.Sub(s.heard) < silentFor {
			out.Workers++
			out.Places += s.places
			out.Running += s.running
		}
	}
	return out
}

// pace counts results by the second in which they came.
type pace struct {
	begun   time.Time // the session
	seconds [60]struct{ second, n int64 }
}

// add counts a result.
func (p *pace) add(now time.Time) {
	at := &p.seconds[now.Unix()%60]
	if at.second != now.Unix() {
		at.second, at.n = now.Unix(), 0
	}
	at.n++
}

// perMinute returns the number of results in a minute, from those of the last 60 s.
func (p *pace) perMinute(now time.Time) float64 {
	n := int64(0)
	for _, s := range p.seconds {
		if now.Unix()-s.second < 60 {
			n += s.n
		}
	}
	return float64(n) / min(1, max(time.Second, now.Sub(p.begun)).Minutes())
}
