package otel

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Place names a span: the path from the run to it. Equal places have equal ids.
type Place struct {
	traceID [16]byte
	path    string
}

const (
	placeBefore = "concur/otel/v1 "
	spanBefore  = "concur/otel/span/v1 "
)

// placeRoom is room for most paths, so that they are written without an allocation.
const placeRoom = 256

// placeOf returns the place of a query under a configuration.
func placeOf(run, configuration, query string) Place {
	raw := append(make([]byte, 0, placeRoom), placeBefore...)
	for i, part := range []string{run, configuration, query} {
		if i > 0 {
			raw = append(raw, ' ')
		}
		raw = appendQuoted(raw, part)
	}
	sum := sha256.Sum256(raw)
	return Place{traceID: [16]byte(sum[:16]), path: string(raw[len(placeBefore):])}
}

// under returns the place of a span within p.
func (p Place) under(kind, of string) Place {
	raw := append(make([]byte, 0, placeRoom), p.path...)
	raw = append(append(append(raw, " / "...), kind...), ' ')
	p.path = string(appendQuoted(raw, of))
	return p
}

// appendQuoted does what strconv.AppendQuote does, without its long way for texts that need no escape. Most need none,
// and each span has a path of several.
func appendQuoted(to []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return strconv.AppendQuote(to, s)
		}
	}
	return append(append(append(to, '"'), s...), '"')
}

// TraceID returns the id of the trace of OpenTelemetry to which the span belongs.
func (p Place) TraceID() [16]byte { return p.traceID }

// SpanID returns the id of the span.
func (p Place) SpanID() [8]byte {
	sum := sha256.Sum256(append(append(make([]byte, 0, placeRoom), spanBefore...), p.path...))
	return [8]byte(sum[:8])
}

// Traceparent returns the header with which a request tells its server to which span it belongs
// (https://www.w3.org/TR/trace-context/).
func (p Place) Traceparent() string {
	trace, span := p.TraceID(), p.SpanID()
	raw := hex.AppendEncode(append(make([]byte, 0, 55), "00-"...), trace[:])
	raw = hex.AppendEncode(append(raw, '-'), span[:])
	return string(append(raw, "-01"...))
}

// QueryPlace returns the place of a query under a configuration.
func (d *Describer) QueryPlace(configuration, query string) Place {
	return placeOf(d.run, configuration, query)
}

// AgentPlace returns the place of an agent of a trace: path is "" for the trace's own agent.
//
// Configurations with equal agents share traces, and a span has one place. It belongs to the first configuration of
// the run that has the trace.
func (d *Describer) AgentPlace(id trace.ID, path string) Place {
	at := d.QueryPlace(d.owner(id), id.Query).under("trace", id.Agent+" "+strconv.Itoa(id.Trace))
	for _, agent := range agentsOn(path) {
		at = at.under("agent", agent)
	}
	return at
}

// CallPlace returns the place of a call of a tool by the agent at a path, in a turn of this agent.
func (d *Describer) CallPlace(id trace.ID, path string, step int, call string) Place {
	return d.AgentPlace(id, path).under("tool", path+" "+strconv.Itoa(step)+" "+call)
}

// ServerPlace returns the place of the request with which a call is sent to an MCP server.
func (d *Describer) ServerPlace(id trace.ID, path string, step int, call string) Place {
	return d.CallPlace(id, path, step, call).under("mcp", "")
}

// RequestPlace returns the place of a request to a model.
func (d *Describer) RequestPlace(of model.Identity) Place {
	_, at := d.requestPlaces(of)
	return at
}

// requestPlaces returns the places of an agent or query and of its request to a model.
func (d *Describer) requestPlaces(of model.Identity) (parent, at Place) {
	if of.Purpose == model.Agent {
		parent = d.AgentPlace(trace.ID{Agent: of.Agent, Query: of.Query, Trace: of.Trace}, of.Path)
	} else {
		parent = d.QueryPlace(d.first(), of.Query)
	}
	return parent, parent.under("chat", string(of.Purpose)+" "+of.Agent+" "+strconv.Itoa(of.Trace)+" "+of.Path+" "+
		strconv.Quote(of.Task)+" "+strconv.Itoa(of.Step))
}

// owner returns the configuration to whose query a trace belongs. "" means that no configuration has the trace.
func (d *Describer) owner(id trace.ID) string {
	for i := range d.configurations { // not copied: a configuration has many fields
		c := &d.configurations[i]
		if c.Agent == id.Agent && id.Trace >= c.First && id.Trace < c.First+c.K {
			return c.Name
		}
	}
	return ""
}

// first returns the configuration to whose queries requests of extractor, verifier and judges belong: several
// configurations share them, so they are shown at the first.
func (d *Describer) first() string {
	if len(d.configurations) == 0 {
		return ""
	}
	return d.configurations[0].Name
}

func (d *Describer) configuration(name string) *store.Configuration {
	for i := range d.configurations {
		if d.configurations[i].Name == name {
			return &d.configurations[i]
		}
	}
	return &store.Configuration{}
}

// agentsOn returns the agents on a path that were called as tools: researcher#1 and reader#2 for
// turn#1/researcher#1/reader#2.
func agentsOn(path string) []string {
	if inner, inTurn := model.WithinTurn(path); inTurn {
		path = inner
	}
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}
