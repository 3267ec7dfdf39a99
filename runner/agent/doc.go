// Package agent says what an agent is to the harness: something that takes a Task and
// gives a Trace. The shipped agent is agent/react; another program brings its own by
// implementing Agent.
//
// It may import runner/model, runner/config, runner/tool, runner/guard, runner/trace and
// datasets.
package agent
