package consensus_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
)

// claim matches what every reply has that merges.
var claim = regexp.MustCompile(`(?i)e.*q.*u.*i.*v.*a.*l.*e.*n.*t(?s:.*)(true|yes|1|\\u)`)

// FuzzVerifierReply holds for any reply: it merges only where an object says so, and nothing in it makes the verifier
// fail.
func FuzzVerifierReply(f *testing.F) {
	for _, seed := range []string{
		verdict(true), verdict(false), "", "{", "{}", "[]", "null", "true", verdict(true) + verdict(false),
		`{"equivalent":true,"equivalent":false,"difference":""}`, `{"equivalent":true,"difference":null}`,
		`{"equivalent":true,"difference":"\ud800"}`, `{"EQUIVALENT":true,"difference":""}`, "\ufeff" + verdict(true), "\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := consensus.Verifier{Model: askingtest.Script(text, text, text)}
		o, err := v.Equivalent(t.Context(), question(), "a", "b")
		if err != nil {
			t.Fatal(err)
		}
		if o.Equivalent && o.Effort.Unparseable > 0 || o.Effort.Errors > 0 && text != "!" {
			t.Fatalf("%q: %+v", text, o)
		}
		if !o.Equivalent {
			return
		}
		if !claim.MatchString(text) {
			t.Fatalf("%q merged, and says nowhere that they are equivalent", text)
		}
		var reply map[string]any
		if json.Unmarshal([]byte(text), &reply) == nil && reply["equivalent"] != nil && slices.Contains([]any{false, "false", "no", 0.0}, reply["equivalent"]) {
			t.Fatalf("%q merged", text)
		}
	})
}
