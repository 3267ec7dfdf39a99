package datasets

import (
	_ "embed" // for observations.tsv
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/statement"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

// pairs reports two required keywords with the same meaning.
func (l *linter) pairs() {
	groups := l.record.Gold.AllOf
	for j, later := range groups {
		for _, earlier := range groups[:j] {
			for _, b := range later.words {
				for _, a := range earlier.words {
					if how := alike(a.text, b.text); how != "" {
						l.report(b.at, AndList, "all_of requires both %.60q and %.60q, %s; if one is enough, write "+
							"[[%q, %q]], else remove one",
							a.text, b.text, how, a.text, b.text)
					}
				}
			}
		}
	}
}

// alike describes in words why two keywords are similar. It returns "" if they are different.
func alike(a, b string) string {
	switch {
	case answer.ContainsTokens(a, b) && answer.ContainsTokens(b, a):
		return "which are the same"
	case answer.ContainsTokens(a, b) || answer.ContainsTokens(b, a):
		return "one of which contains the other"
	case sameValue(a, b):
		return "which are the same value"
	case sameSpelling(a, b):
		return "which look like two spellings"
	}
	return ""
}

// sameValue reports whether there is an answer type that reads both keywords completely, and as the same value.
func sameValue(a, b string) bool {
	return slices.ContainsFunc(answer.Types(), func(t answer.Type) bool {
		x, errX := answer.Normalize(a, t, answer.Options{})
		y, errY := answer.Normalize(b, t, answer.Options{})
		return errX == nil && errY == nil && x.Key == y.Key &&
			x.Confidence == answer.Exact && len(x.Flags)+len(y.Flags) == 0
	})
}

// sameSpelling reports whether two names are spellings of one name: they differ only in case, accents, spaces,
// punctuation and at most one vowel or doubled letter, as Dostoevsky and Dostoyevsky do. Vowels are ignored
// only in names with at least three consonants, because Oslo and Isla differ. In numbers every character
// counts.
func sameSpelling(a, b string) bool {
	if strings.ContainsFunc(a+b, unicode.IsDigit) {
		return false
	}
	x, y := skeleton(a), skeleton(b)
	if x.letters == "" || y.letters == "" {
		return false
	}
	if x.letters == y.letters {
		return true
	}
	apart := len(x.letters) - len(y.letters)
	return x.consonants == y.consonants && len(x.consonants) >= 3 && x.letters[0] == y.letters[0] && -1 <= apart &&
		apart <= 1
}

// bones is a reduced form of a name. It has the letters without accents and without vowels, doubled letters
// once, and signs such as those of C++ and C#.
type bones struct {
	letters, consonants string
}

func skeleton(name string) bones {
	var letters, consonants strings.Builder
	last := rune(0)
	for _, r := range text.Map(name, text.DropMarks).String {
		if !unicode.IsLetter(r) && !unicode.IsSymbol(r) && !strings.ContainsRune("#&%@*/", r) {
			continue
		}
		letters.WriteRune(r)
		if r != last && !strings.ContainsRune("aeiouy", r) {
			consonants.WriteRune(r)
		}
		last = r
	}
	return bones{letters.String(), consonants.String()}
}

// keywords checks each keyword of all_of, and reports gold that requires nothing.
func (l *linter) keywords() {
	g := &l.query.Gold
	for _, group := range l.record.Gold.AllOf {
		for _, keyword := range group.words {
			switch {
			case commonplace(keyword.text):
				l.report(keyword.at, AnyAnswer, "almost any message contains the keyword %.60q; give a longer one, "+
					"or an answer with a type, which is compared with the short answer only", keyword.text)
			case answer.ContainsTokens(l.query.Text, keyword.text):
				l.report(keyword.at, KeywordInQuery, "the keyword %.60q is in the query, so a message that "+
					"repeats the question contains it; use a word that is not in the query, or give an answer with a "+
					"type", keyword.text)
			}
		}
	}
	if g.Answer == "" && len(g.AllOf) == 0 && len(g.NoneOf) > 0 && g.Condition == "" && g.Outcome == trace.Answered {
		l.report(l.record.Gold.Given["none_of"], AnyAnswer,
			"any message without the words of none_of is right; require something: an answer, all_of or a "+
				"condition")
	}
}

// forbidden reports words of none_of that every right message contains.
func (l *linter) forbidden() {
	g := &l.query.Gold
	for i, keyword := range g.NoneOf {
		at := l.record.Gold.NoneOf[i].at
		if onlyStopWords(keyword) {
			l.report(at, Contradiction, "none_of forbids %.60q, but almost any message contains it; remove it, or "+
				"give more words", keyword)
		}
		for _, group := range g.AllOf {
			if j := slices.IndexFunc(group, func(wanted string) bool { return answer.ContainsTokens(wanted, keyword) }); j >= 0 {
				l.report(at, Contradiction, "none_of forbids %.60q, but all_of requires %.60q; remove one of "+
					"the two", keyword, group[j])
			}
		}
		for _, right := range answers(g) {
			if answer.ContainsTokens(right, keyword) {
				l.report(at, Contradiction, "none_of forbids %.60q, but the right answer %.60q contains it; remove "+
					"one of the two", keyword, right)
			}
		}
	}
}

// answers returns the answer and its aliases; nil if there is no answer.
func answers(g *Gold) []string {
	if g.Answer == "" {
		return nil
	}
	return append([]string{g.Answer}, g.Aliases...)
}

// commonplace reports whether a keyword is too common: it has at most two digits or letters, or only words that
// most texts contain. In a script without spaces, one character is a word. A keyword with a sign, such as C#,
// 4% or -4, is rare enough.
func commonplace(keyword string) bool {
	if onlyStopWords(keyword) {
		return true
	}
	signs := 0
	for _, r := range strings.Trim(keyword, " .,;:!?'\"()[]") {
		switch {
		case unicode.IsMark(r):
		case !unicode.IsLetter(r) && !unicode.IsDigit(r), text.IsUnspaced(r):
			return false
		default:
			signs++
		}
	}
	return signs <= 2
}

// onlyStopWords reports whether every word is a very frequent English word, or a word that introduces an
// answer.
func onlyStopWords(keyword string) bool {
	const stopWords = ` a about all also an and answer any are as at be been but by can could did do does for from
		had has have he her his how i if in into is it its more most no not of on one only or other she so some such
		than that the their them then there these they this to two up was we were what when where which who will with
		would yes you your answered question result therefore thus `
	words := strings.FieldsFunc(strings.ToLower(keyword),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	return len(words) > 0 && !strings.ContainsFunc(keyword, unicode.IsDigit) &&
		!slices.ContainsFunc(words, func(word string) bool {
			return !slices.Contains(strings.Fields(stopWords), word)
		})
}

//go:embed observations.tsv
var observationsTable string

// observations says which tools and which questions have an answer of one moment alone.
type observations struct {
	tools            []string
	subject, moments *regexp.Regexp
}

var momentary = sync.OnceValue(func() observations {
	rows := map[string][]string{}
	for _, row := range text.Rows(observationsTable, 2) {
		rows[row[0]] = append(rows[row[0]], row[1])
	}
	oneOf := func(patterns []string) *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:` + strings.Join(patterns, `)|(?:`) + `)`)
	}
	return observations{rows["tool"], oneOf(rows["subject"]), oneOf(rows["moment"])}
})

// ObservingTools returns the names of tools whose documents are observations with a time.
func ObservingTools() []string { return slices.Clone(momentary().tools) }

// time reports a gold without a time, although its query can only be answered by an observation.
func (l *linter) time() {
	g := &l.query.Gold
	if g.At != "" || g.Outcome != trace.Answered || g.FalsePremise != "" || !l.query.HasGold() {
		return
	}
	why := ""
	if of := l.query.Expects; of != nil {
		for _, call := range of.Tools {
			if slices.Contains(momentary().tools, call.Name) {
				why = "the tool " + call.Name + " tells what is so at one moment"
			}
		}
	} else if momentary().subject.MatchString(l.query.Text) && momentary().moments.MatchString(l.query.Text) {
		why = "the query asks for what is so at one moment"
	}
	if why != "" {
		l.report(l.record.Gold.At, NoTime, "%s, and the gold does not say when it holds: add at, such as at: 2026-11-27", why)
	}
}

// statement reports a statement that may return other rows at another time although the database is the same.
func (l *linter) statement() {
	if words := statement.Changing(l.query.Gold.SQL); len(words) > 0 {
		l.report(l.record.Gold.Given["sql"], ChangingSQL, "the statement has %s, so its rows change with time; write the "+
			"moment that is meant, or select what does not change", text.Listed(words))
	}
}
