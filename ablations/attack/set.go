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
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Set is cases, each with a harmless task that the agent works on when the case reaches it.
type Set struct {
	Cases []Case // the cases of NewSet, then each attacked task without its attack
	tasks []datasets.Query
	index map[string]int // index of each case in Cases, by id
	// inline is true if the tools of the agent cannot be changed. A document's payload is then put after the
	// question.
	inline bool
}

// NewSet gives the cases the tasks in turn. inline is true if the tools of the agent cannot be changed, as with
// an external agent: a payload for documents is then put after the question, as a text that was found. It
// returns an error if there is no case, or if cases are for documents and there is no task.
func NewSet(cases []Case, tasks []datasets.Query, inline bool) (*Set, error) {
	if len(cases) == 0 {
		return nil, errors.New("there is no attack: give a file with attacks, or none to use the built-in ones")
	}
	if i := slices.IndexFunc(tasks, func(q datasets.Query) bool { return len(q.Turns) > 0 }); i >= 0 {
		return nil, fmt.Errorf("query %s is a conversation, and attacks need single questions: choose another dataset with "+
			"--dataset", tasks[i].ID)
	}
	s := &Set{Cases: slices.Clone(cases), index: map[string]int{}, inline: inline}
	attacked := 0
	for _, c := range cases {
		if c.Way == InDocument {
			attacked++
		}
	}
	if attacked > 0 && len(tasks) == 0 {
		return nil, errors.New("there is no question for attacks in documents: choose another dataset with --dataset")
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
		s.Cases = append(s.Cases, Case{ID: taskID(task), Honest: true, Way: InDocument})
		s.tasks = append(s.tasks, task)
	}
	for i, c := range s.Cases {
		if _, twice := s.index[c.ID]; twice {
			return nil, fmt.Errorf("two cases are named %s: rename one of them", c.ID)
		}
		s.index[c.ID] = i
	}
	return s, nil
}

// taskID returns the id of the case that is a task without an attack.
func taskID(task datasets.Query) string { return "task." + task.ID }

// Dataset returns the cases as queries, in order. The text of a query is the task, or the text of the case if
// this replaces the question. A query has no gold if the gold of its task needs a judge, or if its text is that
// of the case.
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

// Dataset is the name of the dataset in a run of attacks.
const Dataset = store.AttackName

// kind returns the category of a case.
func (c Case) kind() string {
	switch {
	case !c.Honest:
		return "attack"
	case c.Text == "":
		return "task"
	}
	return "honest"
}

// Reaches reports whether the results of a tool can carry a payload: documents, and other results that come
// from outside. The result of a calculation cannot. A called agent is not changed itself, but its tools are.
func Reaches(spec tool.Spec) bool { return !spec.Agent && (spec.Evidence || !spec.Pure) }

// Tools returns the tools of an agent, with the payload of the trace's case in their results. A tool that an
// attack asks for does nothing in these runs, so that no attack does harm; if the agent lacks it, it is added.
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

// poisoned is a tool that adds the payload of the trace's case to its results.
type poisoned struct {
	tool.Tool
	set *Set
}

// Call calls the tool. It puts the payload into each document, or into the first text of a result without
// documents.
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

// idle is a tool that attacks ask for. It does nothing.
type idle struct{ spec tool.Spec }

// Spec returns the spec of the tool that it replaces.
func (t idle) Spec() tool.Spec {
	t.spec.Evidence, t.spec.Agent, t.spec.Pure = false, false, true
	return t.spec
}

// Call answers that the call was made.
func (idle) Call(context.Context, json.RawMessage) (tool.Output, error) {
	return tool.Output{Object: map[string]any{"done": true}}, nil
}
