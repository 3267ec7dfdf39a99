package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
)

// A category without a place in a narrow table is named below it.
func TestAbsentCategoriesAreNamed(t *testing.T) {
	r := oneConfiguration()
	r.Dataset.Categories = []string{"retrieval", "arithmetic", "safety", "history", "geography", "a | b"}
	r.Configurations[0].ByCategory = map[string]result.Counts{}
	for _, c := range r.Dataset.Categories {
		r.Configurations[0].ByCategory[c] = result.Counts{Queries: 5, Correct: 4, Incorrect: 1}
	}
	for width, named := range map[int]bool{80: true, 0: false, 200: false} {
		got := written(t, func(b *bytes.Buffer) error {
			return reports.Write(b, document.FormatTable, r, reports.Options{Screen: document.Screen{Width: width}})
		})
		if strings.Contains(got, "not shown at this width: ") != named || !strings.Contains(got, "geography") || !strings.Contains(got, "a | b") {
			t.Errorf("%d columns:\n%s", width, got)
		}
	}
}
