package shard

import (
	"fmt"
	"strconv"
	"strings"
)

// environment is a system that runs the tasks of a job concurrently, and gives each task its index in
// variables.
type environment struct {
	name string
	task string // a variable that is set only in such a task
	// read returns the shard of the task. of is the number of shards that the user gave; 0 if they gave none.
	read func(v variables, of int) Shard
}

var environments = []environment{
	// https://slurm.schedmd.com/job_array.html
	{"Slurm", "SLURM_ARRAY_TASK_ID", func(v variables, _ int) Shard {
		from, step := v.number("SLURM_ARRAY_TASK_MIN"), v.numberOr("SLURM_ARRAY_TASK_STEP", 1)
		at := v.number("SLURM_ARRAY_TASK_ID") - from
		if step < 1 || at%step != 0 {
			v.fail("the array of tasks has gaps (task %d, step %d, from %d): write the array as 1-N", at+from, step, from)
			return Shard{}
		}
		return Shard{at/step + 1, v.number("SLURM_ARRAY_TASK_COUNT")}
	}},
	// https://docs.gitlab.com/ci/variables/predefined_variables/
	{"GitLab", "CI_NODE_INDEX", func(v variables, _ int) Shard {
		return Shard{v.number("CI_NODE_INDEX"), v.number("CI_NODE_TOTAL")}
	}},
	// https://kubernetes.io/docs/tasks/job/indexed-parallel-processing-static/; no variable contains the number
	// of tasks.
	{"Kubernetes", "JOB_COMPLETION_INDEX", func(v variables, of int) Shard {
		if of == 0 {
			v.fail("it does not give the number of tasks: write auto/N, where N is the completions of the Job")
		}
		return Shard{v.number("JOB_COMPLETION_INDEX") + 1, of}
	}},
}

// variables reads the variables of one environment. It keeps the first error.
type variables struct {
	environ func(string) string
	wrong   *error
}

func (v variables) fail(format string, args ...any) {
	if *v.wrong == nil {
		*v.wrong = fmt.Errorf(format, args...)
	}
}

func (v variables) number(name string) int {
	text := strings.TrimSpace(v.environ(name))
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		v.fail("%s is %q: it must be a number of 0 or more", name, text)
	}
	return n
}

func (v variables) numberOr(name string, otherwise int) int {
	if v.environ(name) == "" {
		return otherwise
	}
	return v.number(name)
}

// fromEnvironment returns the shard that the variables of a system name. of is the number of shards that the user gave,
// or 0.
func fromEnvironment(environ func(string) string, of int) (Shard, error) {
	var found []environment
	var names, known []string
	for _, e := range environments {
		known = append(known, fmt.Sprintf("%s (%s)", e.task, e.name))
		if environ(e.task) != "" {
			found, names = append(found, e), append(names, fmt.Sprintf("%s (%s)", e.task, e.name))
		}
	}
	switch len(found) {
	case 0:
		return Shard{}, fmt.Errorf("none of %s is set: name the shard, such as 2/4", strings.Join(known, ", "))
	case 1:
	default:
		return Shard{}, fmt.Errorf("%s are set at once: name the shard, such as 2/4", strings.Join(names, " and "))
	}
	e := found[0]
	var wrong error
	s := e.read(variables{environ, &wrong}, of)
	switch {
	case wrong != nil:
		return s, fmt.Errorf("%s: %w", e.name, wrong)
	case of != 0 && of != s.Of:
		return s, fmt.Errorf("%s has %d tasks, and not %d: write auto, or start %d tasks", e.name, s.Of, of, of)
	}
	if err := s.Check(); err != nil {
		return s, fmt.Errorf("%s: %w", e.name, err)
	}
	return s, nil
}
