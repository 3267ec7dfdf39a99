package otlp

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/seed-5817661a/concur/trace"
)

// executed has the spans of calls of tools that no message has been matched with.
type executed struct {
	byID, byName map[string][]*part
	taken        map[*part]bool
}

// take returns the span that executed a call: by its id or, if one of them has none, by its name. It returns nil
// without one.
func (x *executed) take(c call) *part {
	if c.id != "" && len(x.byID[c.id]) > 0 {
		return x.first(x.byID, c.id, func(*part) bool { return true })
	}
	return x.first(x.byName, c.name, func(p *part) bool { return c.id == "" || p.text("call_id") == "" })
}

func (x *executed) first(in map[string][]*part, key string, fits func(*part) bool) *part {
	for len(in[key]) > 0 {
		p := in[key][0]
		if !x.taken[p] && !fits(p) {
			return nil
		}
		in[key] = in[key][1:]
		if !x.taken[p] {
			x.taken[p] = true
			return p
		}
	}
	return nil
}

// events makes the steps of the conversation: what the model thought and called, and what tools returned.
func (b *builder) events() {
	o := b.out
	tools := &executed{map[string][]*part{}, map[string][]*part{}, map[*part]bool{}}
	for _, p := range b.parts {
		if p.kind == toolKind && p.own {
			tools.byName[p.toolName()] = append(tools.byName[p.toolName()], p)
			if id := p.text("call_id"); id != "" {
				tools.byID[id] = append(tools.byID[id], p)
			}
		}
	}
	b.findDocuments()
	results := map[string]message{}
	for _, m := range b.chat {
		if m.role == "tool" {
			results[m.answers] = m
		}
	}
	step := -1
	for _, m := range b.chat {
		if m.role != "assistant" {
			continue
		}
		step++
		if m.thought != "" {
			o.Events = append(o.Events, Event{step, trace.Thought{Content: m.thought}})
		}
		if m.text != "" && len(m.calls) > 0 {
			o.Events = append(o.Events, Event{step, trace.Thought{Content: m.text}})
		}
		for _, c := range m.calls {
			o.Events = append(o.Events, Event{step, trace.Action{Name: c.name, Input: trace.InputOf(cmp.Or(c.arguments, "{}")),
				CallID: c.id}})
			result, recorded := results[c.id]
			seen := trace.Observation{CallID: c.id, Output: trace.InputOf(result.text)}
			if p := tools.take(c); p != nil {
				if seen = b.observation(p, c.id); recorded && seen.Error == nil { // as the model received it
					seen.Output = trace.InputOf(result.text)
				}
			} else if !recorded {
				continue
			}
			o.ToolCalls++
			o.Events = append(o.Events, Event{step, seen})
		}
	}
	requests := b.ownRequests()
	b.others(tools.taken, requests)
	o.Steps = max(step+1, len(requests))
	slices.SortStableFunc(o.Events, func(x, y Event) int { return cmp.Compare(x.Step, y.Step) })
}

// ownRequests returns the times at which the requests of the own agent began, in order.
func (b *builder) ownRequests() (out []uint64) {
	for _, p := range b.parts {
		if p.kind == modelKind && p.own {
			out = append(out, p.start)
		}
	}
	slices.Sort(out)
	return out
}

// others adds calls that are spans, but not in messages: without recorded messages, calls of retrieval, agents called.
func (b *builder) others(taken map[*part]bool, requests []uint64) {
	for _, p := range b.parts { // in the order of time
		isTool := p.kind == toolKind && p.own && !taken[p]
		isSearch := p.kind == retrievalKind && p.own && p.tool == nil
		isAgent := p.kind == agentKind && p != b.root && b.root.kind == agentKind && p.tool == nil && p.agent == nil
		if !isTool && !isSearch && !isAgent {
			continue
		}
		before, _ := slices.BinarySearch(requests, p.start+1)
		step, id := max(0, before-1), p.text("call_id")
		b.out.ToolCalls++
		b.out.Events = append(b.out.Events,
			Event{step, trace.Action{Name: p.toolName(), Input: p.input(), CallID: id}}, Event{step, b.observation(p, id)})
	}
}

// findDocuments gives the documents of searches to the calls above them.
func (b *builder) findDocuments() {
	b.found = map[*part][]trace.Document{}
	for _, p := range b.parts {
		if p.kind != retrievalKind {
			continue
		}
		for _, to := range []*part{p, p.tool, p.agent} {
			if to != nil {
				b.found[to] = append(b.found[to], p.documents(len(b.found[to]))...)
			}
		}
	}
}

func (p *part) toolName() string {
	if p.kind == toolKind {
		return cmp.Or(p.text("tool"), p.Name)
	}
	return cmp.Or(p.text("source"), p.text("agent"), p.Name)
}

// input returns the arguments of a call.
func (p *part) input() json.RawMessage {
	field := "arguments"
	switch p.kind {
	case retrievalKind:
		raw, err := json.Marshal(map[string]string{"query": plainText(p.value("search"), "user", "query", "input")})
		if err == nil {
			return raw
		}
	case agentKind:
		field = "input"
	}
	return trace.InputOf(cmp.Or(p.text(field), "{}"))
}

// observation returns the result of a call, with the documents that were found below it.
func (b *builder) observation(p *part, id string) trace.Observation {
	out := trace.Observation{CallID: id, Output: json.RawMessage("null")}
	if p.end >= p.start {
		out.DurationMS = float64(p.end-p.start) / 1e6
	}
	result := p.text("result")
	if p.kind == agentKind {
		_, said := p.messages()
		result = cmp.Or(lastOf(said, "assistant"), plainText(p.value("output"), "assistant", "output", "content"))
	}
	if p.Failed && result == "" {
		text, kind := cmp.Or(p.Status, p.text("error"), "the tool failed"), "tool"
		out.Error, out.ErrorKind, out.Output = &text, &kind, nil
	} else if result != "" {
		out.Output = trace.InputOf(result)
	}
	out.Documents = b.found[p]
	if p.kind == retrievalKind && len(out.Documents) > 0 {
		out.Output = json.RawMessage("null")
	}
	return out
}
