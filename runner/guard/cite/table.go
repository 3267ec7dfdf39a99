package cite

import (
	_ "embed"
	"math/big"
	"strings"
	"sync"
)

//go:embed words.tsv
var wordTable string

// tables are the lists of words.tsv.
type tables struct {
	class     map[string]map[string]bool // words by class
	aliases   map[string][]string        // a name, and the other forms of it
	constants []*big.Rat
}

var knowledge = sync.OnceValue(func() tables {
	t := tables{class: map[string]map[string]bool{}, aliases: map[string][]string{}}
	for line := range strings.Lines(wordTable) {
		class, list, _ := strings.Cut(strings.TrimSpace(line), "\t")
		members := strings.Split(list, "|")
		if t.class[class] == nil {
			t.class[class] = map[string]bool{}
		}
		for _, m := range members {
			t.class[class][m] = true
			switch class {
			case "alias":
				t.aliases[m] = append(t.aliases[m], members...)
			case "constant":
				if r, ok := new(big.Rat).SetString(m); ok {
					t.constants = append(t.constants, r)
				}
			}
		}
	}
	return t
})

func isStopWord(token string) bool { return knowledge().class["stop"][token] }

// isParticle knows the small words within names.
func isParticle(token string) bool { return knowledge().class["particle"][token] }
