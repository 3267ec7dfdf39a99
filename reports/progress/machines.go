package progress

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/text"
)

// Machines is what the workers of a hub do for a run at the moment.
type Machines struct {
	Workers   int     // that were heard in the last seconds
	Places    int     // traces that they can run at the same time
	Running   int     // traces that they run
	PerMinute float64 // traces that came in the last minute
}

// String returns the state as one line.
func (m Machines) String() string {
	if m.Workers == 0 {
		return "hub: no worker is there; start one with `concur work URL`"
	}
	return fmt.Sprintf("hub: %s with %s, %s in flight there, %.0f a minute", text.Counted(m.Workers, "worker"),
		text.Counted(m.Places, "place"), text.Counted(m.Running, "trace"), m.PerMinute)
}

// ShowMachines adds a line with the state of the workers to the progress. state must be safe for concurrent use.
func (r *Run) ShowMachines(state func() Machines) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.machines = state
}
