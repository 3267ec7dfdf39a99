package runner

import "sync"

// places limits the number of functions that run at the same time. The limit may change.
type places struct {
	most func() int

	mu    sync.Mutex
	freed sync.Cond
	taken int
	wait  sync.WaitGroup
}

func newPlaces(most func() int) *places {
	p := &places{most: most}
	p.freed.L = &p.mu
	return p
}

// run waits for a free place, and runs do in another goroutine.
func (p *places) run(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.taken > 0 && p.taken >= p.most() {
		p.freed.Wait()
	}
	p.taken++
	p.wait.Go(func() {
		do()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.taken--
		p.freed.Broadcast()
	})
}
