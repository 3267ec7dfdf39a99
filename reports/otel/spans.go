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

// newSpan begins a span at a place; parent is nil for the span of a query.
func newSpan(at Place, parent *Place, name string, kind tracepb.Span_SpanKind, when span) *writer {
	w := newWriter(spanAttributes)
	w.id(spanTrace, spanID, at)
	if parent != nil {
		id := parent.SpanID()
		w.bytes(spanParent, id[:])
	}
	w.string(spanName, valid(text.Clip(name, maxName)))
	w.integer(spanKind, uint64(kind))
	w.time(spanStart, when.start)
	w.time(spanEnd, when.end)
	return w
}

// link writes a link from a span to the span at another place.
func (w *writer) link(to Place) {
	link := &writer{}
	link.id(linkTrace, linkID, to)
	w.bytes(spanLinks, link.raw)
}

// fail marks a span as failed.
func (w *writer) fail(kind, message string) {
	w.text(errorType, kind)
	status := &writer{}
	status.string(statusMessage, valid(message))
	status.integer(statusCode, uint64(tracepb.Status_STATUS_CODE_ERROR))
	w.bytes(spanStatus, status.raw)
}

// querySpan describes a query under one configuration.
func (d *Describer) querySpan(r store.Record, when span) Span {
	at := d.QueryPlace(r.Configuration, r.Query)
	s := newSpan(at, nil, invokeWorkflow+" "+r.Configuration, tracepb.Span_SPAN_KIND_INTERNAL, when)
	s.text(operationName, invokeWorkflow)
	s.text(workflowName, r.Configuration)
	s.text(ownRun, d.run)
	s.text(ownConfiguration, r.Configuration)
	s.text(ownQuery, r.Query)
	s.text(ownCategory, r.Category)
	s.text(ownAgent, r.Agent)
	s.text(ownMethod, string(r.Consensus.Method))
	s.text(ownOutcome, string(r.Consensus.Outcome))
	s.number(ownVotes, len(r.Answers))
	s.text(ownVerdict, string(r.Verdict.Verdict))
	s.text(evaluationName, r.Verdict.By)
	s.text(scoreLabel, label(r.Verdict.Verdict))
	s.score(r.Verdict.Verdict)
	if r.Consensus.Agreement != nil {
		s.decimal(ownAgreement, *r.Consensus.Agreement)
	}
	if len(r.Consensus.Votes) > 0 {
		s.number(ownWinners, len(r.Consensus.Votes[0].Traces))
	}
	if d.options.Content {
		s.text(inputMessages, d.messages(userMessage(r.Question)))
		s.text(ownExpected, d.content(r.Expected))
		s.text(explanation, d.content(r.Verdict.Reason))
		if r.Consensus.Answer != nil {
			s.text(ownAnswer, d.content(*r.Consensus.Answer))
		}
	}
	for _, a := range r.Answers { // traces that another configuration describes
		if id := (trace.ID{Agent: r.Agent, Query: r.Query, Trace: a.Trace}); d.owner(id) != r.Configuration {
			s.link(d.AgentPlace(id, ""))
		}
	}
	return s.raw
}

// agentSpan describes an agent that has ended: that of the trace, or one that it called as a tool.
func (d *Describer) agentSpan(e trace.Event, end trace.Conclusion) Span {
	name := d.owner(e.ID)
	at, parent, spec := d.AgentPlace(e.ID, e.Path), d.QueryPlace(name, e.Query), d.configuration(name).Model
	if called := agentsOn(e.Path); len(called) > 0 {
		name, _, _ = strings.Cut(called[len(called)-1], "#")
		parent = d.AgentPlace(e.ID, strings.Join(called[:len(called)-1], "/"))
	}
	when := span{before(e.Time, end.Timing.WallS), e.Time}
	s := newSpan(at, &parent, invokeAgent+" "+name, tracepb.Span_SPAN_KIND_INTERNAL, when)
	s.text(operationName, invokeAgent)
	s.text(providerName, provider(spec))
	s.text(agentName, name)
	s.text(requestModel, model.BareName(spec))
	s.number(ownTrace, e.Trace)
	s.text(ownAgent, e.Agent)
	s.text(ownPath, e.Path)
	s.text(ownOutcome, string(end.Outcome))
	s.text(ownStopReason, string(end.StopReason))
	s.usage(end.Usage)
	if d.options.Content {
		s.text(inputMessages, d.messages(userMessage(end.Question)))
		s.text(outputMessages, d.messages(model.Message{Role: model.Assistant, Content: end.Message}))
	}
	if end.Outcome == trace.Infra || end.Outcome == trace.NoAnswer {
		s.fail(string(end.StopReason), d.failure(end.Cause))
	}
	return s.raw
}

// failure returns the text of an error for the status of a span; "" unless content may be sent.
func (d *Describer) failure(message *string) string {
	if message == nil || !d.options.Content {
		return ""
	}
	return d.content(*message)
}

// chatSpan describes a request to a model.
func (d *Describer) chatSpan(x store.Exchange) Span {
	parent, at := d.requestPlaces(x.Identity)
	spec, set := "", x.RequestSettings
	if set != nil {
		spec = set.Model
	}
	name := model.BareName(spec)
	when := span{x.Time, x.Time.Add(time.Duration(x.Latency * float64(time.Second)))}
	s := newSpan(at, &parent, strings.TrimSpace(chat+" "+name), tracepb.Span_SPAN_KIND_CLIENT, when)
	s.text(operationName, chat)
	s.text(providerName, provider(spec))
	s.text(requestModel, name)
	s.text(ownPurpose, string(x.Purpose))
	s.text(ownTask, x.Task)
	s.text(ownPath, x.Path)
	s.number(ownAttempts, x.Attempts)
	if set != nil {
		s.settings(*set, x.Seed)
	}
	if x.Model != nil {
		s.text(responseModel, d.named(*x.Model))
	}
	if x.Finish != nil && *x.Finish != "" {
		s.texts(finishReasons, []string{d.named(*x.Finish)})
	}
	if x.Usage != nil {
		s.usage(*x.Usage)
	}
	if d.options.Content {
		s.text(inputMessages, d.messages(x.Messages...))
		if x.Response != nil {
			s.text(outputMessages, d.messages(*x.Response))
		}
	}
	if x.ErrorKind != nil {
		s.fail(d.named(string(*x.ErrorKind)), d.failure(x.Error))
	}
	return s.raw
}

// settings writes the settings of a request.
func (w *writer) settings(set store.RequestSettings, requestSeed int64) {
	if !set.NoTemperature {
		w.decimal(temperature, set.Temperature)
	}
	if !set.NoSeed {
		w.number(seed, int(requestSeed))
	}
	if set.MaxTokens > 0 {
		w.number(maxTokens, set.MaxTokens)
	}
	if len(set.Stop) > 0 {
		w.texts(stopSequences, set.Stop)
	}
}

// toolSpans describe the call of a tool, and below it the search that gave documents, or the request to an MCP server.
func (d *Describer) toolSpans(action, result trace.Event, o trace.Observation) []Span {
	call := action.Body.(trace.Action)
	parent := d.AgentPlace(action.ID, action.Path)
	at := d.CallPlace(action.ID, action.Path, action.Step, call.CallID)
	when := span{result.Time.Add(-time.Duration(o.DurationMS * float64(time.Millisecond))), result.Time}
	name := d.named(call.Name)
	s := newSpan(at, &parent, executeTool+" "+name, tracepb.Span_SPAN_KIND_INTERNAL, when)
	s.text(operationName, executeTool)
	s.text(toolName, name)
	s.text(toolType, "function")
	s.text(toolCallID, d.named(call.CallID))
	s.text(ownPath, action.Path)
	if d.options.Content {
		s.text(toolArguments, d.content(string(call.Input)))
		if result := string(o.Output); result != "null" { // null is that of a call that failed
			s.text(toolResult, d.content(result))
		}
	}
	if o.ErrorKind != nil {
		s.fail(d.named(*o.ErrorKind), d.failure(o.Error))
	}
	out := []Span{s.raw}
	if server, tool, is := strings.Cut(call.Name, "__"); is && d.hasServer(action.ID, server) {
		place := d.ServerPlace(action.ID, action.Path, action.Step, call.CallID)
		request := newSpan(place, &at, toolsCall+" "+d.named(tool), tracepb.Span_SPAN_KIND_CLIENT, when)
		request.text(mcpMethod, toolsCall)
		request.text(toolName, d.named(tool))
		out = append(out, request.raw)
	}
	return append(out, d.searches(at, when, o.Documents)...)
}

// searches describe the sources of the documents of a call.
func (d *Describer) searches(call Place, when span, documents []trace.Document) (out []Span) {
	var sources []string
	for _, doc := range documents {
		if !slices.Contains(sources, doc.Backend) {
			sources = append(sources, doc.Backend)
		}
	}
	for _, source := range sources {
		name := d.named(source)
		s := newSpan(call.under("retrieval", source), &call, retrieval+" "+name, tracepb.Span_SPAN_KIND_CLIENT, when)
		s.text(operationName, retrieval)
		s.text(dataSource, name)
		if d.options.Content {
			s.text(retrievedDocs, d.content(documentList(documents, source)))
		}
		out = append(out, s.raw)
	}
	return out
}

func (d *Describer) hasServer(id trace.ID, name string) bool {
	_, is := d.configuration(d.owner(id)).MCP[name]
	return is
}
