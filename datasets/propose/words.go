package propose

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed words.tsv
var table string

var words = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(table) {
		if what, list, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && !strings.HasPrefix(line, "#") {
			out[what] = strings.Fields(list)
		}
	}
	return out
})

// isWord reports whether a cell is exactly one of the words of a kind.
func isWord(what, cell string) bool { return slices.Contains(words()[what], cell) }
