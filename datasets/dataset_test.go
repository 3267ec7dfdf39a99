package datasets_test

import (
	"fmt"
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
		name            string
		ids, categories []string
		limit           int
		want            string
	}{
		{"all", nil, nil, 0, "calc-01 hop-01 safety-01"},
		{"ids in the order of the dataset", []string{"safety-01", "calc-01"}, nil, 0, "calc-01 safety-01"},
		{"categories", nil, []string{"multi_hop", "safety"}, 0, "hop-01 safety-01"},
		{"both", []string{"hop-01", "calc-01"}, []string{"multi_hop"}, 0, "hop-01"},
		{"limit", nil, nil, 2, "calc-01 hop-01"},
		{"limit beyond", nil, nil, 9, "calc-01 hop-01 safety-01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := d.Filter(c.ids, c.categories, c.limit)
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
		ids, categories []string
		limit           int
		want            string
	}{
		{[]string{"calc-1"}, nil, 0, `filter dataset small: unknown query "calc-1" (did you mean "calc-01"?)`},
		{[]string{"hop-01", "x"}, []string{"sums"}, 0, `filter dataset small: unknown query "x" (known: calc-01, hop-01, safety-01); unknown category "sums" (known: calculation, multi_hop, safety)`},
		{[]string{"hop-01"}, []string{"safety"}, 0, `filter dataset small: none of these queries is in one of these categories; drop one of the two filters`},
		{nil, nil, -1, `filter dataset small: the limit is -1; give at least 1, or 0 for no limit`},
	} {
		if _, err := d.Filter(c.ids, c.categories, c.limit); fmt.Sprint(err) != c.want {
			t.Errorf("error:\n got %v\nwant %s", err, c.want)
		}
	}
}
