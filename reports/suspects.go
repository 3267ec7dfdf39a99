package reports

import (
	"fmt"
	"io"

	"github.com/seed-5817661a/concur/ablations/suspects"
)

// Suspects writes the golds that are probably wrong.
func Suspects(w io.Writer, r *suspects.Report, screen Screen) error {
	var d document
	for _, s := range r.Suspects {
		var given []AnswerCount
		for _, a := range s.Answers {
			given = append(given, AnswerCount{a.Answer, a.Count, a.Right})
		}
		lines := []line{
			say(quoted(s.Query), plain(": "), quoted(s.Question)),
			say(plain("  expected "), quoted(s.Expected), plain("; answers "), answers(given)),
		}
		for _, reason := range s.Reasons {
			lines = append(lines, plain("  "+reason).in(doubtful))
		}
		d.details = append(d.details, part{lines: append(lines, say(plain("  concur trace "), quoted(s.Run), plain(" "), quoted(s.Query)))})
	}
	from := fmt.Sprintf("by %s in %s of %s", counted(r.Traces, "trace", "traces"), counted(len(r.Runs), "run", "runs"), counted(len(r.Models), "model", "models"))
	d.closing = plain("No gold looks wrong " + from)
	if n := len(r.Suspects); n > 0 {
		d.closing = plain(fmt.Sprintf("These golds are probably wrong: %d, %s", n, from))
	}
	if r.Other > 0 {
		d.closing = say(d.closing, plain(" ("+counted(r.Other, "record", "records")+" with another text or gold left out)"))
	}
	d.closing = say(d.closing, plain("."))
	return screen.write(w, d)
}
