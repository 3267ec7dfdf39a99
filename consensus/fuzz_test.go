package consensus_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
)

// FuzzVerifierReply holds for any reply: it merges only where it ends with a JSON
// object that says so, and nothing in it makes the verifier fail.
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
		if !strings.HasSuffix(strings.TrimRight(text, "` \t\r\n"), "}") {
			t.Fatalf("%q merged", text)
		}
		var reply map[string]any
		if json.Unmarshal([]byte(text), &reply) == nil && (reply["equivalent"] != true || len(reply) > 2) {
			t.Fatalf("%q merged", text)
		}
	})
}
