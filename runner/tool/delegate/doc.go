// Package delegate is an agent as a tool: a call hands a task to another agent, which works on
// it within the caller's trace, limits and evidence, and gives back its answer with citations.
//
// It knows agents by their interface only, and may import runner/agent, runner/guard/cite,
// runner/tool, runner/trace, runner/model and datasets.
package delegate
