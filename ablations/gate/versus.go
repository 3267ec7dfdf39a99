package gate

import (
	"fmt"
	"strings"
)

// versus is a history that the run is held against, and the level of each test.
type versus struct {
	name  string
	items []held // that are tested
	short []held // of too little history to be tested
	level float64
	from  *Evidence
	// missing says why a history that was asked for cannot be used; "" where it can.
	missing string
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
	losses   []Loss // behind a rejection by Test A
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
	asks, open := v.confirm(&s.Screen)
	s.need.Confirm = asks
	switch {
	case s.Screen.Rejects && !strict:
		s.reject(s.Screen.broken(v.name)...)
	case s.Screen.Rejects:
		v.replicate(&s, o, strict)
	case s.Run.Rejects && o.NoConfirm:
		v.unconfirmed(&s, o, strict)
	case s.Run.Rejects && len(open) == 0:
		v.replicate(&s, o, strict)
	}
	if s.ruling == clear && len(open) > 0 {
		s.leave(v.wanting(open, o))
	}
	return s
}

func (s *standing) reject(reasons ...string) { s.ruling, s.reasons = rejected, reasons }
func (s *standing) leave(reason string)      { s.ruling, s.reasons = open, append(s.reasons, reason) }

// byAggregate rejects by Test A on some traces.
func (v versus) byAggregate(s *standing, of func(*Item) Traces, reason string) {
	s.reject(reason)
	if s.losses = v.losses(of); len(s.losses) > 0 {
		s.reasons = append(s.reasons, lossesNamed(s.losses))
	}
}

// unconfirmed rules on an alarm of Test A where no fresh traces are run: it is replicated
// only where a second pass is at hand.
func (v versus) unconfirmed(s *standing, o Options, strict bool) {
	if v.second() == "" {
		v.replicate(s, o, strict)
		return
	}
	s.need.Replicate = o.Replicate != ReplicateOff
	if strict {
		s.leave(fmt.Sprintf("worse than the %s: %s; strict wants a second pass to bear it out: run the gate without --no-confirm", v.name, s.Run))
		return
	}
	v.byAggregate(s, ofRun, fmt.Sprintf("worse than the %s: %s; not replicated, as no fresh traces were to be run", v.name, s.Run))
}

// wanting says what suspects still want. One without its fresh traces is neither broken nor
// sound, and PASS would claim that it is sound.
func (v versus) wanting(open []unsettled, o Options) string {
	var unrun, lost []string
	traces := 0
	for _, u := range open {
		if u.run {
			lost = append(lost, u.String())
		} else {
			unrun, traces = append(unrun, u.query), traces+u.asked
		}
	}
	var out []string
	switch {
	case len(unrun) > 0 && o.NoConfirm:
		out = append(out, fmt.Sprintf("%s may be broken, and no fresh traces were to be run (%d would have been); run the gate without --no-confirm", listed(unrun), traces))
	case len(unrun) > 0:
		out = append(out, fmt.Sprintf("%s may be broken; %d fresh traces have to tell", listed(unrun), traces))
	}
	if len(lost) > 0 {
		out = append(out, fmt.Sprintf("may be broken, and too few fresh traces are valid to tell: %s; run what was lost again with %s, and ask the gate again", listed(lost), retries(v.from.FreshFolders)))
	}
	return strings.Join(out, "; ")
}

func (v versus) powerless(s Screen) string {
	if s.Least == nil {
		return fmt.Sprintf("Test B is powerless against the %s: of no query two thirds of the history are right; only a loss over all queries can be found", v.name)
	}
	return fmt.Sprintf("Test B is powerless against the %s: with %s, fresh traces can give p=%.2g at best, and the level is %.2g; only a loss over all queries can be found; a larger pool helps", v.name, counted(len(s.Suspects), "suspect"), *s.Least, v.level)
}
