package table_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/table"
)

func TestCommas(t *testing.T) {
	for column, want := range map[string]string{
		"3,14|1.234|Rome":       "decimal 3.14|1234|Rome",
		"1.234,50 €|12,5 %|7":   "decimal 1234.50 €|12.5 %|7",
		"1 234,5|-0,5|€ 3,50":   "decimal 1234.5|-0.5|€ 3.50",
		"1.234.567|1,5":         "decimal 1234567|1.5",
		"3.14|1,234":            "",
		"3,14|2.5":              "",
		"1,234|1.234":           "",
		"Rome, Oslo|1, 6|a,5,b": "",
		"01.02.2024|3,5":        "decimal 01.02.2024|3.5",
	} {
		var c table.Commas
		var out []string
		for cell := range strings.SplitSeq(column, "|") {
			c.See(cell)
			out = append(out, table.Pointed(cell))
		}
		got := ""
		if c.Decimal() {
			got = "decimal " + strings.Join(out, "|")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", column, got, want)
		}
	}
}
