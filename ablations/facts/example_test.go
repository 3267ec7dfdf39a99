package facts_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/facts"
)

func ExampleFacts_Differences() {
	was := facts.Facts{Settings: map[string]string{"agent.tools": "[calc web_search]"}, Corpus: "sha256:1", Documents: []string{"a1 vpn.md\tVPN", "b2 refunds.md\tRefunds"}}
	now := facts.Facts{Settings: map[string]string{"agent.tools": "[web_search]"}, Corpus: "sha256:2", Documents: []string{"b2 refunds.md\tRefunds"}}
	for _, sentence := range was.Differences(now) {
		fmt.Println(sentence)
	}
	// Output:
	// agent.tools: calc is gone
	// corpus: 1 document fewer (vpn.md "VPN")
}
