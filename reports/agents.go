package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
)

// agents are what a playbook and agent.explain led to, and what side requests and agents that were called as tools took.
func agents() []figure[row] {
	explained := func(header string, cell func(result.Explain) string) figure[row] {
		return measure(header, func(r row) string {
			if r.Explain == nil {
				return undefined
			}
			return cell(*r.Explain)
		})
	}
	called := func(header string, cell func(result.SubAgent) string) figure[row] {
		return measure(header, func(r row) string {
			if r.SubAgents == nil {
				return undefined
			}
			return cell(r.SubAgents.All)
		})
	}
	advised := func(header string, cell func(result.Playbook) string) figure[row] {
		return measure(header, func(r row) string {
			if r.Playbook == nil {
				return undefined
			}
			return cell(*r.Playbook)
		})
	}
	return []figure[row]{
		advised("bullets\na trace", func(p result.Playbook) string { return tenths(p.ShownPerTrace) }),
		advised("of them\nnamed", func(p result.Playbook) string { return thousands(p.Named) }),
		advised("followed", func(p result.Playbook) string {
			return fmt.Sprintf("%s, %s", thousands(p.Followed), percent(p.FollowedShare))
		}),
		advised("tokens of\nadvice a trace", func(p result.Playbook) string { return decimal(p.TokensPerTrace, 0) }),
		raw("playbook_traces playbook_shown playbook_named playbook_followed playbook_tokens", func(r row) []any {
			if p := r.Playbook; p != nil {
				return []any{p.Traces, p.Shown, p.Named, p.Followed, p.Tokens}
			}
			return make([]any, 5)
		}),
		explained("turns\nexplained", func(e result.Explain) string { return fmt.Sprintf("%d/%d", e.Given, e.Due) }),
		explained("announced tool\nwas called", func(e result.Explain) string {
			return fmt.Sprintf("%d/%d, %s", e.Kept, e.Followed, percent(e.KeptShare))
		}),
		explained("tokens on\nexplanations", func(e result.Explain) string {
			return fmt.Sprintf("%s, %s", thousands(e.Tokens), percent(e.TokenShare))
		}),
		raw("explain_due explain_given explain_followed explain_kept explain_tokens", func(r row) []any {
			if e := r.Explain; e != nil {
				return []any{e.Due, e.Given, e.Followed, e.Kept, e.Tokens}
			}
			return make([]any, 5)
		}),
		measure("side requests:\ntokens", func(r row) string {
			var parts []string
			for _, name := range slices.Sorted(maps.Keys(r.Tasks)) {
				parts = append(parts, fmt.Sprintf("%s %s", name, thousands(r.Tasks[name].InputTokens+r.Tasks[name].OutputTokens)))
			}
			return cmp.Or(strings.Join(parts, ", "), undefined)
		}),
		called("calls of\nsub-agents", func(s result.SubAgent) string { return thousands(s.Calls) }),
		called("their tool\ncalls", func(s result.SubAgent) string { return thousands(s.ToolCalls) }),
		called("their model\ncalls", func(s result.SubAgent) string { return thousands(s.ModelCalls) }),
		called("their\ntokens", func(s result.SubAgent) string { return thousands(s.InputTokens + s.OutputTokens) }),
		called("their\ncost", func(s result.SubAgent) string { return dollars(s.USD) }),
		raw("sub_agent_calls sub_agent_tool_calls sub_agent_model_calls sub_agent_input_tokens sub_agent_output_tokens sub_agent_usd", func(r row) []any {
			if s := r.SubAgents; s != nil {
				return []any{s.All.Calls, s.All.ToolCalls, s.All.ModelCalls, s.All.InputTokens, s.All.OutputTokens, s.All.USD}
			}
			return make([]any, 6)
		}),
	}
}
