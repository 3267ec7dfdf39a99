package answer

import (
	"strings"
	"unicode"
)

// maxLineWords is the length of a message that is still taken for an answer as a
// whole.
const maxLineWords = 12

// extractWithout guesses the answer of a message that has no answer line.
func extractWithout(lines []string, t Type) Final {
	if kind := messageIntent(lines); kind != None {
		return Final{Kind: kind, Extract: FromFallback}
	}
	short := ""
	switch t {
	case Integer, Decimal, Percent:
		short = lastNumber(lines, t == Percent)
	case Currency, Quantity:
		short = lastMeasure(lines, t)
	case Date:
		short = lastDate(lines)
	case Boolean:
		short = firstTruth(lines)
	case Choice:
		short = lastChoice(lines)
	case List:
		short = lastList(lines)
	case Entity: // a free text cannot be told from prose; a lone name can
		short = onlyLine(lines)
	}
	if short == "" {
		return Final{Extract: FromNowhere}
	}
	return Final{Kind: Answered, Short: short, Extract: FromFallback}
}

// messageIntent looks at the first and the last sentence: what the agent could
// not find on the way is no abstention.
func messageIntent(lines []string) Kind {
	first, second := firstSentences(lines)
	kind := intent(first, second)
	if kind == None {
		kind = intent(lastSentence(lines), "")
	}
	return kind
}

func firstSentences(lines []string) (first, second string) {
	var found []string
	for _, line := range lines {
		folded, _ := fold(strings.TrimLeft(line, decoration))
		found = append(found, sentences(folded)...)
		if len(found) >= 2 {
			return found[0], found[1]
		}
	}
	if len(found) == 1 {
		first = found[0]
	}
	return first, ""
}

func lastSentence(lines []string) string {
	for i := len(lines) - 1; i >= 0; i-- {
		folded, _ := fold(dropCitations(strings.TrimLeft(lines[i], decoration)))
		if all := sentences(folded); len(all) > 0 {
			return all[len(all)-1]
		}
	}
	return ""
}

// sentences splits a folded line after a full stop, an exclamation or a question
// mark that ends a word.
func sentences(s string) []string {
	var out []string
	start := 0
	for i := range len(s) {
		if c := s[i]; c != '.' && c != '!' && c != '?' || i+1 < len(s) && s[i+1] != ' ' {
			continue
		}
		if one := strings.TrimSpace(s[start : i+1]); strings.IndexFunc(one, isWord) >= 0 {
			out = append(out, one)
		}
		start = i + 1
	}
	if one := strings.TrimSpace(s[start:]); strings.IndexFunc(one, isWord) >= 0 {
		out = append(out, one)
	}
	return out
}

// firstTruth returns yes or no where the message starts with it, unless the last
// sentence starts with the opposite.
func firstTruth(lines []string) string {
	first, _ := firstSentences(lines)
	text, _ := clean(first)
	r, err := readBoolean(text)
	if err != nil {
		return ""
	}
	is := r.key.Key == tagBoolean+":true"
	word, _ := firstWord(lastSentence(lines))
	if last, known := truth(word); known && last != is {
		return ""
	}
	if is {
		return "yes"
	}
	return "no"
}

// onlyLine returns the message if it is one short line without a sentence in it.
func onlyLine(lines []string) string {
	only := ""
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if only != "" {
			return ""
		}
		only = strings.TrimSpace(line)
	}
	short := undress(cutCitations(only))
	if text, _ := clean(short); text == "" || len(strings.Fields(short)) > maxLineWords || hasSentence(short) {
		return ""
	}
	return short
}

// hasSentence looks for punctuation that ends or joins sentences. The point of an
// initial or of a short title (St., Dr., U.S.) does not, nor does a last one.
func hasSentence(s string) bool {
	words := strings.Fields(s)
	for i, w := range words {
		switch w[len(w)-1] {
		case '?', '!', ';', ':':
			return true
		case '.':
			title := len(w) <= 4 && unicode.IsUpper([]rune(w)[0])
			if i < len(words)-1 && !title && strings.Count(w, ".") < 2 {
				return true
			}
		}
	}
	return strings.ContainsAny(s, "。！？；")
}
