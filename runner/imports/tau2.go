package imports

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// tau2File is a file of tau2-bench's Results.save. The fields follow the data model of commit 143a213.
type tau2File struct {
	Info struct {
		Commit string `json:"git_commit"`
		Trials int    `json:"num_trials"`
		Agent  struct {
			Implementation string
			LLM            string
		} `json:"agent_info"`
		Environment struct {
			Domain string `json:"domain_name"`
		} `json:"environment_info"`
	}
	Tasks []struct {
		ID       scalar
		Scenario struct {
			Instructions json.RawMessage
		} `json:"user_scenario"`
	}
	Simulations []tau2Simulation
	// Index is set if the simulations are in separate files and the run was saved to its end.
	Index []tau2Entry `json:"simulation_index"`
}

type tau2Simulation struct {
	ID          scalar
	Task        scalar `json:"task_id"`
	Trial       int
	Duration    float64
	Termination string `json:"termination_reason"`
	Reward      *struct {
		Reward float64
	} `json:"reward_info"`
	Messages []tau2Message
	Ticks    []tau2Tick
}

type tau2Message struct {
	message
	Usage *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	}
	// ID and Requestor belong to a tool's result: the id of the call, and the caller, which is the assistant or
	// the user.
	ID        string
	Requestor string
	Results   []tau2Message `json:"tool_messages"` // results of several tools at once
}

// tau2Lost lists the endings that tau2-bench excludes from its metrics.
var tau2Lost = []string{"infrastructure_error", "context_window_exceeded"}

// log reads the results of tau2-bench. The trials of a task are its traces; a reward of 1 is right. Calls of
// the simulated user's tools are not steps of the agent.
func (file tau2File) log(from source) (*Log, error) {
	if len(file.Simulations) == 0 && (len(file.Index) > 0 || from.beside != nil) {
		var err error
		if file.Simulations, err = file.simulationsApart(from.beside); err != nil {
			return nil, err
		}
	}
	switch {
	case len(file.Simulations) == 0:
		return nil, errors.New("the file has no simulations")
	case file.Info.Trials > maxRepeats:
		return nil, fmt.Errorf("num_trials is %d, above the maximum of %d", file.Info.Trials, maxRepeats)
	}
	l := &Log{Tool: strings.TrimSpace("tau2-bench " + file.Info.Commit),
		Name: cmp.Or(file.Info.Environment.Domain, "tau2")}
	llm := file.Info.Agent.LLM
	row := l.row(cmp.Or(llm, file.Info.Agent.Implementation, "default"), strings.Replace(llm, "/", ":", 1))
	ids := map[scalar]string{}
	for _, t := range file.Tasks {
		ids[t.ID] = l.query(datasets.Query{ID: string(t.ID), Category: file.Info.Environment.Domain,
			Text: tau2Text(t.Scenario.Instructions)})
	}
	slices.SortStableFunc(file.Simulations, func(a, b tau2Simulation) int { return cmp.Compare(a.Trial, b.Trial) })
	for _, s := range file.Simulations {
		id, known := ids[s.Task]
		switch {
		case !known:
			return nil, fmt.Errorf("a simulation has the task %q, which the file does not list", s.Task)
		case s.Trial < 0 || s.Trial >= max(file.Info.Trials, 1):
			return nil, fmt.Errorf("task %s has a trial %d of %d", s.Task, s.Trial, file.Info.Trials)
		case len(row.Traces[id]) > s.Trial:
			return nil, fmt.Errorf("trial %d of task %s occurs twice", s.Trial, s.Task)
		}
		row.fill(id, s.Trial)
		row.add(id, s.trace())
	}
	trials := 0
	for _, id := range ids {
		row.fill(id, file.Info.Trials)
		trials += len(row.Traces[id])
	}
	l.note(trials-len(file.Simulations), "trial", " is not in the file, because its run did not finish; it "+
		"counts as lost", " are not in the file, because its run did not finish; they count as lost")
	return l, nil
}

// tau2Text returns the instructions of the simulated user: a text, or its parts.
func tau2Text(raw json.RawMessage) string {
	var parts struct {
		Reason string `json:"reason_for_call"`
		Task   string `json:"task_instructions"`
	}
	if json.Unmarshal(raw, &parts) == nil {
		return strings.TrimSpace(parts.Reason + "\n" + parts.Task)
	}
	return textOf(raw)
}

func (s tau2Simulation) trace() Trace {
	t := Trace{Seconds: s.Duration}
	var chat []message
	for _, m := range s.chat() {
		for _, one := range append(m.Results, m) {
			if one.Role == "tool" && one.Requestor != "user" {
				one.Answers = one.ID
			}
			if u := one.Usage; u != nil && one.Role == "assistant" {
				t.Usage = t.Usage.Add(model.Usage{InputTokens: u.Prompt, OutputTokens: u.Completion})
			}
			chat = append(chat, one.message)
		}
	}
	t.take(chat)
	switch {
	case slices.Contains(tau2Lost, s.Termination):
		return t.lose(trace.AgentError, s.Termination)
	case s.Reward == nil:
		t.grade(judge.Unscored, "there is no reward ("+s.Termination+")")
	default:
		t.gradeByReward(s.Reward.Reward, " ("+s.Termination+")")
	}
	return t
}
