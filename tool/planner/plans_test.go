package planner_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/planner"
)

// TestPlans keeps the plans of forty questions. A person has read them: 35 are right. The wrong ones are
// those of the wreck of the Titanic and of the Moon landing, whose steps are not questions, and those of the
// inventor of dynamite, of the Dane, and of 19, 250 and 4, which are not divided. After a run with -update,
// read the plans again.
func TestPlans(t *testing.T) {
	questions, err := os.ReadFile("testdata/questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for question := range strings.Lines(string(questions)) {
		p := planner.BuildPlan(question, nil, []tool.Spec{web, calc})
		fmt.Fprintln(&out, p.Goal)
		for _, s := range p.Steps[:len(p.Steps)-1] { // the last step is the same for all
			hint := "-"
			if s.Tool != nil {
				hint = *s.Tool
			}
			fmt.Fprintf(&out, "  %d %s: %s\n", s.Step, hint, s.Input)
		}
	}
	golden.Check(t, "testdata/plans.txt", out.String())
}
