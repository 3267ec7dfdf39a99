package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/trace"
)

func TestTheFormLine(t *testing.T) {
	r := oneConfiguration()
	r.Configurations[0].Traces.Replies, r.Configurations[0].Traces.Format = 90, trace.Format{Dropped: 4}
	got := written(t, func(b *bytes.Buffer) error { return reports.Summary(b, r, notes()) })
	if want := "default: of 90 replies 0 were wrong in form, 0 were mended, 0 invented an observation; 4 further actions were dropped\n"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}

func TestTheLineOnUnreadableReplies(t *testing.T) {
	r := oneConfiguration()
	c := &r.Configurations[0]
	c.Consensus.VerifierUnread = result.Unread{Replies: 20, Of: 24, Tokens: pointer(0.125)}
	c.Timing.VerifierUnread = pointer(0.3125)
	c.Judge.Unread = result.Unread{Replies: 3, Of: 10, Tokens: pointer(0.02)}
	c.Timing.JudgesUnread = pointer(0.04)
	got := written(t, func(b *bytes.Buffer) error { return reports.Summary(b, r, notes()) })
	for _, want := range []string{
		"default: 20 of 24 replies of the verifier could not be read; they took 12 % of the tokens and 31 % of the time\n",
		"default: 3 of 10 replies of the judges could not be read; they took 2 % of the tokens and 4 % of the time\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
