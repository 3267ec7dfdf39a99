package consensus_test

import (
	"fmt"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
)

func ExampleVote() {
	d, err := consensus.Vote([]string{"1,771", "1770", "1771.0"}, answer.Integer)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %s, agreement %.2f\n", d.Method, *d.Answer, *d.Agreement)
	// Output: majority: 1,771, agreement 0.67
}

func TestVote(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []string
		typ     answer.Type
		method  consensus.Method
		answer  string // "" where no answer wins
	}{
		{"all agree", []string{"7 May 1824", "1824-05-07", "May 7, 1824"}, answer.Date, consensus.Exact, "7 May 1824"},
		{"an empty answer counts against the quorum", []string{"5", "", ""}, answer.Integer, consensus.None, ""},
		{"two of three", []string{"yes", "", "true"}, answer.Boolean, consensus.Majority, "yes"},
		{"one", []string{"Lima"}, answer.Entity, consensus.Single, "Lima"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := consensus.Vote(c.answers, c.typ)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if d.Answer != nil {
				got = *d.Answer
			}
			if d.Method != c.method || got != c.answer {
				t.Errorf("got %s %q, want %s %q", d.Method, got, c.method, c.answer)
			}
		})
	}
	if _, err := consensus.Vote([]string{"a"}, "colour"); err == nil {
		t.Error("the type colour was accepted")
	}
}
