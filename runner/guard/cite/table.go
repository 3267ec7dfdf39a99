package cite

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed words.tsv
var wordTable string

// tables are the lists of words.tsv.
type tables struct {
	class     map[string]map[string]bool // words by class
	aliases   map[string][]string        // a name, and the other forms of it
	feasts    []string                   // each and its date in turn
	constants []float64
}

var knowledge = sync.OnceValue(func() tables {
	t := tables{class: map[string]map[string]bool{}, aliases: map[string][]string{}}
	for line := range strings.Lines(wordTable) {
		class, list, _ := strings.Cut(strings.TrimSpace(line), "\t")
		members := strings.Split(list, "|")
		if class == "feast" {
			t.feasts = append(t.feasts, members...)
		}
		if t.class[class] == nil {
			t.class[class] = map[string]bool{}
		}
		for _, m := range members {
			t.class[class][m] = true
			switch class {
			case "alias":
				t.aliases[m] = append(t.aliases[m], members...)
			case "constant":
				if f, err := strconv.ParseFloat(m, 64); err == nil {
					t.constants = append(t.constants, f)
				}
			}
		}
	}
	return t
})

func isStopWord(token string) bool {
	return knowledge().class["stop"][token] || knowledge().class["foreign"][token]
}

// isParticle knows the small words within names.
func isParticle(token string) bool { return knowledge().class["particle"][token] }

// isTitle knows the words that are put before names and after them, and say nothing by
// themselves.
func isTitle(token string) bool { return knowledge().class["title"][token] }
