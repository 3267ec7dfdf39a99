package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

func TestChoiceKeys(t *testing.T) {
	for raw, want := range map[string]string{
		"B":               "choice:B",
		"b":               "choice:B",
		"(B)":             "choice:B",
		"B.":              "choice:B",
		"B)":              "choice:B",
		"[B]":             "choice:B",
		"**B**":           "choice:B",
		"Ｂ":               "choice:B",
		"A":               "choice:A",
		"Option B":        "choice:B",
		"option (b).":     "choice:B",
		"Answer B":        "choice:B",
		"B) Paris":        "choice:B",
		"(B) Paris":       "choice:B",
		"B. Paris":        "choice:B",
		"B: Paris":        "choice:B",
		"A and C":         "choice:A,C",
		"C, A":            "choice:A,C",
		"A, B, and C":     "choice:A,B,C",
		"(A) and (C)":     "choice:A,C",
		"A), C)":          "choice:A,C",
		"Options A and C": "choice:A,C",
		"both A and C":    "choice:A,C",
		"A & C":           "choice:A,C",
		"A/C":             "choice:A,C",
		"A; C":            "choice:A,C",
		"A C":             "choice:A,C",
		"A、C":             "choice:A,C",
		"A\nC":            "choice:A,C",
		"A, A":            "choice:A",

		"A or C":             "error",
		"a dog":              "error",
		"a big dog":          "error",
		"A Paris":            "error",
		"the":                "error",
		"AC":                 "error",
		"1":                  "error",
		"Because it fits, A": "error",
		"CORRECT":            "error",
		"not B":              "error",
		"A) Paris, C) Rome":  "error",
		"B) Paris (not C)":   "error",
		"A and a dog":        "error",
		"all of the above":   "error",
		"А":                  "error", // Cyrillic
		"":                   "error",
	} {
		if got := key(raw, answer.Choice); got != want {
			t.Errorf("choice %q: %s, want %s", raw, got, want)
		}
	}
}

func TestMatchChoice(t *testing.T) {
	checkMatches(t, answer.Choice, []matchCase{
		{"Option B", "B", "", answer.Options{}, true, "equal choices"},
		{"A and C", "C, A", "", answer.Options{}, true, ""},
		{"A", "A, C", "", answer.Options{}, false, `"A" is not "A,C"`},
		{"The", "A", "", answer.Options{}, false, ""},
	})
}
