package sureness

import "github.com/seed-5817661a/concur/trace"

// Check collects the model's reply to the confidence check from the events of a trace.
type Check struct {
	due, open bool // due: the check asked; open: its reply is not complete
	goesOn    bool // the trace went on after the reply, so the final message is not that reply
	reply     string
}

// Note adds an event of the trace's own agent.
func (s *Check) Note(b trace.Body) {
	switch body := b.(type) {
	case trace.Guard:
		if body.Rule == "confidence_check" {
			s.open = body.Decision == "ask"
			s.due = s.due || s.open
			s.goesOn = body.Decision == "continue"
		}
	case trace.Thought:
		if s.open {
			s.reply += body.Content + "\n"
		}
	}
}

// Result returns the percentage that the model stated. It looks for it in the model's reply to the check, and
// then in message, the final message. It returns nil if the check did not ask.
func (s *Check) Result(message string) *trace.Sureness {
	if !s.due {
		return nil
	}
	p, found := percentIn(s.reply, true)
	if !found {
		p, found = percentIn(message, !s.goesOn)
	}
	if !found || p < 0 || p > 100 {
		return &trace.Sureness{}
	}
	return &trace.Sureness{Percent: &p}
}
