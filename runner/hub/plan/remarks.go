package plan

import (
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// says returns a function that sends what agents say to the log of the run. The hub does not store it, so it is lost
// while no process coordinates the run.
func (w Worker) says(l *link.Link, run wire.Run) func(warning bool) func(string) {
	return func(warning bool) func(string) {
		return func(text string) {
			_ = l.Conn.Publish(run.RemarkSubject(), wire.Remark{Worker: w.Name, Text: text, Warning: warning}.Encode())
		}
	}
}
