package datasets_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
)

// TestLocale: the locale of a file, a query or a gold decides what figures of the gold mean; only where one is given
// does it reach the hash, and all forms hold it.
func TestLocale(t *testing.T) {
	const query = `{"id":"a","category":"c","query":"Wie viele?","gold":{"type":"integer","answer":"1.000"`
	load := func(format datasets.Format, text string) *datasets.Dataset {
		t.Helper()
		d, err := datasets.Parse(strings.NewReader(text), format, "d")
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	plain := load(datasets.JSONL, query+"}}\n")
	hashes := map[string]bool{}
	for name, d := range map[string]*datasets.Dataset{
		"gold":  load(datasets.JSONL, query+`,"locale":"de"}}`),
		"query": load(datasets.JSONL, query+`},"locale":"de"}`),
		"line":  load(datasets.JSONL, `{"schema":"concur/dataset/v1","locale":"de"}`+"\n"+query+"}}"),
		"json":  load(datasets.JSON, `{"locale":"de","queries":[`+query+"}}]}"),
		"yaml":  load(datasets.YAML, "locale: de\nqueries:\n- "+query+"}}"),
		"csv":   load(datasets.CSV, "id,category,query,type,answer,locale\na,c,Wie viele?,integer,1.000,de\n"),
	} {
		g := d.Queries[0].Gold
		if ok, why := answer.Match("1000", g.Answer, g.Type, nil, answer.Tolerance{}, g.Options); !ok || g.Answer != "1.000" {
			t.Errorf("%s: %q %v: %s", name, g.Answer, g.Options, why)
		}
		if final := g.Read("Antwort: 1.000", "Wie viele?"); final.Short != "1.000" {
			t.Errorf("%s: read %+v", name, final)
		}
		hashes[d.Hash] = true
		for _, f := range []datasets.Format{datasets.YAML, datasets.JSONL, datasets.CSV} {
			var b strings.Builder
			if err := d.Write(&b, f); err != nil {
				t.Fatal(err)
			}
			if again := load(f, b.String()); again.Hash != d.Hash {
				t.Errorf("%s as %s has another hash:\n%s", name, f, b.String())
			}
		}
	}
	if len(hashes) != 1 || hashes[plain.Hash] {
		t.Errorf("hashes %v, and without a locale %s", hashes, plain.Hash)
	}
	proposed := load(datasets.CSV, "question,answer,locale\nWann?,03.04.2024,de\n"+
		"Wie viel?,\"1.500 €\",de\nWer?,Ada,de\n")
	for i, want := range []answer.Type{answer.Date, answer.Currency, answer.Entity} {
		if g := proposed.Queries[i].Gold; g.Type != want {
			t.Errorf("%q has the type %s, want %s", g.Answer, g.Type, want)
		}
	}
	if g := proposed.Queries[2].Gold; g.Locale != "" {
		t.Errorf("a name has the locale %q", g.Locale)
	}
	_, err := datasets.Parse(strings.NewReader(query+`,"locale":"deutsch"}}`), datasets.JSONL, "d")
	if err == nil || !strings.Contains(err.Error(), `gold.locale: unknown locale "deutsch": use a language, such as de`) {
		t.Errorf("an unknown locale: %v", err)
	}
}
