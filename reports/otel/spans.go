package otel

import (
	"slices"
	"strings"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// newSpan returns a span at a place; parent is nil for the span of a query.
func newSpan(at Place, parent *Place, name string, kind tracepb.Span_SpanKind, when span) *tracepb.Span {
	out := &tracepb.Span{
		TraceId: at.TraceID(), SpanId: at.SpanID(), Name: valid(text.Clip(name, maxName)), Kind: kind,
		StartTimeUnixNano: nanos(when.start), EndTimeUnixNano: nanos(when.end),
	}
	if parent != nil {
		out.ParentSpanId = parent.SpanID()
	}
	return out
}

func nanos(t time.Time) uint64 {
	if t.IsZero() {
		return 0
	}
	return uint64(t.UnixNano())
}

// fail marks a span as failed.
func fail(s *tracepb.Span, kind, message string) {
	s.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: valid(message)}
	s.Attributes = append(s.Attributes, textOf(errorType, kind))
}

// querySpan describes a query under one configuration.
func (d *Describer) querySpan(r store.Record, when span) *tracepb.Span {
	at := d.QueryPlace(r.Configuration, r.Query)
	s := newSpan(at, nil, invokeWorkflow+" "+r.Configuration, tracepb.Span_SPAN_KIND_INTERNAL, when)
	s.Attributes = attributes(
		textOf(operationName, invokeWorkflow), textOf(workflowName, r.Configuration),
		textOf(ownRun, d.run), textOf(ownConfiguration, r.Configuration), textOf(ownQuery, r.Query),
		textOf(ownCategory, r.Category), textOf(ownAgent, r.Agent), textOf(ownMethod, string(r.Consensus.Method)),
		textOf(ownOutcome, string(r.Consensus.Outcome)), number(ownVotes, len(r.Answers)),
		textOf(ownVerdict, string(r.Verdict.Verdict)), textOf(evaluationName, r.Verdict.By),
		textOf(scoreLabel, label(r.Verdict.Verdict)), score(r.Verdict.Verdict),
	)
	if r.Consensus.Agreement != nil {
		s.Attributes = append(s.Attributes, decimal(ownAgreement, *r.Consensus.Agreement))
	}
	if len(r.Consensus.Votes) > 0 {
		s.Attributes = append(s.Attributes, number(ownWinners, len(r.Consensus.Votes[0].Traces)))
	}
	if d.options.Content {
		s.Attributes = append(s.Attributes, attributes(
			textOf(inputMessages, d.messages(userMessage(r.Question))), d.content(ownExpected, r.Expected),
			d.content(explanation, r.Verdict.Reason))...)
		if r.Consensus.Answer != nil {
			s.Attributes = append(s.Attributes, d.content(ownAnswer, *r.Consensus.Answer))
		}
	}
	for _, a := range r.Answers { // traces that another configuration describes
		if id := (trace.ID{Agent: r.Agent, Query: r.Query, Trace: a.Trace}); d.owner(id) != r.Configuration {
			shared := d.AgentPlace(id, "")
			s.Links = append(s.Links, &tracepb.Span_Link{TraceId: shared.TraceID(), SpanId: shared.SpanID()})
		}
	}
	return s
}

// agentSpan describes an agent that has ended: that of the trace, or one that it called as a tool.
func (d *Describer) agentSpan(e trace.Event, end trace.Conclusion) *tracepb.Span {
	at, parent := d.AgentPlace(e.ID, e.Path), d.QueryPlace(d.owner(e.ID), e.Query)
	name, c := d.owner(e.ID), d.configuration(d.owner(e.ID))
	if called := agentsOn(e.Path); len(called) > 0 {
		name, _, _ = strings.Cut(called[len(called)-1], "#")
		parent = d.AgentPlace(e.ID, strings.Join(called[:len(called)-1], "/"))
	}
	when := span{before(e.Time, end.Timing.WallS), e.Time}
	s := newSpan(at, &parent, invokeAgent+" "+name, tracepb.Span_SPAN_KIND_INTERNAL, when)
	s.Attributes = attributes(
		textOf(operationName, invokeAgent), textOf(providerName, provider(c.Model)), textOf(agentName, name),
		textOf(requestModel, model.BareName(c.Model)), number(ownTrace, e.Trace), textOf(ownAgent, e.Agent),
		textOf(ownPath, e.Path), textOf(ownOutcome, string(end.Outcome)), textOf(ownStopReason, string(end.StopReason)))
	s.Attributes = append(s.Attributes, usage(end.Usage)...)
	if d.options.Content {
		s.Attributes = append(s.Attributes, attributes(
			textOf(inputMessages, d.messages(userMessage(end.Question))),
			textOf(outputMessages, d.messages(model.Message{Role: model.Assistant, Content: end.Message})))...)
	}
	if end.Outcome == trace.Infra || end.Outcome == trace.NoAnswer {
		cause := ""
		if end.Cause != nil && d.options.Content {
			cause = d.shown(*end.Cause, maxContent)
		}
		fail(s, string(end.StopReason), cause)
	}
	return s
}

// chatSpan describes a request to a model.
func (d *Describer) chatSpan(x store.Exchange) *tracepb.Span {
	parent, at := d.requestPlaces(x.Identity)
	spec, set := "", x.RequestSettings
	if set != nil {
		spec = set.Model
	}
	when := span{x.Time, x.Time.Add(time.Duration(x.Latency * float64(time.Second)))}
	s := newSpan(at, &parent, strings.TrimSpace(chat+" "+model.BareName(spec)), tracepb.Span_SPAN_KIND_CLIENT, when)
	s.Attributes = attributes(textOf(operationName, chat), textOf(providerName, provider(spec)),
		textOf(requestModel, model.BareName(spec)), textOf(ownPurpose, string(x.Purpose)), textOf(ownTask, x.Task),
		textOf(ownPath, x.Path), number(ownAttempts, x.Attempts))
	if set != nil && !set.NoTemperature {
		s.Attributes = append(s.Attributes, decimal(temperature, set.Temperature))
	}
	if set != nil && !set.NoSeed {
		s.Attributes = append(s.Attributes, number(seed, int(x.Seed)))
	}
	if set != nil && set.MaxTokens > 0 {
		s.Attributes = append(s.Attributes, number(maxTokens, set.MaxTokens))
	}
	if set != nil && len(set.Stop) > 0 {
		s.Attributes = append(s.Attributes, listOf(stopSequences, set.Stop))
	}
	if x.Model != nil {
		s.Attributes = append(s.Attributes, attributes(textOf(responseModel, d.named(*x.Model)))...)
	}
	if x.Finish != nil && *x.Finish != "" {
		s.Attributes = append(s.Attributes, listOf(finishReasons, []string{d.named(*x.Finish)}))
	}
	if x.Usage != nil {
		s.Attributes = append(s.Attributes, usage(*x.Usage)...)
	}
	if d.options.Content {
		s.Attributes = append(s.Attributes, attributes(textOf(inputMessages, d.messages(x.Messages...)))...)
		if x.Response != nil {
			s.Attributes = append(s.Attributes, textOf(outputMessages, d.messages(*x.Response)))
		}
	}
	if x.ErrorKind != nil {
		message := ""
		if x.Error != nil && d.options.Content {
			message = d.shown(*x.Error, maxContent)
		}
		fail(s, d.named(string(*x.ErrorKind)), message)
	}
	return s
}

// toolSpans describe the call of a tool, and below it the search that gave documents, or the request to an MCP server.
func (d *Describer) toolSpans(action, result trace.Event, o trace.Observation) []*tracepb.Span {
	call := action.Body.(trace.Action)
	parent := d.AgentPlace(action.ID, action.Path)
	at := d.CallPlace(action.ID, action.Path, action.Step, call.CallID)
	when := span{result.Time.Add(-time.Duration(o.DurationMS * float64(time.Millisecond))), result.Time}
	s := newSpan(at, &parent, executeTool+" "+d.named(call.Name), tracepb.Span_SPAN_KIND_INTERNAL, when)
	s.Attributes = attributes(textOf(operationName, executeTool), textOf(toolName, d.named(call.Name)),
		textOf(toolType, "function"), textOf(toolCallID, d.named(call.CallID)), textOf(ownPath, action.Path))
	if d.options.Content {
		result := string(o.Output)
		if result == "null" { // a call that failed
			result = ""
		}
		s.Attributes = append(s.Attributes, attributes(d.content(toolArguments, string(call.Input)),
			d.content(toolResult, result))...)
	}
	if o.ErrorKind != nil {
		message := ""
		if o.Error != nil && d.options.Content {
			message = d.shown(*o.Error, maxContent)
		}
		fail(s, d.named(*o.ErrorKind), message)
	}
	out := []*tracepb.Span{s}
	if server, tool, is := strings.Cut(call.Name, "__"); is && d.hasServer(action.ID, server) {
		place := d.ServerPlace(action.ID, action.Path, action.Step, call.CallID)
		request := newSpan(place, &at, toolsCall+" "+d.named(tool), tracepb.Span_SPAN_KIND_CLIENT, when)
		request.Attributes = attributes(textOf(mcpMethod, toolsCall), textOf(toolName, d.named(tool)))
		out = append(out, request)
	}
	return append(out, d.searches(at, when, o.Documents)...)
}

// searches describe the sources of the documents of a call.
func (d *Describer) searches(call Place, when span, documents []trace.Document) (out []*tracepb.Span) {
	var sources []string
	for _, doc := range documents {
		if !slices.Contains(sources, doc.Backend) {
			sources = append(sources, doc.Backend)
		}
	}
	for _, source := range sources {
		name := d.named(source)
		s := newSpan(call.under("retrieval", source), &call, retrieval+" "+name, tracepb.Span_SPAN_KIND_CLIENT, when)
		s.Attributes = attributes(textOf(operationName, retrieval), textOf(dataSource, name))
		if d.options.Content {
			s.Attributes = append(s.Attributes, d.content(retrievedDocs, documentList(documents, source)))
		}
		out = append(out, s)
	}
	return out
}

func (d *Describer) hasServer(id trace.ID, name string) bool {
	_, is := d.configuration(d.owner(id)).MCP[name]
	return is
}
