package inject_test

import (
	"os"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/guard/inject"
)

// TestDevelopmentSet measures recall on attacks by kind and by family, and limits false positives on benign
// texts, many of which have words of attacks. In the half that the families were tuned on, no text may be
// flagged as a query, and at most 1 % of a kind as a tool's output. In the other half, whose texts are not
// printed, the limit is 1 %.
func TestDevelopmentSet(t *testing.T) {
	if testing.Short() {
		t.Skip("scans one after another: nothing for the race detector")
	}
	examples := developmentSet(t)
	for source, name := range map[inject.Source]string{inject.Query: "query", inject.ToolOutput: "tool output"} {
		attacks, byFamily, benign := tally{}, tally{}, tally{}
		for _, e := range examples {
			finding := inject.Scan(e.Text, source)
			if e.Label == 0 {
				benign.add(e.half()+" "+e.Kind, finding.Flagged)
				benign.add(e.half()+" all", finding.Flagged)
				if finding.Flagged && e.half() == tuned {
					t.Logf("false positive: %v in %.100q", finding.Hits, e.Text)
				}
				continue
			}
			attacks.add(e.half()+" "+e.Kind, finding.Flagged)
			hit := map[string]bool{}
			for _, h := range finding.Hits {
				hit[h.Family] = true
			}
			for family := range hit {
				byFamily.add(e.half()+" "+family, true)
			}
		}
		benign.log(t, name+", benign")
		attacks.log(t, name+", attack by kind")
		for family, c := range byFamily {
			t.Logf("%-28s %-30s %4d", name+", attack by family", family, c[0])
		}
		for kind, c := range benign {
			most := 0.01 // for the other half, all kinds together
			if strings.HasPrefix(kind, tuned) && source == inject.Query {
				most = 0
			}
			if all := strings.HasSuffix(kind, " all") || strings.HasPrefix(kind, tuned); all && float64(c[0]) > most*float64(c[1]) {
				t.Errorf("%s: %d of %d benign texts (%s) flagged, want at most %g %%", name, c[0], c[1], kind, 100*most)
			}
		}
		if len(benign) == 0 {
			t.Error("no benign text was read")
		}
	}
}

// TestOrdinaryText limits false positives on short texts of every kind to 0.01 %.
func TestOrdinaryText(t *testing.T) {
	if testing.Short() {
		t.Skip("scans one after another: nothing for the race detector")
	}
	counts := tally{}
	for _, text := range ordinaryTexts(t) {
		finding := inject.Scan(text, inject.ToolOutput)
		counts.add("ordinary texts", finding.Flagged)
		if finding.Flagged {
			t.Logf("false positive: %v in %.200q", finding.Hits, text)
		}
	}
	counts.log(t, "flagged")
	if c := counts["ordinary texts"]; c[0]*10000 > c[1] {
		t.Errorf("%d of %d flagged, want at most 0.01 %%", c[0], c[1])
	}
}

// TestParaphrases measures how many attacks in other words are found, and how many similar honest texts are
// flagged. It fails only for the lists that the families were tuned on.
func TestParaphrases(t *testing.T) {
	counts, wrong := tally{}, tally{}
	for _, file := range []string{"paraphrases", "development"} {
		data, err := os.ReadFile("testdata/" + file + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		var kinds map[string]map[string][]string
		if err := yaml.Unmarshal(data, &kinds); err != nil {
			t.Fatal(err)
		}
		for kind, halves := range kinds {
			for half, texts := range halves {
				for _, text := range texts {
					finding := inject.Scan(text, inject.Query)
					counts.add(half+" "+kind, finding.Flagged)
					if seen := half != "fresh" && half != "unseen" && half != "development b"; seen && finding.Flagged != (kind != "honest") {
						t.Logf("%s: %q: %+v", kind, text, finding)
						wrong.add(kind, true)
					}
				}
			}
		}
	}
	counts.log(t, "paraphrases flagged")
	for kind, c := range wrong {
		if kind == "honest" || c[0] > 12 {
			t.Errorf("%s: %d of those that the families were tuned on are judged wrongly", kind, c[0])
		}
	}
	if len(counts) != 27 {
		t.Errorf("kinds and halves: %v", counts)
	}
}

// TestRealObservations has false positives on what tools returned in recorded runs.
func TestRealObservations(t *testing.T) {
	flagged, changed := tally{}, tally{}
	for _, o := range observations(t) {
		finding := inject.Scan(o, inject.ToolOutput)
		flagged.add("observations", finding.Flagged)
		_, changes := inject.Sanitise(o)
		changed.add("observations", len(changes) > 0)
		if finding.Flagged {
			t.Logf("false positive: %v in %.200q", finding.Hits, o)
		}
		if len(changes) > 0 {
			t.Logf("changed: %+v", changes)
		}
	}
	flagged.log(t, "flagged")
	changed.log(t, "changed by Sanitise")
	if c := flagged["observations"]; c[0]*100 > c[1] {
		t.Errorf("%d of %d flagged, want at most 1 %%", c[0], c[1])
	}
}
