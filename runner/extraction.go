package runner

import (
	"context"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/extract"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// extract asks the extractor of an arm for the answers that the rules could not read, and returns the traces
// with these answers. It adds the usage of the extractor to the record, and an event for each such trace to the
// run. It returns only the error of ctx.
func (s *schedule) extract(ctx context.Context, a *questioners, q datasets.Query, traces []store.FinishedTrace,
	r *store.Record) ([]store.FinishedTrace, error) {
	if a.Extractor == nil {
		return traces, nil
	}
	traces = slices.Clone(traces) // other arms use the same traces
	sum := store.Extraction{Model: a.Configuration.ExtractorModel()}
	for i := range traces {
		t := &traces[i].Trace
		if !extract.Unread(*t, q.Gold.Type, q.Gold.Options) {
			continue
		}
		asked := extract.Question{ID: q.ID, Text: heard(q, traces[i]).Wordings(t.Question), Type: q.Gold.Type,
			Options: q.Gold.Options, Locale: a.Configuration.Agent.Locale}
		reading, err := a.Extractor.Read(ctx, asked, extract.Message(*t))
		if err != nil {
			return nil, err
		}
		sum.Add(reading)
		reading.Apply(t)
		s.noteReading(a, traces[i], reading)
	}
	if sum.Messages > 0 {
		r.Extraction = &sum
		s.charge(&a.Arm, &r.Usage, store.ExtractorRole, sum.Model, sum.Calls, sum.Usage)
		r.Timing.ExtractorS = sum.Time.Seconds()
	}
	return traces, nil
}

// noteReading records a reading of the extractor as an event, after the end of the trace.
func (s *schedule) noteReading(a *questioners, t store.FinishedTrace, reading extract.Reading) {
	body := trace.Extraction{Configuration: a.Configuration.Name, Extract: extract.FromModel,
		Model: a.Configuration.ExtractorModel()}
	if reading.Answer != "" {
		body.Answer = &reading.Answer
	} else {
		body.Cause = &reading.Problem
	}
	s.out.Event(trace.Event{ID: t.ID, Path: t.Path, Step: max(0, t.Steps-1), Time: s.control.Clock(), Body: body})
}

// rightAs returns the first other answer type by which the answer of a wrong trace would equal the gold; "" if
// there is no such type. It does not try text, code and tables, because these compare characters. It does not try a
// type that cannot express the whole gold, such as integer for a gold with a unit.
func rightAs(q datasets.Query, t trace.Trace) answer.Type {
	g := q.Gold
	if g.Answer == "" || g.Outcome != trace.Answered || t.Outcome != trace.Answered && t.Outcome != trace.NoAnswer {
		return ""
	}
	// the answer is right; only the tool calls are wrong
	if ok, _ := answer.Match(t.Answer, g.Answer, g.Type, g.Aliases, g.Tolerance, g.Options); ok {
		return ""
	}
	for _, as := range answer.Types() {
		if as == g.Type || as == answer.Text || as == answer.Code || as == answer.Table {
			continue
		}
		if k, err := answer.Normalize(g.Answer, as, g.Options); err != nil || k.Confidence == answer.Ambiguous ||
			len(k.Flags) > 0 {
			continue
		}
		short := t.Answer
		if short == "" {
			short = answer.Message{Text: t.Message, Question: q.Wordings(t.Question), Read: g.Locale}.Extract(as).Short
		}
		if ok, _ := answer.Match(short, g.Answer, as, g.Aliases, answer.Tolerance{}, g.Options); ok && short != "" {
			return as
		}
	}
	return ""
}
