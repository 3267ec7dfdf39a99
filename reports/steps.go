package reports

import (
	"strconv"

	"github.com/seed-5817661a/concur/ablations/result"
)

// effortIn is what the correct traces of a configuration took in one category, or in all.
type effortIn struct {
	result.Effort
	configuration string
	category      line
}

// steps is the table of what correct traces took, against the fewest that any needed.
func steps(r *result.Result) []part {
	var rows []effortIn
	for _, c := range r.Configurations {
		rows = append(rows, effortIn{c.Efficiency.Effort, c.Name, plain("all")})
		for _, category := range r.Dataset.Categories {
			if e, is := c.Efficiency.ByCategory[category]; is {
				rows = append(rows, effortIn{e, c.Name, quoted(category)})
			}
		}
	}
	whose := ""
	if len(r.Runs) > 0 {
		whose = " in the same run"
	}
	t := tabulate(plain("Effort of correct traces, against the fewest that any correct trace of the query took"+whose), ofEach(r, func(e effortIn) string { return e.configuration },
		word("category", func(e effortIn) line { return e.category }),
		count("solved by\nsome trace", func(e effortIn) string { return strconv.Itoa(e.SolvedQueries) }),
		count("steps", func(e effortIn) string { return decimal(e.Steps, 1) }),
		count("fewest", func(e effortIn) string { return decimal(e.FewestSteps, 1) }),
		count("waste", func(e effortIn) string { return percent(e.StepWaste) }),
		count("tool\ncalls", func(e effortIn) string { return decimal(e.ToolCalls, 1) }),
		count("fewest", func(e effortIn) string { return decimal(e.FewestToolCalls, 1) }),
		count("waste", func(e effortIn) string { return percent(e.ToolCallWaste) }),
		count("asked for,\nall traces", func(e effortIn) string { return asked(e.Actions) }),
		count("repeated", func(e effortIn) string { return asked(e.Repeated) }),
	), rows)
	return captioned(t, nil)
}

// asked is a count that may not have been made.
func asked(n *int) string {
	if n == nil {
		return undefined
	}
	return strconv.Itoa(*n)
}
