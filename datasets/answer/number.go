package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// numberIn reads the value of a text at the place of the answer, if the text has exactly one value.
func (m *final) numberIn(s string) (short, why string) {
	if inner := strings.Trim(s, "\"“”"); inner != "" {
		s = inner
	}
	_, err := Normalize(s, m.as, Options{})
	if err == nil {
		return strings.TrimRight(s, " .,;:"), ""
	}
	why = err.Error()
	folded, _ := cleanFor(s, m.as)
	if formula.MatchString(folded) || factorial.MatchString(folded) && !strings.Contains(folded, " ") {
		return "", why
	}
	if rating := m.rating(s); rating != "" {
		return rating, ""
	}
	live := m.withoutDenied(s)
	for _, at := range text.Sentences(text.Head(live, maxBlockBytes)) {
		if one, several := m.oneOf(at.Of(live), true); one.short != "" || several != "" {
			return one.short, several
		}
	}
	return "", why
}

// formula matches LaTeX commands that are left after simple ones were rewritten, and signs that have the
// meaning of such a command.
var formula = lazy.Compile(`\\[a-zA-Z]{2,}|[√π∞∫∑]`)

// oneOf reads the one value that a sentence states. It tries, in order:
//
//  1. the result of a calculation
//  2. the value after "so" and similar words
//  3. the value that the sentence connects with the words of the question
//  4. the only value that is left after these are removed: values of the question, years next to another
//     number, and a whole of which the sentence gives a part
//
// After a marker, the first clause with a value decides. If several values are left, oneOf returns no value,
// and the text several names them.
func (m *final) oneOf(s string, marked bool) (one stated, several string) {
	values := m.values(s)
	if marked {
		values = m.beforeReason(s, values)
		if first := m.firstClause(s, values); slices.ContainsFunc(first, func(v stated) bool { return v.result }) {
			values = first
		}
	}
	for _, v := range slices.Backward(values) {
		if v.result {
			return v, ""
		}
	}
	if a, b, left, ranged := m.ranged(s, values); ranged && len(left) == 0 {
		return one, fmt.Sprintf("%s and %s are the ends of a range", quote(a.short), quote(b.short))
	} else if ranged {
		values = left
	}
	if len(values) == 0 {
		return one, ""
	}
	if marked && !differ(values) {
		return values[0], ""
	}
	values = m.counted(s, values)
	if rest, n := m.joined(s); rest != "" {
		if joined := m.counted(rest, m.values(rest)); len(joined) > 0 && joined[0].Start == 0 &&
			(n > 2 || !m.isAsked(joined[0])) {
			joined[0].sure = true
			return joined[0], ""
		}
	}
	values = m.withoutScales(s, values)
	if a, b, offered := m.alternatives(s, values); offered {
		return one, fmt.Sprintf("%s and %s are offered as alternatives", quote(a.short), quote(b.short))
	}
	if differ(values) && m.as != Date {
		if left := slices.DeleteFunc(slices.Clone(values), func(v stated) bool { return m.isYear(s, v) }); len(left) > 0 {
			values = left
		}
	}
	if counts := values[0].Noun != "" && !m.question().has(text.Fold(values[0].Noun)); !marked || counts {
		values = m.concluded(s, values) // "six rows of six, so 36"
	}
	if marked {
		values = m.firstClause(s, values)
	}
	if left := slices.DeleteFunc(slices.Clone(values), m.isAsked); len(left) > 0 {
		values = left
	}
	if a, b, ok := m.contrasted(s, values); ok {
		return one, fmt.Sprintf("%s and %s are both possible: the sentence says one and then the other",
			quote(a.short), quote(b.short))
	}
	for _, keep := range []func(stated) bool{
		func(v stated) bool { return strings.Count(s[:v.Start], "(") == strings.Count(s[:v.Start], ")") },
		func(v stated) bool { return v.Noun != "" && m.question().has(text.Fold(v.Noun)) },
	} {
		if differ(values) {
			if left := slices.DeleteFunc(slices.Clone(values), func(v stated) bool { return !keep(v) }); len(left) > 0 {
				values = left
			}
		}
	}
	last := values[len(values)-1]
	if differ(values) {
		other := slices.IndexFunc(values, func(v stated) bool { return !sameValue(v, last) })
		return one, fmt.Sprintf("%s and %s are both possible, and neither is joined to the words of the question",
			quote(values[other].short), quote(last.short))
	}
	return values[0], ""
}

// beforeReason returns the values that are before a reason in the text. If no value is before it, it returns
// all values.
func (m *final) beforeReason(s string, values []stated) []stated {
	folded := m.fold(s)
	start, _ := m.words().next("reason", folded.String, 0)
	if start < 0 || len(values) == 0 {
		return values
	}
	from, _ := folded.Source(start, len(folded.String))
	if left := slices.DeleteFunc(slices.Clone(values), func(v stated) bool { return v.Start >= from }); len(left) > 0 {
		return left
	}
	return values
}

// withoutScales leaves out a number that is a whole of which a part is given: the 50 of "36 out of 50 benches".
func (m *final) withoutScales(s string, values []stated) []stated {
	var out []stated
	for i, v := range values {
		if i > 0 && len(out) > 0 {
			between := strings.TrimSpace(text.Fold(s[min(values[i-1].End, v.Start):v.Start]))
			_, behindNoun, _ := strings.Cut(between, " ") // "36 benches out of 50"
			isScale := func(words string) bool { return words != "" && m.words().begins("scale", words) == len(words) }
			if isScale(between) || isScale(behindNoun) {
				continue
			}
		}
		out = append(out, v)
	}
	return out
}

// firstClause returns the values of the first clause with values. If the next clause begins with "or", and so
// offers another value, it returns all values.
func (m *final) firstClause(s string, values []stated) []stated {
	folded := m.fold(s)
	for from := 0; from < len(folded.String); {
		end := m.words().clauseEnd(folded.String, from, "reason")
		a, b := folded.Source(from, max(from, end))
		if end < len(folded.String) {
			end++ // the mark that ends the clause
		}
		here := slices.DeleteFunc(slices.Clone(values), func(v stated) bool { return v.Start < a || v.Start >= b })
		rest := strings.TrimLeft(folded.String[min(end, len(folded.String)):], " ,")
		if len(here) > 0 {
			if m.words().begins("or", rest) > 0 || vocabulary().begins("or else", rest) > 0 {
				return values
			}
			return here
		}
		from = max(end, from+1)
	}
	return values
}

// concluded returns the values after the last "so", "in total" or a similar phrase. If all values are equal, or
// if no value follows such a phrase, it returns all values.
func (m *final) concluded(s string, values []stated) []stated {
	if !differ(values) {
		return values
	}
	folded := m.fold(s)
	last := -1
	for at := 0; ; {
		start, end := m.words().next("conclusion", folded.String, at)
		if start < 0 {
			break
		}
		if end < len(folded.String) {
			last, _ = folded.Source(end, len(folded.String))
		}
		at = end
	}
	if left := slices.DeleteFunc(slices.Clone(values), func(v stated) bool { return v.Start < last }); len(left) > 0 {
		return left
	}
	return values
}

// isYear reports whether a number is a year that only dates something: "in 2019", "the 2019 survey", "(Smith,
// 2019)".
func (m *final) isYear(s string, v stated) bool {
	if _, year := v.Year(); !year {
		return false
	}
	before := text.Fold(s[max(0, v.Start-maxWordsBytes):v.Start])
	words := strings.Fields(before)
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	return m.words().has("during", last) || m.words().has("determiner", last) ||
		strings.HasSuffix(last, "(") || strings.HasSuffix(last, ",") && strings.HasPrefix(s[v.End:], ")")
}

// guessNumber reads the value of the last sentence that has a value which is not in the question. Sentences
// that add a statement, with "also" or similar words, are tried after all others.
func (m *final) guessNumber() (short, why string) {
	sentences := m.sentences()
	var beside, asked, several string
	if outside := m.outsideTables(sentences); len(outside) < len(sentences) && len(outside) > 0 {
		sentences = outside
	}
	for i := len(sentences) - 1; i >= 0; i-- {
		s := sentences[i]
		if rating := m.rating(s.Of(m.text)); rating != "" {
			return rating, ""
		}
		one, more := m.oneOf(m.withoutDenied(s.Of(m.text)), false)
		switch {
		case one.short == "" && more == "":
		case one.result:
			return one.short, ""
		case i > 0 && m.words().contains("beside", s.folded().String):
			beside, several = cmp.Or(beside, one.short), cmp.Or(several, more)
		case more != "":
			return "", more
		case !one.sure && m.isAsked(one):
			asked = cmp.Or(asked, one.short)
		default:
			if why := m.parallel(s, one, sentences[:i]); why != "" {
				return "", why
			}
			return one.short, ""
		}
	}
	if asked != "" && m.as != Integer && m.as != Decimal && !m.question().words["or"] {
		asked = ""
	}
	if beside != "" || asked != "" {
		return cmp.Or(beside, asked), ""
	}
	if several == "" && m.statesNone() {
		return "0", ""
	}
	return "", several
}

// parallel compares the sentence of a value with the sentence before it. If that sentence states another value
// in the same words, it returns a reason that names both values: "The map shows 27 boats. The log shows 31."
func (m *final) parallel(s sentence, one stated, before []sentence) string {
	if len(before) == 0 {
		return ""
	}
	verb := func(s string, v stated) string {
		words := strings.Fields(text.Fold(s[:v.Start]))
		return strings.Join(words[max(0, len(words)-1):], " ")
	}
	here, previous := s.Of(m.text), before[len(before)-1]
	if one.sure || one.Start > len(here) {
		return ""
	}
	word := verb(here, one)
	if word == "" || !says(word) || !strings.Contains(previous.folded().String, word) {
		return ""
	}
	other := previous.Of(m.text)
	values := m.values(other)
	if len(values) != 1 || sameValue(values[0], one) || m.isAsked(values[0]) || word != verb(other, values[0]) {
		return ""
	}
	return fmt.Sprintf("%s and %s are both possible: two sentences give them in the same words",
		quote(values[0].short), quote(one.short))
}
