package session

import (
	"cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

// progress is the state of a trace: its task, the agent's settings and the result so far.
type progress struct {
	agent  Settings
	task   agent.Task
	result trace.Trace
}

// Task returns the task of the trace.
func (s *progress) Task() agent.Task { return s.task }

// Config returns the agent's configuration.
func (s *progress) Config() config.Agent { return s.agent.Config }

// Steps returns the number of the model's turns so far.
func (s *progress) Steps() int { return s.result.Steps }

// step returns the number of the model turn, from 0, to which new events belong: the turn of the last reply.
func (s *progress) step() int { return max(0, s.result.Steps-1) }

// Question returns the question as data for a side request: the rewritten question, or the question with the
// earlier conversation.
func (s *progress) Question() string { return cmp.Or(s.result.Question, s.task.Query.Wordings("")) }

// Emit records an event in the last turn.
func (s *progress) Emit(b trace.Body) { s.task.Emit(s.step(), b) }

// Guard records a decision of a guard.
func (s *progress) Guard(rule, decision, detail string) {
	s.Emit(trace.Guard{Rule: rule, Decision: decision, Detail: detail})
}

// identity names a request of the trace; task is a side request's task, or "".
func (s *progress) identity(step int, task string) model.Identity {
	id := s.task.ID
	return model.Identity{Agent: id.Agent, Query: id.Query, Trace: id.Trace, Step: step, Purpose: model.Agent,
		Path: s.task.Child.Path, Task: task}
}

// charge counts the usage of a task's side requests.
func (s *progress) charge(task string, spent asking.Effort) {
	t := &s.result
	t.ModelCalls += spent.Calls
	t.Usage = t.Usage.Add(spent.Usage)
	for i, c := range t.Children {
		if c.Path == s.task.Child.Path && c.Task == task {
			t.Children[i].ModelCalls += spent.Calls
			t.Children[i].Usage = c.Usage.Add(spent.Usage)
			return
		}
	}
	t.Children = append(t.Children, trace.Child{Path: s.task.Child.Path, Task: task, ModelCalls: spent.Calls,
		Usage: spent.Usage})
}
