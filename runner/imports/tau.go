package imports

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

// tauFile is the file of tau-bench's run.py: a list of the results of single trials, in the order of their
// ends.
type tauFile []tauResult

type tauResult struct {
	Task   scalar `json:"task_id"`
	Reward *float64
	Trial  *int
	Traj   []message
	Info   struct {
		Error json.RawMessage // error of the trial; tau-bench then gives the reward 0
		Task  struct {
			Instruction string
		}
	}
}

// log reads the results of tau-bench. The trials of a task are its traces; a reward of 1 is right. The
// instructions of the simulated user identify a task or, if they are missing, the user's first message.
func (file tauFile) log(source) (*Log, error) {
	if len(file) == 0 {
		return nil, errors.New("the file has no results")
	}
	l := &Log{Tool: "tau-bench", Name: "tau-bench"}
	row := l.row("default", "")
	trials := 0
	for i, r := range file {
		switch {
		case r.Task == "" || r.Trial == nil || r.Reward == nil:
			return nil, fmt.Errorf("result %d has no task_id, trial or reward: write the file with "+
				"tau-bench's run.py", i)
		case *r.Trial < 0 || *r.Trial >= maxRepeats:
			return nil, fmt.Errorf("result %d has the trial %d, above the maximum of %d", i,
				*r.Trial, maxRepeats)
		}
		trials = max(trials, *r.Trial+1)
	}
	texts := map[scalar]string{}
	for _, r := range file {
		texts[r.Task] = cmp.Or(texts[r.Task], r.Info.Task.Instruction)
	}
	for _, r := range file { // a failed trial may have neither instructions nor messages
		texts[r.Task] = cmp.Or(texts[r.Task], firstOfUser(r.Traj))
	}
	slices.SortStableFunc(file, func(a, b tauResult) int { return cmp.Compare(*a.Trial, *b.Trial) })
	failed := 0
	for _, r := range file {
		id := l.query(datasets.Query{ID: string(r.Task), Text: cmp.Or(texts[r.Task], "task "+string(r.Task))})
		if len(row.Traces[id]) > *r.Trial {
			return nil, fmt.Errorf("trial %d of task %s occurs twice: import the file of one run", *r.Trial, r.Task)
		}
		row.fill(id, *r.Trial)
		t := r.trace()
		if t.Outcome == trace.Infra {
			failed++
		}
		row.add(id, t)
	}
	all := 0
	for id := range row.Traces {
		row.fill(id, trials)
		all += trials
	}
	l.note(failed, "trial", " ended with an error, which tau-bench counts as a reward of 0; it counts as lost",
		" ended with an error, which tau-bench counts as a reward of 0; they count as lost")
	l.note(all-len(file), "trial", " is not in the file, because its run did not finish; it counts as lost",
		" are not in the file, because its run did not finish; they count as lost")
	return l, nil
}

func (r tauResult) trace() Trace {
	var t Trace
	t.take(r.Traj)
	if cause := textOf(r.Info.Error); cause != "" {
		return t.lose(trace.AgentError, cause)
	}
	t.gradeByReward(*r.Reward, "")
	return t
}

// gradeByReward sets the verdict from a reward, as tau-bench and tau2-bench do: 1 is correct, less is
// incorrect.
func (t *Trace) gradeByReward(reward float64, ended string) {
	ruling := judge.Incorrect
	if reward > 1-1e-6 && reward < 1+1e-6 {
		ruling = judge.Correct
	}
	t.grade(ruling, fmt.Sprintf("reward %g%s", reward, ended))
}

// firstOfUser returns the text of the first message of the user.
func firstOfUser(chat []message) string {
	for _, m := range chat {
		if m.Role == datasets.UserRole {
			return textOf(m.Content)
		}
	}
	return ""
}
