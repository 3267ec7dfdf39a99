package planner_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/planner"
)

var (
	web  = tool.Spec{ToolSpec: model.ToolSpec{Name: "web_search"}, Evidence: true}
	calc = tool.Spec{ToolSpec: model.ToolSpec{Name: "calc"}}
)

func ExampleBuildPlan() {
	p := planner.BuildPlan("How many years passed between the birth of Ada and the year in which Bruno died?", nil, []tool.Spec{web, calc})
	for _, s := range p.Steps {
		hint := "-"
		if s.Tool != nil {
			hint = *s.Tool
		}
		fmt.Printf("%d %s %s\n", s.Step, hint, s.Action)
	}
	// Output:
	// 1 web_search Find out: the date of the birth of Ada
	// 2 web_search Find out: the year in which Bruno died
	// 3 calc Count the time from the one to the other
	// 4 - Check the result against the goal and its constraints, then answer with citations
}

func hints(p planner.Plan) string {
	var out []string
	for _, s := range p.Steps {
		if s.Tool == nil {
			out = append(out, "-")
		} else {
			out = append(out, *s.Tool)
		}
	}
	return strings.Join(out, " ")
}

func TestBuildPlan(t *testing.T) {
	both := []tool.Spec{web, calc}
	for _, c := range []struct {
		goal  string
		tools []tool.Spec
		want  string
	}{
		{"What is the capital of Freedonia?", both, "web_search -"},
		{"What is the capital of Freedonia?", []tool.Spec{calc}, "- -"},
		{"What is 12 times 34?", both, "calc -"},
		{"What is 12 * 34?", both, "calc -"},
		{"What is 239 x 41?", both, "calc -"},
		{"Compute 2 x 3 x 4.", both, "calc -"},
		{"What is 239X41 + 7?", both, "calc -"},
		{"What is x if 2x + 3 = 7?", both, "web_search -"},
		{"What is X-ray 12?", both, "web_search -"},
		{"What is 12 times 34?", []tool.Spec{web}, "- -"},
		{"Which is longer, the Anduin or the Brandywine?", both, "web_search web_search calc - -"},
		{"Is Mount Doom higher than Mount Gundabad?", both, "web_search web_search calc - -"},
		{"What is the chemical symbol for unobtainium?", both, "web_search -"},
		{"How many cubits is 12 furlongs?", both, "web_search -"},
		{"How many metres is 12 furlongs?", both, "web_search calc -"},
		{"What is the product of 12 and 34?", both, "calc -"},
		{"Work out 17 divided by 4, rounded to one decimal place.", both, "calc -"},
		{"On which river does Laketown stand?", both, "web_search -"},
		{"Who wrote the book that inspired the film that opened the Gotham festival?", both, "web_search web_search web_search -"},
	} {
		if got := hints(planner.BuildPlan(c.goal, nil, c.tools)); got != c.want {
			t.Errorf("%q: %s, want %s", c.goal, got, c.want)
		}
	}
}

// TestTables checks that every operation has a calculation, that every template uses groups of its pattern
// ($a may be the previous result), and that no entry occurs twice.
func TestTables(t *testing.T) {
	for _, mistake := range planner.Mistakes() {
		t.Error(mistake)
	}
}

// Long goals with many of the rules' words give a plan with few steps.
func TestLongGoals(t *testing.T) {
	for _, part := range []string{"a ", "the a who B ", "the author of A ", "is longer, A or B ", "Multiply 2 by 3 and ", "A. It is a b. ", "of the of the "} {
		if p := planner.BuildPlan(strings.Repeat(part, 2000/len(part)), nil, []tool.Spec{web, calc}); len(p.Steps) == 0 || len(p.Steps) > 250 {
			t.Errorf("%q: %d steps", part, len(p.Steps))
		}
	}
}

func TestConstraints(t *testing.T) {
	p := planner.BuildPlan("How long is the Anduin in miles, rounded to the nearest whole number?", nil, nil)
	if !slices.Equal(p.Constraints, []string{"in miles", "rounded to the nearest whole number"}) {
		t.Errorf("constraints found in the goal: %q", p.Constraints)
	}
	for goal, want := range map[string][]string{
		"How long is the Anduin in miles?":                              {"in miles"},
		"How fast is it in metres per second, rounded to two decimals?": {"in metres per second", "rounded to two decimals"},
		"Describe Rivendell in three sentences.":                        {"in three sentences"},
		"Name at least five rivers of Eriador in alphabetical order.":   {"at least five rivers", "in alphabetical order"},
		"What share of it is water, as a percentage?":                   {"as a percentage"},
		"Which towns were founded after 1850, without the capital?":     {"after 1850", "without the capital"},
		"Who ruled Gondor? Answer in French.":                           {"Answer in French"},
		"What does it cost in US dollars?":                              {"in US dollars"},
		"What is the capital of Freedonia?":                             {},
		"In which city was the treaty signed?":                          {},
		"Who lives in Rivendell?":                                       {},
		"How many years passed between 1912 and 1969?":                  {},
	} {
		if got := planner.BuildPlan(goal, nil, nil).Constraints; !slices.Equal(got, want) || got == nil {
			t.Errorf("%q: constraints %q, want %q", goal, got, want)
		}
	}
	p = planner.BuildPlan("Round it to tens.", []string{"in miles"}, nil)
	if len(p.Constraints) != 1 || p.Constraints[0] != "in miles" {
		t.Errorf("given constraints: %q", p.Constraints)
	}
}

// TestFormIsNoStep checks that a demand on the form of the answer is a constraint in any place, and that the
// steps are those of the question without it.
func TestFormIsNoStep(t *testing.T) {
	steps := func(goal string) string {
		var out []string
		for _, s := range planner.BuildPlan(goal, nil, []tool.Spec{web, calc}).Steps {
			name := "-"
			if s.Tool != nil {
				name = *s.Tool
			}
			out = append(out, name+" "+s.Input)
		}
		return strings.ToLower(strings.Join(out, "; "))
	}
	for _, c := range []struct {
		goal, constraint, bare string
	}{
		{"Explain in three sentences why the ring is warm.", "in three sentences", "Explain why the ring is warm."},
		{"In three sentences, who was Bilbo?", "In three sentences", "Who was Bilbo?"},
		{"Who was Bilbo, in a few words?", "in a few words", "Who was Bilbo?"},
		{"Who was Bilbo? Answer in one short paragraph.", "Answer in one short paragraph", "Who was Bilbo?"},
		{"Answer in one word: who was Bilbo?", "Answer in one word", "Who was Bilbo?"},
		{"Respond in JSON: who was Bilbo?", "Respond in JSON", "Who was Bilbo?"},
		{"Keep it under 30 words: who was Bilbo?", "Keep it under 30 words", "Who was Bilbo?"},
		{"Who was Bilbo? Use at most 50 words.", "Use at most 50 words", "Who was Bilbo?"},
		{"What is 239 x 41, in one sentence?", "in one sentence", "What is 239 x 41?"},
		{"In one sentence: what is 239 x 41?", "In one sentence", "What is 239 x 41?"},
		{"What is 12 % of 80? Answer with a number.", "Answer with a number", "What is 12 % of 80?"},
		{"Name in alphabetical order the rivers of Eriador.", "in alphabetical order", "Name the rivers of Eriador."},
		{"As a table, name the rivers of Eriador.", "As a table", "Name the rivers of Eriador."},
		{"Tell me in 3 bullet points what mithril is.", "in 3 bullet points", "Tell me what mithril is."},
		{"Which is longer, the Anduin or the Isen, in one word?", "in one word", "Which is longer, the Anduin or the Isen?"},
		{"Describe Rivendell in 50 words or less.", "in 50 words or less", "Describe Rivendell."},
	} {
		if got, want := steps(c.goal), steps(c.bare); got != want {
			t.Errorf("%q: steps %q, want those of %q: %q", c.goal, got, c.bare, want)
		}
		if got := planner.BuildPlan(c.goal, nil, nil).Constraints; !slices.Equal(got, []string{c.constraint}) {
			t.Errorf("%q: constraints %q, want %q", c.goal, got, c.constraint)
		}
	}
	for goal, input := range map[string]string{
		"How many stations are in two lines of the Metro?": "how many stations are in two lines of the metro",
		"Name a river with five letters.":                  "name a river with five letters",
		"Explain in three sentences.":                      "explain in three sentences",
	} {
		if got := steps(goal); !strings.HasPrefix(got, "web_search "+input+";") {
			t.Errorf("%q: steps %q", goal, got)
		}
	}
}

func TestPlansNameOnlyToolsThatAreThere(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var there []tool.Spec
		names := map[string]bool{}
		for _, s := range []tool.Spec{web, calc} {
			if rapid.Bool().Draw(r, s.Name) {
				there = append(there, s)
				names[s.Name] = true
			}
		}
		goal := rapid.OneOf(rapid.String(), rapid.StringMatching(`(Who|What|Is) (the )?[A-Z][a-z]+ (that|times|or|which) ([A-Z][a-z]+|[0-9]+ [*] [0-9]+)\?`)).Draw(r, "goal")
		p := planner.BuildPlan(goal, nil, there)
		if len(p.Steps) == 0 {
			r.Fatal("a plan without steps")
		}
		for i, s := range p.Steps {
			if s.Step != i+1 || s.Action == "" || (s.Tool != nil && !names[*s.Tool]) {
				r.Fatalf("step %d: %+v", i, s)
			}
		}
		if again := planner.BuildPlan(goal, nil, there); fmt.Sprint(hints(again)) != hints(p) {
			r.Fatal("the same goal gave two plans")
		}
	})
}

func TestTool(t *testing.T) {
	p := planner.New(calc)
	if _, err := tool.New(p); err != nil {
		t.Fatal(err)
	}
	out, err := p.Call(context.Background(), json.RawMessage(`{"goal":"What is 2 * 3?"}`))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := out.Render(nil)
	want := `{"constraints":[],"goal":"What is 2 * 3?","steps":[{"step":1,"action":"Compute the result from the numbers of the question","tool":"calc"},{"step":2,"action":"Check the result against the goal and its constraints, then answer","tool":null}],"tools":["calc"]}`
	if err != nil || string(raw) != want {
		t.Errorf("%s, %v", raw, err)
	}
	if _, err := p.Call(context.Background(), json.RawMessage(`{"goal":" "}`)); err == nil {
		t.Error("an empty goal was planned")
	}
}
