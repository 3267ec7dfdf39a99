// Package agent defines the harness's view of an agent: it takes a Task and gives a Trace. The
// shipped agent is agent/react; other programs implement Agent.
//
// It may import runner/model, runner/config, runner/tool, runner/guard, runner/trace and datasets.
package agent
