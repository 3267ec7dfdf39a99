package runner

import (
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

// sureness follows the events of a trace to what the model says when the confidence check asks it.
type sureness struct {
	due, open bool // the check asked; the reply is not complete
	reply     string
}

// note reads an event of the trace's own agent.
func (s *sureness) note(b trace.Body) {
	switch body := b.(type) {
	case trace.Guard:
		if body.Rule == "confidence_check" {
			s.open = body.Decision == "ask"
			s.due = s.due || s.open
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
	out := &trace.Sureness{}
	for _, of := range []struct {
		text  string
		plain bool // a percentage without a word of confidence counts, if it is the only one
	}{{s.reply, true}, {message, false}} {
		if p, found := percentIn(of.text, of.plain); found {
			if p <= 100 {
				out.Percent = &p
			}
			return out
		}
	}
	return out
}

var (
	percentage = lazy.Compile(`(\d+(?:[.,]\d+)?)\s?(?:%|per ?cent\b)`)
	confident  = lazy.Compile(`(?i)\b(?:sure|confiden\w*|certain\w*|likely)\b`)
)

// percentIn finds the percentage by which a text says how sure it is. It may be above 100.
func percentIn(reply string, plain bool) (percent float64, found bool) {
	read := func(in string) (float64, bool) {
		m := percentage.FindStringSubmatch(in)
		if m == nil {
			return 0, false
		}
		p, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", "."), 64)
		return p, err == nil
	}
	for line := range strings.Lines(reply) {
		for _, at := range text.Sentences(line) {
			sentence := line[at.Start:at.End]
			if p, ok := read(sentence); ok && confident.MatchString(sentence) {
				return p, true
			}
		}
	}
	if plain && len(percentage.FindAllStringIndex(reply, -1)) == 1 {
		return read(reply)
	}
	return 0, false
}
