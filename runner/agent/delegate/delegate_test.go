package delegate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/delegate"
	"github.com/seed-5817661a/concur/runner/agent/react"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// script is a model that gives its replies in order and keeps the requests.
type script struct {
	mu       sync.Mutex
	replies  []model.Message
	byPath   map[string][]model.Message // replies of agents that work at the same time
	err      error                      // once the replies are used up
	requests []model.Request
}

func (s *script) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	s.mu.Lock()
	req.Messages = slices.Clone(req.Messages)
	s.requests = append(s.requests, req)
	n, replies := len(s.requests), s.replies
	if own := s.byPath[req.Identity.Path]; own != nil {
		n, replies = req.Identity.Step+1, own
	}
	s.mu.Unlock()
	if n <= len(replies) {
		return model.Response{Message: replies[n-1], Finish: model.FinishStop, Usage: model.Usage{InputTokens: 10, OutputTokens: 1}}, nil
	}
	if s.err != nil {
		return model.Response{}, s.err
	}
	<-ctx.Done()
	return model.Response{}, &model.Error{Kind: model.KindOf(ctx.Err()), Model: "script", Err: ctx.Err()}
}

func say(text string) model.Message { return model.Message{Role: model.Assistant, Content: text} }

func use(calls ...model.ToolCall) model.Message {
	return model.Message{Role: model.Assistant, ToolCalls: calls}
}

func ask(id, task string) model.ToolCall {
	raw, _ := json.Marshal(map[string]string{"task": task, "context": "", "reason": "it can search"})
	return model.ToolCall{ID: id, Name: "researcher", Arguments: string(raw)}
}

func find(id, query string) model.ToolCall {
	return model.ToolCall{ID: id, Name: "search", Arguments: fmt.Sprintf(`{"query":%q}`, query)}
}

// search is an evidence tool that finds one document for each query; it panics if asked to.
type search struct{}

func (search) Spec() tool.Spec {
	return tool.Spec{Evidence: true, ToolSpec: model.ToolSpec{Name: "search", Description: "searches",
		Parameters: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)}}
}

func (search) Call(_ context.Context, arguments json.RawMessage) (tool.Output, error) {
	var in struct{ Query string }
	_ = json.Unmarshal(arguments, &in)
	if in.Query == "panic" {
		panic("a bug")
	}
	return tool.Output{Object: map[string]any{}, Documents: []trace.Document{{
		Backend: "corpus", Ref: in.Query, Title: in.Query, Snippet: in.Query + " was founded in 1201 by Albert.", Source: "a book",
	}}}, nil
}

// team is an agent with the tool researcher, which is itself an agent with the tool search.
type team struct {
	parent, child *script
	events        []trace.Event
	sub           delegate.Tool
	config        config.Agent
}

func newTeam(parent, child *script) *team {
	t := &team{parent: parent, child: child, config: config.New().Agent}
	registry, err := tool.New(search{})
	if err != nil {
		panic(err)
	}
	t.sub = delegate.Tool{Name: "researcher", Agent: &react.Agent{Config: t.config, Tools: registry, Prompt: "Be brief.\nAnd exact."},
		Tools: registry.Specs(), Prompt: "Be brief.\nAnd exact.", Model: child, ModelName: "offline:child"}
	return t
}

func (t *team) run(ctx context.Context) trace.Trace {
	registry, err := tool.New(t.sub)
	if err != nil {
		panic(err)
	}
	emit := func(c agent.Child) trace.Emit {
		return func(step int, b trace.Body) {
			c.Ordered(func() { t.events = append(t.events, trace.Event{Path: c.Path, Step: step, Body: b}) })
		}
	}
	id := trace.ID{Agent: "a", Query: "q"}
	return (&react.Agent{Config: t.config, Tools: registry}).Run(tool.WithTrace(ctx, id), agent.Task{
		ID: id, Query: datasets.Query{ID: "q", Text: "When was Riga founded?"}, Seed: 7, Model: t.parent, Emit: emit(agent.Child{}),
		Records: func(c agent.Child, _ string, m model.Model) (model.Model, trace.Emit) { return m, emit(c) },
	})
}

// observed returns the observations of the trace's own agent.
func (t *team) observed() (out []trace.Observation) {
	for _, e := range t.events {
		if o, is := e.Body.(trace.Observation); is && e.Path == "" {
			out = append(out, o)
		}
	}
	return out
}

// TestTask checks that a sub-agent works within the trace: it has its own path and seed, a part of the
// limits, the same evidence, and its cost is counted.
func TestTask(t *testing.T) {
	team := newTeam(
		&script{replies: []model.Message{use(ask("call_1", "the year in which Riga was founded")), say("Riga was founded in 1201 [corpus_1].\nAnswer: 1201\nReferences:\n[corpus_1] Riga")}},
		&script{replies: []model.Message{use(find("call_1", "Riga")), say("Riga was founded in 1201 [corpus_1].\n\nAnswer: 1201\n\nReferences:\n[corpus_1] Riga")}},
	)
	got := team.run(t.Context())
	if got.Answer != "1201" || got.Grounded == nil || !*got.Grounded {
		t.Errorf("answer %q, grounded %v (%s)", got.Answer, got.Grounded, got.Cause)
	}
	want := []trace.Child{{Path: "researcher#1", Steps: 2, ToolCalls: 1, ModelCalls: 2, Usage: model.Usage{InputTokens: 20, OutputTokens: 2}}}
	if diff := cmp.Diff(want, got.Children); diff != "" {
		t.Errorf("children (-want +got):\n%s", diff)
	}
	if got.ModelCalls != 4 || got.ToolCalls != 2 || got.Usage.InputTokens != 40 {
		t.Errorf("%d model calls, %d tool calls, %+v", got.ModelCalls, got.ToolCalls, got.Usage)
	}
	if own := got.ByPath()[0]; own.ModelCalls != 2 || own.ToolCalls != 1 || own.Usage.InputTokens != 20 {
		t.Errorf("own part %+v", own)
	}
	first := team.child.requests[0]
	if first.Identity.Path != "researcher#1" || first.Seed != delegate.Seed(7, "call_1") || first.Seed == 7 {
		t.Errorf("path %q, seed %d", first.Identity.Path, first.Seed)
	}
	if text := first.Messages[0].Content; !strings.HasPrefix(text, "Be brief.\nAnd exact.\n\n") {
		t.Errorf("the prompt does not come first: %.60q", text)
	}
	if text := first.Messages[1].Content; text != "the year in which Riga was founded" {
		t.Errorf("task %q", text)
	}
	o := team.observed()[0]
	if len(o.Documents) != 1 || o.Documents[0].ID != "corpus_1" || strings.Contains(string(o.Output), "References") || !strings.Contains(string(o.Output), `"answer":"1201"`) {
		t.Errorf("observation %s", o.Output)
	}
	paths := map[string]int{}
	for _, e := range team.events {
		paths[e.Path]++
	}
	if paths["researcher#1"] < 4 {
		t.Errorf("events by path %v", paths)
	}
}

// TestFailuresAreObservations checks that the caller continues after any failure of a sub-agent, and that the
// cost counts.
func TestFailuresAreObservations(t *testing.T) {
	for _, c := range []struct {
		name, task string
		child      *script
		timeout    time.Duration
		kind, want string
	}{
		{"no task", " ", &script{}, 0, tool.Refused, "task is empty"},
		{"no answer", "x", &script{replies: []model.Message{say(""), say("")}}, 0, tool.Refused, "gave no answer (empty_answer)"},
		{"model fails", "x", &script{err: &model.Error{Kind: model.ErrUnavailable, Err: errors.New("down")}}, 0, "model_error", "down"},
		{"tool panics", "x", &script{replies: []model.Message{use(find("c1", "panic"))}}, 0, "panic", "tool_panicked(search): a bug"},
		{"deadline", "x", &script{replies: []model.Message{use(find("c1", "Riga"))}}, time.Millisecond, "timeout", "deadline exceeded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			team := newTeam(&script{replies: []model.Message{use(ask("call_1", c.task)), say("Answer: [ABSTAIN]")}}, c.child)
			team.sub.Timeout = c.timeout
			got := team.run(t.Context())
			o := team.observed()
			if len(o) != 1 || o[0].Error == nil || *o[0].ErrorKind != c.kind || !strings.Contains(*o[0].Error, c.want) {
				t.Fatalf("observations %+v; want %s: …%s…", o, c.kind, c.want)
			}
			if len(team.parent.requests) != 2 || got.Steps != 2 || got.ModelCalls != 2+len(c.child.requests) {
				t.Errorf("%d requests, %d steps, %d model calls; the child had %d requests", len(team.parent.requests), got.Steps, got.ModelCalls, len(c.child.requests))
			}
		})
	}
}

// TestLimits checks that the agents called in one turn share the remaining tool calls equally, and that their
// calls count for the caller.
func TestLimits(t *testing.T) {
	tries := []model.Message{use(find("c1", "a")), use(find("c2", "b")), use(find("c3", "c")), say("Answer: [ABSTAIN]")}
	team := newTeam(
		&script{replies: []model.Message{use(ask("call_1", "one"), ask("call_2", "two")), use(ask("call_3", "three")), say("Answer: [ABSTAIN]")}},
		&script{byPath: map[string][]model.Message{"researcher#1": slices.Concat(tries[:2], tries[3:]), "researcher#2": tries}},
	)
	team.config.MaxToolCalls = 6
	got := team.run(t.Context())
	var calls []int
	for _, c := range got.Children {
		calls = append(calls, c.ToolCalls)
	}
	// 6, less the two of the turn, leave 4: each uses its two, and the third call is one too many.
	if !slices.Equal(calls, []int{2, 2}) || got.ToolCalls != 6 || got.StopReason != trace.MaxToolCalls {
		t.Errorf("children called %v, all %d, %s", calls, got.ToolCalls, got.StopReason)
	}
}

// TestOutsideOfATrace checks that an agent cannot be called outside of a trace.
func TestOutsideOfATrace(t *testing.T) {
	_, err := newTeam(&script{}, &script{}).sub.Call(t.Context(), json.RawMessage(`{"task":"x"}`))
	if err == nil || !strings.Contains(err.Error(), "within a trace") {
		t.Errorf("error %v", err)
	}
}

// crew is the model of three sub-agents that work at the same time. It answers nothing before all three have
// begun, and lets them search and answer one after another in the order of turns.
type crew struct {
	mu      sync.Mutex
	turns   []string // tasks, in the order in which they may go on
	begun   int
	all     chan struct{}            // closed when all have begun
	done    map[string]chan struct{} // closed when the search of a task is done
	fails   string                   // a task whose model fails after its search
	running atomic.Int64
}

func newCrew(turns ...string) *crew {
	c := &crew{turns: turns, all: make(chan struct{}), done: map[string]chan struct{}{}}
	for _, task := range turns {
		c.done[task] = make(chan struct{})
	}
	return c
}

func (c *crew) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	c.running.Add(1)
	defer c.running.Add(-1)
	task := req.Messages[1].Content
	reply := use(find("c1", strings.TrimSuffix(task, " again")))
	if last := req.Messages[len(req.Messages)-1]; last.Role == model.ToolRole {
		close(c.done[task])
		id, _, _ := strings.Cut(last.Content[strings.Index(last.Content, "corpus_"):], `"`)
		reply = say(fmt.Sprintf("%s was founded in 1201 [%s].\nAnswer: 1201", task, id))
		if task == c.fails {
			return model.Response{}, &model.Error{Kind: model.ErrUnavailable, Err: errors.New("down")}
		}
		return model.Response{Message: reply, Finish: model.FinishStop}, nil
	}
	c.mu.Lock()
	if c.begun++; c.begun == len(c.turns) {
		close(c.all)
	}
	c.mu.Unlock()
	wait := []chan struct{}{c.all}
	if i := slices.Index(c.turns, task); i > 0 {
		wait = append(wait, c.done[c.turns[i-1]])
	}
	for _, ready := range wait {
		select {
		case <-ready:
		case <-ctx.Done():
			return model.Response{}, &model.Error{Kind: model.KindOf(ctx.Err()), Model: "crew", Err: ctx.Err()}
		}
	}
	return model.Response{Message: reply, Finish: model.FinishStop}, nil
}

// callsThree calls three sub-agents in one turn; two of them find the same document.
func callsThree() *script {
	return &script{replies: []model.Message{
		use(ask("call_1", "Riga"), ask("call_2", "Oslo"), ask("call_3", "Riga again")),
		say("Riga was founded in 1201 [corpus_1] and Oslo in 1201 [corpus_2].\nAnswer: 1201"),
	}}
}

// TestSideBySide: the sub-agents of one turn work at the same time. If one waited for another to return, no
// goroutine of the bubble could go on, and synctest would fail. Whichever is faster, the events are in the order
// of the calls, with the same ids of documents.
func TestSideBySide(t *testing.T) {
	var want []trace.Event
	for _, turns := range [][]string{
		{"Riga", "Oslo", "Riga again"}, {"Riga again", "Oslo", "Riga"}, {"Oslo", "Riga again", "Riga"},
	} {
		synctest.Test(t, func(t *testing.T) {
			team := newTeam(callsThree(), nil)
			team.sub.Model = newCrew(turns...)
			got := team.run(t.Context())
			if got.Answer != "1201" || got.ToolCalls != 6 || len(got.Children) != 3 || got.Grounded == nil || !*got.Grounded {
				t.Errorf("%v: answer %q, %d tool calls, children %v, grounded %v (%s)", turns, got.Answer, got.ToolCalls,
					got.Children, got.Grounded, got.Cause)
			}
			var paths, ids []string
			for i := range team.events {
				e := &team.events[i]
				if len(paths) == 0 || paths[len(paths)-1] != e.Path {
					paths = append(paths, e.Path)
				}
				if o, is := e.Body.(trace.Observation); is {
					o.DurationMS = 0
					e.Body = o
					if e.Path == "" {
						ids = append(ids, o.Documents[0].ID+" "+o.Documents[0].Ref)
					}
				}
			}
			if diff := cmp.Diff([]string{"", "researcher#1", "researcher#2", "researcher#3", ""}, paths); diff != "" {
				t.Errorf("%v: order of the events (-want +got):\n%s", turns, diff)
			}
			if diff := cmp.Diff([]string{"corpus_1 Riga", "corpus_2 Oslo", "corpus_3 Riga"}, ids); diff != "" {
				t.Errorf("%v: documents of the caller (-want +got):\n%s", turns, diff)
			}
			if want == nil {
				want = team.events
			}
			if diff := cmp.Diff(want, team.events); diff != "" {
				t.Errorf("%v: events (-first +now):\n%s", turns, diff)
			}
		})
	}
}

// TestOneOfSeveralFails: the others go on, and each result is at its call.
func TestOneOfSeveralFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		team := newTeam(callsThree(), nil)
		c := newCrew("Riga", "Oslo", "Riga again")
		c.fails, team.sub.Model = "Oslo", c
		team.parent.replies[1] = say("Riga was founded in 1201 [corpus_1].\nAnswer: 1201")
		got := team.run(t.Context())
		var failed []bool
		for _, o := range team.observed() {
			failed = append(failed, o.Error != nil)
		}
		if !slices.Equal(failed, []bool{false, true, false}) || got.Answer != "1201" {
			t.Errorf("failed %v, answer %q (%s)", failed, got.Answer, got.Cause)
		}
	})
}

// TestNoSubAgentOutlivesItsCaller: if the caller is cancelled, all its sub-agents have returned when it returns.
func TestNoSubAgentOutlivesItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		team := newTeam(callsThree(), nil)
		c := newCrew("Riga", "Oslo", "Riga again", "a fourth that never begins")
		team.sub.Model = c
		go func() {
			synctest.Wait() // now all three wait
			if c.running.Load() != 3 {
				t.Errorf("%d sub-agents run, want 3", c.running.Load())
			}
			cancel()
		}()
		got := team.run(ctx)
		if got.StopReason != trace.Cancelled || c.running.Load() != 0 {
			t.Errorf("%s, and %d sub-agents still run", got.StopReason, c.running.Load())
		}
	})
}

// TestOwnLimit: a sub-agent has the smaller of its own limit of tool calls and the part that its caller has left.
func TestOwnLimit(t *testing.T) {
	for _, c := range []struct{ own, want int }{{1, 1}, {2, 2}, {9, 3}} {
		tries := []model.Message{use(find("c1", "a")), use(find("c2", "b")), use(find("c3", "c")), use(find("c4", "d"))}
		team := newTeam(&script{replies: []model.Message{use(ask("call_1", "one")), say("Answer: [ABSTAIN]")}},
			&script{replies: append(tries[:c.want+1:c.want+1], say("Answer: [ABSTAIN]"))})
		team.config.MaxToolCalls = 4
		worker := *team.sub.Agent.(*react.Agent)
		worker.Config.MaxToolCalls = c.own
		team.sub.Agent = &worker
		if got := team.run(t.Context()); len(got.Children) != 1 || got.Children[0].ToolCalls != c.want {
			t.Errorf("own limit %d: %+v, want %d tool calls", c.own, got.Children, c.want)
		}
	}
}
