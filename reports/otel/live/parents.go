package live

import (
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// OfRequest returns the traceparent of a request to a model. It implements runner.Parents, with the next methods.
func (o *Output) OfRequest(of model.Identity) string {
	return o.parent(o.describer.RequestPlace(of), of.Query)
}

// OfAgent returns the traceparent of an agent.
func (o *Output) OfAgent(id trace.ID, path string) string {
	return o.parent(o.describer.AgentPlace(id, path), id.Query)
}

// OfCall returns the traceparent of the request of a tool to an MCP server.
func (o *Output) OfCall(c tool.Caller, step int) string {
	return o.parent(o.describer.ServerPlace(c.Trace, c.Path, step, c.Call), c.Trace.Query)
}

// parent returns a traceparent. For a query that is not sent it says so, by the flag sampled at its end, so that other
// servers do not record children of missing spans.
func (o *Output) parent(p otel.Place, query string) string {
	value := p.Traceparent()
	if !Chooses(o.options.Sample, query) {
		return strings.TrimSuffix(value, "1") + "0"
	}
	return value
}
