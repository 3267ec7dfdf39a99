package datasets

import (
	"slices"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// keywords looks at each keyword of all_of by itself, and at gold that demands
// nothing.
func (l *linter) keywords() {
	g := &l.query.Gold
	for _, group := range l.record.Gold.AllOf {
		for _, keyword := range group.words {
			switch {
			case commonplace(keyword.text):
				l.report(keyword.at, AnyAnswer, "the keyword %.60q stands in almost any message; give a longer one, or an answer with a type, which is matched against the short answer alone", keyword.text)
			case answer.ContainsTokens(l.query.Text, keyword.text):
				l.report(keyword.at, KeywordInQuery, "the keyword %.60q stands in the query, so a message that repeats the question holds it; ask for what the query does not say, or give an answer with a type", keyword.text)
			}
		}
	}
	if g.Answer == "" && len(g.AllOf) == 0 && len(g.NoneOf) > 0 && g.Condition == "" && g.Outcome == answer.Answered {
		l.report(l.record.Gold.Given["none_of"], AnyAnswer, "any message without the words of none_of is right; say what a right one holds: an answer, all_of or a condition")
	}
}

// forbidden looks for words of none_of that no right message can do without.
func (l *linter) forbidden() {
	g := &l.query.Gold
	for i, keyword := range g.NoneOf {
		at := l.record.Gold.NoneOf[i].at
		if onlyStopWords(keyword) {
			l.report(at, Contradiction, "none_of forbids %.60q, which stands in almost any message; remove it, or give more words", keyword)
		}
		for _, group := range g.AllOf {
			if j := slices.IndexFunc(group, func(wanted string) bool { return answer.ContainsTokens(wanted, keyword) }); j >= 0 {
				l.report(at, Contradiction, "none_of forbids %.60q, which all_of asks for with %.60q; remove one of the two", keyword, group[j])
			}
		}
		for _, right := range answers(g) {
			if answer.ContainsTokens(right, keyword) {
				l.report(at, Contradiction, "none_of forbids %.60q, which stands in the right answer %.60q; remove one of the two", keyword, right)
			}
		}
	}
}

// answers returns the answer and its aliases; nil where there is no answer.
func answers(g *Gold) []string {
	if g.Answer == "" {
		return nil
	}
	return append([]string{g.Answer}, g.Aliases...)
}

// commonplace tells that a keyword has one or two digits or letters, or only words
// that are in most texts. One character of a script without spaces is a word, and a
// sign as in C#, 4% or -4 makes a keyword rare enough.
func commonplace(keyword string) bool {
	if onlyStopWords(keyword) {
		return true
	}
	signs := 0
	for _, r := range strings.Trim(keyword, " .,;:!?'\"()[]") {
		switch {
		case unicode.IsMark(r):
		case !unicode.IsLetter(r) && !unicode.IsDigit(r), spaceless(r):
			return false
		default:
			signs++
		}
	}
	return signs <= 2
}

func spaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// onlyStopWords tells that every word is one of the most frequent ones of English,
// or of those that introduce an answer.
func onlyStopWords(keyword string) bool {
	const stopWords = ` a about all also an and answer any are as at be been but by can could did do does for from
		had has have he her his how i if in into is it its more most no not of on one only or other she so some such
		than that the their them then there these they this to two up was we were what when where which who will with
		would yes you your answered question result therefore thus `
	words := strings.FieldsFunc(strings.ToLower(keyword), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	return len(words) > 0 && !strings.ContainsFunc(keyword, unicode.IsDigit) && !slices.ContainsFunc(words, func(word string) bool {
		return !slices.Contains(strings.Fields(stopWords), word)
	})
}
