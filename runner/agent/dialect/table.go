package dialect

import (
	_ "embed"
	"strings"
)

// Tables of forms that differ only in words: tab-separated, # begins a comment.
var (
	//go:embed labels.tsv
	labelTable string
	//go:embed aliases.tsv
	aliasTable string
	//go:embed tags.tsv
	tagTable string
)

func rows(table string) [][2]string {
	var out [][2]string
	for line := range strings.Lines(table) {
		left, right, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if found {
			out = append(out, [2]string{left, right})
		}
	}
	return out
}
