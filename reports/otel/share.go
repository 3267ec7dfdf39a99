package otel

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/store"
)

// shareRight is the name of the evaluation that says how often a query was answered correctly.
const shareRight = "share right"

// Share is the share of a query's traces that are right, with an interval for the chance that its next trace is right
// (docs/method.md §5.9).
type Share struct {
	result.Rights
	Low, High float64 // the ends of the 95 % interval
}

// shareOf returns the share of right traces of a record. It returns nil if fewer than two traces were valid, because
// the verdict on a single trace says as much, and if no trace has a verdict.
func shareOf(r store.Record) *Share {
	n := result.RightsOf(r)
	if n.Valid < 2 || n.Ruled == 0 {
		return nil
	}
	low, high := n.Interval()
	return &Share{n, low, high}
}

// Value returns the share; nil if a trace has no verdict. Judges often give none to answers that lost the vote. A share
// of the other traces would then be too high.
func (s *Share) Value() *float64 {
	if s.Ruled < s.Valid {
		return nil
	}
	share := s.Share()
	return &share
}

// Range returns the range in which the share is if a trace has no verdict, such as "80 to 100 %"; else "".
func (s *Share) Range() string {
	if s.Ruled == s.Valid {
		return ""
	}
	low, high := text.Ends(float64(s.Right)/float64(s.Valid), float64(s.Right+s.Valid-s.Ruled)/float64(s.Valid), 0)
	return low + " to " + high + " %"
}

// String describes the share for people. It has figures only, and so no content.
func (s *Share) String() string {
	said := fmt.Sprintf("%d of %d answers to this question%s right", s.Right, s.Valid, text.Verb(s.Right, " is", " are"))
	if unruled := s.Valid - s.Ruled; unruled > 0 {
		said += fmt.Sprintf(", %d", unruled) + text.Verb(unruled, " has", " have") + " no verdict: " + s.Range()
	} else {
		said += ": " + text.Percent(s.Share(), 0) + " %"
	}
	low, high := text.Ends(s.Low, s.High, 0)
	return said + "; 95 % interval " + low + " to " + high + " %"
}

// share writes the figures of a share.
func (w *writer) share(s *Share) {
	w.number(ownRight, s.Right)
	w.number(ownJudged, s.Ruled)
	w.number(ownValid, s.Valid)
	w.decimal(ownLow, s.Low)
	w.decimal(ownHigh, s.High)
	w.decimal(ownLevel, result.Level)
}

// Metadata returns the figures of the share by the names of their attributes, for services that take JSON.
func (s *Share) Metadata() map[string]any {
	return map[string]any{ownRight: s.Right, ownJudged: s.Ruled, ownValid: s.Valid, ownLow: s.Low, ownHigh: s.High,
		ownLevel: result.Level}
}
