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
	units := func(file, content string) error { _, err := readUnitTable(file, content); return err }
	currencies := func(file, content string) error { _, err := readCurrencyTable(file, content); return err }
	for _, c := range []struct {
		read          func(file, content string) error
		content, want string
	}{
		{units, "m\tmetre\tm\t1\t\tany\nm\tmeter\tm\t1\t\tany", `t.tsv:2: "m" stands in t.tsv:1 too`},
		{units, "# note\n\nx\t\t\t1\t\tany", `t.tsv:3: dimension ""`},
		{units, "x\t\tm^0\t1\t\tany", `power "0"`},
		{units, "x\t\tm\t0\t\tany", "a factor of 0"},
		{units, "x\t\tm\tone\t\tany", `"one" is no number`},
		{units, "x\t\tm\t1\t\tsome", `prefixes "some"`},
		{units, "x\t\tm\t1\t\tany\tmore", "7 cells"},
		{currencies, "€\t\tEUR\n€\t\tEUR", `t.tsv:2: "€" stands in t.tsv:1 too`},
		{currencies, "q\t\tQQQ", `t.tsv:1: "QQQ" is not a code of ISO 4217`},
		{currencies, "q\t\tEUR USD", "a label where there are several"},
		{func(f, c string) error { _, err := readNumberTable(f, c); return err }, "one\tsmall\t1\none\ttens\t1", `t.tsv:2: "one" stands`},
		{func(f, c string) error { _, err := readNumberTable(f, c); return err }, "ninth\tordinal\t9", "no cardinal"},
		{func(f, c string) error { _, err := readDateTable(f, c); return err }, "may\tmonth\tV", `t.tsv:1: "V"`},
		{func(f, c string) error { _, err := readRelationTable(f, c); return err }, "over\tword\t!", `t.tsv:1: no relation "!"`},
	} {
		if err := c.read("t.tsv", c.content); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one with %s", c.content, err, c.want)
		}
	}
}
