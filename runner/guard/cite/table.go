package cite

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
)

//go:embed words.tsv
var wordTable string

// tables are the lists of words.tsv.
type tables struct {
	class     map[[2]string]bool  // whether a class has a word
	aliases   map[string][]string // a name, and the other forms of it
	feasts    []string            // each and its date in turn
	constants []float64
}

var knowledge = sync.OnceValue(func() tables {
	t := tables{class: map[[2]string]bool{}, aliases: map[string][]string{}}
	for _, row := range text.Rows(wordTable, 2) {
		members := strings.Split(row[1], "|")
		if row[0] == "feast" {
			t.feasts = append(t.feasts, members...)
		}
		for _, m := range members {
			t.class[[2]string{row[0], m}] = true
			switch row[0] {
			case "alias":
				t.aliases[m] = append(t.aliases[m], members...)
			case "constant":
				f, _ := strconv.ParseFloat(m, 64) // a test reads them all
				t.constants = append(t.constants, f)
			}
		}
	}
	return t
})

// is reports whether a word is of a class.
func is(class, word string) bool { return knowledge().class[[2]string{class, word}] }

func isStopWord(token string) bool { return is("stop", token) || is("foreign", token) }

// isParticle knows the small words within names.
func isParticle(token string) bool { return is("particle", token) }

// isTitle knows the words that are put before names and after them, and say nothing by
// themselves.
func isTitle(token string) bool { return is("title", token) }
