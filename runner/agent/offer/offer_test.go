package offer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/offer"
	"github.com/seed-5817661a/concur/runner/agent/react"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// script is a model that gives its replies in order and keeps the requests.
type script struct {
	replies  []model.Message
	requests []model.Request
}

func (s *script) Complete(_ context.Context, req model.Request) (model.Response, error) {
	req.Messages = slices.Clone(req.Messages)
	s.requests = append(s.requests, req)
	if len(s.requests) > len(s.replies) {
		return model.Response{}, errors.New("the script has run out of replies")
	}
	m := s.replies[len(s.requests)-1]
	m.Role = model.Assistant
	out := model.Response{Message: m, Finish: model.FinishStop}
	if len(m.ToolCalls) > 0 {
		out.Finish = model.FinishToolCalls
	}
	return out, nil
}

func say(text string) model.Message { return model.Message{Content: text} }

func use(calls ...model.ToolCall) model.Message { return model.Message{ToolCalls: calls} }

func call(id, name, arguments string) model.ToolCall {
	return model.ToolCall{ID: id, Name: name, Arguments: arguments}
}

func search(id, query string) model.ToolCall {
	raw, _ := json.Marshal(map[string]string{"query": query})
	return call(id, config.SearchTools, string(raw))
}

// named returns a tool that returns its name.
func named(name, about string) tool.Tool {
	return tool.Func(tool.Spec{ToolSpec: model.ToolSpec{Name: name, Description: about,
		Parameters: json.RawMessage(`{"type":"object","properties":{}}`)}, Pure: true},
		func(context.Context, struct{}) (tool.Output, error) {
			return tool.Output{Object: map[string]any{"name": name}}, nil
		})
}

// workshop returns the tools of the tests.
func workshop() []tool.Tool {
	return []tool.Tool{
		named("weather", "Tells the weather of a town."),
		named("train_times", "Lists the trains between two stations."),
		named("money", "Converts an amount of money into another currency."),
		named("rain", "Tells how much rain fell in a town."),
		named("tides", "Tells the tides of a harbour."),
	}
}

type run struct {
	trace.Trace
	model  *script
	events []trace.Body
}

// offered returns the names of the tools of a request.
func (r run) offered(request int) (names []string) {
	for _, t := range r.model.requests[request].Tools {
		names = append(names, t.Name)
	}
	return names
}

func ask(t *testing.T, k int, protocol, question string, tools []tool.Tool, replies ...model.Message) run {
	t.Helper()
	registry, err := tool.New(tools...)
	if err != nil {
		t.Fatal(err)
	}
	f, err := offer.New(context.Background(), registry.Specs(), k, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := config.New().Agent
	c.Protocol, c.Offer.K = protocol, k
	a := react.Agent{Config: c, Tools: registry, Features: []session.Feature{f}}
	out := run{model: &script{replies: replies}}
	out.Trace = a.Run(context.Background(), agent.Task{
		ID: trace.ID{Query: "q"}, Query: datasets.Query{ID: "q", Text: question}, Model: out.model,
		Emit: func(_ int, b trace.Body) { out.events = append(out.events, b) },
	})
	return out
}

func record(t *testing.T, r run) offer.Record {
	t.Helper()
	got, err := trace.Extra[offer.Record](r.Extras, offer.Name)
	if err != nil || got == nil {
		t.Fatalf("the trace has no record of the choice: %v", err)
	}
	return *got
}

// The tools that fit the question are offered in the agent's order. A search offers others from the next turn on.
func TestOffer(t *testing.T) {
	r := ask(t, 2, config.ProtocolNative, "How much rain fell in the town of Keld?", workshop(),
		use(search("c1", "trains between stations")), use(call("c2", "train_times", "{}")), say("Answer: 12"))
	if r.Outcome != trace.Answered {
		t.Fatalf("the trace ended %s: %s", r.Outcome, r.Cause)
	}
	for i, want := range [][]string{
		{"weather", "rain", config.SearchTools},
		{"weather", "train_times", "rain", config.SearchTools},
		{"weather", "train_times", "rain", config.SearchTools},
	} {
		if got := r.offered(i); !slices.Equal(got, want) {
			t.Errorf("request %d offers %v, want %v", i+1, got, want)
		}
	}
	if system := r.model.requests[0].Messages[0].Content; !strings.Contains(system, "You are offered 2 of 5 tools") {
		t.Errorf("the system prompt does not say how many tools there are:\n%s", system)
	}
	want := offer.Record{Of: 5, Offered: []string{"weather", "rain"},
		Searches: []offer.Search{{Query: "trains between stations", Found: []string{"train_times"}}}, Called: []string{"train_times"}}
	if diff := cmp.Diff(want, record(t, r)); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	if r.ToolCalls != 1 {
		t.Errorf("%d tool calls, want 1: a search is none", r.ToolCalls)
	}
	var seen []string
	for _, b := range r.events {
		switch b := b.(type) {
		case trace.Action:
			seen = append(seen, b.Name)
		case trace.Observation:
			seen = append(seen, string(b.Output))
		}
	}
	if want := []string{"search_tools", `{"tools":[{"name":"train_times","description":"Lists the trains between two stations."}]}`,
		"train_times", `{"name":"train_times"}`}; !slices.Equal(seen, want) {
		t.Errorf("events %q, want %q", seen, want)
	}
}

// Without a tool that fits, the first tools are offered, so that there are always k.
func TestOfferIsFilled(t *testing.T) {
	r := ask(t, 3, config.ProtocolNative, "Tides?", workshop(), say("Answer: 1"))
	if got, want := r.offered(0), []string{"weather", "train_times", "tides", config.SearchTools}; !slices.Equal(got, want) {
		t.Errorf("offered %v, want %v", got, want)
	}
}

// With k as large as the number of tools, or larger, all tools are offered, without search_tools.
func TestOfferOfAll(t *testing.T) {
	for _, k := range []int{5, 500} {
		r := ask(t, k, config.ProtocolNative, "Tides?", workshop(), say("Answer: 1"))
		if got := r.offered(0); len(got) != 5 || slices.Contains(got, config.SearchTools) {
			t.Errorf("k=%d offers %v", k, got)
		}
		if got := record(t, r); got.Of != 5 || len(got.Offered) != 5 {
			t.Errorf("k=%d records %+v", k, got)
		}
	}
}

// Tools with one description are chosen in the agent's order. Only the beginning of a long description counts.
func TestUnusualDescriptions(t *testing.T) {
	var same []tool.Tool
	for i := range 4 {
		same = append(same, named(fmt.Sprintf("t%d", i), "Tells the tides."))
	}
	if got := ask(t, 2, config.ProtocolNative, "Tides?", same, say("Answer: 1")).offered(0); !slices.Equal(got, []string{"t0", "t1", config.SearchTools}) {
		t.Errorf("of equal tools, %v are offered", got)
	}
	long := append(workshop(), named("long", strings.Repeat("Sells the finest bread of the county. ", 100<<10/38)))
	r := ask(t, 1, config.ProtocolNative, "Tides?", long, use(search("c1", "bread")), say("Answer: 1"))
	if got := record(t, r); len(got.Searches) != 1 || !slices.Equal(got.Searches[0].Found, []string{"long"}) {
		t.Errorf("the tool with a long description was not found: %+v", got)
	}
	if shown := r.model.requests[1].Messages; len(shown[len(shown)-1].Content) > 1000 {
		t.Errorf("the result of the search has %d bytes", len(shown[len(shown)-1].Content))
	}
}

// An empty query is an error that the model can correct, also if only the words are missing.
func TestEmptySearch(t *testing.T) {
	for _, query := range []string{"", "  "} {
		r := ask(t, 2, config.ProtocolNative, "Tides?", workshop(), use(search("c1", query)), say("Answer: 1"))
		shown := r.model.requests[1].Messages
		if got := shown[len(shown)-1].Content; !strings.Contains(got, "ERROR: bad_tool_arguments(search_tools)") {
			t.Errorf("query %q: the model reads %q", query, got)
		}
		if got := record(t, r); len(got.Searches) != 0 {
			t.Errorf("query %q is recorded as a search: %+v", query, got)
		}
	}
}

// A tool that is not offered cannot be called; the error names the way to it. After a search it can.
func TestToolThatIsNotOffered(t *testing.T) {
	r := ask(t, 1, config.ProtocolNative, "Tides?", workshop(), use(call("c1", "money", "{}")),
		use(search("c2", "convert money")), use(call("c3", "money", "{}")), say("Answer: 1"))
	shown := r.model.requests[1].Messages
	if got := shown[len(shown)-1].Content; !strings.Contains(got, "ERROR: unknown_tool(money): it is not offered; find it with search_tools") {
		t.Errorf("the model reads %q", got)
	}
	shown = r.model.requests[3].Messages
	if got := shown[len(shown)-1].Content; !strings.Contains(got, `{"name":"money"}`) {
		t.Errorf("after the search, the model reads %q", got)
	}
	if r.ToolCalls != 1 {
		t.Errorf("%d tool calls, want 1", r.ToolCalls)
	}
}

// The text protocol lists only offered tools, and shows found ones with their parameters.
func TestOfferInText(t *testing.T) {
	r := ask(t, 1, config.ProtocolText, "Tides?", workshop(),
		say("Thought: Search.\nAction: search_tools\nAction Input: {\"query\": \"convert money\"}"),
		say("Thought: Convert.\nAction: money\nAction Input: {}"), say("Thought: Done.\nFinal: So.\nAnswer: 1"))
	if r.Outcome != trace.Answered {
		t.Fatalf("the trace ended %s: %s", r.Outcome, r.Cause)
	}
	system := r.model.requests[0].Messages[0].Content
	if strings.Contains(system, `"money"`) || !strings.Contains(system, `"tides"`) || !strings.Contains(system, `"search_tools"`) {
		t.Errorf("the system prompt lists other tools than the offered ones:\n%s", system)
	}
	shown := r.model.requests[1].Messages
	if got := shown[len(shown)-1].Content; !strings.HasPrefix(got, "Observation: ") || !strings.Contains(got, `"parameters":{`) {
		t.Errorf("the model reads %q", got)
	}
	if got := record(t, r).Called; !slices.Equal(got, []string{"money"}) {
		t.Errorf("called %v", got)
	}
}

// The prompt asks for citations if any tool returns documents, also one that is found later.
func TestCitationsAreAskedFor(t *testing.T) {
	library := tool.Func(tool.Spec{Evidence: true, ToolSpec: model.ToolSpec{Name: "library", Description: "Finds books.",
		Parameters: json.RawMessage(`{"type":"object","properties":{}}`)}},
		func(context.Context, struct{}) (tool.Output, error) { return tool.Output{}, nil })
	for _, c := range []struct {
		tools []tool.Tool
		want  bool
	}{{workshop(), false}, {append(workshop(), library), true}} {
		r := ask(t, 1, config.ProtocolNative, "Tides?", c.tools, say("Answer: 1"))
		if got := strings.Contains(r.model.requests[0].Messages[0].Content, "Cite only ids"); got != c.want {
			t.Errorf("%d tools: the prompt asks for citations: %v", len(c.tools), got)
		}
	}
}

// A search that finds nothing says so. If it is repeated, the guard against repeated calls ends the trace.
func TestVainSearches(t *testing.T) {
	nothing := search("", "zzz")
	r := ask(t, 1, config.ProtocolNative, "Tides?", workshop(), use(nothing), use(nothing), use(nothing), say("Answer: [ABSTAIN]"))
	shown := r.model.requests[1].Messages
	if got := shown[len(shown)-1].Content; !strings.Contains(got, "No other tool fits.") {
		t.Errorf("the model reads %q", got)
	}
	if len(r.model.requests) != 4 || r.model.requests[3].Choice != model.ChooseNone {
		t.Errorf("%d requests, the last with the choice %q", len(r.model.requests), r.model.requests[len(r.model.requests)-1].Choice)
	}
}

// vectors embeds a text as the numbers of two letters in it.
type vectors struct{ fail bool }

func (v vectors) Embed(_ context.Context, texts []string) (out [][]float32, err error) {
	if v.fail {
		return nil, errors.New("no connection")
	}
	for _, t := range texts {
		out = append(out, []float32{float32(strings.Count(t, "w")), float32(strings.Count(t, "y"))})
	}
	return out, nil
}

func TestOfferByEmbeddings(t *testing.T) {
	registry, err := tool.New(workshop()...)
	if err != nil {
		t.Fatal(err)
	}
	f, err := offer.New(context.Background(), registry.Specs(), 1, vectors{})
	if err != nil {
		t.Fatal(err)
	}
	f.Embeddings = "openai:vectors"
	if got := f.Versions(); got["offer"] != offer.Version+" openai:vectors" {
		t.Errorf("versions %v", got)
	}
	c := config.New().Agent
	a := react.Agent{Config: c, Tools: registry, Features: []session.Feature{f}}
	m := &script{replies: []model.Message{say("Answer: 1")}}
	a.Run(context.Background(), agent.Task{Query: datasets.Query{Text: "yyyy"}, Model: m, Emit: func(int, trace.Body) {}})
	if got := m.requests[0].Tools[0].Name; got != "money" { // the only one with y and without w
		t.Errorf("offered %s, want money", got)
	}
	if _, err := offer.New(context.Background(), registry.Specs(), 1, vectors{fail: true}); err == nil || !strings.Contains(err.Error(), "no connection") {
		t.Errorf("error %v", err)
	}
}
