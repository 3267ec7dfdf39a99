package otel

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Evaluation is a verdict on a span of another program, from which a trace was imported.
type Evaluation struct {
	trace.Origin
	// ID is the same each time that the verdict is sent, so that the receiver has it once.
	ID          string
	Name        string // consensus, share right, trace, correctness, quality, or "rubric: ITEM"
	Score       *float64
	Label       string // pass, fail or unscored; for a share without a value its range, else ""
	Explanation string // "" unless content may be sent; that of a share has figures only
	Share       *Share // nil for verdicts
	By          string // gold, a judge's name, or people
	Run, Query  string
	Trace       int
	Votes       int      // the traces of the query
	Winners     int      // those that agree with the decision
	Agreement   *float64 // of the traces, as in the record; nil for a single trace
	Wins        bool     // the trace is one of Winners
	At          time.Time
}

// Evaluations returns the verdicts of a query for the spans from which its traces were imported. It returns nil for
// traces that were not imported from spans. The verdict of the consensus and the share of right traces are for the span
// of each of the traces; the correctness judge's verdict is for the trace that represents the consensus.
func Evaluations(run string, r store.Record, at time.Time, o Options) (out []Evaluation, err error) {
	var winners []int
	if len(r.Consensus.Votes) > 0 {
		winners = r.Consensus.Votes[0].Traces
	}
	places := map[int]trace.Origin{}
	wins := map[int]bool{}
	for _, t := range winners {
		wins[t] = true
	}
	share := shareOf(r)
	of := func(t int, name string, v judge.Verdict) Evaluation {
		place := places[t]
		e := Evaluation{Origin: place, Name: name, Label: label(v.Verdict), By: v.By, Run: run, Query: r.Query, Trace: t,
			Votes: len(r.Answers), Winners: len(winners), Agreement: r.Consensus.Agreement, Wins: wins[t], At: at}
		sum := sha256.Sum256(fmt.Appendf(nil, "concur/evaluation/v1 %q %q %q %q %q", run, r.Configuration, place.TraceID,
			place.SpanID, name))
		e.ID = hex.EncodeToString(sum[:16])
		return e
	}
	add := func(t int, name string, v judge.Verdict) {
		if _, known := places[t]; !known || v.Verdict == "" {
			return
		}
		e := of(t, name, v)
		if v.Verdict == judge.Correct || v.Verdict == judge.Incorrect {
			value := 0.0
			if v.Verdict == judge.Correct {
				value = 1
			}
			e.Score = &value
		}
		if o.Content {
			e.Explanation = (&Describer{options: o}).content(v.Reason)
		}
		out = append(out, e)
	}
	for _, a := range r.Answers {
		origin, err := trace.Extra[trace.Origin](a.Extras, trace.OriginName)
		if err != nil {
			return nil, err
		}
		if origin != nil {
			places[a.Trace] = *origin
		}
	}
	for _, a := range r.Answers {
		add(a.Trace, "consensus", r.Verdict)
		if _, known := places[a.Trace]; known && share != nil {
			e := of(a.Trace, shareRight, judge.Verdict{By: r.Verdict.By})
			e.Score, e.Label, e.Share, e.Explanation = share.Value(), share.Range(), share, share.String()
			out = append(out, e)
		}
		add(a.Trace, "trace", judge.Verdict{Verdict: a.Verdict, By: r.Verdict.By})
	}
	j := r.Judgements
	if j == nil {
		return out, nil
	}
	if c := j.Correctness; c != nil && r.Consensus.Representative != nil {
		add(*r.Consensus.Representative, "correctness", by(c.Verdict, c.Judge))
	}
	for _, q := range j.Quality {
		add(q.Trace, "quality", by(q.Verdict, q.Judge))
	}
	for _, item := range j.Rubric {
		add(item.Trace, "rubric: "+item.Item, item.Verdict)
	}
	return out, nil
}

// by names the model that judged, if one was asked.
func by(v judge.Verdict, model string) judge.Verdict {
	v.By = cmp.Or(model, v.By)
	return v
}

// Record returns the verdict as a log record on the span.
func (e Evaluation) Record() (LogRecord, error) {
	traceID, err := hex.DecodeString(e.TraceID)
	if err != nil {
		return nil, fmt.Errorf("trace %d of query %s: the id of its span is damaged: %w", e.Trace, e.Query, err)
	}
	spanID, err := hex.DecodeString(e.SpanID)
	if err != nil {
		return nil, fmt.Errorf("trace %d of query %s: the id of its span is damaged: %w", e.Trace, e.Query, err)
	}
	w := newLog(traceID, spanID, e.At)
	w.text(evaluationName, e.Name)
	w.text(scoreLabel, e.Label)
	w.text(explanation, e.Explanation)
	w.text(ownJudge, e.By)
	w.text(ownRun, e.Run)
	w.text(ownQuery, e.Query)
	w.number(ownTrace, e.Trace)
	w.number(ownVotes, e.Votes)
	w.number(ownWinners, e.Winners)
	if e.Agreement != nil {
		w.decimal(ownAgreement, *e.Agreement)
	}
	if e.Score != nil {
		w.decimal(scoreValue, *e.Score)
	}
	if e.Share != nil {
		w.share(e.Share)
	}
	return w.raw, nil
}
