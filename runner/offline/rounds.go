package offline

import (
	"cmp"
	"fmt"
	"strings"
)

// ruleAnalysis describes the kind of answer that a task asks for.
func ruleAnalysis(data blocks) (any, error) {
	pieces, err := data.need("task")
	if err != nil {
		return nil, err
	}
	names := map[kind]string{person: "a person", place: "a place", number: "a number", date: "a date", year: "a year",
		truth: "yes or no"}
	return map[string]string{"analysis": "The task asks for " +
		cmp.Or(names[readQuestion(pieces[0]).want.kind], "a name") + "."}, nil
}

// ruleReflection counts the failed calls among the results.
func ruleReflection(data blocks) (any, error) {
	pieces, err := data.need("results")
	if err != nil {
		return nil, err
	}
	results, failed := strings.Count(pieces[0], "\n→ "), strings.Count(pieces[0], "→ ERROR:")
	return map[string]string{"reflection": fmt.Sprintf("%d of %d calls failed.", failed, results)}, nil
}
