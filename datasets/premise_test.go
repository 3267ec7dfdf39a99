package datasets_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/trace"
)

const falsePremise = `- id: king
  category: premises
  query: How old is the king of France?
  gold: {outcome: answered, premise: false}
- id: hotel
  category: premises
  query: How many rooms does it have?
  history: [{role: user, content: I like the Hotel Atlantis in Bern.}]
  gold: {type: integer, premise: false}
- id: plain
  category: premises
  query: How old is the king of Spain?
  gold: {answer: "58", premise: true}
`

func loadPremises(t *testing.T, text string) (*datasets.Dataset, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "f.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return datasets.Load(file)
}

func TestFalsePremise(t *testing.T) {
	d, err := loadPremises(t, falsePremise)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		query   int
		message string
		outcome trace.Outcome
		short   string
	}{
		{0, "There is no king of France.", trace.Answered, "There is no king of France."},
		{0, "I searched.\nAnswer: There is no king of France", trace.Answered, "There is no king of France"},
		{0, "There is no king of France.\nAnswer: none", trace.Answered, "There is no king of France."},
		{0, "There is no king of France, so I cannot tell.", trace.Answered, "There is no king of France, so I cannot tell."},
		{0, "There is no king of France.\nAnswer: 52", trace.Answered, "52"},
		{0, "There is no king of France.\nAnswer: [ABSTAIN]", trace.Abstained, ""},
		{0, "I do not know.", trace.Abstained, ""},
		{0, "I can't help with that.", trace.Refused, ""},
		{1, "This hotel does not exist.", trace.Answered, "This hotel does not exist."},
		{1, "It has 120 rooms.", trace.Answered, "120"},
		{2, "The king of Spain does not exist.\nAnswer: unknown", trace.Abstained, ""},
	} {
		q := d.Queries[c.query]
		got := q.Gold.Read(c.message, q.Text)
		if got.Outcome != c.outcome || got.Short != c.short {
			t.Errorf("%q is read as %+v, want %s %q", c.message, got, c.outcome, c.short)
		}
	}
	if got := d.Queries[0].Gold.Expected(); got != "[premise denied]" {
		t.Errorf("expected is %q", got)
	}
}

// TestPremiseInATable checks that a table with the flag is refused, and that a text of the same name is metadata.
func TestPremiseInATable(t *testing.T) {
	for table, want := range map[string]string{
		"id,query,outcome,premise\nking,How old is the king of France?,answered,false\n": ":2:46: premise: a table cannot say whether the premise of a question is false",
		"id,query,answer,Premise\nking,How old is the king of Spain?,58,TRUE\n":          "write the dataset as .yaml or .jsonl",
		"id,query,answer,premise\na,Does it follow?,yes,A man sleeps.\n":                 "",
	} {
		file := filepath.Join(t.TempDir(), "f.csv")
		if err := os.WriteFile(file, []byte(table), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := datasets.Load(file)
		if want == "" && (err != nil || d.Queries[0].Meta["premise"] != "A man sleeps.") {
			t.Errorf("%q: %v, %+v", table, err, d)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", table, err, want)
		}
	}
}

// Answers that deny the premise in other words are one class.
func TestDenialsAreOneAnswer(t *testing.T) {
	d, err := loadPremises(t, falsePremise)
	if err != nil {
		t.Fatal(err)
	}
	key := func(g datasets.Gold, short string) string {
		return consensus.NewBallot(trace.Trace{Outcome: trace.Answered, Answer: short}, g.Type, g.Options).Key
	}
	g := d.Queries[1].Gold
	for _, short := range []string{"This hotel does not exist.", "There is no Hotel Atlantis in Bern.", "Dieses Hotel gibt es nicht."} {
		if got := key(g, short); got != "premise:denied" {
			t.Errorf("%q has the key %q", short, got)
		}
	}
	if got := key(g, "120"); got != "int:120" {
		t.Errorf("120 has the key %q", got)
	}
	if got := key(datasets.Gold{Type: answer.Text}, "This hotel does not exist."); got == "premise:denied" {
		t.Error("the key of an answer to an ordinary question is that of a denial")
	}
}

func TestFalsePremiseIsWritten(t *testing.T) {
	d, err := loadPremises(t, falsePremise)
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []datasets.Format{datasets.YAML, datasets.JSONL} {
		var out bytes.Buffer
		if err := d.Write(&out, format); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "f."+string(format))
		if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		again, err := datasets.Load(file)
		if err != nil || again.Hash != d.Hash {
			t.Errorf("%s: %v; the hash is another:\n%s", format, err, out.Bytes())
		}
	}
	if err := d.Write(&bytes.Buffer{}, datasets.CSV); err == nil || !strings.Contains(err.Error(), "write yaml or jsonl") {
		t.Errorf("CSV: error %v", err)
	}
	plain, err := loadPremises(t, strings.Replace(falsePremise, "{outcome: answered, premise: false}", "{outcome: abstained}", 1))
	if err != nil || plain.Hash == d.Hash {
		t.Errorf("error %v; the premise is not part of the hash", err)
	}
}

func TestPremiseBadInput(t *testing.T) {
	for gold, want := range map[string]string{
		`{premise: false, answer: "52"}`:            "is false, but the gold has an answer",
		`{premise: false, outcome: abstained}`:      "is false, but the outcome is abstained",
		`{premise: maybe}`:                          "premise",
		`{premise: true}`:                           "nothing to check",
		`{premise: false, type: king}`:              "unknown answer type",
		`{premise: false, aliases: [no such king]}`: "has no meaning without an answer",
	} {
		_, err := loadPremises(t, "- id: a\n  category: one\n  query: How old is the king?\n  gold: "+gold+"\n")
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: error %v, want %q", gold, err, want)
		}
	}
}
