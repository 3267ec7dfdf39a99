package propose

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
)

//go:embed words.tsv
var table string

var words = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, row := range text.Rows(table, 2) {
		out[row[0]] = strings.Fields(row[1])
	}
	return out
})

// isWord reports whether a cell is exactly one of the words of a kind.
func isWord(what, cell string) bool { return slices.Contains(words()[what], cell) }
