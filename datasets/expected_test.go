package datasets_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/trace"
)

func TestExpected(t *testing.T) {
	for want, g := range map[string]datasets.Gold{
		"Heron":                           {Answer: "Heron", Outcome: trace.Answered},
		"Heron (or one alias)":            {Answer: "Heron", Aliases: []string{"Hero"}},
		"Heron (or one of 2 aliases)":     {Answer: "Heron", Aliases: []string{"Hero", "Ἥρων"}, AllOf: [][]string{{"x"}}},
		"[refused]":                       {Outcome: trace.Refused},
		"[answered]":                      {Outcome: trace.Answered, NoneOf: []string{"x"}},
		"the keywords water, ice or snow": {AllOf: [][]string{{"water"}, {"ice", "snow"}}},
		"says that it melts":              {Condition: "says that it melts"},
		"":                                {None: true},
	} {
		if got := g.Expected(); got != want {
			t.Errorf("%+v is expected as %q, want %q", g, got, want)
		}
	}
}
