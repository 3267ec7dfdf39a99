package value

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// column checks a cell; alternatives in a cell are checked one by one.
type column func(cell string) error

func matching(expression string) column {
	find := regexp.MustCompile(`^(?:` + expression + `)$`)
	return func(cell string) error {
		if !find.MatchString(cell) {
			return fmt.Errorf("%q is not %s", cell, expression)
		}
		return nil
	}
}

func oneOf(words string) column {
	return func(cell string) error {
		if !slices.Contains(strings.Fields(words), cell) {
			return fmt.Errorf("%q is none of: %s", cell, words)
		}
		return nil
	}
}

func number(cell string) error {
	if n, ok := new(big.Rat).SetString(cell); !ok || n.Sign() <= 0 {
		return fmt.Errorf("%q is no number above 0", cell)
	}
	return nil
}

func dimensionOf(cell string) error {
	seen := map[string]bool{}
	for factor := range strings.SplitSeq(cell, "·") {
		name, power, _ := strings.Cut(factor, "^")
		if !slices.Contains(baseUnits[:], name) || seen[name] {
			return fmt.Errorf("dimension %q: %q is no base unit, or stands twice", cell, name)
		}
		if seen[name] = true; strings.Contains(factor, "^") && !regexp.MustCompile(`^-?[1-9]$`).MatchString(power) {
			return fmt.Errorf("dimension %q: power %q", cell, power)
		}
	}
	return nil
}

func codes(cell string) error {
	for _, code := range strings.Fields(cell) {
		if !IsCurrencyCode(code) {
			return fmt.Errorf("%q is not a code of ISO 4217", code)
		}
	}
	return matching(`.+`)(cell)
}

// orEmpty passes over an empty cell.
func orEmpty(check column) column {
	return func(cell string) error {
		if cell == "" {
			return nil
		}
		return check(cell)
	}
}

var form, anything = matching(`[^\s?][^\t]*`), matching(`.*`)

// columns are the checks of each table. unique says in which cells each alternative may be
// entered once: within the class that the cell named by the number behind has, or alone.
var columns = map[string]struct {
	checks []column
	unique [][]int
}{
	"units.tsv":      {[]column{orEmpty(matching(`\??\S+`)), orEmpty(matching(`\??\S.*`)), dimensionOf, number, orEmpty(number), oneOf("none any large data")}, [][]int{{0}, {1}}},
	"prefixes.tsv":   {[]column{orEmpty(form), anything, oneOf("10 1024"), matching(`-?\d+`), matching(`(?:(?:none|any|large|data) ?)+`)}, [][]int{{0}, {1}}},
	"currencies.tsv": {[]column{form, anything, codes, orEmpty(oneOf("cents"))}, [][]int{{0}}},
	"numbers.tsv":    {[]column{form, oneOf("small tens hundred dozen scale after letter ordinal share cjk place myriad joint"), orEmpty(matching(`\d+|1e\d+`)), orEmpty(matching(`[a-zDEFHST]`))}, [][]int{{0}}},
	"calendar.tsv":   {[]column{form, oneOf("month era span epoch weekday filler decademark yearmark monthmark daymark centurymark"), orEmpty(matching(`-?\d+`))}, [][]int{{0}}},
	"relations.tsv":  {[]column{form, oneOf("before behind"), oneOf("= ~ < ≤ > ≥ ..")}, [][]int{{0, 1}}},
	"locales.tsv":    {[]column{matching(`[a-z]{2,3}(?:-[A-Z]{2})?`), matching(`[.,]`), oneOf("dmy mdy ymd -")}, [][]int{{0}}},
	"lists.tsv":      {[]column{form, form}, [][]int{{0}, {1, 0}}},
}

// check returns the first mistake of a table with its line.
func check(file, content string) error {
	seen, table := map[string]int{}, columns[file]
	at := 0
	for line := range strings.Lines(content) {
		at++
		if line = strings.TrimSuffix(line, "\n"); line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) > len(table.checks) {
			return fmt.Errorf("%s:%d: %d cells, want %d", file, at, len(cells), len(table.checks))
		}
		cells = append(cells, make([]string, len(table.checks)-len(cells))...)
		for i, cell := range cells {
			for one := range strings.SplitSeq(cell, "|") {
				if err := table.checks[i](one); err != nil {
					return fmt.Errorf("%s:%d: %w", file, at, err)
				}
			}
		}
		if file == "currencies.tsv" && cells[1] == "" && strings.Contains(cells[2], " ") {
			return fmt.Errorf("%s:%d: several codes without a label", file, at)
		}
		for _, unique := range table.unique {
			class := fmt.Sprint(unique[0])
			for _, c := range unique[1:] {
				class += cells[c]
			}
			for _, one := range alternatives(cells[unique[0]]) {
				if before := seen[class+"\t"+one]; before > 0 && one[0] != '?' {
					return fmt.Errorf("%s:%d: %q stands in line %d too", file, at, one, before)
				}
				seen[class+"\t"+one] = at
			}
		}
	}
	return nil
}

func TestTables(t *testing.T) {
	for file := range columns {
		content, err := tables.ReadFile(file)
		if err == nil {
			err = check(file, string(content))
		}
		if err != nil {
			t.Error(err)
		}
	}
	if files, err := tables.ReadDir("."); err != nil || len(files) != len(columns) {
		t.Errorf("%d tables (%v), %d of them checked", len(files), err, len(columns))
	}
}

// A mistake in a table names its file and line.
func TestMistakesInTables(t *testing.T) {
	for _, c := range []struct{ file, content, want string }{
		{"units.tsv", "m\tmetre\tm\t1\t\tany\nm\tmeter\tm\t1\t\tany", `units.tsv:2: "m" stands in line 1 too`},
		{"units.tsv", "\tmetre|metre\tm\t1\t\tany", `units.tsv:1: "metre" stands in line 1 too`},
		{"units.tsv", "# note\n\nx\t\t\t1\t\tany", `units.tsv:3: dimension ""`},
		{"units.tsv", "x\t\tm^0\t1\t\tany", `power "0"`},
		{"units.tsv", "x\t\tm·m\t1\t\tany", "stands twice"},
		{"units.tsv", "x\t\tm\t0\t\tany", `"0" is no number above 0`},
		{"units.tsv", "x\t\tm\tone\t\tany", `"one" is no number`},
		{"units.tsv", "x\t\tm\t1\tzero\tany", `"zero" is no number`},
		{"units.tsv", "x\t\tm\t1\t\tsome", `"some" is none of: none any large data`},
		{"units.tsv", "x\t\tm\t1\t\tany\tmore", "7 cells"},
		{"prefixes.tsv", "k\tkilo\t10\t0.5\tany", `prefixes.tsv:1: "0.5" is not`},
		{"currencies.tsv", "€\t\tEUR\n€\t\tEUR", `currencies.tsv:2: "€" stands in line 1 too`},
		{"currencies.tsv", "q\t\tQQQ", `currencies.tsv:1: "QQQ" is not a code of ISO 4217`},
		{"currencies.tsv", "q\t\tEUR USD", "several codes without a label"},
		{"numbers.tsv", "one\tsmall\t1\none\ttens\t1", `numbers.tsv:2: "one" stands`},
		{"numbers.tsv", "one\tlittle\t1", `numbers.tsv:1: "little" is none of`},
		{"calendar.tsv", "may\tmonth\tV", `calendar.tsv:1: "V"`},
		{"relations.tsv", "over\tbefore\t!", `relations.tsv:1: "!" is none of`},
	} {
		if err := check(c.file, c.content); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one with %s", c.content, err, c.want)
		}
	}
}
