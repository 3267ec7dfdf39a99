package datasets

import (
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// answer looks at the answer, its aliases and its tolerance.
func (l *linter) answer() {
	g := &l.query.Gold
	if g.Answer == "" {
		return
	}
	places := []strictyaml.Pos{l.record.Gold.Given["answer"]}
	for _, alias := range l.record.Gold.Aliases {
		places = append(places, alias.at)
	}
	var first answer.Key
	for i, right := range answers(g) {
		key, err := answer.Normalize(right, g.Type, g.Options)
		if err != nil {
			continue // refused when the file was read
		}
		if i == 0 {
			first = key
		} else if key.Key == first.Key {
			l.report(places[i], UselessAlias, "the alias %.60q is equal to the answer anyway; remove it", right)
			continue
		}
		l.form(places[i], right, key)
		l.givenAway(places[i], right)
	}
	l.tolerance(first)
}

// form looks for an answer that is not what it looks like.
func (l *linter) form(at strictyaml.Pos, right string, key answer.Key) {
	again, err := answer.Normalize(key.Canonical(), key.Type, l.query.Gold.Options)
	switch {
	case err != nil || again.Key != key.Key:
		l.report(at, Canonical, "%.60q is read as %.60q, which is not read as the same again; write the answer in its plain form", right, key.Canonical())
	case slices.Contains(key.Flags, answer.FlagInvisible):
		l.report(at, Canonical, "%.60q holds characters that cannot be seen; write it anew", right)
	case key.Confidence == answer.Ambiguous || (key.Type == answer.Text || key.Type == answer.Entity) && twoReadings(right):
		l.report(at, AmbiguousAnswer, "%.60q can be read in two ways; write it as 1.23 or 1230, or as 2024-04-03, with the type that it has", right)
	}
}

// twoReadings tells that text is a date such as 03/04/2024, or a number such as
// 1,23, that depends on where its writer comes from.
func twoReadings(s string) bool {
	figures := !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsDigit(r) && !strings.ContainsRune(",. ", r) })
	for _, t := range []answer.Type{answer.Date, answer.Decimal} {
		key, err := answer.Normalize(s, t, answer.Options{})
		if err == nil && key.Confidence == answer.Ambiguous && (figures || t == answer.Date) {
			return true
		}
	}
	return false
}

// givenAway looks for the answer in the query. Where the sentence that holds it
// offers a choice, as in "the Nile or the Amazon", it has to be there; so do the
// letters of options.
func (l *linter) givenAway(at strictyaml.Pos, right string) {
	if t := l.query.Gold.Type; t == answer.Boolean || t == answer.Choice || !answer.ContainsTokens(l.query.Text, right) {
		return
	}
	if offered := slices.ContainsFunc(sentences(l.query.Text), func(s string) bool {
		return answer.ContainsTokens(s, "or") && answer.ContainsTokens(s, right)
	}); offered {
		return
	}
	l.report(at, AnswerInQuery, "the answer %.60q stands in the query; ask without giving it away", right)
}

// sentences cuts behind full stops, question and exclamation marks that precede a
// space; a cut in an abbreviation only makes a sentence shorter.
func sentences(text string) []string {
	var list []string
	for {
		end := -1
		for _, mark := range []string{". ", "? ", "! ", ".\n", "?\n", "!\n"} {
			if i := strings.Index(text, mark); i >= 0 && (end < 0 || i < end) {
				end = i
			}
		}
		if end < 0 {
			return append(list, text)
		}
		list = append(list, text[:end])
		text = text[end+2:]
	}
}

// tolerance looks at how far a number may lie from the answer, as a share of it.
func (l *linter) tolerance(key answer.Key) {
	share := toleratedShare(l.query.Gold.Answer, key, l.query.Gold.Tolerance)
	at := l.record.Gold.Given["tolerance"]
	switch {
	case share == nil:
	case share.Cmp(big.NewRat(1, 1)) >= 0:
		l.report(at, WideTolerance, "the tolerance %s covers 0, so almost any small number is right; narrow it", l.query.Gold.Tolerance)
	case share.Cmp(big.NewRat(1, 5)) > 0:
		percent := new(big.Rat).Mul(share, big.NewRat(100, 1))
		l.report(at, WideTolerance, "the tolerance %s is %s %% of the answer; 20 %% is wide already, narrow it", l.query.Gold.Tolerance, percent.FloatString(0))
	}
}

// toleratedShare is the tolerance divided by the answer; nil where there is none,
// and where the answer is 0 or not one plain number.
func toleratedShare(right string, key answer.Key, tolerance answer.Tolerance) *big.Rat {
	text, relative := strings.CutSuffix(tolerance.String(), "%")
	bound, ok := new(big.Rat).SetString(text)
	if !ok || bound.Sign() == 0 {
		return nil
	}
	if relative {
		return bound.Quo(bound, big.NewRat(100, 1))
	}
	tag, body, _ := strings.Cut(key.Key, ":")
	switch tag {
	case "pct":
		bound.Quo(bound, big.NewRat(100, 1)) // it counts percentage points
	case "cur":
		_, body, _ = strings.Cut(body, ":")
	case "qty":
		// It counts in the unit as written, which the key has turned into base units.
		written, err := answer.Normalize(right, answer.Decimal, answer.Options{})
		if err != nil {
			return nil
		}
		_, body, _ = strings.Cut(written.Key, ":")
	}
	value, ok := new(big.Rat).SetString(body)
	if !ok || value.Sign() == 0 {
		return nil
	}
	return bound.Quo(bound, value.Abs(value))
}
