package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// clauseEnds has the marks that end a clause.
const clauseEnds = ",;:()—。，；：（）"

// clauseEnd returns the end of the clause that begins at a place in a folded text. A clause ends at the next
// mark that ends a clause, or before the next phrase of a role. The comma in 1,234 does not end a clause.
func (t *table) clauseEnd(folded string, from int, role string) int {
	end := len(folded)
marks:
	for at := from; at < end; {
		r, size := utf8.DecodeRuneInString(folded[at:end])
		closes := r == '"' && at > from && folded[at-1] != ' ' && at+1 < len(folded) && folded[at+1] == ' '
		if strings.ContainsRune(clauseEnds, r) || closes || r == '\n' || r == '.' || r == '?' || r == '!' {
			isInner := at > 0 && at+1 < len(folded) && text.IsDigit(folded[at-1]) && text.IsDigit(folded[at+1])
			if !isInner && !(r == '.' && at+1 < len(folded) && folded[at+1] != ' ') {
				end = at
				break marks
			}
		}
		at += size
	}
	if start, _ := t.next(role, folded[:end], from); start >= 0 {
		return start
	}
	return end
}

// clauseStart returns the beginning of the clause that contains a place in a folded text.
func clauseStart(folded string, at int) int {
	for from := at; from > 0; {
		r, size := utf8.DecodeLastRuneInString(folded[:from])
		isInner := from < len(folded) && from-size > 0 && text.IsDigit(folded[from]) && text.IsDigit(folded[from-size-1])
		if strings.ContainsRune(clauseEnds+".?!\n", r) && !isInner {
			return from
		}
		from -= size
	}
	return 0
}

// withoutDenied replaces parts of a text with spaces if they say what the answer is not, or compare the answer
// with something. Such a part is from "not", "rather than" and similar words to the end of the clause, or as in
// "up from 9 %" and "35 is wrong". In names and texts it replaces such a part only after a mark, because a name
// may contain these words. If no text would be left, it returns the text unchanged.
func (m *final) withoutDenied(s string) string {
	live, known := m.undenied[s]
	if !known {
		live = m.blankDenied(s)
		m.undenied[s] = live
	}
	return live
}

func (m *final) blankDenied(s string) string {
	w := m.words()
	folded := m.foldLines(s)
	f := folded.String
	var out []byte
	clear := func(from, to int) {
		if from >= to {
			return
		}
		if out == nil {
			out = []byte(s)
		}
		start, end := folded.Source(from, to)
		cover(out, text.Span{Start: start, End: end})
	}
	loose := m.as.Numeric() || m.as == Date || m.as == Choice || m.as == Boolean
	deny := func(role, until string) {
		for at := 0; at < len(f); {
			start, end := w.nextDenial(role, f, at)
			if start < 0 {
				return
			}
			at = end
			before := strings.TrimRight(f[:start], " ")
			if head, ok := strings.CutSuffix(before, ", and"); ok {
				before = head + ","
			}
			r, _ := utf8.DecodeRuneInString(f[start:])
			isApart := endsIn(before, clauseEnds+"-") && (len(before) < start || text.IsUnspaced(r)) || endsIn(before, "(")
			switch {
			case loose, start == 0 && strings.Contains(f[start:end], " "):
				at = w.clauseEnd(f, end, until)
				if vocabulary().has("negation", f[start:end]) || f[start:end] == "n't" { // "what is not used is 16" denies nothing
					at = w.clauseEnd(f[:at], end, "verb behind not")
				}
				clear(m.deniedSubject(f, start), at)
			case start == 0: // in "Not Wells but Salisbury", the name follows
				at = w.clauseEnd(f, end, until)
				if n := w.begins(until, f[at:]); n > 0 && at+n < len(f) {
					clear(start, at+n)
				}
			case start > 0 && (isApart || strings.Contains(f[start:end], " ")):
				clear(min(len(before), start), len(f)) // no part of a name follows
				return
			}
		}
	}
	deny("against", "boundary")
	if loose {
		deny("earlier", "boundary")
		deny("change", "target")
		for at := 0; at < len(f); {
			start, end := w.next("turned", f, at)
			if start < 0 {
				break
			}
			from := clauseStart(f, start)
			subject := strings.Fields(f[from:start])
			if n := len(subject); from > 0 && n > 0 && n < 3 && w.isAny(subject[n-1], "pronoun", "determiner") {
				from = clauseStart(f, from-1) // "46, but that was wrong": the clause before is denied
			}
			clear(max(at, from), end)
			at = end
		}
	}
	if out == nil || !loose && strings.Trim(string(out), " ,;:.-()\"'") == "" {
		return s
	}
	return string(out)
}

// deniedSubject returns the beginning of a value that a folded clause denies: the 46 of "46 is not the number".
// not is the place of the word not. For other clauses, deniedSubject returns not.
func (m *final) deniedSubject(folded string, not int) int {
	near := max(0, not-maxWordsBytes)
	from := near + clauseStart(folded[near:not], not-near)
	words := strings.Fields(folded[from:not])
	isValue := len(words) == 2 && m.words().has("copula", words[1]) && m.as != Boolean &&
		(m.as == Choice && len(words[0]) == 1 || m.as != Choice && strings.ContainsAny(words[0], "0123456789"))
	if !isValue {
		return not
	}
	return from
}

// nextDenial returns the place of the next phrase of a role. It treats the n't of isn't as the word not.
func (t *table) nextDenial(role, folded string, from int) (start, end int) {
	if at := strings.Index(folded[from:], "n't "); role == "against" && at >= 0 {
		if start, end = t.next(role, folded[:from+at], from); start < 0 {
			start, end = from+at, from+at+len("n't")
		}
		return start, end
	}
	return t.next(role, folded, from)
}

func endsIn(s, marks string) bool {
	last, size := utf8.DecodeLastRuneInString(s)
	return size > 0 && strings.ContainsRune(marks, last)
}

// takeback finds the last place where a folded text takes back an earlier statement: a phrase such as "wait" at
// the beginning of a sentence or a clause. end is -1 if there is no such place.
func (t *table) takeback(folded string, asTruth bool) (end int) {
	end = -1
	for at := 0; ; {
		start, to := t.next("takeback", folded, at)
		if start < 0 {
			return end
		}
		before := strings.TrimRight(folded[:start], " *_\"'")
		rest := strings.TrimLeft(folded[to:], " *_\"'")
		// A single word, such as "wait", needs a mark after it: "Wait, ...", but not "Wait a minute".
		isWord := !strings.Contains(folded[start:to], " ") && rest != "" && !strings.ContainsAny(rest[:1], ",.:;!-") &&
			t.begins("after takeback", rest) == 0
		isClause := before == "" || endsIn(before, clauseEnds+".!?-。！？…") ||
			strings.HasSuffix(before, " no") || strings.HasSuffix(before, " oh")
		isTruth := asTruth && t.has("false", folded[start:to])
		rest = strings.TrimLeft(rest, " ,:.!-")
		if n := t.begins("after takeback", rest); n > 0 && !asTruth { // "wait, actually"
			rest = strings.TrimLeft(rest[n:], " ,:.!-")
		} else if n > 0 && !t.has("false", rest[:n]) {
			rest = strings.TrimLeft(rest[n:], " ,:.!-")
		}
		if !isTruth && isClause && !isWord && rest != "" {
			end = len(folded) - len(rest)
		}
		at = to
	}
}

// behindTakeback returns the part of a text after the last place where the text takes back an earlier
// statement.
func (m *final) behindTakeback(s string) string {
	if behind, ok := m.takenBack(s); ok {
		return behind
	}
	return s
}

// takenBack returns the part of a text after the last place where the text takes back an earlier statement. ok
// is false if it takes back no statement.
func (m *final) takenBack(s string) (behind string, ok bool) {
	if strings.TrimSpace(s) == "" || !m.words().contains("takeback", m.fold(s).String) {
		return "", false
	}
	folded := m.foldLines(s)
	end := m.words().takeback(folded.String, m.as == Boolean)
	if end < 0 {
		return "", false
	}
	from, _ := folded.Source(end, len(folded.String))
	return s[from:], true
}

// withoutLead removes words at the beginning of a text that only announce the answer: "I believe it is".
func (m *final) withoutLead(s string) string {
	for {
		folded := text.Map(s[:min(len(s), maxSentenceBytes)], 0)
		n := 0
		for _, role := range []string{"hedge", "lead", "announces"} {
			n = max(n, m.words().begins(role, folded.String))
		}
		if n == 0 || n >= len(folded.String) {
			return s
		}
		_, to := folded.Source(0, n)
		rest := strings.TrimLeft(s[to:], " \t:,")
		if rest == "" {
			return s
		}
		s = rest
	}
}

// withoutAfterthought removes the end of a text that only says how sure the writer is: ", I think", ", no doubt".
func (m *final) withoutAfterthought(s string) string {
	at := strings.LastIndexByte(s, ',')
	if at <= 0 {
		return s
	}
	last := strings.TrimSpace(text.Fold(cutStops(s[at+1:])))
	for _, role := range []string{"hedge", "afterthought"} {
		if last != "" && m.words().begins(role, last) == len(last) {
			return s[:at]
		}
	}
	return s
}

// isBare reports whether a folded text, at the place where the answer should be, says that there is no answer:
// unknown, N/A.
func (m *final) isBare(folded string) bool {
	folded = strings.Trim(folded, " .!*_`\"'()[]")
	if at := strings.Index(folded, " ("); at > 0 {
		folded = folded[:at]
	}
	n := vocabulary().begins("bare", folded)
	if strings.Contains(folded[:n], " ") && vocabulary().begins("behind bare", strings.TrimSpace(folded[n:])) > 0 {
		return true // "not found in the documents"
	}
	if !vocabulary().has("bare", folded) {
		return false
	}
	return (m.as != List && m.as != Boolean) || folded != "none" && folded != "无" && folded != "없음"
}

// startsUpper reports whether a text begins with a capital, a digit, or a letter without case.
func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) || unicode.IsDigit(r) || !unicode.IsLower(r) && unicode.IsLetter(r)
}

// comparison matches a text that compares, and so is no name: "heavier than silver", "much more popular than tea".
var comparison = lazy.Compile(`^(?:\p{Ll}+ )?(?:\p{Ll}+er|(?:more|less) \p{Ll}+) than `)
