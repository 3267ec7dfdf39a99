package session

import (
	"context"
	"fmt"
	"sync"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// runAll runs the calls of a turn that are admitted, at most agent.tool_workers at the same time, and returns
// when all of them have returned. It stores the result of each call at its index.
func (s *Session) runAll(ctx context.Context, calls []model.ToolCall, admitted []bool, results []tool.Result) {
	agents, forks := s.childTasks(calls, admitted)
	workers := make(chan struct{}, s.agent.Config.Plan.ToolWorkers())
	var running sync.WaitGroup
	for i, call := range calls {
		if !admitted[i] {
			continue
		}
		ctx, child := ctx, agents[i]
		if child != nil {
			ctx = agent.WithCaller(ctx, child.task)
		}
		workers <- struct{}{}
		running.Go(func() {
			defer func() { <-workers }()
			if child != nil {
				defer child.returned()
			}
			results[i] = s.tools.Invoke(ctx, call, s.agent.Config.ToolTimeout)
		})
	}
	running.Wait()
	if forks != nil {
		s.ledger.Join(forks)
	}
	for i := range calls {
		if agents[i] == nil {
			continue
		}
		for _, c := range results[i].Output.Children {
			s.calls.Charge(c.ToolCalls)
		}
	}
}

// childTask is the task of an agent that is called as a tool.
type childTask struct {
	task     agent.Task
	returned func() // must be called when the agent has returned
}

// childTasks returns the tasks of the agents that the admitted calls of a turn start, by the index of the call.
// Each agent may use an equal part of the remaining tool calls, and all remaining turns. So the limits of an
// agent do not depend on how fast the others are, and are the same in a replay. If there are several agents,
// each has its own copy (fork) of the ledger.
func (s *Session) childTasks(calls []model.ToolCall, admitted []bool) (map[int]*childTask, []*trace.Ledger) {
	var called []int
	for i, call := range calls {
		if t, known := s.tools.Lookup(call.Name); admitted[i] && known && t.Spec().Agent {
			called = append(called, i)
		}
	}
	if len(called) == 0 {
		return nil, nil
	}
	out, parts := map[int]*childTask{}, s.calls.Share(len(called))
	ledgers := []*trace.Ledger{s.ledger}
	var forks []*trace.Ledger
	if len(called) > 1 {
		forks = s.ledger.Fork(len(called))
		ledgers = forks
	}
	turns := newQueue(len(called), s.task.Child)
	for n, i := range called {
		name := calls[i].Name
		s.children[name]++
		path := fmt.Sprintf("%s#%d", name, s.children[name])
		if s.task.Child.Path != "" {
			path = s.task.Child.Path + "/" + path
		}
		task, steps := s.task, max(1, s.MaxSteps-s.result.Steps)
		task.Child = agent.Child{Path: path, Ledger: ledgers[n], MaxSteps: &steps, MaxToolCalls: parts[n],
			InOrder: func(do func()) { turns.do(n, do) }}
		out[i] = &childTask{task, func() { turns.end(n) }}
	}
	return out, forks
}

// queue orders the records of agents that work at the same time: first all records of the first agent, then all
// of the second, and so on. Records of the first agent that is not finished are written at once. Records of
// later agents wait in memory.
type queue struct {
	caller agent.Child // records of the caller may wait, too

	mu      sync.Mutex
	first   int // the first agent that has not returned
	ended   []bool
	waiting [][]func()
}

func newQueue(agents int, caller agent.Child) *queue {
	return &queue{caller: caller, ended: make([]bool, agents), waiting: make([][]func(), agents)}
}

// do calls record for the nth agent: at once, or when the agents before it have returned.
func (q *queue) do(n int, record func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n > q.first {
		q.waiting[n] = append(q.waiting[n], record)
		return
	}
	q.caller.Ordered(record)
}

// end notes that the nth agent has returned. It then makes the records that waited for this.
func (q *queue) end(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended[n] = true
	for q.first < len(q.ended) && q.ended[q.first] {
		q.first++
		if q.first == len(q.ended) {
			return
		}
		for _, record := range q.waiting[q.first] {
			q.caller.Ordered(record)
		}
		q.waiting[q.first] = nil
	}
}
