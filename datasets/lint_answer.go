package datasets

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

// answer checks the answer, its aliases and its tolerance. The rules about numbers and lists are applied only
// to the answer and not to aliases, because an alias may be less complete.
func (l *linter) answer() {
	g := &l.query.Gold
	if g.Answer == "" {
		return
	}
	places := []strictyaml.Pos{l.record.Gold.Given["answer"]}
	for _, alias := range l.record.Gold.Aliases {
		places = append(places, alias.at)
	}
	first := ""
	for i, right := range answers(g) {
		key, err := answer.Normalize(right, g.Type, g.Options)
		if err != nil {
			continue // already an error when the file was read
		}
		if i == 0 {
			first = key.Key
			l.number(places[i], right, key)
			l.order(places[i], right, key)
			l.givenBack(places[i], right)
		} else if key.Key == first {
			l.report(places[i], UselessAlias, "the alias %.60q is equal to the answer; remove it", right)
			continue
		}
		l.form(places[i], right, key)
		l.givenAway(places[i], right)
	}
	l.tolerance()
}

// givenBack reports a right answer that would be read as another value if an agent wrote it in the answer line
// of its final message.
func (l *linter) givenBack(at strictyaml.Pos, right string) {
	g := &l.query.Gold
	message := "Answer: " + right
	if strings.Contains(right, "\n") {
		message = "Answer:\n" + right
	}
	final := answer.Message{Text: message, Question: l.query.Text, Read: g.Locale}.Extract(g.Type)
	if ok, _ := answer.Match(final.Short, right, g.Type, nil, g.Tolerance, g.Options); ok {
		return
	}
	read := "no answer"
	switch {
	case final.Outcome == trace.Refused || final.Outcome == trace.Abstained:
		read = "an answer that is " + string(final.Outcome)
	case final.Short != "":
		read = fmt.Sprintf("%.60q", final.Short)
	}
	l.report(at, NotGivenBack, "the line %.70q is read as %s, so an agent that gives the gold is wrong; write "+
		"the answer in another form, or use another type", message, read)
}

// questions has, for each question, the first query with this question. It needs about 50 bytes for each.
type questions struct {
	places map[[16]byte]queryPlace // by the beginning of the SHA-256 of question, owner and conversation
	read   int                     // number of queries so far
	query  func(n int) (Query, error)
	failed error // of query
}

// queryPlace is the number of a query, from 0, and its line.
type queryPlace struct{ n, line int32 }

// twoGolds reports an earlier query with the same question, owner and conversation but a different gold.
func (l *linter) twoGolds(first *questions) {
	q := *l.query
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%#v", text.Fold(q.Text), q.Context))
	asks := [16]byte(sum[:])
	at, again := first.places[asks]
	if first.read++; !again {
		first.places[asks] = queryPlace{int32(first.read - 1), int32(l.record.At.Line)}
		return
	}
	earlier, err := first.query(int(at.n))
	if err != nil {
		first.failed = err
		return
	}
	if earlier.HasGold() && q.HasGold() && !sameGold(earlier.Gold, q.Gold) {
		l.report(l.record.At, TwoGolds, "it asks the same as %s on line %d but expects %.60q, not %.60q; correct one "+
			"of them, or make the questions different",
			earlier.ID, at.line, q.Gold.Expected(), earlier.Gold.Expected())
	}
}

// sameGold reports whether one answer can satisfy both golds: the answer or an alias of one gold is right for
// the other gold. Golds without an answer are compared by their outcomes.
func sameGold(a, b Gold) bool {
	if a.Outcome != b.Outcome {
		return false
	}
	if a.Answer == "" || b.Answer == "" {
		return true
	}
	meets := func(g, other Gold) bool {
		return slices.ContainsFunc(answers(&other), func(right string) bool {
			ok, _ := answer.Match(right, g.Answer, g.Type, g.Aliases, g.Tolerance, g.Options)
			return ok
		})
	}
	return meets(a, b) || meets(b, a)
}

// form reports an answer that is read as another value than it looks like.
func (l *linter) form(at strictyaml.Pos, right string, key answer.Key) {
	again, err := answer.Normalize(key.Canonical(), key.Type, l.query.Gold.Options)
	switch {
	case err != nil || again.Key != key.Key:
		l.report(at, Canonical, "%.60q is read as %.60q, but that is read as another value; write the answer in "+
			"its plain form", right, key.Canonical())
	case slices.Contains(key.Flags, answer.FlagInvisible):
		l.report(at, Canonical, "%.60q contains invisible characters; write it again", right)
	case key.Confidence == answer.Ambiguous ||
		(key.Type == answer.Text || key.Type == answer.Entity) && twoReadings(right):
		l.report(at, AmbiguousAnswer, "%.60q can be read in two ways; write a number as 1234, a date as 2024-04-03, "+
			"and give the type", right)
	}
}

// twoReadings reports whether a text has two readings: it is a date such as 03/04/2024, in which day and month
// may be exchanged; or it has digits such as "1 234", which may be one number or two.
func twoReadings(s string) bool {
	figures := !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsDigit(r) &&
			!strings.ContainsRune(",. ", r)
	})
	for _, t := range []answer.Type{answer.Date, answer.Decimal} {
		key, err := answer.Normalize(s, t, answer.Options{})
		if err == nil && key.Confidence == answer.Ambiguous && (figures || t == answer.Date) {
			return true
		}
	}
	return false
}

// givenAway reports an answer that the query contains. The query may contain it in a sentence that offers a
// choice, such as "the Nile or the Amazon", and it may contain the letters of options.
func (l *linter) givenAway(at strictyaml.Pos, right string) {
	if t := l.query.Gold.Type; t == answer.Boolean || t == answer.Choice ||
		!answer.ContainsTokens(l.query.Text, right) {
		return
	}
	offered := slices.ContainsFunc(sentenceEnd.Split(l.query.Text, -1), func(s string) bool {
		return answer.ContainsTokens(s, "or") && answer.ContainsTokens(s, right)
	})
	if !offered {
		l.report(at, AnswerInQuery, "the answer %.60q is in the query; ask without giving it away", right)
	}
}

// sentenceEnd matches the end of a sentence and the space after it. It also matches after an abbreviation; this
// only divides a sentence into two.
var sentenceEnd = lazy.Compile(`[.?!][ \n]`)

// tolerance reports a tolerance that is too large relative to the answer.
func (l *linter) tolerance() {
	g := &l.query.Gold
	share := g.Tolerance.Share(g.Answer, g.Type, g.Options)
	at := l.record.Gold.Given["tolerance"]
	switch {
	case share == nil:
	case share.Cmp(big.NewRat(1, 1)) >= 0:
		l.report(at, WideTolerance, "the tolerance %s covers 0, so almost any small number is right; narrow it",
			g.Tolerance)
	case share.Cmp(big.NewRat(1, 5)) > 0:
		percent := new(big.Rat).Mul(share, big.NewRat(100, 1))
		l.report(at, WideTolerance, "the tolerance %s is %s %% of the answer, more than 20 %%; narrow it",
			g.Tolerance, percent.FloatString(0))
	}
}

// number reports a number that almost no answer equals.
func (l *linter) number(at strictyaml.Pos, right string, key answer.Key) {
	plain, _ := answer.Normalize(right, answer.Decimal, answer.Options{})
	bare := slices.Contains(key.Flags, answer.FlagBare)
	switch g := &l.query.Gold; g.Type {
	case answer.Decimal:
		_, err := answer.Normalize(right, answer.Integer, answer.Options{})
		if err == nil && g.Tolerance.IsZero() && !strings.Contains(right, ".") {
			l.report(at, WholeDecimal, "%.60q is whole, so no number with decimals equals it; give a "+
				"tolerance, write the decimals that count, or make the type integer", right)
		}
	case answer.Percent:
		if bare && key.Key == plain.Key {
			l.report(at, BareNumber, "%.60q has no percent sign, so no answer with a percent sign equals it; write the sign, "+
				"or add bare_percent: true", right)
		}
	case answer.Quantity, answer.Currency:
		if bare {
			l.report(at, BareNumber, "%.60q has no unit or currency, so no answer with one equals it; write "+
				"it, or make the type decimal", right)
		}
	}
}

// order reports a list that looks like a sequence, because it contains a value twice, or only numbers.
func (l *linter) order(at strictyaml.Pos, right string, key answer.Key) {
	elements := key.Elements()
	if l.query.Gold.Options.Ordered || len(elements) < 2 {
		return
	}
	seen, numbers := map[string]bool{}, 0
	for _, e := range elements {
		if seen[e.Key] {
			l.report(at, Unordered, "the list %.60q contains %.60q twice, but its order is not compared; if it matters, add "+
				"ordered: true", right, e.Canonical())
			return
		}
		seen[e.Key] = true
		if e.Type == answer.Decimal {
			numbers++
		}
	}
	if numbers == len(elements) {
		l.report(at, Unordered, "the list %.60q contains only numbers, but its order is not compared; if it matters, add "+
			"ordered: true", right)
	}
}
