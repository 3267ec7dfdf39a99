package assemble

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/faulty"
)

// withFaults wraps the tools that must fail on purpose.
func withFaults(tools []tool.Tool, f config.Faults) []tool.Tool {
	if f.Tool == "" {
		return tools
	}
	kinds := f.Kinds
	if len(kinds) == 0 {
		kinds = config.FaultKinds()
	}
	var drawn []faulty.Kind
	for _, kind := range kinds {
		drawn = append(drawn, faulty.Kind(kind))
	}
	for i, t := range tools {
		if spec := t.Spec(); spec.Name == f.Tool || f.Tool == config.AllTools && !spec.Agent {
			tools[i] = faulty.Tool{Inner: t, Kinds: drawn, Rate: f.Rate, Seed: f.Seed}
		}
	}
	return tools
}

// checkFaults returns an error if neither the agent nor a sub-agent has the tool that must fail.
func checkFaults(c config.Configuration, set *toolset) error {
	f := c.Faults
	if f.Tool == "" || f.Tool == config.AllTools || set.facts.Tools[f.Tool] != "" {
		return nil
	}
	for name := range set.facts.Tools {
		if strings.HasSuffix(name, "/"+f.Tool) { // the tool of a sub-agent
			return nil
		}
	}
	return fmt.Errorf("faults.tool: the agent has no tool %q: choose from %s", f.Tool,
		strings.Join(slices.Sorted(maps.Keys(set.facts.Tools)), ", "))
}
