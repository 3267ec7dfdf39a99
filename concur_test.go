package concur_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

// capitals answers one question, and the other one in words that nobody expects.
func capitals(_ context.Context, t concur.Task) (string, error) {
	if strings.Contains(t.Query, "Peru") {
		return "The capital of Peru is Lima.", nil
	}
	return "Answer: Brisbane", nil
}

func twoQuestions() *datasets.Dataset {
	gold := func(name string) datasets.Gold {
		return datasets.Gold{Type: answer.Entity, Answer: name, Outcome: trace.Answered}
	}
	return datasets.New("capitals", []datasets.Query{
		{ID: "peru", Text: "What is the capital of Peru?", Category: "all", Gold: gold("Lima")},
		{ID: "australia", Text: "What is the capital of Australia?", Category: "all", Gold: gold("Canberra")},
	})
}

func ExampleRun() {
	folder, err := os.MkdirTemp("", "concur")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	if err := os.Chdir(folder); err != nil { // run folders go to runs/ below it
		fmt.Println(err)
		return
	}
	figures, err := concur.Run(context.Background(), config.New(), twoQuestions(), capitals)
	if err != nil {
		fmt.Println(err)
		return
	}
	row := figures.Configurations[0]
	fmt.Printf("%d of %d right, K=%d\n", row.Counts.Correct, row.Counts.Queries, row.K)
	// Output: 1 of 2 right, K=3
}

// TestRunLeavesARunFolder has an agent that fails; its failures are figures and not an error.
func TestRunLeavesARunFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	failing := func(context.Context, concur.Task) (string, error) { return "", errors.New("out of paper") }
	figures, err := concur.Run(t.Context(), config.New(), twoQuestions(), failing)
	if err != nil {
		t.Fatal(err)
	}
	if c := figures.Configurations[0].Counts.Correct; c != 0 {
		t.Errorf("%d are right of an agent that always fails", c)
	}
	if causes := fmt.Sprint(figures.Configurations[0].Traces.Causes); !strings.Contains(causes, "out of paper") {
		t.Errorf("the causes are %s, and do not name the error", causes)
	}
	if kept, _ := filepath.Glob("runs/*/results.jsonl"); len(kept) != 1 {
		t.Errorf("run folders with results: %v, want one", kept)
	}
}

func TestRunRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, err := concur.Run(t.Context(), config.New(), twoQuestions(), nil); err == nil {
		t.Error("a run without an agent began")
	}
	wrong := config.New()
	wrong.K = -1
	if _, err := concur.Run(t.Context(), wrong, twoQuestions(), capitals); err == nil || !strings.Contains(err.Error(), "k") {
		t.Errorf("k: -1 gives %v", err)
	}
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a refused run left a folder")
	}
}
