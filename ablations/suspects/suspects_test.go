package suspects_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/suspects"
)

func TestFind(t *testing.T) {
	d := dataset(t)
	var models []string
	var right [][]bool
	// Eight agents, of which the later are better; q4's gold is wrong, so that the good ones fail it.
	for i := range 8 {
		models = append(models, fmt.Sprintf("m:%d", i%2))
		right = append(right, []bool{i > 0, i > 1, i > 2, i < 4, i > 5})
	}
	r, err := suspects.Find(d, runs(t, d, models, right, nil))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Suspects) != 1 || r.Suspects[0].Query != "q4" || r.Traces != 40 || len(r.Models) != 2 {
		t.Fatalf("%+v", r)
	}
	if s := r.Suspects[0]; !strings.Contains(s.Reasons[0], "item-rest correlation -0.") || *s.ItemRest > -.7 || s.Expected != "4" || len(s.Answers) != 2 || s.Answers[0].Count != 4 {
		t.Errorf("%+v", s)
	}
	// Seven traces are too few for a correlation.
	if r, err = suspects.Find(d, runs(t, d, models[1:], right[1:], nil)); err != nil || len(r.Suspects) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestUnanimous: two models that say the same, and one model alone, which may err in its own way.
func TestUnanimous(t *testing.T) {
	d := dataset(t)
	right := [][]bool{{true, true, true, true, false}, {true, true, true, true, false}}
	for _, c := range []struct {
		second string
		want   int
	}{{"m:b", 1}, {"m:a", 0}} {
		r, err := suspects.Find(d, runs(t, d, []string{"m:a", c.second}, right, nil))
		if err != nil || len(r.Suspects) != c.want {
			t.Fatalf("%s: %+v, %v", c.second, r, err)
		}
		if c.want > 0 && r.Suspects[0].Reasons[0] != "all 2 answers of 2 models are the same" {
			t.Errorf("%+v", r.Suspects[0])
		}
	}
}

func TestJudgeAgainstGold(t *testing.T) {
	d := dataset(t)
	r, err := suspects.Find(d, runs(t, d, []string{"m:a"}, [][]bool{{false, false, true, true, true}}, map[string]bool{"q1": true, "q2": false}))
	if err != nil || len(r.Suspects) != 1 || r.Suspects[0].Query != "q1" || r.Suspects[0].Reasons[0] != "the judge accepts 1 of 1 answers that the gold refuses" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAnotherDataset(t *testing.T) {
	d := dataset(t)
	made := runs(t, d, []string{"m:a"}, [][]bool{{true, true, true, true, true}}, nil)
	d.Queries[0].Gold.Answer = "77"
	if r, err := suspects.Find(d, made); err != nil || r.Other != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	d.Queries = d.Queries[1:] // a query that is not there any more
	if r, err := suspects.Find(d, made); err != nil || r.Other != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	for i := range d.Queries {
		d.Queries[i].Text += " indeed"
	}
	if _, err := suspects.Find(d, made); err == nil || !strings.Contains(err.Error(), "name the dataset of the run") {
		t.Errorf("a run of another dataset: %v", err)
	}
}
