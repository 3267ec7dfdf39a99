package plan_test

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
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/plan"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// echo is a tool that returns its text; "bad" is an error.
type echo struct{}

func (echo) Spec() tool.Spec {
	return tool.Spec{ToolSpec: model.ToolSpec{
		Name: "echo", Description: "Repeats a text.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"additionalProperties":false}`),
	}}
}

func (echo) Call(_ context.Context, arguments json.RawMessage) (tool.Output, error) {
	var in struct{ Text string }
	if err := json.Unmarshal(arguments, &in); err != nil {
		return tool.Output{}, err
	}
	if in.Text == "bad" {
		return tool.Output{}, errors.New("no such text")
	}
	return tool.Output{Object: map[string]any{"text": in.Text}}, nil
}

// script is a model that gives its replies in order; a text that begins with "!" is a failure.
type script struct {
	replies  []model.Message
	requests []model.Request
}

func (s *script) Complete(_ context.Context, r model.Request) (model.Response, error) {
	r.Messages = slices.Clone(r.Messages)
	s.requests = append(s.requests, r)
	if len(s.requests) > len(s.replies) {
		return model.Response{}, errors.New("the script has run out of replies")
	}
	m := s.replies[len(s.requests)-1]
	if strings.HasPrefix(m.Content, "!") {
		return model.Response{}, errors.New(m.Content)
	}
	return model.Response{Message: m, Finish: model.FinishStop, Usage: model.Usage{InputTokens: 10, OutputTokens: 1}}, nil
}

func say(text string) model.Message { return model.Message{Content: text} }

func use(calls ...string) model.Message {
	var m model.Message
	for i, c := range calls {
		name, arguments, _ := strings.Cut(c, " ")
		m.ToolCalls = append(m.ToolCalls, model.ToolCall{ID: fmt.Sprint(name, i, arguments), Name: name, Arguments: arguments})
	}
	return m
}

// played is a trace with the requests by task, and the events in a short form.
type played struct {
	trace.Trace
	*script
	tasks  []string
	events []string
}

func play(t *testing.T, change func(*config.Agent), replies ...model.Message) played {
	t.Helper()
	registry, err := tool.New(echo{})
	if err != nil {
		t.Fatal(err)
	}
	a := &plan.Agent{Config: config.New().Agent, Tools: registry}
	a.Config.Strategy = config.StrategyPlan
	if change != nil {
		change(&a.Config)
	}
	p := played{script: &script{replies: replies}}
	p.Trace = a.Run(t.Context(), agent.Task{
		ID: trace.ID{Query: "q"}, Query: datasets.Query{ID: "q", Text: "What?", Gold: datasets.Gold{Type: answer.Text}}, Model: p.script,
		Emit: func(_ int, b trace.Body) {
			switch b := b.(type) {
			case trace.Reflection:
				p.events = append(p.events, b.Task+": "+b.Content)
			case trace.Action:
				p.events = append(p.events, "call "+string(b.Input))
			case trace.Guard:
				p.events = append(p.events, b.Rule+" "+b.Decision+": "+b.Detail)
			}
		},
	})
	for _, r := range p.requests {
		p.tasks = append(p.tasks, r.Identity.Task)
	}
	return p
}

const (
	one   = `echo {"text":"one"}`
	two   = `echo {"text":"two"}`
	bad   = `echo {"text":"bad"}`
	done  = `complete_task {"answer":"It is one."}`
	again = `complete_task {"answer":"It is two."}`
)

// A trace with r rounds makes 2r + 3 model calls; each part can be switched off.
func TestRounds(t *testing.T) {
	analysis, reflection := say(`{"analysis": "Look."}`), say(`Thinking. {"reflection": "Found."}`)
	for name, c := range map[string]struct {
		change  func(*config.Agent)
		replies []model.Message
		tasks   []string
		events  []string
		steps   int
	}{
		"whole": {nil, []model.Message{analysis, use(one, two), reflection, use(two), say("prose"), use(done), say("Answer: one")},
			[]string{"analysis", "", "reflection#1", "", "reflection#2", "", ""},
			[]string{"analysis: Look.", `call {"text":"one"}`, `call {"text":"two"}`, "reflection: Found.", `call {"text":"two"}`, "reflection: prose", "complete_task: It is one."}, 4},
		"another name of the tool": {func(a *config.Agent) { a.Plan.Analysis = config.Off },
			[]model.Message{use(one), reflection, use(strings.Replace(done, "complete_task", "__complete_task__", 1)), say("Answer: one")},
			[]string{"", "reflection#1", "", ""}, []string{`call {"text":"one"}`, "reflection: Found.",
				`format alias: "__complete_task__" is taken for complete_task`, "complete_task: It is one."}, 3},
		"no analysis": {func(a *config.Agent) { a.Plan.Analysis = config.Off }, []model.Message{use(one), reflection, use(done), say("Answer: one")},
			[]string{"", "reflection#1", "", ""}, []string{`call {"text":"one"}`, "reflection: Found.", "complete_task: It is one."}, 3},
		"no reflection": {func(a *config.Agent) { a.Plan.Reflection = config.Off }, []model.Message{analysis, use(one), use(done), say("Answer: one")},
			[]string{"analysis", "", "", ""}, []string{"analysis: Look.", `call {"text":"one"}`, "complete_task: It is one."}, 3},
		"reflection on failure": {func(a *config.Agent) { a.Plan.Reflection, a.Plan.Analysis = config.OnFailure, config.Off }, []model.Message{use(one), use(bad), reflection, use(done), say("Answer: one")},
			[]string{"", "", "reflection#1", "", ""}, []string{`call {"text":"one"}`, `call {"text":"bad"}`, "reflection: Found.", "complete_task: It is one."}, 4},
		"no synthesis": {func(a *config.Agent) { a.Plan.Synthesis = config.Off }, []model.Message{analysis, use(`complete_task {"answer":"one"}`)},
			[]string{"analysis", ""}, []string{"analysis: Look.", "complete_task: one"}, 1},
		"a whole message without synthesis": {func(a *config.Agent) { a.Plan.Synthesis = config.Off }, []model.Message{analysis, use(`complete_task {"answer":"So it is.\nAnswer: one"}`)},
			[]string{"analysis", ""}, []string{"analysis: Look.", "complete_task: So it is.\nAnswer: one"}, 1},
		"calls beside complete_task": {func(a *config.Agent) { a.Plan.Analysis = config.Off }, []model.Message{use(one, done, two, again), say("Answer: one")},
			[]string{"", ""}, []string{`call {"text":"one"}`, "format drop: 2 actions are not run: complete_task came before", "complete_task: It is one."}, 2},
		"an answer without complete_task": {func(a *config.Agent) { a.Plan.Analysis = config.Off }, []model.Message{say("Answer: one")}, []string{""}, nil, 1},
		"as text": {func(a *config.Agent) { a.Protocol = config.ProtocolText }, []model.Message{
			analysis, say("Thought: Both.\n[{\"name\": \"echo\", \"arguments\": {\"text\": \"one\"}}, {\"name\": \"echo\", \"arguments\": {\"text\": \"two\"}}]"), reflection,
			say("Thought: Done.\n```json\n[{\"name\": \"complete_task\", \"arguments\": {\"answer\": \"It is one.\"}}]\n```"), say("Thought: So.\nFinal: Answer: one"),
		}, []string{"analysis", "", "reflection#1", "", ""},
			[]string{"analysis: Look.", `call {"text": "one"}`, `call {"text": "two"}`, "reflection: Found.", "complete_task: It is one."}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			p := play(t, c.change, c.replies...)
			if p.Outcome != trace.Answered || p.StopReason != trace.Final || p.Answer != "one" || p.Steps != c.steps || p.ModelCalls != len(c.replies) {
				t.Errorf("%s, %s, %q (%s), %d steps, %d calls", p.Outcome, p.StopReason, p.Answer, p.Cause, p.Steps, p.ModelCalls)
			}
			if d := cmp.Diff(c.tasks, p.tasks); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.events, p.events); d != "" {
				t.Error(d)
			}
			answered := map[string]bool{}
			for _, m := range p.requests[len(p.requests)-1].Messages {
				answered[m.ToolCallID] = true
			}
			for _, m := range p.requests[len(p.requests)-1].Messages {
				for _, c := range m.ToolCalls {
					if !answered[c.ID] {
						t.Errorf("the call %s is not answered", c.ID)
					}
				}
			}
		})
	}
}

// Side requests are counted by their task, and are included in the total.
func TestUsageByTask(t *testing.T) {
	p := play(t, nil, say(`{"analysis": "Look."}`), use(one), say("{"), use(two), say(`{"reflection": "More."}`), use(done), say("Answer: one"))
	want := []trace.Child{
		{Steps: 4, ToolCalls: 2, ModelCalls: 4, Usage: model.Usage{InputTokens: 40, OutputTokens: 4}},
		{Task: "analysis", ModelCalls: 1, Usage: model.Usage{InputTokens: 10, OutputTokens: 1}},
		{Task: "reflection", ModelCalls: 2, Usage: model.Usage{InputTokens: 20, OutputTokens: 2}},
	}
	if d := cmp.Diff(want, p.ByPath()); d != "" {
		t.Error(d)
	}
}

func TestBadSteps(t *testing.T) {
	many := make([]string, 200)
	for i := range many {
		many[i] = fmt.Sprintf(`echo {"text":"%d"}`, i)
	}
	text := func(a *config.Agent) { a.Protocol, a.Plan.Analysis = config.ProtocolText, config.Off }
	native := func(a *config.Agent) { a.Plan.Analysis, a.Plan.Reflection = config.Off, config.Off }
	for name, c := range map[string]struct {
		change  func(*config.Agent)
		replies []model.Message
		outcome trace.Outcome
		reason  trace.StopReason
		event   string
	}{
		"no list, three times": {text, []model.Message{say("Well."), say("Hm."), say("Hm.")}, trace.Answered, trace.Final, "format reject: "},
		"an object":            {text, []model.Message{say(`{"name": "echo", "arguments": {"text": "one"}}`), say("{}"), use(), say("Thought: x\n" + `[{"name": "complete_task", "arguments": {"answer": "x"}}]`), say("Final: Answer: x")}, trace.Answered, trace.Final, `call {"text": "one"}`},
		"fenced on one line":   {text, []model.Message{say("```json [{\"name\": \"complete_task\", \"arguments\": {\"answer\": \"x\"}}] ```"), say("Final: Answer: x")}, trace.Answered, trace.Final, "complete_task: x"},
		"200 calls":            {native, []model.Message{use(many...), use(done), say("Answer: x")}, trace.Answered, trace.Final, "format reject: the turn has 200 tool calls"},
		"no argument":          {native, []model.Message{use(`complete_task {}`), say("Answer: x")}, trace.Answered, trace.Final, "complete_task: "},
		"rounds used up":       {func(a *config.Agent) { native(a); a.MaxSteps = 2 }, []model.Message{use(one), use(two), say("Answer: x")}, trace.Answered, trace.MaxSteps, "steps limit: all allowed turns are used up"},
		"failed analysis":      {nil, []model.Message{say("!down")}, trace.Infra, trace.ModelError, ""},
		"failed reflection":    {nil, []model.Message{say("x"), use(one), say("!down")}, trace.Infra, trace.ModelError, "analysis: x"},
		"no answer when asked": {func(a *config.Agent) { native(a); a.Plan.Synthesis = config.Off }, []model.Message{use(`complete_task {"answer":""}`), say("Answer: x")}, trace.Answered, trace.Final, "complete_task: "},
	} {
		t.Run(name, func(t *testing.T) {
			p := play(t, c.change, c.replies...)
			if p.Outcome != c.outcome || p.StopReason != c.reason {
				t.Errorf("%s, %s: %s", p.Outcome, p.StopReason, p.Cause)
			}
			if c.event != "" && !slices.ContainsFunc(p.events, func(e string) bool { return strings.HasPrefix(e, c.event) }) {
				t.Errorf("no event %q in %q", c.event, p.events)
			}
		})
	}
}

// A reflection of 1 MB is recorded completely, and cut for the model.
func TestLongReflection(t *testing.T) {
	p := play(t, func(a *config.Agent) { a.Plan.Analysis = config.Off }, use(one), say(strings.Repeat("long ", 200_000)), use(done), say("Answer: one"))
	shown := p.requests[2].Messages
	if last := shown[len(shown)-1]; last.Role != model.User || len(last.Content) > 64<<10 || !strings.Contains(last.Content, "[cut here: ") {
		t.Errorf("%s message of %d bytes", last.Role, len(last.Content))
	}
	if len(p.events[1]) < 999_000 {
		t.Errorf("an event of %d bytes", len(p.events[1]))
	}
}

func TestCancelledBetweenRounds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	registry, err := tool.New(echo{})
	if err != nil {
		t.Fatal(err)
	}
	a := &plan.Agent{Config: config.New().Agent, Tools: registry}
	m := &script{replies: []model.Message{say("x"), use(one)}}
	got := a.Run(ctx, agent.Task{
		Query: datasets.Query{Text: "What?"}, Emit: func(_ int, b trace.Body) {
			if _, is := b.(trace.Observation); is {
				cancel()
			}
		}, Model: m,
	})
	if got.StopReason != trace.Cancelled || got.ToolCalls != 1 {
		t.Errorf("%s after %d calls", got.StopReason, got.ToolCalls)
	}
}

func Example() {
	registry, err := tool.New(echo{})
	if err != nil {
		fmt.Println(err)
		return
	}
	a := &plan.Agent{Config: config.New().Agent, Tools: registry}
	t := a.Run(context.Background(), agent.Task{
		Query: datasets.Query{Text: "What?"}, Emit: func(int, trace.Body) {},
		Model: &script{replies: []model.Message{say(`{"analysis": "Ask echo."}`), use(one), say(`{"reflection": "It is one."}`), use(done), say("Answer: one")}},
	})
	fmt.Println(t.Answer, t.Steps, t.ModelCalls)
	// Output:
	// one 3 5
}
