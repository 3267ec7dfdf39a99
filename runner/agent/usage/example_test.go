package usage_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/runner/agent/usage"
	"github.com/seed-5817661a/concur/runner/store"
)

func Example() {
	sum := usage.SubAgents.Sum()
	err := sum.Add(store.Record{Answers: []store.Answer{{Agents: []store.AgentUsage{
		{AgentCost: store.AgentCost{Steps: 3}},
		{Path: "researcher#1", AgentCost: store.AgentCost{Steps: 2}},
		{Path: "researcher#2", AgentCost: store.AgentCost{Steps: 4}},
	}}}})
	of := sum.Figures().(usage.Agents)
	fmt.Println(of.ByName["researcher"].Calls, of.All.Steps, err)
	// Output: 2 6 <nil>
}
