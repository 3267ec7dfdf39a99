package value

import (
	"strings"
	"sync"
)

// relations holds the phrases of relations.tsv by their place: before or behind a number.
var relations = sync.OnceValue(func() map[string]phrases[Relation] {
	p := map[string]phrases[Relation]{"before": {}, "behind": {}}
	for _, row := range readTable("relations.tsv", 3) {
		p[row[1]].add(row[0], Relation(strings.TrimPrefix(row[2], "=")))
	}
	return p
})

func anyRelation(Relation) bool { return true }

// cutRelation cuts a relation off the front of s. A word needs a space behind it, or a point
// that shortens it: approx. 5, ca. 44.
func cutRelation(s string) (relation Relation, rest string, found bool) {
	relation, n := relations()["before"].find(s, anyRelation)
	if n == 0 {
		return Equal, s, false
	}
	rest = s[n:]
	if s[n-1] >= 'a' && s[n-1] <= 'z' {
		if rest = strings.TrimPrefix(rest, "."); rest == s[n:] && rest != "" && rest[0] != ' ' {
			return Equal, s, false
		}
	}
	return relation, strings.TrimPrefix(rest, " "), true
}
