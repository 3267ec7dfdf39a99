package resultset

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/text"
)

// Difference says in one line in what a table differs from the gold; "" if they are equal. If one of the two has no
// types, both are compared as if they had none. A table that was cut equals no gold, because a gold is never cut.
func Difference(have, gold Table, ordered bool) string {
	if have.Plain || gold.Plain {
		have, gold = have.withoutTypes(), gold.withoutTypes()
	}
	counts := ""
	switch {
	case have.Cut:
		return fmt.Sprintf("it has more than %s, and the gold has %d", text.Counted(len(have.Rows), "row"), len(gold.Rows))
	case len(have.Rows) > 0 && len(gold.Rows) > 0 && have.Width() != gold.Width():
		return fmt.Sprintf("it has %s, and the gold has %d", text.Counted(have.Width(), "column"), gold.Width())
	case len(have.Rows) != len(gold.Rows):
		counts = fmt.Sprintf("it has %s, and the gold has %d: ", text.Counted(len(have.Rows), "row"), len(gold.Rows))
	}
	is, want := lines(have.Rows), lines(gold.Rows)
	if moved := firstMoved(is, want); ordered && moved < min(len(is), len(want)) {
		return fmt.Sprintf("%srow %d is %s, and the gold's is %s", counts, moved+1, shown(is[moved]), shown(want[moved]))
	}
	left := map[string]int{}
	for _, row := range want {
		left[row]++
	}
	for _, row := range is {
		left[row]--
	}
	for _, row := range want {
		if left[row] > 0 {
			return fmt.Sprintf("%sthe row %s is missing%s", counts, shown(row), times(row, is, want))
		}
	}
	for _, row := range is {
		if left[row] < 0 {
			return fmt.Sprintf("%sthe row %s is too much%s", counts, shown(row), times(row, is, want))
		}
	}
	return ""
}

// firstMoved returns the first place at which two lists differ, or the length of the shorter one.
func firstMoved(a, b []string) int {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return i
}

// times says how often a row is in two tables, if it is in both.
func times(row string, is, want []string) string {
	a, b := count(is, row), count(want, row)
	if a == 0 || b == 0 {
		return ""
	}
	return fmt.Sprintf(" (it is there %s, and %s in the gold)", text.Counted(a, "time"), text.Counted(b, "time"))
}

func count(rows []string, row string) (n int) {
	for _, r := range rows {
		if r == row {
			n++
		}
	}
	return n
}

// maxShown is the length of a row in a reason, in bytes.
const maxShown = 60

func shown(row string) string { return text.Clip(row, maxShown) }
