package react_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/agent/advise"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/trace"
)

// A bullet is shown at the configured place, in each strategy and protocol. A bullet for a tool that is not
// offered is not shown. An answer whose only evidence is a bullet is ungrounded.
func TestAdviceIsNoEvidence(t *testing.T) {
	b := playbook.New()
	b.Apply([]playbook.Operation{
		{Type: playbook.Add, Section: playbook.Strategies, Text: "For towers that are tall: read on."},
		{Type: playbook.Add, Section: playbook.Strategies, Text: "For a tall tower: call it.", Tools: []string{"gone"}},
	}, 0)
	shelf, err := playbook.NewShelf(t.Context(), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, strategy := range []string{config.StrategyReact, config.StrategyCoT, config.StrategyDirect} {
		for _, protocol := range []string{config.ProtocolNative, config.ProtocolText} {
			for where, at := range map[string]int{config.PlaybookInSystem: 0, config.PlaybookInUser: 2} {
				a := newAgent(t, echo())
				a.Config.Strategy, a.Config.Protocol = strategy, protocol
				a.Config.Guards = append(a.Config.Guards, config.GuardCitation)
				a.Features = []session.Feature{
					advise.Feature{Shelf: shelf, Settings: config.Playbook{File: "p.yaml", Where: where}.Effective()},
					adding{Part: session.Part{Name: "memory", Documents: []trace.Document{{Backend: "memory", Ref: "m1", Title: "River", Snippet: "The river is long."}}, Audited: true}},
				}
				final := "The tower is 330 m tall [str-00001].\nAnswer: 330 m"
				if protocol == config.ProtocolText {
					final = "Thought: settled\nFinal: " + final
				}
				p := play(t, t.Context(), a, question("How tall is the tower?"), say(final), say(final))
				p.ended(t, trace.Abstained, trace.Ungrounded, "")
				if shown := p.requests[0].Messages[at].Content; !strings.Contains(shown, "\n[str-00001] For towers that are tall: read on.\n</playbook>") {
					t.Errorf("%s, %s, %s: shown %q", strategy, protocol, where, shown)
				}
				use, err := trace.Extra[playbook.Use](p.Extras, playbook.UseName)
				if err != nil || use == nil {
					t.Fatalf("%v, %v", p.Extras, err)
				}
				want := &playbook.Use{Shown: []string{"str-00001"}, Named: []string{"str-00001"}, Followed: []string{}, Tokens: use.Tokens}
				if diff := cmp.Diff(want, use); diff != "" || use.Tokens < 50 {
					t.Errorf("%s, %s, %s: -want +got\n%s", strategy, protocol, where, diff)
				}
			}
		}
	}
}

// TestAdviceByStageAndCategory: drafts and bullets of other categories are shown as the settings say.
func TestAdviceByStageAndCategory(t *testing.T) {
	b := playbook.New()
	b.Apply([]playbook.Operation{
		{Type: playbook.Add, Section: playbook.Strategies, Category: "towers", Text: "For a tall tower: look up."},
		{Type: playbook.Add, Section: playbook.Strategies, Category: "wells", Text: "For a tall tower beside a well: look down."},
		{Type: playbook.Add, Section: playbook.Pitfalls, Category: "towers", Text: "Tall, a tower can have two heights.", Stage: playbook.Draft},
	}, 0)
	shelf, err := playbook.NewShelf(t.Context(), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		settings config.Playbook
		category string
		want     string
	}{
		"as set by default":    {config.Playbook{}, "towers", "str-00001 str-00002"},
		"of the category":      {config.Playbook{SameCategory: true}, "towers", "str-00001"},
		"of another":           {config.Playbook{SameCategory: true}, "wells", "str-00002"},
		"a query without one":  {config.Playbook{SameCategory: true}, "", "str-00001 str-00002"},
		"with drafts":          {config.Playbook{Stage: config.PlaybookDraft, SameCategory: true}, "towers", "str-00001 pit-00003"},
		"all, of the category": {config.Playbook{Mode: config.PlaybookAll, SameCategory: true}, "towers", "str-00001"},
	} {
		a := newAgent(t, echo())
		c.settings.File = "p.yaml"
		a.Features = []session.Feature{advise.Feature{Shelf: shelf, Settings: c.settings.Effective()}}
		q := question("How tall is the tower?")
		q.Category = c.category
		p := play(t, t.Context(), a, q, say("Answer: 330 m"))
		use, err := trace.Extra[playbook.Use](p.Extras, playbook.UseName)
		if err != nil || use == nil {
			t.Fatalf("%v, %v", p.Extras, err)
		}
		got := strings.Fields(strings.Join(use.Shown, " "))
		slices.Sort(got)
		want := strings.Fields(c.want)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: shown %v, want %v", name, got, want)
		}
	}
}
