package page_test

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports/gatereport"
	"github.com/seed-5817661a/concur/reports/page"
	"github.com/seed-5817661a/concur/runner/store"
)

// gated is the page of a run that the gate failed, with attacks in what others wrote.
func gated(t *testing.T, run *store.Run) string {
	t.Helper()
	g := gatereport.Report{
		Run: "run-1", Configuration: "full", Dataset: "small", Baseline: "baseline.jsonl",
		Explain: true,
		Queries: []gatereport.Query{{Query: "q2", Status: gatereport.StatusBroken, Expected: strings.Join(attacks, " ")}},
	}
	g.Decision, g.Reasons = gate.Regression, []string{"q2 broke " + attacks[0], "and more " + attacks[1]}
	var b bytes.Buffer
	if err := page.WriteGate(&b, run, g); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestGate: the page begins with the decision, names what broke, and has the run beneath. What
// others wrote into it stays text.
func TestGate(t *testing.T) {
	text := gated(t, ablation(t))
	if title := inner(findNodes(t, text, named("h1"))[0]); !strings.HasPrefix(title, "Gate: ") {
		t.Errorf("the title is %q", title)
	}
	if closing := inner(findNodes(t, text, class("closing"))[0]); !strings.HasPrefix(closing, "REGRESSION (exit code 1): q2 broke") {
		t.Errorf("the page begins with %q", closing)
	}
	section := findNodes(t, text, func(n *html.Node) bool { return attribute(n, "id") == "gate" })
	if len(section) != 1 {
		t.Fatalf("%d sections of the decision", len(section))
	}
	links := 0
	for _, n := range findNodes(t, text, named("a")) {
		if strings.Contains(inner(n), "what the agent did on q2") {
			links++
			at := attribute(n, "href")[1:]
			if found := findNodes(t, text, func(n *html.Node) bool { return attribute(n, "id") == at }); len(found) != 1 || !strings.Contains(inner(found[0]), "What is q2?") {
				t.Errorf("the link leads to %s, which is not q2", at)
			}
		}
	}
	if links != 1 {
		t.Errorf("%d links to the traces of what broke", links)
	}
	for _, want := range []string{"q2: broken", "and more", "expected ", "concur trace run-1 q2", "baseline.jsonl"} {
		if !strings.Contains(inner(section[0]), want) {
			t.Errorf("the section has no %q:\n%s", want, inner(section[0]))
		}
	}
	if n := len(findNodes(t, text, named("script"))); n != 1 || len(findNodes(t, text, named("img"))) > 0 {
		t.Errorf("%d scripts, or a picture", n)
	}
	if len(findNodes(t, text, class("query"))) == 0 {
		t.Error("the run is not beneath")
	}
}
