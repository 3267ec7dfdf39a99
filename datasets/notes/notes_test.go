package notes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/notes"
	"github.com/seed-5817661a/concur/datasets/propose"
)

func TestPrograms(t *testing.T) {
	var n notes.Notes
	for i, want := range []string{"checks start the program a", "checks start 2 programs: a, b",
		"checks start 3 programs: a, b, c", "checks start 4 programs: a, b, c, d"} {
		for range 2 {
			n.Program(string(rune('a' + i)))
		}
		if got := n.Lines("q.yaml", false)[0]; got != "q.yaml: "+want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestLines(t *testing.T) {
	var r notes.Notes
	if got := r.Lines("q.csv", false); len(got) > 0 {
		t.Errorf("of nothing: %q", got)
	}
	r.Fact("semicolons between cells")
	for range 2 {
		r.Fact("query from %q", "Frage")
		r.Kept("level")
		r.Doubt("the column %q may be %s", "sorce", "source")
	}
	r.IDByPlace("q-0001")
	if got := r.Lines("q.csv", false)[0]; got != `q.csv: semicolons between cells, query from "Frage", id q-0001` {
		t.Errorf("of one id: %s", got)
	}
	r.IDByPlace("q-0009")
	r.Uncategorised()
	for i, raw := range []string{"03/04/2024", "1,23", "$5", "ten"} {
		p := propose.Proposal{Type: answer.Entity, Note: propose.TwoWays}
		if i > 1 {
			p = propose.Proposal{Type: answer.Currency, Note: propose.SeveralCurrencies}
		}
		if i > 2 {
			p = propose.Proposal{Type: answer.Percent}
		}
		r.Proposed(p, raw, i+2)
	}
	want := []string{
		`q.csv: semicolons between cells, query from "Frage", ids q-0001 to q-0009, category all`,
		`kept as metadata: "level"`,
		`the column "sorce" may be source`,
		"types guessed from the answers: 1 percentage, 1 currency amount, 2 entities; `concur datasets convert q.csv` writes them to a file that you can edit",
		`q.csv:2: "03/04/2024" can be read in two ways, so it is compared as a name, and so for 1 more; write a date as 2024-04-03, a number as 1.5`,
		`q.csv:4: "$5" has the sign of several currencies, and is read as the most common one; write another with its code, such as CAD 5`,
	}
	if diff := cmp.Diff(want, r.Lines("q.csv", false)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := r.Lines("q.csv", true)[3]; got != "types guessed from the answers: 1 percentage, 1 currency amount, 2 entities" {
		t.Errorf("where they are written down: %s", got)
	}
}

func TestLinesCountDoubtsBeyondTen(t *testing.T) {
	var r notes.Notes
	for i := range 12 {
		r.Doubt("line %d repeats the header", i+2)
	}
	got := r.Lines("q.csv", false)
	if len(got) != 11 || got[9] != "line 11 repeats the header" || got[10] != "2 more notes of this kind" {
		t.Errorf("of 12 doubts: %q", got)
	}
}

// TestLinesAdvise checks that every note about a proposal is printed, with an action for it.
func TestLinesAdvise(t *testing.T) {
	for raw, want := range map[string]string{
		"03/04/2024": "write a date as 2024-04-03, a number as 1.5",
		"¥5":         "write the amount with its code, such as JPY 5",
		"5 cents":    "write the amount with its code, such as JPY 5",
		"$5":         "write another with its code, such as CAD 5",
		"It was built in 1887, by Eiffel, for the fair.": "for golds in sentences, ask a judge: --judge PROVIDER:MODEL --pass correctness",
	} {
		p, err := propose.Propose(raw, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		var r notes.Notes
		r.Proposed(p, raw, 2)
		if got := r.Lines("q.csv", true); len(got) != 2 || !strings.HasSuffix(got[1], "; "+want) {
			t.Errorf("%s: %q, want the advice %q", raw, got, want)
		}
	}
}

func ExampleNotes() {
	var r notes.Notes
	r.Fact("query from %q", "question")
	r.Uncategorised()
	fmt.Println(strings.Join(r.Lines("questions.csv", false), "\n"))
	// Output: questions.csv: query from "question", category all
}
