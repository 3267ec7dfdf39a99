package value

import (
	"strings"
	"testing"
)

// Every table is read; a mistake in one names its file and line.
func TestTables(t *testing.T) {
	units()
	currencies()
	numberWords()
	dateWords()
	relations()
	lists()
	units := func(r *row) { new(unitTable).readUnit(r) }
	prefixes := func(r *row) { new(unitTable).readPrefix(r) }
	currencies := func(r *row) { currencyForms{}.read(r) }
	for _, c := range []struct {
		read          func(*row)
		content, want string
	}{
		{units, "m\tmetre\tm\t1\t\tany\nm\tmeter\tm\t1\t\tany", `t.tsv:2: "m" stands in t.tsv:1 too`},
		{units, "\tmetre|metre\tm\t1\t\tany", `t.tsv:1: "metre" stands in t.tsv:1 too`},
		{units, "# note\n\nx\t\t\t1\t\tany", `t.tsv:3: dimension ""`},
		{units, "x\t\tm^0\t1\t\tany", `power "0"`},
		{units, "x\t\tm·m\t1\t\tany", "stands twice"},
		{units, "x\t\tm\t0\t\tany", "a factor of 0"},
		{units, "x\t\tm\tone\t\tany", `"one" is no number`},
		{units, "x\t\tm\t1\tzero\tany", `"zero" is no number`},
		{units, "x\t\tm\t1\t\tsome", `"some" is none of: none any large data`},
		{units, "x\t\tm\t1\t\tany\tmore", "7 cells"},
		{prefixes, "k\tkilo\t10\t0.5", `t.tsv:1: "0.5" is no whole number`},
		{currencies, "€\t\tEUR\n€\t\tEUR", `t.tsv:2: "€" stands in t.tsv:1 too`},
		{currencies, "q\t\tQQQ", `t.tsv:1: "QQQ" is not a code of ISO 4217`},
		{currencies, "q\t\tEUR USD", "a label where there are several"},
		{vocabulary{}.reader(numberCounting, numberPlain), "one\tsmall\t1\none\ttens\t1", `t.tsv:2: "one" stands`},
		{vocabulary{}.reader(numberCounting, numberPlain), "one\tlittle\t1", `t.tsv:1: "little" is none of`},
		{vocabulary{}.reader(calendarCounting, calendarPlain), "may\tmonth\tV", `t.tsv:1: "V"`},
		{phrases{}.read, "over\tword\t!", `t.tsv:1: "!" is none of`},
		{func(r *row) { (&unitTable{ambiguous: map[string][]Unit{}}).readAmbiguous(r) }, "x\tyard", `t.tsv:1: no unit "yard"`},
	} {
		if err := readRows("t.tsv", c.content, 6, c.read); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one with %s", c.content, err, c.want)
		}
	}
}
