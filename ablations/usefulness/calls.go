package usefulness

import (
	"encoding/json"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// textsVersion is part of the key of a score. Change it if the texts below change.
const textsVersion = "usefulness/1"

// ending is the text between the conversation and the answer. It is the same in all readings, and ends at a place
// where tokens usually end.
const ending = "\n\nassistant: Answer:"

// Call is a call of a tool in a trace, with the text around it.
type Call struct {
	Path   string // the turn of a conversation; "" for other traces
	Number int    // among all calls of the trace, in order
	ID     string
	Tool   string
	Input  string // the arguments as compact JSON
	Output string // the result of the tool; the agent may have read a shorter one
	// Seconds is the time that the call took; Why says why the call cannot be scored.
	Seconds float64
	Why     Reason

	// The prefixes of the answer are the parts of text up to these places, with ending.
	text                   string
	before, called, result int
	observed               int // index of the event with the result; -1 without a result
}

// conversation is the text of an agent's conversation so far.
type conversation struct {
	text    strings.Builder
	results map[string]string // what the agent read, by the call's id
	calls   []int             // indexes of the calls of this conversation
}

// CallsOf returns the calls of a trace, in order. The text before a call begins with the messages of the conversation's
// first request; without a recorded request it begins with the question. Calls of one turn follow one another: behind
// each call is its result, and the next call comes after it.
func CallsOf(events []trace.Event, exchanges []store.Exchange, question func(path string) string) []Call {
	of := map[string]*conversation{}
	for _, x := range exchanges {
		if x.Purpose != "" && x.Purpose != model.Agent || x.Task != "" || !model.IsOwnPath(x.Path) {
			continue
		}
		if of[x.Path] == nil {
			of[x.Path] = &conversation{results: map[string]string{}}
			of[x.Path].begin(x.Messages)
		}
		for _, m := range x.Messages {
			if m.Role == model.ToolRole {
				of[x.Path].results[m.ToolCallID] = m.Content
			}
		}
	}
	results := resultsOf(events)
	var out []Call
	for i, e := range events {
		action, isCall := e.Body.(trace.Action)
		if !model.IsOwnPath(e.Path) {
			if isCall {
				out = append(out, Call{Path: e.Path, Number: len(out), ID: action.CallID, Tool: action.Name, Why: SubAgent,
					observed: -1})
			}
			continue
		}
		c := of[e.Path]
		if c == nil {
			c = &conversation{results: map[string]string{}}
			of[e.Path] = c
			c.say("user", question(e.Path))
		}
		if thought, is := e.Body.(trace.Thought); is && thought.Content != "" {
			c.say("assistant", thought.Content)
		}
		if isCall {
			c.calls = append(c.calls, len(out))
			out = append(out, c.add(action, e.Path, events, results[i], len(out)))
		}
	}
	for _, c := range of {
		text := c.text.String()
		for _, at := range c.calls {
			out[at].text = text
		}
	}
	return out
}

// resultsOf returns the index of each call's result by the index of the call.
func resultsOf(events []trace.Event) map[int]int {
	type key struct{ path, id string }
	open := map[key][]int{} // calls without a result
	out := map[int]int{}
	for i, e := range events {
		switch b := e.Body.(type) {
		case trace.Action:
			k := key{e.Path, b.CallID}
			open[k] = append(open[k], i)
		case trace.Observation:
			k := key{e.Path, b.CallID}
			if len(open[k]) > 0 {
				out[open[k][0]] = i
				open[k] = open[k][1:]
			}
		}
	}
	return out
}

// begin writes the messages of the first request. If the conversation has earlier turns, they are among them.
func (c *conversation) begin(messages []model.Message) {
	for _, m := range messages {
		switch {
		case m.Role == model.ToolRole:
			c.text.WriteString("\n\ntool returns:\n" + m.Content)
		case m.Content != "":
			c.say(string(m.Role), m.Content)
		}
		for _, call := range m.ToolCalls {
			c.ask(call.Name, call.Arguments)
		}
	}
}

func (c *conversation) say(who, text string) {
	if c.text.Len() > 0 {
		c.text.WriteString("\n\n")
	}
	c.text.WriteString(who + ": " + text)
}

func (c *conversation) ask(tool, arguments string) {
	c.text.WriteString("\n\nassistant calls " + tool + ": " + arguments)
}

// add writes a call and its result, and returns the call.
func (c *conversation) add(a trace.Action, path string, events []trace.Event, observed, number int) Call {
	out := Call{Path: path, Number: number, ID: a.CallID, Tool: a.Name, Input: string(a.Input),
		before: c.text.Len(), observed: -1}
	c.ask(a.Name, out.Input)
	c.text.WriteString("\n\n" + a.Name + " returns:")
	out.called = c.text.Len()
	text, sent := c.results[a.CallID]
	if observed == 0 { // an action comes before its result, so no result is the first event
		out.Why = NoResult
	} else {
		o := events[observed].Body.(trace.Observation)
		out.observed, out.Seconds, out.Output = observed, o.DurationMS/1000, outputOf(o)
		if !sent {
			text = out.Output
		}
	}
	if text != "" {
		c.text.WriteString("\n" + text)
	}
	out.result = c.text.Len()
	return out
}

// outputOf returns the text of a result that no recorded request has.
func outputOf(o trace.Observation) string {
	var text string
	switch {
	case o.Error != nil:
		return "error: " + *o.Error
	case json.Unmarshal(o.Output, &text) == nil:
		return text
	}
	return string(o.Output)
}

// prefixes returns the text before the answer with the result, without the call, and with an empty result.
func (c Call) prefixes() [3]string {
	return [3]string{c.text[:c.result] + ending, c.text[:c.before] + ending, c.text[:c.called] + ending}
}
