package otel

import (
	"time"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// infoSeverity is the severity number of a log record that reports no problem.
const infoSeverity = uint64(logspb.SeverityNumber_SEVERITY_NUMBER_INFO)

// ownScore is a judge's score, 1 to 5. It is not the value of the evaluation, which is 1 or 0 for all of them.
const ownScore = "concur.judge.score"

// newLog begins a log record with a verdict, on the span with these ids.
func newLog(traceID, spanID []byte, at time.Time) *writer {
	w := newWriter(logAttributes)
	w.time(logTime, at)
	w.time(logObserved, at)
	w.integer(logSeverity, infoSeverity)
	w.bytes(logTrace, traceID)
	w.bytes(logSpan, spanID)
	w.string(logEvent, EvaluationEvent)
	w.text(eventName, EvaluationEvent)
	return w
}

// verdicts returns a log record for each verdict on a query and on its traces. at is the time at which the query was
// decided.
func (d *Describer) verdicts(r store.Record, at time.Time) (out []LogRecord) {
	// add adds a verdict on the span at a place. more writes the attributes that only this kind of verdict has.
	add := func(place Place, name string, v judge.Verdict, more func(*writer)) {
		traceID, spanID := place.TraceID(), place.SpanID()
		w := newLog(traceID[:], spanID[:], at)
		w.text(evaluationName, name)
		w.score(v.Verdict)
		w.text(scoreLabel, label(v.Verdict))
		w.text(ownJudge, v.By)
		more(w)
		if d.options.Content {
			w.text(explanation, d.content(v.Reason))
		}
		out = append(out, w.raw)
	}
	query := d.QueryPlace(r.Configuration, r.Query)
	if r.Verdict.Verdict != "" {
		add(query, "consensus", r.Verdict, func(w *writer) {
			w.number(ownVotes, len(r.Answers))
			w.text(ownMethod, string(r.Consensus.Method))
			if len(r.Consensus.Votes) > 0 {
				w.number(ownWinners, len(r.Consensus.Votes[0].Traces))
			}
		})
	}
	if share := shareOf(r); share != nil {
		add(query, shareRight, judge.Verdict{By: r.Verdict.By}, func(w *writer) {
			w.share(share)
			w.text(scoreLabel, share.Range())
			w.text(explanation, share.String())
			if value := share.Value(); value != nil {
				w.decimal(scoreValue, *value)
			}
		})
	}
	traceAt := func(t int) Place { return d.AgentPlace(trace.ID{Agent: r.Agent, Query: r.Query, Trace: t}, "") }
	for _, a := range r.Answers {
		if a.Verdict != "" {
			add(traceAt(a.Trace), "trace", judge.Verdict{Verdict: a.Verdict, By: r.Verdict.By}, func(w *writer) {
				w.number(ownTrace, a.Trace)
			})
		}
	}
	if r.Judgements == nil {
		return out
	}
	graded := func(place Place, name string, v judge.Verdict, score *int) {
		if v.Verdict != "" {
			add(place, name, v, func(w *writer) {
				if score != nil {
					w.number(ownScore, *score)
				}
			})
		}
	}
	if c := r.Judgements.Correctness; c != nil {
		graded(query, "correctness", c.Verdict, c.Score)
	}
	for _, q := range r.Judgements.Quality {
		graded(traceAt(q.Trace), "quality", q.Verdict, q.Score)
	}
	for _, item := range r.Judgements.Rubric {
		graded(traceAt(item.Trace), "rubric: "+item.Item, item.Verdict, nil)
	}
	return out
}
