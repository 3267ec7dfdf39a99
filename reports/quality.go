package reports

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/trace"
)

// quality returns the columns on citations, quality judges and the form of replies. They do not decide a verdict,
// so only the full table shows them.
func quality(n *notes) []Column[row] {
	form := func(header string, of func(trace.Format) int) Column[row] {
		return Column[row]{Header: header, Show: func(r row) string { return unlessNone(of(r.Traces.Format)) }, When: ifWide}
	}
	unread := func(header string, of func(row) result.Unread) Column[row] {
		return Column[row]{
			Header: header, When: ifWide,
			Show: func(r row) string {
				u := of(r)
				if u.Replies == 0 {
					return undefined
				}
				return fmt.Sprintf("%d/%d, %s of tokens", u.Replies, u.Of, percent(u.Tokens))
			},
		}
	}
	return []Column[row]{
		{
			Header: "grounded", When: ifWide,
			Show: func(r row) string { return percent(r.Citations.Share) },
			Name: "grounded_share", Value: func(r row) any { return r.Citations.Share },
		},
		{
			Header: "citations\nprecise", When: ifWide,
			Show: func(r row) string { return percent(r.Citations.Precision) },
		},
		{Header: "claims\ncited", Show: func(r row) string { return percent(r.Citations.Recall) }, When: ifWide},
		{
			Header: "grounded\nbut wrong", When: ifWide,
			Show: func(r row) string { return unlessNone(r.Citations.IncorrectGrounded) },
		},
		{
			Header: "correct, not\ngrounded", When: ifWide,
			Show: func(r row) string { return unlessNone(r.Citations.CorrectUngrounded) },
		},
		{Name: "correctness_model", Value: func(r row) any { return r.Judge.CorrectnessModel }},
		{Name: "quality_model", Value: func(r row) any { return r.Judge.QualityModel }},
		{Name: "judge_threshold", Value: func(r row) any { return r.Judge.Threshold }},
		{Name: "correctness_read", Value: func(r row) any { return r.Judge.CorrectnessRead }},
		{Name: "correctness_followed", Value: func(r row) any { return r.Judge.CorrectnessFollowed }},
		{
			Header: "judged\ncorrect", When: ifWide,
			Show: func(r row) string { return percent(r.Judge.CorrectnessPassRate) },
			Name: "correctness_pass_rate", Value: func(r row) any { return r.Judge.CorrectnessPassRate },
		},
		{Name: "quality_pass_rate", Value: func(r row) any { return r.Judge.QualityPassRate }},
		{
			Header: "quality,\n1 to 5", When: ifWide,
			Show: func(r row) string {
				mean := tenths(r.Judge.QualityMean)
				if mean != undefined && n.on(r.Judge.QualityModel).FormOnly {
					mean += " of form"
				}
				return mean
			},
			Name: "quality_mean", Value: func(r row) any { return r.Judge.QualityMean },
		},
		form("replies wrong\nin form", func(f trace.Format) int { return f.Errors }),
		form("mended", func(f trace.Format) int { return f.Repaired }),
		form("observation\ninvented", func(f trace.Format) int { return f.Invented }),
		form("actions\ndropped", func(f trace.Format) int { return f.Dropped }),
		form("answer line\nasked again", func(f trace.Format) int { return f.Reminders }),
		form("answers\nguessed", func(f trace.Format) int { return f.Guessed }),
		form("cut off", func(f trace.Format) int { return f.CutOff }),
		unread("verifier's replies\nnot readable", func(r row) result.Unread { return r.Consensus.VerifierUnread }),
		unread("judges' replies\nnot readable", func(r row) result.Unread { return r.Judge.Unread }),
	}
}

// toolCalls returns the columns that compare the tool calls with the calls that queries expect.
func toolCalls() []Column[row] {
	of := func(name, header string, f func(result.Calls) *float64) Column[row] {
		part := func(r row) *float64 {
			if r.Calls == nil {
				return nil
			}
			return f(*r.Calls)
		}
		return Column[row]{
			Header: header, When: ifFilled,
			Show: func(r row) string { return percent(part(r)) },
			Name: name, Value: func(r row) any { return part(r) },
		}
	}
	return []Column[row]{
		of("calls_right", "traces with\nright calls", func(c result.Calls) *float64 { return c.Right }),
		of("calls_precision", "precision", func(c result.Calls) *float64 { return c.Precision }),
		of("calls_recall", "recall", func(c result.Calls) *float64 { return c.Recall }),
		of("calls_ordered", "in order", func(c result.Calls) *float64 { return c.Ordered }),
		of("calls_irrelevance", "none where\nnone is due", func(c result.Calls) *float64 { return c.Irrelevance }),
	}
}
