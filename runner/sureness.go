package runner

import "github.com/seed-5817661a/concur/trace"

// sureness follows the events of a trace to what the model says when the confidence check asks it.
type sureness struct {
	due, open bool // the check asked; the reply is not complete
	goesOn    bool // the trace went on after the reply, so that the final message is another one
	reply     string
}

// note reads an event of the trace's own agent.
func (s *sureness) note(b trace.Body) {
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

// result returns nil if the model was not asked. message is the final message, in which it may say it.
func (s *sureness) result(message string) *trace.Sureness {
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
