package datasets

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// Expected is the gold in a few words: the answer as written with the number of its
// aliases, else the outcome in brackets, the keywords or the condition. It is "" where there
// is no gold.
func (g Gold) Expected() string {
	switch {
	case g.None:
		return ""
	case g.Outcome != "" && g.Outcome != answer.Answered:
		return "[" + string(g.Outcome) + "]"
	case len(g.Aliases) == 1:
		return g.Answer + " (or one alias)"
	case len(g.Aliases) > 0:
		return fmt.Sprintf("%s (or one of %d aliases)", g.Answer, len(g.Aliases))
	case g.Answer != "":
		return g.Answer
	case len(g.AllOf) > 0:
		groups := make([]string, len(g.AllOf))
		for i, group := range g.AllOf {
			groups[i] = strings.Join(group, " or ")
		}
		return "the keywords " + strings.Join(groups, ", ")
	case g.Condition != "":
		return g.Condition
	}
	return "[answered]"
}
