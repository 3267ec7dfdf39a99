package value

import (
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// Find lists the values of a running text in order, at most limit of them. They do not
// overlap. Figures that belong to a name (H2O, COVID-19, corpus_1) or are glued to what is
// no unit (2π, 5x) are none; 10:30 and 1.26.0 are [Figures]. Of a range the ends are two
// values. A year alone is a number of four bare digits ([Value.Year]).
func Find(s string, limit int) []Value {
	m := text.Map(s, text.KeepCase|text.KeepLines|text.BindGroups|text.LaTeX)
	f := finder{cased: m.String, low: lower(m.String)}
	for f.at < len(f.low) && len(f.found) < limit {
		if v, end, ok := f.value(); ok {
			from, to := f.at+len(f.low[f.at:end])-len(strings.TrimLeft(f.low[f.at:end], " ")), end
			for to > from && f.low[to-1] == ' ' {
				to--
			}
			if v.Numeric() {
				v.Noun = noun(f.low[to:])
			}
			v.Start, v.End = m.Source(from, to)
			f.found = append(f.found, v)
			f.at, f.last = end, end
			continue
		}
		f.skip()
	}
	return f.found
}

type finder struct {
	cased, low string
	at         int
	found      []Value
	relation   Relation // what the words before say of the next number
	until      int      // where it has to begin
	last       int      // behind the last value
}

// value reads a value that begins here, with the words of a relation before it.
func (f *finder) value() (v Value, end int, ok bool) {
	rest := f.low[f.at:]
	r, _ := utf8.DecodeRuneInString(rest)
	if !f.starts(r) {
		return v, 0, false
	}
	if relation, after, ok := cutRelation(rest); ok && relation != Between && len(after) < len(rest) {
		f.relation, f.until = relation, len(f.low)-len(f.afterArticle(after))
		return v, 0, false
	}
	if d, n := f.date(rest); n > 0 {
		v = Value{Kind: Date, Date: d.Calendar, Other: d.other, Doubt: d.other != nil}
		end = f.at + n
	} else if v, end = f.endOfYears(rest); end > 0 {
	} else if v, end = f.endOfDays(rest); end > 0 {
	} else if v, end = f.amount(rest); end == 0 {
		return v, 0, false
	}
	if f.relation != Equal && f.until >= f.at {
		v.Relation = f.relation
	}
	f.relation = Equal
	return v, end, true
}

// afterArticle cuts "the", "a" and "an" off: over the 5 km, an estimated 40.
func (f *finder) afterArticle(s string) string {
	for _, article := range []string{"the ", "a ", "an "} {
		if rest, ok := strings.CutPrefix(s, article); ok && rest != "" && text.IsDigit(rest[0]) {
			return rest
		}
	}
	return s
}

// starts reports whether a value may begin with this rune here: at the start of a word or
// of figures that nothing precedes.
func (f *finder) starts(r rune) bool {
	before, size := utf8.DecodeLastRuneInString(f.low[:f.at])
	switch {
	case r == '-':
		// The dash of a range, of a list and between words is no sign.
		next := f.low[f.at+1:]
		return next != "" && (text.IsDigit(next[0]) || next[0] == '.') && (size == 0 || strings.ContainsRune(" \n($=", before))
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

// inName reports whether figures belong to what stands before them: H2O, F-16, x_1, √2.
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

// date reads a date here. A month in lower case must follow its day, since march and may
// are words, too.
func (f *finder) date(s string) (date, int) {
	first, _ := utf8.DecodeRuneInString(s)
	if unicode.IsLetter(first) && !text.IsUnspaced(first) {
		word, _ := text.FirstWord(s)
		class := dateWords()[word].class
		shown, _ := utf8.DecodeRuneInString(f.cased[f.at:])
		if class == "" || class == "filler" || class == "span" || !unicode.IsUpper(shown) {
			return date{}, 0
		}
	} else if first == '-' {
		return date{}, 0
	}
	d, n, err := scanDate(s, false)
	if err != nil || n == 0 {
		return f.firstOfDays(s)
	}
	if years := n == len("2003-04") && s[4] == '-' && d.Month > d.Year%100; years {
		return date{}, 0 // from 2003 to 2004, and no April
	}
	return d, n
}

// dayJoints stand between the days of a span.
var dayJoints = []string{"-", " - ", " to ", " and "}

// firstOfDays reads the 5 of "5-7 July 1969" and "5 to 7 July 1969" as a day of its own.
func (f *finder) firstOfDays(s string) (date, int) {
	first, n := scanDigits(s)
	if n == 0 || n > 2 || first == 0 {
		return date{}, 0
	}
	for _, joint := range dayJoints {
		rest, ok := strings.CutPrefix(s[n:], joint)
		if !ok || rest == "" || !text.IsDigit(rest[0]) {
			continue
		}
		d, m, err := scanDate(rest, false)
		if err != nil || m == 0 || d.Day <= first || d.other != nil {
			return date{}, 0
		}
		d.Day = first
		return d, n
	}
	return date{}, 0
}

// endOfYears reads the 45 of 1939-45 as the year 1945.
func (f *finder) endOfYears(s string) (Value, int) {
	n := len(f.found)
	end, digits := scanDigits(s)
	if n == 0 || digits != 2 || text.StartsWord(s[2:]) || f.last != f.at-1 || f.low[f.last] != '-' {
		return Value{}, 0
	}
	year, ok := f.found[n-1].Year()
	if !ok || end <= year%100 {
		return Value{}, 0
	}
	f.found[n-1].Kind, f.found[n-1].Date = Date, Calendar{Year: year}
	return Value{Kind: Date, Date: Calendar{Year: year - year%100 + end}}, f.at + 2
}

// endOfDays reads the "24, 1969" of "July 16-24, 1969", and gives the year to the first day.
func (f *finder) endOfDays(s string) (Value, int) {
	day, n := scanDigits(s)
	if len(f.found) == 0 || n == 0 || n > 2 || !text.IsDigit(f.low[max(0, f.last-1)]) {
		return Value{}, 0
	}
	first, joint := &f.found[len(f.found)-1], f.low[f.last:f.at]
	d := first.Date
	d.Day = day
	if first.Kind != Date || !first.Date.NoYear || d.Day <= first.Date.Day || !slices.Contains(dayJoints, joint) {
		return Value{}, 0
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(s[n:], ","), " ")
	if year, m := scanDigits(rest); m == 4 && !text.StartsWord(rest[m:]) {
		d.Year, d.NoYear = year, false
		n = len(s) - len(rest) + m
	} else if joint != "-" || text.StartsWord(s[n:]) {
		return Value{}, 0
	}
	if d.check() != nil {
		return Value{}, 0
	}
	first.Date.Year, first.Date.NoYear = d.Year, d.NoYear
	return Value{Kind: Date, Date: d}, f.at + n
}

// amount reads a number here with its marks, currency or unit.
func (f *finder) amount(s string) (Value, int) {
	q := amount{as: Any, cased: f.cased, rest: s}
	n, err := q.operand()
	if err != nil || q.Ordinal && q.Kind == Quantity {
		return f.figures(s)
	}
	q.Low = n
	rest := q.rest
	end := len(f.low) - len(rest)
	if first, second, ok := strings.Cut(s[:len(s)-len(rest)], ","); ok && q.Doubt && len(second) == 4 && strings.Trim(first+second, "0123456789") == "" {
		return f.figures(s) // 1990,1991
	}
	if q.InWords && q.Kind == None && strings.HasPrefix(s, "a ") && (n.Fraction || q.Ordinal) {
		return Value{}, 0 // "a third of" and "a second" count nothing
	}
	if glued(s[:len(s)-len(rest)], rest, &q) {
		return f.figures(s)
	}
	if n.Place == 0 && strings.Contains(s[:len(s)-len(rest)], "^") && q.Kind == None && !isPowerOfTen(n.Rat) {
		return Value{}, 0 // the mark of a note, or a power that is no value of its own
	}
	q.settleKind()
	return q.Value, end
}

func isPowerOfTen(r *big.Rat) bool {
	_, ok := powerOfTen(r)
	return ok
}

// glued reports whether a number goes on as something else: a time, a version, a name.
func glued(read, rest string, q *amount) bool {
	if rest == "" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	if len(rest) > 1 && strings.IndexByte(":._", rest[0]) >= 0 && text.IsDigit(rest[1]) || r == '_' || r == 'π' || r == '√' || r == '^' {
		return true
	}
	word, _ := text.FirstWord(strings.TrimPrefix(rest, " "))
	if word == "pi" || word == "π" || strings.HasPrefix(rest, " √") || strings.HasSuffix(read, "s") && text.IsDigit(read[len(read)-2]) {
		return true // 2 pi; 747s
	}
	last, _ := utf8.DecodeLastRuneInString(read)
	return text.IsWord(r) && !text.IsUnspaced(r) && text.IsWord(last) && (q.Kind == None || q.Kind == Quantity)
}

// maxFigures bounds the bytes of figures that are read one by one, 1990,1991,1992.
const maxFigures = 200

// figures reads digits that are no number, up to what they are glued to. Figures with a
// letter are a name and no value.
func (f *finder) figures(s string) (Value, int) {
	if s == "" || !text.IsDigit(s[0]) {
		return Value{}, 0
	}
	n, marks := 0, 0
	for n < len(s) && (text.IsDigit(s[n]) || n+1 < len(s) && strings.IndexByte(":.,_'", s[n]) >= 0 && text.IsDigit(s[n+1])) {
		if !text.IsDigit(s[n]) {
			marks++
		}
		n++
	}
	if marks == 0 || text.StartsWord(s[n:]) || strings.HasPrefix(s[n:], "_") {
		return Value{}, 0
	}
	if figures := s[:n]; n <= maxFigures && strings.Trim(figures, "0123456789,") == "" {
		// 1990,1991 are two numbers.
		first := strings.IndexByte(figures, ',')
		number, _, _, err := scanLiteral(s[:first])
		if err != nil {
			return Value{}, 0
		}
		return Value{Kind: Count, Low: number}, f.at + first
	}
	return Value{Kind: Figures}, f.at + n
}

// skip moves past a character, or past a word with the digits that belong to it.
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
		inGroup := strings.ContainsRune(",.:'", r) && text.IsDigit(f.low[f.at-1]) && f.at+1 < len(f.low) && text.IsDigit(f.low[f.at+1])
		if !inGroup && (!text.IsWord(r) && r != '_' || text.IsUnspaced(r)) {
			return
		}
		f.at += size
	}
}

// noun is the word that follows a number, if it can be counted.
func noun(rest string) string {
	if rest == "" || rest[0] != ' ' && rest[0] != '-' {
		return ""
	}
	word, _ := text.FirstWord(rest[1:])
	first, size := utf8.DecodeRuneInString(word)
	if len(word) <= size || !unicode.IsLetter(first) || inList("uncounted", word) {
		return ""
	}
	return word
}
