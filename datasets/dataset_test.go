package datasets_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
)

func ids(d *datasets.Dataset) string {
	var list []string
	for _, q := range d.Queries {
		list = append(list, q.ID)
	}
	return strings.Join(list, " ")
}

func TestFilter(t *testing.T) {
	d, err := datasets.Load("testdata/small.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"calculation", "multi_hop", "safety"}, d.Categories()); diff != "" {
		t.Errorf("categories (-want +got):\n%s", diff)
	}
	for _, c := range []struct {
		name string
		part datasets.Part
		want string
	}{
		{"all", datasets.Part{}, "calc-01 hop-01 safety-01"},
		{"ids in the order of the dataset", datasets.Part{Queries: []string{"safety-01", "calc-01"}}, "calc-01 safety-01"},
		{"categories", datasets.Part{Categories: []string{"multi_hop", "safety"}}, "hop-01 safety-01"},
		{"both", datasets.Part{Queries: []string{"hop-01", "calc-01"}, Categories: []string{"multi_hop"}}, "hop-01"},
		{"limit", datasets.Part{Limit: 2}, "calc-01 hop-01"},
		{"limit beyond", datasets.Part{Limit: 9}, "calc-01 hop-01 safety-01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := d.Filter(c.part)
			if err != nil {
				t.Fatal(err)
			}
			if ids(got) != c.want || got.Name != "small" {
				t.Errorf("queries %q of %q, want %q", ids(got), got.Name, c.want)
			}
			if same := len(got.Queries) == len(d.Queries); same != (got.Hash == d.Hash) {
				t.Errorf("hash %s of %d queries, %s of all", got.Hash, len(got.Queries), d.Hash)
			}
		})
	}
}

func TestFilterErrors(t *testing.T) {
	d, err := datasets.Load("testdata/small.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		part datasets.Part
		want string
	}{
		{datasets.Part{Queries: []string{"calc-1"}}, `filter dataset small: unknown query "calc-1" (did you mean "calc-01"?)`},
		{datasets.Part{Queries: []string{"hop-01", "x"}, Categories: []string{"sums"}}, `filter dataset small: unknown query "x" (known: calc-01, hop-01, safety-01); unknown category "sums" (known: calculation, multi_hop, safety)`},
		{datasets.Part{Queries: []string{"hop-01"}, Categories: []string{"safety"}}, `filter dataset small: no query passes all of these filters; drop one of them`},
		{datasets.Part{Limit: -1}, `filter dataset small: the limit is -1; give at least 1, or 0 for no limit`},
	} {
		if _, err := d.Filter(c.part); fmt.Sprint(err) != c.want {
			t.Errorf("error:\n got %v\nwant %s", err, c.want)
		}
	}
}

// Tags choose queries that have one of them, and reach the dataset's hash but not the query's.
func TestTags(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tagged.jsonl")
	write := func(tagsOfB string) {
		lines := `{"id":"a","category":"c","query":"q","gold":{"outcome":"refused"},"tags":["smoke"]}
{"id":"b","category":"c","query":"q","gold":{"outcome":"refused"},"tags":` + tagsOfB + `}
{"id":"c","category":"c","query":"q","gold":{"outcome":"refused"}}
`
		if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`["slow", "print it"]`)
	d, err := datasets.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tags, want string }{{"smoke", "a"}, {"print it", "b"}, {"slow smoke", "a b"}} {
		part := datasets.Part{Tags: strings.Split(c.tags, " ")}
		if c.tags == "print it" {
			part.Tags = []string{c.tags}
		}
		if got, err := d.Filter(part); err != nil || ids(got) != c.want {
			t.Errorf("%s: %v, %v", c.tags, got, err)
		}
	}
	if _, err := d.Filter(datasets.Part{Tags: []string{"smok"}}); fmt.Sprint(err) != `filter dataset tagged: unknown tag "smok" (did you mean "smoke"?)` {
		t.Error(err)
	}
	write(`["slow"]`)
	if again, err := datasets.Load(path); err != nil || again.Hash == d.Hash || again.Queries[1].Hash() != d.Queries[1].Hash() {
		t.Errorf("%v, hash %s as before", err, d.Hash)
	}
	write(`["", "a,b"]`)
	if _, err := datasets.Load(path); err == nil || strings.Count(err.Error(), "is not a tag: --tag needs words with commas between") != 2 {
		t.Error(err)
	}
}
