package cite_test

import (
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestWords checks words.tsv for mistakes: an unused class, an entry that occurs twice, a constant that is
// not a number.
func TestWords(t *testing.T) {
	raw, err := os.ReadFile("words.tsv")
	if err != nil {
		t.Fatal(err)
	}
	classes := []string{"stop", "foreign", "particle", "plain", "title", "negation", "alias", "feast", "apart", "constant"}
	seen := map[string]int{}
	for i, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		class, list, _ := strings.Cut(line, "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if !slices.Contains(classes, class) {
			t.Errorf("words.tsv:%d: no class %q", i+1, class)
		}
		for _, word := range strings.Split(list, "|") {
			key := class + "\t" + word
			if first, again := seen[key]; again && class != "alias" {
				t.Errorf("words.tsv:%d: %q stands in line %d too", i+1, word, first)
			}
			seen[key] = i + 1
			if _, ok := new(big.Rat).SetString(word); class == "constant" && !ok || word == "" || word != strings.TrimSpace(word) {
				t.Errorf("words.tsv:%d: %q is no entry", i+1, word)
			}
		}
	}
}
