// Package delegate offers an agent as a tool. A call gives a task to another agent. This agent works on the
// task as a part of the caller's trace, with the caller's limits and evidence, and returns its answer with
// citations.
//
// It uses agents only through their interface.
package delegate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/guard/cite"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Version changes when the same call could get a different result, or give the agent a different task.
const Version = "delegate/v1"

// Tool is an agent as a tool.
type Tool struct {
	Name  string
	Agent agent.Agent
	// Tools are the agent's tools, which the description names. Prompt has the agent's instructions.
	Tools  []tool.Spec
	Prompt string
	// Model answers the agent's requests; ModelName is its name in the configuration.
	Model     model.Model
	ModelName string
	Timeout   time.Duration // limit of one call; 0 means the caller's limit
}

var parameters = json.RawMessage(`{"type":"object","properties":{` +
	`"task":{"type":"string","description":"What to find out or do, complete in itself."},` +
	`"context":{"type":"string","description":"What is known already and needed for it; empty if nothing is."},` +
	`"reason":{"type":"string","description":"Why this agent is to do it."}},` +
	`"required":["task","context","reason"],"additionalProperties":false}`)

// maxPrompt limits the part of the instructions in the tool's description, in characters.
const maxPrompt = 300

// Spec describes the agent by its tools and the first line of its instructions.
func (t Tool) Spec() tool.Spec {
	var names []string
	evidence := false
	for _, s := range t.Tools {
		names = append(names, s.Name)
		evidence = evidence || s.Evidence
	}
	about := "Hands a task to another agent, which has " + cmp.Or(strings.Join(names, ", "), "no tools") +
		", and gives back its answer. It knows nothing but task and context."
	if first, _, _ := strings.Cut(strings.TrimSpace(t.Prompt), "\n"); first != "" {
		about += fmt.Sprintf(" Its instructions begin: %.*s", maxPrompt, first)
	}
	return tool.Spec{
		ToolSpec: model.ToolSpec{Name: t.Name, Description: about, Parameters: parameters},
		Evidence: evidence, OwnDeadline: true, Agent: true,
	}
}

// Call runs the agent. Its output is the agent's answer, abstention or refusal, with the documents that its
// message cites. If the agent gives no answer, Call returns an ordinary error. If the agent failed because of
// the infrastructure, Call returns a *tool.BackendError whose kind is the stop reason. The output has the cost
// in both cases.
func (t Tool) Call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	task, ok := agent.CallerOf(ctx)
	who, called := tool.CallerOf(ctx)
	if !ok || !called {
		return tool.Output{}, errors.New("an agent works within a trace: run a query that leads to this call")
	}
	var in struct{ Task, Context, Reason string }
	_ = json.Unmarshal(arguments, &in) // the schema has validated them
	if strings.TrimSpace(in.Task) == "" {
		return tool.Output{}, errors.New("task is empty: say what to find out or do")
	}
	if in.Context = strings.TrimSpace(in.Context); in.Context != "" {
		in.Task += "\n\nWhat is known already:\n" + in.Context
	}
	task.Query = datasets.Query{ID: task.Query.ID, Text: in.Task}
	task.Seed = Seed(task.Seed, who.Call)
	task.Model, task.Emit = task.Records(task.Child, t.ModelName, t.Model)
	ctx = tool.WithPath(ctx, task.Child.Path)
	if t.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t.Timeout)
		defer cancel()
	}
	return outputOf(t.Agent.Run(ctx, task), task.Child)
}

// Seed returns the seed of an agent that is called as a tool: the first 31 bits of the SHA-256 of the caller's
// seed and the id of the call.
func Seed(caller int64, call string) int64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s", caller, call))
	return int64(binary.BigEndian.Uint32(sum[:4]) >> 1)
}

// outputOf returns the output of the tool: the part of the called agent's trace that the caller reads.
func outputOf(t trace.Trace, child agent.Child) (tool.Output, error) {
	out := tool.Output{ModelCalls: t.ModelCalls, Usage: t.Usage, Children: t.ByPath()}
	out.Children[0].Path = child.Path
	switch {
	case t.Outcome == trace.Infra:
		cause, _, _ := strings.Cut(t.Cause, "\n")
		return out, &tool.BackendError{Kind: string(t.StopReason), Err: errors.New(cmp.Or(cause, "the agent was lost"))}
	case !t.Outcome.Votes():
		return out, fmt.Errorf("the agent gave no answer (%s): %s", t.StopReason, t.Cause)
	}
	if t.StopReason == trace.Ungrounded { // the message is the one that the audit rejected
		t.Message = t.Cause
	}
	message, _, _ := strings.Cut("\n"+t.Message, "\nAnswer:") // the rest is the short answer and the references
	out.Object = map[string]any{"outcome": string(t.Outcome), "answer": t.Answer, "message": strings.TrimSpace(message)}
	for _, id := range cite.Cited(t.Message) {
		if d, known := child.Ledger.Lookup(id); known {
			out.Documents = append(out.Documents, d)
		}
	}
	return out, nil
}
