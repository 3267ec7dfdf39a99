package promptfoo

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	rows "github.com/seed-5817661a/concur/internal/text"
)

//go:embed assertions.tsv
var table string

// counterpart is what the assertions of a type become.
type counterpart struct {
	check string // the key of a check, or condition; "" if there is no counterpart
	text  string // the sentence of a condition with {value}; without a counterpart, the way out
}

// types returns the counterparts of all types of assertions.
var types = sync.OnceValue(func() map[string]counterpart {
	out := map[string]counterpart{}
	for _, row := range rows.Rows(table, 3) {
		c := counterpart{check: row[1], text: row[2]}
		if c.check == "-" {
			c.check = ""
		}
		out[row[0]] = c
	}
	return out
})

// Types returns the types of assertions that this package knows, without not- before them, sorted. converts reports
// whether the assertions of a type have a counterpart.
func Types() (names []string, converts func(name string) bool) {
	for name := range types() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, func(name string) bool { return types()[strings.TrimPrefix(name, "not-")].check != "" }
}
