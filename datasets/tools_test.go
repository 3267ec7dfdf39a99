package datasets_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
)

const tabled = `tools:
  - {name: wells, description: Depths of wells., entry: name of the well, rows: {Arden Cross: "12", Keld: "7"}}

queries:
  - {id: a, category: c, query: "How deep is Keld?", gold: {type: integer, answer: "7"}, cluster: keld}
  - {id: b, category: c, query: "How deep is Arden Cross?", gold: {type: integer, answer: "12"}}
`

func TestToolsOfADataset(t *testing.T) {
	d, err := datasets.Parse(strings.NewReader(tabled), datasets.YAML, "d")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"wells"}, datasets.ToolNames(d.Tools)); diff != "" || len(d.Queries) != 2 || d.Tools[0].Rows["Keld"] != "7" {
		t.Errorf("read %+v", d)
	}
	changed, err := datasets.Parse(strings.NewReader(strings.Replace(tabled, `Keld: "7"`, `Keld: "8"`, 1)), datasets.YAML, "d")
	if err != nil || changed.Hash == d.Hash {
		t.Errorf("another row gives the hash %s, error %v", changed.Hash, err)
	}
	part, err := d.Filter(datasets.Part{Queries: []string{"a"}})
	if err != nil || len(part.Tools) != 1 {
		t.Errorf("a part has the tools %v, error %v", part.Tools, err)
	}
	var out bytes.Buffer
	if err := d.Write(&out, datasets.YAML); err != nil {
		t.Fatal(err)
	}
	if back, err := datasets.Parse(&out, datasets.YAML, "d"); err != nil || back.Hash != d.Hash {
		t.Errorf("written and read again: %v, error %v", back, err)
	}
	if err := d.Write(&out, datasets.CSV); err == nil || !strings.Contains(err.Error(), "write yaml") {
		t.Errorf("written as CSV: %v", err)
	}
}

func TestBrokenTools(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"name":     {"name: wells", "name: my__wells", `f.yaml:2:5: tools[0].name: "my__wells" is not a valid tool name`},
		"about":    {"description: Depths of wells., ", "", "f.yaml:2:5: tools[0].description: is missing"},
		"no rows":  {`{Arden Cross: "12", Keld: "7"}`, "{}", "f.yaml:2:5: tools[0].rows: is empty"},
		"same row": {`Keld: "7"`, `"arden  cross": "7"`, "f.yaml:2:5: tools[0].rows: the entries"},
		"key":      {"entry:", "entri:", "f.yaml:2:"},
		"twice":    {"\nqueries", "  - {name: wells, description: x, rows: {a: b}}\nqueries", "tools[1].name: \"wells\" is the name of an earlier tool"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "f.yaml")
			if err := os.WriteFile(file, []byte(strings.Replace(tabled, c.old, c.new, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := datasets.Load(file); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// Both parts have half of each family, no cluster is in both, and nothing is lost.
func TestSplit(t *testing.T) {
	d := open(t, "routing160")
	learn, eval, err := d.Split(0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]string{}
	for _, part := range []*datasets.Dataset{learn, eval} {
		families := map[string]int{}
		for _, q := range part.Queries {
			families[q.Category]++
			if in[q.Cluster] != "" {
				t.Errorf("the cluster %s is in %s and %s", q.Cluster, in[q.Cluster], part.Name)
			}
			in[q.Cluster] = part.Name
		}
		for family, n := range families {
			if n != 10 {
				t.Errorf("%s has %d of %s", part.Name, n, family)
			}
		}
		if len(part.Queries) != 80 || len(part.Tools) != 12 {
			t.Errorf("%s has %d queries and %d tools", part.Name, len(part.Queries), len(part.Tools))
		}
	}
	again, _, err := d.Split(0.5, 1)
	if err != nil || again.Hash != learn.Hash {
		t.Errorf("the same seed gives %s, not %s (%v)", again.Hash, learn.Hash, err)
	}
	if other, _, err := d.Split(0.5, 2); err != nil || other.Hash == learn.Hash {
		t.Errorf("another seed gives the same half (%v)", err)
	}
	one, err := d.Filter(datasets.Part{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []float64{0, 1, -1, 0.5} {
		if _, _, err := one.Split(share, 1); err == nil {
			t.Errorf("one query was split at %v", share)
		}
	}
}
