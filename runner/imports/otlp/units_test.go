package otlp_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Spans that were sent first without content and then with it, or the other way round, give the same conversation.
func TestSentTwice(t *testing.T) {
	with := agentSpans()
	without := slices.Clone(with)
	for i := range without {
		var kept []string
		for at := 0; at < len(without[i].attributes); at += 2 {
			switch name := without[i].attributes[at]; name {
			case "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.tool.call.arguments", "gen_ai.tool.call.result":
			default:
				kept = append(kept, name, without[i].attributes[at+1])
			}
		}
		without[i].attributes = kept
	}
	for name, spans := range map[string][]made{
		"content later": append(slices.Clone(without), with...), "content before": append(slices.Clone(with), without...),
		"three times": slices.Concat(without, with, without),
	} {
		if d := cmp.Diff([]string{wholeAgent}, shown(t, store(t, marshal(t, requestOf(spans...))))); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
