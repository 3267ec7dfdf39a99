package value

import (
	"fmt"
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

type relationTable struct {
	signs, words, behind []phrase // the longer ones first
}

var relations = sync.OnceValue(func() relationTable { return load("relations.tsv", readRelationTable) })

func readRelationTable(file, content string) (relationTable, error) {
	var t relationTable
	rows, err := readRows(file, content, 3)
	if err != nil {
		return t, err
	}
	seen := once{}
	for _, r := range rows {
		if err := seen.add(r.cells[1]+" "+r.cells[0], r); err != nil {
			return t, err
		}
		p := phrase{r.cells[0], Relation(r.cells[2])}
		switch p.relation {
		case "=":
			p.relation = Equal
		case Approx, Less, AtMost, More, AtLeast, Between:
		default:
			return t, fmt.Errorf("%s: no relation %q", r.place, r.cells[2])
		}
		switch r.cells[1] {
		case "sign":
			t.signs = append(t.signs, p)
		case "word":
			t.words = append(t.words, p)
		case "behind":
			t.behind = append(t.behind, p)
		default:
			return t, fmt.Errorf("%s: place %q: use sign, word or behind", r.place, r.cells[1])
		}
	}
	longerFirst := func(a, b phrase) int { return len(b.text) - len(a.text) }
	slices.SortStableFunc(t.signs, longerFirst)
	slices.SortStableFunc(t.words, longerFirst)
	slices.SortStableFunc(t.behind, longerFirst)
	return t, nil
}

// cutRelation cuts a relation off the front of s. Words count only as words.
func cutRelation(s string) (relation Relation, rest string, found bool) {
	for _, sign := range relations().signs {
		if rest, ok := strings.CutPrefix(s, sign.text); ok {
			return sign.relation, strings.TrimPrefix(rest, " "), true
		}
	}
	for _, word := range relations().words {
		if rest, ok := text.CutWord(s, word.text); ok && strings.HasPrefix(s[len(word.text):]+" ", " ") || ok && s[len(word.text)] == '.' {
			// "approx. 5" and "ca. 44"
			if after, point := strings.CutPrefix(rest, "."); point && word.relation == Approx {
				rest = strings.TrimPrefix(after, " ")
			}
			return word.relation, rest, true
		}
	}
	// "c.1969", but "c 5" may be anything.
	for _, short := range []string{"c. ", "c."} {
		if rest, ok := strings.CutPrefix(s, short); ok && rest != "" && text.IsDigit(rest[0]) {
			return Approx, rest, true
		}
	}
	return Equal, s, false
}

// changesNumber reports whether a word behind a number makes it something else.
func changesNumber(word string) bool {
	if slices.Contains(changers, word) {
		return true
	}
	return slices.ContainsFunc(relations().words, func(p phrase) bool { return p.text == word })
}

var changers = strings.Fields(`or and but not to than minus plus if no point half quarter percent percentage pct over squared
	cubed however because is was are factorial rather instead wrong incorrect pi sqrt oder und nicht et ou`)

// cutTrailingRelation reads "+", "or more" and the like after a number. It must take all
// of s.
func cutTrailingRelation(s string) (Relation, bool) {
	s = strings.TrimPrefix(s, " ")
	for _, p := range relations().behind {
		if s == p.text {
			return p.relation, true
		}
	}
	return Equal, false
}
