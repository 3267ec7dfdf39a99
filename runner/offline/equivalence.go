package offline

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/datasets/answer"
)

type equivalenceReply struct {
	Equivalent bool   `json:"equivalent"`
	Difference string `json:"difference"`
}

// types lists the types of an answer. More specific types come first. It is used for answers whose type is not
// given. The last type is Text, because every text can be read as Text.
var types = []answer.Type{
	answer.Boolean, answer.Currency, answer.Percent, answer.Quantity, answer.Decimal, answer.Date,
	answer.Entity, answer.Text,
}

// ruleEquivalence decides whether two short answers are equal. It reads both as the most specific type that
// fits both.
func ruleEquivalence(b blocks) (any, error) {
	d, err := b.need("question", "answer A", "answer B")
	if err != nil {
		return nil, err
	}
	x, y := d[1], d[2]
	if x == y {
		return equivalenceReply{Equivalent: true}, nil
	}
	for _, t := range types {
		a, okA := readAs(x, t)
		b, okB := readAs(y, t)
		if okA && okB && a.Key == b.Key {
			return equivalenceReply{Equivalent: true}, nil
		} else if okA && okB {
			return equivalenceReply{Difference: "they differ, read as " + string(t)}, nil
		}
	}
	return equivalenceReply{Difference: "one of them cannot be read"}, nil
}

// readAs reads an answer as a type. ok is false if this would ignore a part that may matter: the unit of a
// number, a currency, or the sign that a percentage needs.
func readAs(s string, t answer.Type) (answer.Key, bool) {
	k, err := answer.Normalize(s, t, answer.Options{})
	if err != nil || k.Confidence == answer.Ambiguous {
		return k, false
	}
	return k, !slices.ContainsFunc(k.Flags, func(f string) bool {
		return f == answer.FlagUnit || f == answer.FlagCurrency || f == answer.FlagBare
	})
}

// typeOf returns the most specific type of a text. It is Text if no other type fits.
func typeOf(s string) answer.Type {
	for _, t := range types {
		if _, ok := readAs(s, t); ok {
			return t
		}
	}
	return answer.Text
}

type pickReply struct {
	Choice int    `json:"choice"`
	Reason string `json:"reason"`
}

// candidate is one class of equal answers to choose from.
type candidate struct {
	number, citations int
	none              int // 1 for a refusal or an abstention, otherwise 0
	hash              string
}

// rulePick picks the candidate whose message cites the most documents. If several messages cite equally many,
// it prefers an answer to a refusal or abstention, and then the lowest hash of answer and message. The order of
// the candidates has no effect.
func rulePick(b blocks) (any, error) {
	var all []candidate
	for n := 1; ; n++ {
		short, ok := b[fmt.Sprintf("candidate %d short answer", n)]
		if !ok {
			break
		}
		message := b[fmt.Sprintf("candidate %d message", n)]
		c := candidate{number: n, citations: len(cited(message)),
			hash: fmt.Sprintf("%x", sha256.Sum256([]byte(short+"\x00"+message)))}
		if strings.HasPrefix(short, "(none") {
			c.none = 1
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, errors.New(`the data has no candidates; label them "candidate 1 short answer" and ` +
			`"candidate 1 message"`)
	}
	best := slices.MinFunc(all, func(x, y candidate) int {
		return cmp.Or(y.citations-x.citations, x.none-y.none, cmp.Compare(x.hash, y.hash))
	})
	return pickReply{best.number, fmt.Sprintf("by rule: its message cites %d documents, none cites more",
		best.citations)}, nil
}

// bracketed matches a text in square brackets that looks like ids of documents: letters and digits joined by
// characters such as underscores and hyphens, with at least one digit.
var bracketed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[([A-Za-z0-9_.:/-]+(?:[,;] ?[A-Za-z0-9_.:/-]+)*)\]`)
})

// cited returns the documents that a message cites before its list of references.
func cited(message string) map[string]bool {
	out := map[string]bool{}
	body, _, _ := strings.Cut(message, "\nReferences:")
	for _, m := range bracketed().FindAllStringSubmatch(body, -1) {
		for _, id := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
			if strings.ContainsAny(id, "0123456789") {
				out[id] = true
			}
		}
	}
	return out
}
