package datasets_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
)

func loadGold(gold string) (*datasets.Dataset, error) {
	return datasets.Parse(strings.NewReader("- id: a\n  query: How warm is Graz?\n  source: computed\n  gold: "+gold+"\n"), datasets.YAML, "f")
}

// TestGoldAt checks that the time of a gold is read, shown, hashed, and written and read again.
func TestGoldAt(t *testing.T) {
	timeless, err := loadGold(`{type: quantity, answer: 3 °C}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"2026-11-27", "2026-11-27T12:58:00+01:00"} {
		d, err := loadGold(`{type: quantity, answer: 3 °C, at: "` + at + `"}`)
		if err != nil {
			t.Fatal(err)
		}
		if g := d.Queries[0].Gold; g.At != at || g.Expected() != "3 °C at "+at {
			t.Errorf("%+v, %s", g, g.Expected())
		}
		if d.Hash == timeless.Hash || d.Queries[0].Hash() == timeless.Queries[0].Hash() {
			t.Errorf("the hash does not depend on at: %s", at)
		}
		for _, form := range []datasets.Format{datasets.YAML, datasets.JSONL} {
			var text bytes.Buffer
			if err := d.Write(&text, form); err != nil {
				t.Fatal(err)
			}
			again, err := datasets.Parse(&text, form, "f")
			if err != nil || again.Hash != d.Hash {
				t.Errorf("%s: %v\n%s", form, err, text.String())
			}
		}
		if err := d.Write(&bytes.Buffer{}, datasets.CSV); err == nil || !strings.Contains(err.Error(), "a gold with a time") {
			t.Errorf("CSV: %v", err)
		}
	}
	for _, wrong := range []string{`now`, `""`, `2026-13-01`, `"10:30"`} {
		if _, err := loadGold(`{answer: 3 °C, at: ` + wrong + `}`); err == nil || !strings.Contains(err.Error(), "gold.at: ") {
			t.Errorf("at: %s: %v", wrong, err)
		}
	}
	table := "id,query,answer,at\na,How warm is Graz?,3,noon\n"
	if d, err := datasets.Parse(strings.NewReader(table), datasets.CSV, "f"); err != nil || d.Queries[0].Meta["at"] != "noon" {
		t.Errorf("a table's column at is not metadata: %v", err)
	}
}

// TestNoTime checks the rule gold/no-time.
func TestNoTime(t *testing.T) {
	for _, c := range []struct {
		query, gold, more string
		found             bool
	}{
		{"How warm is it in Graz?", `{answer: 3 °C}`, "  expects: {tools: [{name: weather}]}\n", true},
		{"How warm is it in Graz?", `{answer: 3 °C}`, "  expects: {tools: [{name: calc}, {name: open_meteo}]}\n", true},
		{"How warm is it in Graz?", `{answer: 3 °C, at: 2026-11-27}`, "  expects: {tools: [{name: weather}]}\n", false},
		{"How warm is it in Graz?", `{answer: 3 °C}`, "  expects: {tools: [{name: wiki_search}]}\n", false},
		{"What is the weather in Graz now?", `{answer: snow}`, "", true},
		{"What is the weather in Graz now?", `{answer: snow}`, "  expects: {tools: [{name: almanac}]}\n", false},
		{"What is the weather in Graz now?", `{outcome: abstained}`, "", false},
		{"What was the weather in Graz on the first day of 1900?", `{answer: snow}`, "", false},
		{"What is the current share price of Harbour & Sons?", `{answer: 12 GBP}`, "", true},
		{"Wie ist das Wetter heute in Graz?", `{answer: Schnee}`, "", true},
		{"格拉茨今天天气怎么样？", `{answer: 下雪}`, "", true},
		{"Who is the current president of Austria?", `{answer: Ada}`, "", false},
	} {
		found := false
		for _, f := range lint(t, c.query, c.gold, c.more+computed) {
			found = found || f.Rule == datasets.NoTime && strings.Contains(f.Message, "add at")
		}
		if found != c.found {
			t.Errorf("%s %s %s: found %t, want %t", c.query, c.gold, c.more, found, c.found)
		}
	}
}
