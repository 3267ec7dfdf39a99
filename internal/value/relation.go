package value

import (
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
)

// phrase is an entry of relations.tsv.
type phrase struct {
	text     string
	relation Relation
}

// phrases are those of relations.tsv by their place, the longer ones first.
type phrases map[string][]phrase

var relations = sync.OnceValue(func() phrases {
	p := phrases{}
	loadTable("relations.tsv", 3, p.read)
	for _, list := range p {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.text) - len(a.text) })
	}
	return p
})

func (p phrases) read(r *row) {
	place := r.oneOf(1, "sign word behind")
	relation := Relation(strings.TrimPrefix(r.oneOf(2, "= ~ < ≤ > ≥ .."), "="))
	for _, text := range r.entries(0, place) {
		p[place] = append(p[place], phrase{text, relation})
	}
}

// cutRelation cuts a relation off the front of s. Words count only as words.
func cutRelation(s string) (relation Relation, rest string, found bool) {
	for _, sign := range relations()["sign"] {
		if rest, ok := strings.CutPrefix(s, sign.text); ok {
			return sign.relation, strings.TrimPrefix(rest, " "), true
		}
	}
	for _, word := range relations()["word"] {
		rest, ok := text.CutWord(s, word.text)
		if !ok {
			continue
		}
		switch behind := s[len(word.text):]; {
		case strings.HasPrefix(behind, ".") && word.relation == Approx: // approx. 5, ca. 44
			return Approx, strings.TrimPrefix(behind[1:], " "), true
		case behind == "" || behind[0] == ' ' || behind[0] == '.':
			return word.relation, rest, true
		}
	}
	// "c.1969", but "c 5" may be anything.
	if rest, ok := strings.CutPrefix(s, "c."); ok {
		if rest = strings.TrimPrefix(rest, " "); rest != "" && text.IsDigit(rest[0]) {
			return Approx, rest, true
		}
	}
	return Equal, s, false
}
