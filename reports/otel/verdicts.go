package otel

import (
	"time"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// infoSeverity is the severity number of a log record that reports no problem.
const infoSeverity = logspb.SeverityNumber_SEVERITY_NUMBER_INFO

// verdicts returns a log record for each verdict on a query and on its traces. at is the time at which the query was
// decided.
func (d *Describer) verdicts(r store.Record, at time.Time) (out []*logspb.LogRecord) {
	query := d.QueryPlace(r.Configuration, r.Query)
	add := func(place Place, name string, v judge.Verdict, more ...*attribute) {
		if v.Verdict == "" {
			return
		}
		out = append(out, d.logOf(place, name, v, at, more...))
	}
	votes := []*attribute{number(ownVotes, len(r.Answers)), textOf(ownMethod, string(r.Consensus.Method))}
	if len(r.Consensus.Votes) > 0 {
		votes = append(votes, number(ownWinners, len(r.Consensus.Votes[0].Traces)))
	}
	add(query, "consensus", r.Verdict, votes...)
	if share := shareOf(r); share != nil {
		more := append(share.attributes(), textOf(scoreLabel, share.Range()), textOf(explanation, share.String()))
		if value := share.Value(); value != nil {
			more = append(more, decimal(scoreValue, *value))
		}
		out = append(out, d.logOf(query, shareRight, judge.Verdict{By: r.Verdict.By}, at, more...))
	}
	traceAt := func(t int) Place { return d.AgentPlace(trace.ID{Agent: r.Agent, Query: r.Query, Trace: t}, "") }
	for _, a := range r.Answers {
		add(traceAt(a.Trace), "trace", judge.Verdict{Verdict: a.Verdict, By: r.Verdict.By}, number(ownTrace, a.Trace))
	}
	if r.Judgements == nil {
		return out
	}
	if c := r.Judgements.Correctness; c != nil {
		add(query, "correctness", c.Verdict, graded(c.Score))
	}
	for _, q := range r.Judgements.Quality {
		add(traceAt(q.Trace), "quality", q.Verdict, graded(q.Score))
	}
	for _, item := range r.Judgements.Rubric {
		add(traceAt(item.Trace), "rubric: "+item.Item, item.Verdict)
	}
	return out
}

// ownScore is a judge's score, 1 to 5. It is not the value of the evaluation, which is 1 or 0 for all of them.
const ownScore = "concur.judge.score"

func graded(s *int) *attribute {
	if s == nil {
		return nil
	}
	return number(ownScore, *s)
}

func (d *Describer) logOf(
	place Place, name string, v judge.Verdict, at time.Time, more ...*attribute,
) *logspb.LogRecord {
	out := &logspb.LogRecord{
		TraceId: place.TraceID(), SpanId: place.SpanID(), EventName: EvaluationEvent, SeverityNumber: infoSeverity,
		TimeUnixNano: nanos(at), ObservedTimeUnixNano: nanos(at),
	}
	out.Attributes = attributes(append([]*attribute{
		textOf(eventName, EvaluationEvent), textOf(evaluationName, name), score(v.Verdict),
		textOf(scoreLabel, label(v.Verdict)), textOf("concur.judge", v.By),
	}, more...)...)
	if d.options.Content {
		out.Attributes = append(out.Attributes, attributes(d.content(explanation, v.Reason))...)
	}
	return out
}
