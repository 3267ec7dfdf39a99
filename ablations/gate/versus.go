package gate

import "fmt"

// versus is a history that the run is held against, and the level of each test.
type versus struct {
	name  string
	items []held
	level float64
}

// ruling is what Tests A and B say together.
type ruling uint8

const (
	clear ruling = iota
	rejected
	open // fresh traces are wanted
)

// standing is how the run stands against one history.
type standing struct {
	Comparison
	ruling   ruling
	reasons  []string
	warnings []string
	need     Need
}

// rule takes the steps of methods.md §6.2 in their order: Test B alone, then Test A with
// its replication.
func (v versus) rule(o Options, strict bool) standing {
	s := standing{Comparison: Comparison{Against: v.name, Level: v.level}, need: newNeed()}
	s.Run, s.Screen = v.aggregate(ofRun), v.screen()
	if s.Screen.Powerless {
		s.warnings = append(s.warnings, v.powerless(s.Screen))
	}
	if o.NoConfirm {
		v.unconfirmed(&s, o, strict)
		return s
	}
	asks, missing := v.confirm(&s.Screen)
	switch {
	case s.Screen.Rejects && !strict:
		s.reject(s.Screen.broken(v.name)...)
	case s.Screen.Rejects:
		v.replicate(&s, o, strict)
	case len(missing) > 0:
		s.need.Confirm = append(s.need.Confirm, asks...)
		s.leave(v.wanting(asks, missing))
	case s.Run.Rejects:
		v.replicate(&s, o, strict)
	}
	return s
}

func (s *standing) reject(reasons ...string) { s.ruling, s.reasons = rejected, reasons }
func (s *standing) leave(reason string)      { s.ruling, s.reasons = open, append(s.reasons, reason) }

// unconfirmed rules without fresh traces: by Test A alone, replicated only where a second
// pass is at hand. A guarded suspect is then neither broken nor sound, and PASS would claim
// that it is sound. Suspects outside Test B could not have been found broken anyhow.
func (v versus) unconfirmed(s *standing, o Options, strict bool) {
	var asks []Ask
	i := 0
	for _, h := range v.items {
		if !h.suspect() {
			continue
		}
		if !s.Screen.Suspects[i].Outside {
			asks = append(asks, Ask{h.Query, h.freshTraces()})
		}
		i++
	}
	s.need.Confirm = append(s.need.Confirm, asks...)
	switch {
	case s.Run.Rejects && v.second() == "":
		v.replicate(s, o, strict)
	case s.Run.Rejects && strict:
		s.need.Replicate = o.Replicate != ReplicateOff
		s.leave(fmt.Sprintf("worse than the %s: %s; strict wants a second pass to bear it out: run the gate without --no-confirm", v.name, s.Run))
	case s.Run.Rejects:
		s.need.Replicate = o.Replicate != ReplicateOff
		s.reject(fmt.Sprintf("worse than the %s: %s; not replicated, as no fresh traces were to be run", v.name, s.Run))
	}
	if s.ruling == clear && len(asks) > 0 {
		s.leave(fmt.Sprintf("%s may be broken, and no fresh traces were to be run (%d would have been); run the gate without --no-confirm", s.Screen.names(), Need{Confirm: asks}.Traces()))
	}
}

func (v versus) wanting(asks []Ask, missing []string) string {
	if len(asks) > 0 {
		return fmt.Sprintf("%s may be broken; %d fresh traces have to tell", listed(missing), Need{Confirm: asks}.Traces())
	}
	return fmt.Sprintf("%s may be broken, and every fresh trace was lost or without a verdict; run the gate again", listed(missing))
}

func (v versus) powerless(s Screen) string {
	if s.Least == nil {
		return fmt.Sprintf("Test B is powerless against the %s: of no query two thirds of the history are right; only a loss over all queries can be found", v.name)
	}
	return fmt.Sprintf("Test B is powerless against the %s: with %s, fresh traces can give p=%.2g at best, and the level is %.2g; only a loss over all queries can be found; a larger pool helps", v.name, counted(len(s.Suspects), "suspect"), *s.Least, v.level)
}
