package ablations_test

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// side has a query for every letter: c is correct, i incorrect, u unscored.
func side(name, verdicts string) ablations.Side {
	s := ablations.Side{Name: name, Run: "run-" + name}
	for i, v := range verdicts {
		ruling := map[rune]judge.Ruling{'c': judge.Correct, 'i': judge.Incorrect, 'u': judge.Unscored}[v]
		id := fmt.Sprintf("q-%04d", i)
		s.Queries = append(s.Queries, ablations.Query{
			ID: id, Hash: "sha256:" + id, Decided: name + " says", Reason: "why of " + name,
			Outcome: &ablations.Outcome{Category: "lookup", Verdict: ruling},
		})
	}
	return s
}

// discordant gives a baseline and another side over n queries with so many losses and
// gains; both have the rest right.
func discordant(n, losses, gains int) (base, other ablations.Side) {
	both := strings.Repeat("c", n-losses-gains)
	l, g := strings.Repeat("c", losses), strings.Repeat("i", gains)
	return side("base", both+l+g), side("other", both+strings.Repeat("i", losses)+strings.Repeat("c", gains))
}

// one compares two sides.
func one(t interface{ Fatal(...any) }, base, other ablations.Side, o ablations.Options) result.Comparison {
	all, err := ablations.Against(base.Name, []ablations.Side{base, other}, o)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	return all[0]
}

func manifest(queries int, configurations ...config.Configuration) store.Manifest {
	m := store.Manifest{
		Run: "run-1", State: store.Complete, Dataset: store.Dataset{Hash: "sha256:00", Queries: queries},
		Versions: map[string]string{
			"norm": "norm/v1", "prompt": "react/v1", "dialect": "d/v1", "verifier": "v/v1", "pick": "p/v1",
			"correctness": "c/v1", "quality": "q/v1", "correctness_model": "https://a", "concur": "1.0",
		},
	}
	for _, c := range configurations {
		m.Configurations = append(m.Configurations, store.Configuration{Name: c.Name, Configuration: c})
	}
	return m
}

func named(name string) config.Configuration {
	c := config.New()
	c.Name = name
	return c
}

// record is of a query that was answered "42".
func record(configuration, query string, ruling judge.Ruling, by string) store.Record {
	answer := "42"
	return store.Record{
		Configuration: configuration, Query: query, Category: "lookup", QueryHash: "sha256:" + query,
		Consensus: consensus.Decision{Answer: &answer, Outcome: trace.Answered},
		Verdict:   judge.Verdict{Verdict: ruling, By: by, Reason: "because"},
	}
}

func sequence(records ...store.Record) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// sides fails the test on an error.
func sides(t *testing.T, m store.Manifest, records ...store.Record) []ablations.Side {
	t.Helper()
	s, err := ablations.Sides(m, sequence(records...))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
