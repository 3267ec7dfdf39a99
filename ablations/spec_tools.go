package ablations

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/runner/config"
)

// fullRow is the name of the row with all tools, if a spec removes each tool. noTools is that of the row without any.
const (
	fullRow = "full"
	noTools = "no tools"
)

// eachTool is the only value of without_each.
const eachTool = "tools"

// RemovesTools reports whether the spec has without_each: tools. Then the base of Rows must have all tools of the
// agent, also those of the dataset (runner.WithDatasetTools).
func (s *Spec) RemovesTools() bool { return s.eachTool }

// withEachTool returns the spec with the rows of without_each: tools before its own: all tools, each tool away, and
// no tools.
func (s *Spec) withEachTool(base config.Configuration) (*Spec, error) {
	if !s.eachTool {
		return s, nil
	}
	tools := base.Effective().Agent.Tools
	if len(tools) == 0 {
		return s, fmt.Errorf("ablation %s removes each tool, and agent.tools is empty or the strategy calls no tools: "+
			"name tools, and choose react or plan", s.Name)
	}
	rows := []entry{{Name: fullRow, Note: "every tool"}}
	for _, name := range tools {
		rows = append(rows, entry{Name: "no " + name, Without: []string{name}, Note: "without " + name})
	}
	if len(tools) > 1 {
		rows = append(rows, entry{Name: noTools, Without: tools, Note: "without any tool"})
	}
	out := *s
	out.entries = append(rows, s.entries...)
	if len(out.entries) > maxRows {
		return s, fmt.Errorf("ablation %s would have %d rows: name fewer than %d tools", s.Name, len(out.entries), maxRows-1)
	}
	for i, e := range out.entries {
		if slices.ContainsFunc(out.entries[:i], func(f entry) bool { return f.Name == e.Name }) {
			return s, fmt.Errorf("ablation %s: without_each adds a row %q, and a row has this name: rename that row", s.Name,
				e.Name)
		}
	}
	return &out, nil
}
