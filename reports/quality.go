package reports

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
	"github.com/seed-5817661a/concur/trace"
)

// quality returns the columns on citations, quality judges and the form of replies. They do not decide a verdict,
// so only the full table shows them.
func quality(n *notes) []document.Column[tableRow] {
	form := func(header string, of func(trace.Format) int) document.Column[tableRow] {
		return document.Column[tableRow]{
			Header: header,
			Show:   func(r tableRow) string { return figures.UnlessZero(of(r.Traces.Format)) },
			When:   document.IfWide,
		}
	}
	unread := func(header string, of func(tableRow) result.Unread) document.Column[tableRow] {
		return document.Column[tableRow]{
			Header: header, When: document.IfWide,
			Show: func(r tableRow) string {
				u := of(r)
				if u.Replies == 0 {
					return document.Undefined
				}
				return fmt.Sprintf("%d/%d, %s of tokens", u.Replies, u.Of, figures.Percent(u.Tokens))
			},
		}
	}
	return []document.Column[tableRow]{
		{
			Header: "grounded", When: document.IfWide,
			Show: func(r tableRow) string { return figures.Percent(r.Citations.Share) },
			Name: "grounded_share", Value: func(r tableRow) any { return r.Citations.Share },
		},
		{
			Header: "citations\nprecise", When: document.IfWide,
			Show: func(r tableRow) string { return figures.Percent(r.Citations.Precision) },
		},
		{
			Header: "claims\ncited",
			Show:   func(r tableRow) string { return figures.Percent(r.Citations.Recall) },
			When:   document.IfWide,
		},
		{
			Header: "grounded\nbut wrong", When: document.IfWide,
			Show: func(r tableRow) string { return figures.UnlessZero(r.Citations.IncorrectGrounded) },
		},
		{
			Header: "correct, not\ngrounded", When: document.IfWide,
			Show: func(r tableRow) string { return figures.UnlessZero(r.Citations.CorrectUngrounded) },
		},
		{Name: "correctness_model", Value: func(r tableRow) any { return r.Judge.CorrectnessModel }},
		{Name: "quality_model", Value: func(r tableRow) any { return r.Judge.QualityModel }},
		{Name: "judge_threshold", Value: func(r tableRow) any { return r.Judge.Threshold }},
		{Name: "correctness_read", Value: func(r tableRow) any { return r.Judge.CorrectnessRead }},
		{Name: "correctness_followed", Value: func(r tableRow) any { return r.Judge.CorrectnessFollowed }},
		{
			Header: "judged\ncorrect", When: document.IfWide,
			Show: func(r tableRow) string { return figures.Percent(r.Judge.CorrectnessPassRate) },
			Name: "correctness_pass_rate", Value: func(r tableRow) any { return r.Judge.CorrectnessPassRate },
		},
		{Name: "quality_pass_rate", Value: func(r tableRow) any { return r.Judge.QualityPassRate }},
		{
			Header: "quality,\n1 to 5", When: document.IfWide,
			Show: func(r tableRow) string {
				mean := figures.Tenths(r.Judge.QualityMean)
				if mean != document.Undefined && n.noteOn(r.Judge.QualityModel).FormOnly {
					mean += " of form"
				}
				return mean
			},
			Name: "quality_mean", Value: func(r tableRow) any { return r.Judge.QualityMean },
		},
		form("replies wrong\nin form", func(f trace.Format) int { return f.Errors }),
		form("mended", func(f trace.Format) int { return f.Repaired }),
		form("observation\ninvented", func(f trace.Format) int { return f.Invented }),
		form("actions\ndropped", func(f trace.Format) int { return f.Dropped }),
		form("answer line\nasked again", func(f trace.Format) int { return f.Reminders }),
		form("answers\nguessed", func(f trace.Format) int { return f.Guessed }),
		form("cut off", func(f trace.Format) int { return f.CutOff }),
		unread("verifier's replies\nnot readable", func(r tableRow) result.Unread { return r.Consensus.VerifierUnread }),
		unread("judges' replies\nnot readable", func(r tableRow) result.Unread { return r.Judge.Unread }),
	}
}

// toolCalls returns the columns that compare the tool calls with the calls that queries expect.
func toolCalls() []document.Column[tableRow] {
	of := func(name, header string, f func(result.Calls) *float64) document.Column[tableRow] {
		part := func(r tableRow) *float64 {
			if r.Calls == nil {
				return nil
			}
			return f(*r.Calls)
		}
		return document.Column[tableRow]{
			Header: header, When: document.IfFilled,
			Show: func(r tableRow) string { return figures.Percent(part(r)) },
			Name: name, Value: func(r tableRow) any { return part(r) },
		}
	}
	return []document.Column[tableRow]{
		of("calls_right", "traces with\nright calls", func(c result.Calls) *float64 { return c.Right }),
		of("calls_precision", "precision", func(c result.Calls) *float64 { return c.Precision }),
		of("calls_recall", "recall", func(c result.Calls) *float64 { return c.Recall }),
		of("calls_ordered", "in order", func(c result.Calls) *float64 { return c.Ordered }),
		of("calls_irrelevance", "none where\nnone is due", func(c result.Calls) *float64 { return c.Irrelevance }),
	}
}
