package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
)

// agents returns the columns on playbooks and explanations, and on the usage of side requests and sub-agents.
func agents() []Column[row] {
	return slices.Concat(advised(), explained(), []Column[row]{
		{
			Header: "side requests:\ntokens", When: ifFilled,
			Show: func(r row) string {
				var parts []string
				for _, name := range slices.Sorted(maps.Keys(r.Tasks)) {
					parts = append(parts, fmt.Sprintf("%s %s", name,
						thousands(r.Tasks[name].InputTokens+r.Tasks[name].OutputTokens)))
				}
				return cmp.Or(strings.Join(parts, ", "), undefined)
			},
		},
	}, delegated())
}

// advised returns the columns on playbooks.
func advised() []Column[row] {
	type playbook = result.Playbook
	followed := func(r row) *playbook { return r.Playbook }
	return []Column[row]{
		{
			Header: "bullets\na trace", When: ifFilled,
			Show: showOf(followed, func(p playbook) string { return tenths(p.ShownPerTrace) }),
		},
		{
			Header: "of them\nnamed", When: ifFilled,
			Show: showOf(followed, func(p playbook) string { return thousands(p.Named) }),
		},
		{
			Header: "followed", When: ifFilled,
			Show: showOf(followed, func(p playbook) string {
				return thousands(p.Followed) + ", " + percent(p.FollowedShare)
			}),
		},
		{
			Header: "tokens of\nadvice a trace", When: ifFilled,
			Show: showOf(followed, func(p playbook) string { return decimal(p.TokensPerTrace, 0) }),
		},
		{Name: "playbook_traces", Value: valueOf(followed, func(p playbook) any { return p.Traces })},
		{Name: "playbook_shown", Value: valueOf(followed, func(p playbook) any { return p.Shown })},
		{Name: "playbook_named", Value: valueOf(followed, func(p playbook) any { return p.Named })},
		{Name: "playbook_followed", Value: valueOf(followed, func(p playbook) any { return p.Followed })},
		{Name: "playbook_tokens", Value: valueOf(followed, func(p playbook) any { return p.Tokens })},
	}
}

// explained returns the columns on explanations of turns.
func explained() []Column[row] {
	type explain = result.Explain
	explained := func(r row) *explain { return r.Explain }
	return []Column[row]{
		{
			Header: "turns\nexplained", When: ifFilled,
			Show: showOf(explained, func(e explain) string { return fmt.Sprintf("%d/%d", e.Given, e.Due) }),
		},
		{
			Header: "announced tool\nwas called", When: ifFilled,
			Show: showOf(explained, func(e explain) string {
				return fmt.Sprintf("%d/%d, %s", e.Kept, e.Followed, percent(e.KeptShare))
			}),
		},
		{
			Header: "tokens on\nexplanations", When: ifFilled,
			Show: showOf(explained, func(e explain) string { return thousands(e.Tokens) + ", " + percent(e.TokenShare) }),
		},
		{Name: "explain_due", Value: valueOf(explained, func(e explain) any { return e.Due })},
		{Name: "explain_given", Value: valueOf(explained, func(e explain) any { return e.Given })},
		{Name: "explain_followed", Value: valueOf(explained, func(e explain) any { return e.Followed })},
		{Name: "explain_kept", Value: valueOf(explained, func(e explain) any { return e.Kept })},
		{Name: "explain_tokens", Value: valueOf(explained, func(e explain) any { return e.Tokens })},
	}
}

// delegated returns the columns on the usage of sub-agents.
func delegated() []Column[row] {
	type calls = result.SubAgent
	called := func(r row) *calls {
		if r.SubAgents == nil {
			return nil
		}
		return &r.SubAgents.All
	}
	return []Column[row]{
		{
			Header: "calls of\nsub-agents", When: ifFilled,
			Show: showOf(called, func(s calls) string { return thousands(s.Calls) }),
		},
		{
			Header: "their tool\ncalls", When: ifFilled,
			Show: showOf(called, func(s calls) string { return thousands(s.ToolCalls) }),
		},
		{
			Header: "their model\ncalls", When: ifFilled,
			Show: showOf(called, func(s calls) string { return thousands(s.ModelCalls) }),
		},
		{
			Header: "their\ntokens", When: ifFilled,
			Show: showOf(called, func(s calls) string { return thousands(s.InputTokens + s.OutputTokens) }),
		},
		{
			Header: "their\ncost", When: ifFilled,
			Show: showOf(called, func(s calls) string { return dollars(s.USD) }),
		},
		{Name: "sub_agent_calls", Value: valueOf(called, func(s calls) any { return s.Calls })},
		{Name: "sub_agent_tool_calls", Value: valueOf(called, func(s calls) any { return s.ToolCalls })},
		{Name: "sub_agent_model_calls", Value: valueOf(called, func(s calls) any { return s.ModelCalls })},
		{Name: "sub_agent_input_tokens", Value: valueOf(called, func(s calls) any { return s.InputTokens })},
		{Name: "sub_agent_output_tokens", Value: valueOf(called, func(s calls) any { return s.OutputTokens })},
		{Name: "sub_agent_usd", Value: valueOf(called, func(s calls) any { return s.USD })},
	}
}
