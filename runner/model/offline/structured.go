package offline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
)

// ruling answers the request of one schema by rules over its data.
type ruling struct {
	schema string
	answer func(blocks) (any, error)
}

// rulings are the schemas that are answered.
func rulings() []ruling {
	return []ruling{
		{"concur_equivalence_v1", ruleEquivalence},
		{"concur_pick_v1", rulePick},
		{"concur_correctness_v1", ruleCorrectness},
		{"concur_quality_v1", ruleQuality},
	}
}

// byRule answers a request that asks for a structured reply. It goes by the name of the
// schema and by the data; temperature, seed and all prose of the prompt are ignored.
func byRule(req model.Request) (string, error) {
	all := rulings()
	at := slices.IndexFunc(all, func(r ruling) bool { return r.schema == req.Schema.Name })
	if at < 0 {
		names := make([]string, len(all))
		for i, r := range all {
			names[i] = r.schema
		}
		return "", fmt.Errorf("there are no rules for the response schema %q; known: %s", req.Schema.Name, strings.Join(names, ", "))
	}
	data, err := dataOf(req.Messages)
	if err != nil {
		return "", fmt.Errorf("answer %s: %w", req.Schema.Name, err)
	}
	value, err := all[at].answer(data)
	if err != nil {
		return "", fmt.Errorf("answer %s: %w", req.Schema.Name, err)
	}
	text, err := json.Marshal(value)
	if err != nil { // only strings, booleans and small integers ever go in
		return "", fmt.Errorf("answer %s: %w", req.Schema.Name, err)
	}
	return string(text), nil
}
