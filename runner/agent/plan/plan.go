// Package plan implements the loop of planned rounds, after RAGFlow's agent. The model analyses the task. In
// each round it names calls, which run concurrently, and reflects on their results, until it completes the
// task and writes the final answer. Analysis, reflection and synthesis can be switched off (agent.analysis,
// reflection, synthesis). A trace with r rounds makes 2r + 3 model calls.
//
// Package session has the code that all loops share.
package plan

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Agent runs planned rounds with one configuration.
type Agent session.Settings

// Run runs one trace.
func (a *Agent) Run(ctx context.Context, task agent.Task) trace.Trace {
	return session.Run(ctx, session.Settings(*a), task, session.Strategy{
		Tools: true, Own: []model.ToolSpec{completeTask(a.Config.Plan)}, System: session.LoopPrompt, Run: runPlan,
	})
}

// rounds is a trace in progress.
type rounds struct {
	*session.Session
	reflections int
}

func runPlan(ctx context.Context, s *session.Session) trace.Trace {
	p := rounds{Session: s}
	if own := p.Config().Prompts.NextStep; !own.IsZero() {
		s.Instruct(s.Fill(own))
	} else {
		s.Instruct(prompt("rounds"))
	}
	if p.Config().Plan.Analysis.IsZero() {
		err := p.aside(ctx, "analysis", "", p.Config().Prompts.Analysis,
			asking.Data("task", p.Question(), maxTask), asking.Data("tools", p.Listing(), maxRound))
		if err != nil {
			return s.Fail(ctx, err)
		}
	}
	for range s.MaxSteps {
		t, again, end := s.Turn(ctx)
		switch {
		case end != nil:
			return *end
		case again:
			continue
		case len(t.Calls) == 0 || t.Finish == model.FinishContentFilter: // an answer without complete_task
			return s.Conclude(ctx, trace.Final, t)
		}
		calls, done, late := split(t.Calls)
		finish := func() { p.finish(done, late) }
		if t.Calls = calls; len(calls) == 0 {
			finish()
		} else if end := s.Run(ctx, t, finish); end != nil {
			return *end
		}
		if done != nil {
			return p.complete(ctx, *done)
		}
		if p.reflects() {
			if err := p.reflect(ctx); err != nil {
				return s.Fail(ctx, err)
			}
		}
	}
	return s.OutOfTurns(ctx)
}

// PromptVersion changes with every change of the prompts; it is part of the agent hash.
const PromptVersion = "plan/v1"

//go:embed prompts.yaml
var promptFile []byte

var prompt = session.Prompts(promptFile)

// completeTask returns the tool that ends the rounds.
func completeTask(p config.Plan) model.ToolSpec {
	what := "The answer in a sentence. You are asked for the final answer next."
	if p.Synthesis == config.Off {
		what = "The whole final answer, in the form that you were told."
	}
	return model.ToolSpec{
		Name: config.CompleteTool, Description: "Ends the work on the task. Call it alone, once nothing is missing.",
		Parameters: []byte(`{"type":"object","properties":{"answer":{"type":"string","description":"` + what +
			`"}},"required":["answer"],"additionalProperties":false}`),
	}
}

// split divides the calls of a turn at the first complete_task.
func split(calls []model.ToolCall) (before []model.ToolCall, done *model.ToolCall, late []model.ToolCall) {
	i := slices.IndexFunc(calls, func(c model.ToolCall) bool { return c.Name == config.CompleteTool })
	if i < 0 {
		return calls, nil, nil
	}
	return calls[:i:i], &calls[i], calls[i+1:]
}

// finish replies to complete_task, if the model called it. It also replies to the calls after complete_task,
// which are not run.
func (p *rounds) finish(done *model.ToolCall, late []model.ToolCall) {
	if done == nil {
		return
	}
	p.Drop(late, "complete_task came before")
	p.Reply(*done, "Noted.")
	for _, c := range late {
		p.Reply(c, tool.PlainErrorPrefix+"not_run: complete_task came before this call")
	}
}

// complete ends the rounds after done, the model's call of complete_task. If synthesis is off, the text in this
// call is the answer. Otherwise the model writes the answer in one more turn.
func (p *rounds) complete(ctx context.Context, done model.ToolCall) trace.Trace {
	var in struct{ Answer any }
	if err := json.Unmarshal([]byte(done.Arguments), &in); err != nil || in.Answer == nil {
		in.Answer = "" // the answer line is then requested in another turn
	}
	text := fmt.Sprint(in.Answer)
	p.Emit(trace.Reflection{Task: config.CompleteTool, Content: text})
	if p.Config().Plan.Synthesis == config.Off {
		return p.Conclude(ctx, trace.Final, p.Written(text))
	}
	ask := prompt("synthesis")
	if own := p.Config().Prompts.Synthesis; !own.IsZero() {
		ask = p.Fill(own, asking.Data("task", p.Question(), maxTask))
	}
	return p.Last(ctx, trace.Final, ask)
}

// Bounds of the data of a side request, in bytes.
const (
	maxTask   = 8 << 10
	maxResult = 4 << 10
	maxRound  = 32 << 10
)

// reflects reports whether the model reflects on the last round.
func (p *rounds) reflects() bool {
	failed := func(o session.Outcome) bool { return o.Failed }
	r := p.Config().Plan.Reflection
	return r.IsZero() || r == config.OnFailure && slices.ContainsFunc(p.Outcomes, failed)
}

// reflect asks the model how the results of the round affect the task, and adds the reply to its messages.
func (p *rounds) reflect(ctx context.Context) error {
	var results []string
	for _, o := range p.Outcomes {
		results = append(results, fmt.Sprintf("%s %s\n→ %s", o.Call.Name, o.Call.Arguments,
			asking.Cut(o.Shown, maxResult)))
	}
	p.reflections++
	return p.aside(ctx, "reflection", fmt.Sprintf("#%d", p.reflections), p.Config().Prompts.Reflection,
		asking.Data("task", p.Question(), maxTask), asking.Data("results", strings.Join(results, "\n\n"), maxRound))
}

// aside makes a side request with the prompt of this name, or with the user's own prompt. It adds the reply to
// the model's messages. number distinguishes requests with the same name.
func (p *rounds) aside(ctx context.Context, name, number string, own config.Prompt, data ...asking.Block) error {
	text, _, err := session.Ask(ctx, p.Session, session.Aside{
		Task: name + number, Schema: session.TextSchema(name, name), Messages: p.Messages(own, prompt(name), data...),
	}, textOf(name))
	if err != nil {
		return err
	}
	p.Note(name, *text)
	return nil
}

// textOf reads an object with one text. It also accepts prose.
func textOf(field string) func(string) (string, error) {
	return func(reply string) (string, error) {
		if object, err := asking.ReadObject(reply, field); err == nil {
			var text string
			if json.Unmarshal(object[field], &text) == nil {
				return text, nil
			}
		}
		return strings.TrimSpace(reply), nil
	}
}
