package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
	"github.com/seed-5817661a/concur/runner/store"
)

var nonceWord = regexp.MustCompile(`<<data (x[0-9a-f]{12})>>|\[question ([0-9a-f]{32})\]`)

// Servers and providers keep what requests have in common at their beginning: system
// prompt and tools are the same bytes in all traces of a run, and those of verifier and
// judges in all that they are asked, but for the token that ends theirs. What is drawn for a trace or a question comes
// later.
func TestRequestsOfARunShareTheirBeginning(t *testing.T) {
	if testing.Short() {
		t.Skip(wholeRuns)
	}
	for _, protocol := range []string{"native", "text"} {
		_, run := concur(t, "--quiet", "--protocol", protocol, "--category", "multi_hop", "--limit", "7", "-k", "2")
		settings := map[string]store.RequestSettings{}
		begins := map[string]string{} // by who asks
		words := map[string]bool{}
		for x, err := range run.Exchanges() {
			if err != nil {
				t.Fatal(err)
			}
			if x.RequestSettings != nil {
				settings[x.Settings] = *x.RequestSettings
			}
			for _, m := range x.Messages {
				for _, w := range nonceWord.FindAllStringSubmatch(m.Content, -1) {
					words[w[1]+w[2]] = true
				}
			}
			if x.Kept > 0 {
				continue
			}
			who := string(x.Purpose)
			if s := settings[x.Settings].Schema; s != nil {
				who = s.Name
			}
			first := x.Messages[0]
			if token := askingtest.Token(model.Request{Messages: x.Messages[:1]}); token != "" { // its last line
				first.Content = strings.TrimSuffix(first.Content, fmt.Sprintf(asking.TokenLine, token))
			}
			begin, err := json.Marshal([]any{settings[x.Settings].Tools, first})
			if err != nil {
				t.Fatal(err)
			}
			if first, known := begins[who]; known && first != string(begin) {
				t.Fatalf("%s: %s/%d begins otherwise:\n%s\n%s", who, x.Query, x.Trace, first, begin)
			}
			begins[who] = string(begin)
			if x.Messages[0].Role != model.System {
				t.Errorf("%s begins with a message of %s", who, x.Messages[0].Role)
			}
		}
		if len(begins) < 4 || len(words) < 20 {
			t.Errorf("%s: %d kinds of requests with %d nonces are too few to tell", protocol, len(begins), len(words))
		}
		for who, begin := range begins {
			for w := range words {
				if strings.Contains(begin, w) {
					t.Errorf("%s: the nonce %s stands in what all requests have in common", who, w)
				}
			}
		}
	}
}
