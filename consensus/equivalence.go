package consensus

import (
	_ "embed" // the table
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/asking"
	"github.com/seed-5817661a/concur/internal/text"
)

// VerifierPromptVersion changes with every change of the verifier's prompt.
const VerifierPromptVersion = "equivalence/v2"

// EquivalenceSchema is the name of the verifier's reply schema.
const EquivalenceSchema = "concur_equivalence_v1"

// maxShown is the limit of a question or a short answer shown to the verifier, in bytes.
const maxShown = 2 << 10

type equivalence struct {
	equivalent bool
	difference string
}

// readEquivalence reads a reply. A reply that says "equivalent" and names a difference is
// refused. A "not equivalent" needs no difference, and the length of the text is not
// checked.
func readEquivalence(reply string) (out equivalence, err error) {
	difference := &out.difference
	if asking.ReadInto(reply, map[string]any{"equivalent": &out.equivalent}) != nil {
		err = asking.ReadInto(reply, map[string]any{"equivalent": &out.equivalent, "difference": &difference})
	}
	if err == nil && out.equivalent && namesDifference(out.difference) {
		err = fmt.Errorf("the reply is inconsistent: equivalent, yet with the difference %q", out.difference)
	}
	return out, err
}

// noDifference lists phrases for "no difference", one a line.
//
//go:embed nodifference.tsv
var noDifference string

func namesDifference(s string) bool {
	s = wordsOf(s)
	return s != "" && !slices.ContainsFunc(strings.Split(noDifference, "\n"), func(line string) bool { return wordsOf(line) == s })
}

// wordsOf removes case and punctuation.
func wordsOf(s string) string {
	return strings.Join(strings.FieldsFunc(text.Fold(s), func(r rune) bool { return !text.IsWord(r) }), " ")
}
