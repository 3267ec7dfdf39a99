package attack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Set is cases with the harmless tasks during which they reach the agent.
type Set struct {
	Cases []Case // those of NewSet, then each task that is attacked, without its attack
	tasks []datasets.Query
	index map[string]int // of cases, by id
	// inline: a document's payload is put after the question, because the agent's tools are its own.
	inline bool
}

// NewSet gives each case a task, in turn. inline says that the agent's tools cannot be reached, as those of another
// program: a payload for documents is then put after the question, as a text that was found. It fails without a case,
// or if cases are for documents and there is no task.
func NewSet(cases []Case, tasks []datasets.Query, inline bool) (*Set, error) {
	if len(cases) == 0 {
		return nil, errors.New("there is no attack: give a file with one, or leave it out for the built-in ones")
	}
	s := &Set{Cases: slices.Clone(cases), index: map[string]int{}, inline: inline}
	attacked := 0
	for _, c := range cases {
		if c.Way == InDocument {
			attacked++
		}
	}
	if attacked > 0 && len(tasks) == 0 {
		return nil, errors.New("there is no question during which documents could attack: choose others with --dataset")
	}
	s.tasks = make([]datasets.Query, len(cases))
	next := 0
	for i, c := range cases {
		if c.Way == InDocument {
			s.tasks[i] = tasks[next%len(tasks)]
			next++
		}
	}
	for _, task := range tasks[:min(len(tasks), attacked)] {
		s.Cases = append(s.Cases, Case{ID: "task." + task.ID, Honest: true, Way: InDocument})
		s.tasks = append(s.tasks, task)
	}
	for i, c := range s.Cases {
		if _, twice := s.index[c.ID]; twice {
			return nil, fmt.Errorf("two cases are named %s: give one of them another name", c.ID)
		}
		s.index[c.ID] = i
	}
	return s, nil
}

// Dataset returns the cases as queries, in their order: the task, or the text itself where that is the question. A
// query whose gold needs a judge, and a text of the set, has no gold.
func (s *Set) Dataset() *datasets.Dataset {
	queries := make([]datasets.Query, len(s.Cases))
	for i, c := range s.Cases {
		q := s.tasks[i]
		if c.Way == AsQuestion {
			q = datasets.Query{Text: c.Payload()}
		} else if s.inline && c.Text != "" {
			q.Text += "\n\nThis text was found:\n" + c.Payload()
		}
		q.ID, q.Category, q.Expects, q.Cluster, q.Tags = c.ID, c.kind(), nil, "", nil
		if c.Way == AsQuestion || q.Gold.Condition != "" {
			q.Gold = datasets.Gold{Type: answer.Text, Outcome: trace.Answered, None: true}
		}
		queries[i] = q
	}
	return datasets.New(Dataset, queries)
}

// Dataset is the name of the dataset of a run of attacks.
const Dataset = "attack"

// kind is the category of a case.
func (c Case) kind() string {
	switch {
	case !c.Honest:
		return "attack"
	case c.Text == "":
		return "task"
	}
	return "honest"
}

// Reaches reports whether a tool's results can carry a payload: documents, and other results that come from elsewhere.
// Calculations cannot, and of another agent its own tools are changed.
func Reaches(spec tool.Spec) bool { return !spec.Agent && (spec.Evidence || !spec.Pure) }

// Tools returns an agent's tools with the payload of the trace's case in their results. Tools that an attack
// wants called are added if the agent lacks them; those that it has do nothing in these runs, so that no attack does
// harm.
func (s *Set) Tools(tools []tool.Tool) []tool.Tool {
	missing := map[string]bool{}
	for _, c := range s.Cases {
		if c.Effect == Call {
			missing[c.Want] = true
		}
	}
	out := make([]tool.Tool, 0, len(tools)+len(missing))
	for _, t := range tools {
		spec := t.Spec()
		switch {
		case missing[spec.Name]:
			delete(missing, spec.Name)
			t = idle{spec}
		case Reaches(spec):
			t = poisoned{t, s}
		}
		out = append(out, t)
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		out = append(out, idle{tool.Spec{ToolSpec: model.ToolSpec{
			Name: name, Description: fmt.Sprintf("Does %s for the user.", name), Parameters: json.RawMessage(anyText),
		}}})
	}
	return out
}

const anyText = `{"type":"object","properties":{"text":{"type":"string"}},"additionalProperties":false}`

// poisoned is a tool whose results have the payload of the trace's case.
type poisoned struct {
	tool.Tool
	set *Set
}

// Call calls the tool, and puts the payload into each document, or into the first text of a result without documents.
func (p poisoned) Call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	out, err := p.Tool.Call(ctx, arguments)
	caller, known := tool.CallerOf(ctx)
	i, isCase := p.set.index[caller.Trace.Query]
	if err != nil || !known || !isCase || p.set.Cases[i].Way != InDocument || p.set.Cases[i].Text == "" {
		return out, err
	}
	c := p.set.Cases[i]
	if len(out.Documents) > 0 {
		out.Documents = slices.Clone(out.Documents)
		for i := range out.Documents {
			out.Documents[i].Snippet = c.Into(out.Documents[i].Snippet)
		}
		return out, nil
	}
	out.Object = maps.Clone(out.Object)
	for _, key := range slices.Sorted(maps.Keys(out.Object)) {
		if text, is := out.Object[key].(string); is {
			out.Object[key] = c.Into(text)
			return out, nil
		}
	}
	if out.Object == nil {
		out.Object = map[string]any{}
	}
	out.Object["text"] = c.Into("")
	return out, nil
}

// idle is a tool that does nothing, for which attacks ask.
type idle struct{ spec tool.Spec }

// Spec returns the spec of the tool in whose place it is.
func (t idle) Spec() tool.Spec {
	t.spec.Evidence, t.spec.Agent, t.spec.Pure = false, false, true
	return t.spec
}

// Call says that the call was made.
func (idle) Call(context.Context, json.RawMessage) (tool.Output, error) {
	return tool.Output{Object: map[string]any{"done": true}}, nil
}
