package serve

import (
	"encoding/json"
	"slices"
)

// checkUnsupported refuses the parameters that would change a reply but have no place in
// a model.Request, unless their value changes nothing. What cannot change a reply, such
// as user or store, is let pass.
func checkUnsupported(all map[string]json.RawMessage) error {
	for _, p := range []struct {
		name    string
		neutral []string // beside null
	}{
		{"n", []string{"1"}},
		{"top_p", []string{"1", "1.0"}},
		{"presence_penalty", []string{"0", "0.0"}},
		{"frequency_penalty", []string{"0", "0.0"}},
		{"logit_bias", []string{"{}"}},
		{"logprobs", []string{"false"}},
		{"top_logprobs", []string{"0"}},
		{"parallel_tool_calls", []string{"true", "false"}},
		{"reasoning_effort", nil},
		{"verbosity", nil},
		{"prediction", nil},
		{"modalities", []string{`["text"]`}},
		{"functions", []string{"[]"}},
		{"function_call", nil},
	} {
		if value := all[p.name]; present(value) && !slices.Contains(p.neutral, string(value)) {
			return bad(p.name, "%s is not supported here; leave it out", p.name)
		}
	}
	return nil
}
