package value

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// Find returns the values of a running text in order, at most limit. They do not overlap. Some digits are not
// values: those in a name (H2O, COVID-19, corpus_1), and those joined to a sign that is not a unit (2π, 5x).
// 10:30 and 1.26.0 have the kind [Figures]. A range gives two values, its ends. A year is a number of four
// digits ([Value.Year]).
func Find(s string, limit int) []Value {
	m := text.Map(s, text.KeepCase|text.KeepLines|text.BindGroups|text.LaTeX)
	f := finder{Folded: m, low: lower(m.String)}
	for f.at < len(f.low) && len(f.found) < limit {
		if !f.value() {
			f.skip()
		}
	}
	return f.found[:min(len(f.found), limit)]
}

type finder struct {
	text.Folded
	low      string
	at       int
	found    []Value
	relation Relation // relation expressed by the words before the next number
	until    int      // offset at which that number must begin
}

// value reads a value at the current place, with the words of a relation before it. It reports whether there
// was a value.
func (f *finder) value() bool {
	rest := f.low[f.at:]
	r, _ := utf8.DecodeRuneInString(rest)
	if !f.starts(r) || !f.mayBegin(rest) {
		return false
	}
	if relation, after, ok := cutRelation(rest); ok && relation != Between {
		for _, article := range []string{"the ", "a ", "an "} { // over the 5 km, an estimated 40
			if s, ok := strings.CutPrefix(after, article); ok && s != "" && text.IsDigit(s[0]) {
				after = s
			}
		}
		f.relation, f.until = relation, len(f.low)-len(after)
		return false
	}
	if f.dates(rest) {
		return true
	}
	v, n := f.amount(rest)
	if n > 0 {
		f.add(v, n)
	}
	return n > 0
}

// add adds the value of the next n bytes.
func (f *finder) add(v Value, n int) {
	read := f.low[f.at : f.at+n]
	from, to := f.at+n-len(strings.TrimLeft(read, " ")), f.at+len(strings.TrimRight(read, " "))
	if v.Numeric() {
		v.Noun = countedNoun(f.low[to:])
	}
	if f.relation != Equal && f.until >= f.at {
		v.Relation = f.relation
	}
	v.Start, v.End = f.Source(from, to)
	f.found = append(f.found, v)
	f.at, f.relation = f.at+n, Equal
}

// starts reports whether a value may begin with this rune at the current place: at the beginning of a word, or
// of digits without a character before them.
func (f *finder) starts(r rune) bool {
	before, size := utf8.DecodeLastRuneInString(f.low[:f.at])
	switch {
	case r == '-':
		// A dash of a range, of a list or between words is not a sign.
		next := f.low[f.at+1:]
		return next != "" && (text.IsDigit(next[0]) || next[0] == '.') &&
			(size == 0 || strings.ContainsRune(" \n($=", before))
	case r == '.':
		return f.at+1 < len(f.low) && text.IsDigit(f.low[f.at+1]) && !text.IsWord(before) && before != '.'
	case r >= '0' && r <= '9':
		return !f.inName(before, size)
	case unicode.IsLetter(r):
		if text.IsUnspaced(r) {
			number := numberWords()[string(r)].class != ""
			goesOn := text.IsUnspaced(before) && numberWords()[string(before)].class != ""
			return !number || !goesOn
		}
		return !text.IsWord(before) && before != '_'
	case r == '(':
		return f.at+1 < len(f.low) && text.IsDigit(f.low[f.at+1])
	}
	return isCurrencySign(r) || strings.ContainsRune("~≈<>≤≥=±√π", r)
}

// mayBegin reports whether a value or a relation may begin with the first word of s. It saves time, because no
// value begins with most words. It returns true for everything that is not a word of ASCII letters.
func (f *finder) mayBegin(s string) bool {
	n := 0
	for n < len(s) && s[n] >= 'a' && s[n] <= 'z' {
		n++
	}
	if n == 0 || n < len(s) && s[n] >= utf8.RuneSelf || firstWords()[s[:n]] {
		return true
	}
	written := f.String[f.at : f.at+n]
	return n == len("USD") && written != s[:n] && IsCurrencyCode(strings.ToUpper(written))
}

// firstWords returns the words with which a value or a relation may begin.
var firstWords = sync.OnceValue(func() map[string]bool {
	forms := []string{"minus", "negative"}
	for _, file := range []string{"relations.tsv", "calendar.tsv", "numbers.tsv", "currencies.tsv"} {
		for _, row := range readTable(file, 1) {
			forms = append(forms, alternatives(row[0])...)
		}
	}
	words := map[string]bool{}
	for _, form := range append(forms, lists()["lower code"]...) {
		end := strings.IndexFunc(form, func(r rune) bool { return r < 'a' || r > 'z' })
		if end < 0 {
			end = len(form)
		}
		words[form[:end]], words[form[:end]+"s"] = true, true // three quarters
	}
	return words
})

// inName reports whether digits belong to the characters before them: H2O, F-16, x_1, √2.
func (f *finder) inName(before rune, size int) bool {
	switch {
	case size == 0:
		return false
	case before == '_' || before == '√' || before == 'π' || before == '^' || before == '\\':
		return true
	case before == '-' || before == '/':
		head := f.low[:f.at-size]
		last, _ := utf8.DecodeLastRuneInString(head)
		if !unicode.IsLetter(last) || text.IsUnspaced(last) {
			return last == '_'
		}
		word := head[strings.LastIndexFunc(head, func(r rune) bool { return !unicode.IsLetter(r) })+1:]
		return !inList("joiner", word) || before == '/'
	}
	return text.IsWord(before) && !text.IsUnspaced(before)
}

// amount reads a number at the current place with its marks, currency or unit, and returns its length.
func (f *finder) amount(s string) (Value, int) {
	q := amount{as: Any, cased: f.String, rest: s}
	n, err := q.operand()
	read := s[:len(s)-len(q.rest)]
	if err != nil || q.Ordinal && q.Kind == Quantity || q.goesOn(read) {
		return figures(s)
	}
	if q.InWords && q.Kind == None && strings.HasPrefix(s, "a ") && (n.Fraction || q.Ordinal) {
		return Value{}, 0 // "a third of" and "a second" are not numbers here
	}
	q.Low = n
	q.settleKind()
	return q.Value, len(read)
}

// continued matches a text after a number that makes the number a part of something else, such as a time.
var continued = lazy.Compile(`^(?:[:._][0-9]|[_^]| ?(?:√|(?:π|pi)(?:$|[^\pL\pM\p{Nd}])))`)

// goesOn reports whether a number that was read is only the beginning of a longer expression, such as a time, a
// version or a name.
func (q *amount) goesOn(read string) bool {
	if continued.MatchString(q.rest) || strings.HasSuffix(read, "s") && text.IsDigit(read[len(read)-2]) { // 747s
		return true
	}
	r, _ := utf8.DecodeRuneInString(q.rest)
	last, _ := utf8.DecodeLastRuneInString(read)
	return text.IsWord(r) && !text.IsUnspaced(r) && text.IsWord(last) && (q.Kind == None || q.Kind == Quantity)
}

// separated reports whether s begins with one of the marks and a digit.
func separated(s, marks string) bool {
	return len(s) > 1 && strings.IndexByte(marks, s[0]) >= 0 && text.IsDigit(s[1])
}

// separatedFigures matches 10:30 and 1.26.0.
var separatedFigures = lazy.Compile(`^[0-9]+(?:[:.,_'][0-9]+)+`)

// figures reads digits that are not a number, and the characters joined to them. Digits joined to a letter are
// a name, so that no value is returned for them.
func figures(s string) (Value, int) {
	if s == "" || !text.IsDigit(s[0]) {
		return Value{Kind: Figures}, 0
	}
	n := len(separatedFigures.FindString(s))
	if text.StartsWord(s[n:]) || strings.HasPrefix(s[n:], "_") {
		n = 0
	}
	return Value{Kind: Figures}, n
}

// skip moves past a character, or past a word and the digits in it.
func (f *finder) skip() {
	if f.until > f.at && f.relation != Equal {
		f.at = f.until
		return
	}
	f.relation = Equal
	r, size := utf8.DecodeRuneInString(f.low[f.at:])
	f.at += size
	if !text.IsWord(r) && r != '_' || text.IsUnspaced(r) {
		return
	}
	for f.at < len(f.low) {
		r, size := utf8.DecodeRuneInString(f.low[f.at:])
		inGroup := text.IsDigit(f.low[f.at-1]) && separated(f.low[f.at:], ",.:'")
		if !inGroup && (!text.IsWord(r) && r != '_' || text.IsUnspaced(r)) {
			return
		}
		f.at += size
	}
}

// counted matches the word that follows a number.
var counted = lazy.Compile(`^[ -](\pL[\pL\pM\p{Nd}]+)`)

// countedNoun returns the word that follows a number; "" if there is no such word, or if it cannot be counted.
func countedNoun(rest string) string {
	m := counted.FindStringSubmatch(rest)
	if m == nil || inList("uncounted", m[1]) {
		return ""
	}
	return m[1]
}
