package reports_test

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/trace"
)

// What was wrong in the form of replies has columns in the full table, where anything was.
func TestFormOfReplies(t *testing.T) {
	r := oneConfiguration()
	c := &r.Configurations[0]
	full := func() string {
		return written(t, func(b *bytes.Buffer) error {
			return reports.Write(b, document.FormatMarkdown, r, reports.Options{Notes: notes(), Wide: true})
		})
	}
	if got := full(); regexp.MustCompile(`dropped|readable`).MatchString(got) {
		t.Errorf("columns of what did not happen in\n%s", got)
	}
	c.Traces.Replies, c.Traces.Format = 90, trace.Format{Dropped: 4}
	c.Consensus.VerifierUnread = result.Unread{Replies: 20, Of: 24, Tokens: pointer(0.125)}
	c.Judge.Unread = result.Unread{Replies: 3, Of: 10, Tokens: pointer(0.02)}
	want := regexp.MustCompile(`\| answers +\| actions dropped \| verifier's replies not readable \| judges' replies not readable \|
.*
\| .default. +\| +4 \| +20/24, 12 % of tokens \| +3/10, 2 % of tokens \|
`)
	if got := full(); !want.MatchString(got) {
		t.Errorf("no such table in\n%s", got)
	}
}
