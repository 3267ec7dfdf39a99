package provider

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/price"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
)

// familyRow is a row of the table of families: family, model, calls, temperature, price, and what it was tried with.
var familyRow = regexp.MustCompile("(?m)^\\| [^|\n]+ \\| `([^`|]+)` \\| ?((?:[^|\n]|`[^`\n]*`)*) \\| (sent|left out) \\| (–|[0-9.]+ / [0-9.]+) \\| [^|\n]+ \\|$")

// TestTableOfFamilies compares docs/models.md with the data that a run uses, so that the page stays correct.
func TestTableOfFamilies(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/models.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(raw), "## Families of models\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := familyRow.FindAllStringSubmatch(section, -1)
	if lines := strings.Count(section, "\n|") - 2; len(rows) != lines {
		t.Fatalf("%d of %d rows can be read", len(rows), lines)
	}
	prices, err := price.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	shown := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	seen := map[int]bool{}
	for _, row := range rows {
		s, err := parseSpec(row[1])
		if err != nil {
			t.Errorf("%s: %v", row[1], err)
			continue
		}
		e, known := endpoints.Lookup(s.provider)
		if !known {
			t.Errorf("%s: there is no such provider", row[1])
			continue
		}
		if out := slices.Contains(e.Fitted(s.name).Omit, endpoints.Temperature); out != (row[3] == "left out") {
			t.Errorf("%s: the table says of the temperature %q, and it is left out: %v", row[1], row[3], out)
		}
		cost := "–"
		if p, ok := prices.Price(s.provider, s.name); ok {
			cost = shown(p.Input) + " / " + shown(p.Output)
		}
		if cost != row[4] {
			t.Errorf("%s costs %s, and the table says %s", row[1], cost, row[4])
		}
		for _, form := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[2], -1) {
			if dialect.Markup(form[1], nil) == "" {
				t.Errorf("%s: %s is not seen as a call", row[1], form[1])
			}
		}
		for i, f := range endpoints.Families() {
			seen[i] = seen[i] || f.Name.MatchString(endpoints.Bare(s.name))
		}
	}
	for i, f := range endpoints.Families() {
		if !seen[i] {
			t.Errorf("the family %s has no row", f.Name)
		}
	}
}
