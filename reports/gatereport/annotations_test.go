package gatereport_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/gatereport"
	"github.com/seed-5817661a/concur/reports/reporttest"
)

// attackedGate is a decision in which everything that others write is an attack.
func attackedGate(t *rapid.T) gatereport.Report {
	draw := func() string { return reporttest.Attack.Draw(t, "text") }
	g := regressed()
	g.Decision = rapid.SampledFrom([]gate.Decision{gate.Pass, gate.Regression, gate.Drift, gate.Inconclusive, gate.Invalid, gate.Decision(draw())}).Draw(t, "decision")
	g.Run, g.Configuration, g.Model, g.Dataset, g.Baseline, g.Fresh, g.As, g.Differs = draw(), draw(), draw(), draw(), draw(), []string{draw()}, draw(), []string{draw()}
	g.Reasons = []string{draw() + " (p=0.01) " + draw(), draw()}
	g.Losses = []string{draw(), g.Queries[22].Query}
	g.Warnings, g.Overrides = []string{draw(), draw()}, []string{draw()}
	for i := range g.Checks {
		g.Checks[i].Name = draw()
	}
	g.Rolling.Against, g.Rolling.Blind, g.NotGated = draw(), []string{draw(), draw()}, []gate.NotGated{{Query: draw()}}
	g.Need = []gate.FreshRequest{{Query: draw()}}
	states := []string{gatereport.StatusOK, gatereport.StatusBroken, gatereport.StatusSuspect, gatereport.StatusLost, gatereport.StatusFlaky, gatereport.StatusFailing, gatereport.StatusSafety, gatereport.StatusUnscored, "?"}
	for i := 20; i < len(g.Queries); i++ {
		q := &g.Queries[i]
		q.Query, q.Category = draw(), draw()
		q.Status = rapid.SampledFrom(append(states, draw())).Draw(t, "status")
		q.Expected, q.Passes = draw(), []gatereport.QueryPass{{Run: draw(), Answers: []document.AnswerCount{{Answer: draw(), Count: 1}, {Answer: draw(), Count: 2}}}}
		q.AnswersBefore = []document.AnswerCount{{Answer: draw(), Count: 1}}
	}
	for i := range g.Rolling.Slips {
		g.Rolling.Slips[i].Query = g.Queries[20+i].Query
	}
	for i := range g.Safety {
		g.Safety[i].Query = g.Queries[23+i].Query
	}
	return g
}

var command = regexp.MustCompile(`^::(error|warning|notice) title=(concur gate)::([^\r\n]*)$`)

// Whatever others write, every line is one command of ours.
func TestAnnotationsAreCommands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := attackedGate(t)
		got := reporttest.Written(t, func(b *bytes.Buffer) error { return gatereport.Annotations(b, g) })
		for l := range strings.Lines(got) {
			parts := command.FindStringSubmatch(strings.TrimSuffix(l, "\n"))
			if parts == nil || strings.ContainsAny(l, reporttest.Steering) {
				t.Fatalf("%q", l)
			}
			for _, text := range parts[2:] {
				if bare := regexp.MustCompile("%(25|0A|0D|3A|2C)").ReplaceAllString(text, ""); strings.Contains(bare, "%") {
					t.Fatalf("%q has a bare %%", l)
				}
			}
		}
	})
}

// A gate that came to no decision says so in one command, whatever it failed on.
func TestAnnotation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := reporttest.Attack.Draw(t, "text") + "\n" + reporttest.Attack.Draw(t, "more")
		got := reporttest.Written(t, func(b *bytes.Buffer) error {
			return gatereport.Annotations(b, gatereport.Report{Outcome: gate.Outcome{Reasons: []string{text}}})
		})
		if command.FindStringSubmatch(strings.TrimSuffix(got, "\n")) == nil || strings.Count(got, "\n") != 1 || strings.ContainsAny(got, reporttest.Steering) {
			t.Fatalf("%q", got)
		}
	})
}

// Nothing that others write is live in a comment on a pull request.
func TestGateMarkdownIsInert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := attackedGate(t)
		got := reporttest.Written(t, func(b *bytes.Buffer) error { return gatereport.Write(b, document.FormatMarkdown, g, document.Screen{}) })
		reporttest.CheckMarkdown(t, got, "<details>", "</details>", "<summary>What was compared")
	})
}

func TestGateTableIsInert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := attackedGate(t)
		got := reporttest.Written(t, func(b *bytes.Buffer) error { return gatereport.Write(b, document.FormatTable, g, document.Screen{}) })
		if strings.ContainsAny(got, reporttest.Steering+"\t\x00\u2028") {
			t.Fatalf("control characters in %q", got)
		}
	})
}
