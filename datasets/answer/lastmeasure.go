package answer

import (
	"slices"
	"strings"
)

// maxAmountWindow is the most words that an amount in running text may have.
const maxAmountWindow = 7

// lastMeasure returns the last number with a currency or a unit, as type t asks, or
// else the last number.
func lastMeasure(lines []string, t Type) string {
	around := measure
	if t == Currency {
		around = money
	}
	found := ""
	for _, line := range lines {
		words := strings.Fields(cutListMark(foldCased(dropCitations(line))))
		for i := 0; i < len(words); {
			text, n := amountAt(words[i:], around)
			if n > 0 {
				found = text
			}
			i += max(n, 1)
		}
	}
	if found == "" {
		return lastNumber(lines, false)
	}
	return found
}

// amountAt reads the longest amount with a unit at the start of words. One that ends
// in the word "in" is more likely to go on than to be in inches.
func amountAt(words []string, around syntax) (text string, n int) {
	if !startsAmount(words) {
		return "", 0
	}
	for n := min(maxAmountWindow, len(words)); n > 0; n-- {
		text := trimOuter(strings.Join(words[:n], " "))
		q, err := parseAs(text, around)
		if err != nil || q.low.unit == nil && q.currency.none() || strings.EqualFold(words[n-1], "in") {
			continue
		}
		return text, n
	}
	return "", 0
}

// startsAmount looks for a digit in the first word, or behind a currency.
func startsAmount(words []string) bool {
	const digits = "0123456789"
	if strings.ContainsAny(words[0], digits) {
		return true
	}
	_, n := scanCurrency(words[0])
	return n > 0 && n == len(words[0]) && len(words) > 1 && strings.ContainsAny(words[1], digits)
}

// lastChoice returns the option that a message names last: "the answer is (B)",
// "option C". A message that is only a choice is one as a whole.
func lastChoice(lines []string) string {
	if whole := onlyLine(lines); whole != "" {
		if text, _ := clean(whole); isChoice(text) {
			return whole
		}
	}
	found := ""
	for _, line := range lines {
		folded, _ := fold(dropCitations(line))
		for _, sentence := range sentences(folded) {
			if choice := choiceIn(sentence); choice != "" {
				found = choice
			}
		}
	}
	return found
}

func isChoice(text string) bool {
	_, err := readChoice(text)
	return err == nil
}

// choiceIn reads what follows the last phrase that announces an option.
func choiceIn(sentence string) string {
	phrases := []string{"answer is", "answers are", "option", "options", "choice", "choices"}
	type hit struct {
		at     int
		phrase string
	}
	var hits []hit
	for _, p := range phrases {
		for from := 0; ; {
			i := indexWord(sentence[from:], p)
			if i < 0 {
				break
			}
			hits = append(hits, hit{from + i, p})
			from += i + len(p)
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return b.at - a.at })
	for _, h := range hits {
		rest := trimOuter(sentence[h.at+len(h.phrase):])
		if isChoice(rest) {
			return strings.ToUpper(rest)
		}
		// "Option a because" is unmistakable, "the answer is a dog" is none.
		if letter, _, ok := cutLetter(rest); ok && (strings.HasPrefix(h.phrase, "option") || strings.HasPrefix(h.phrase, "choice")) {
			return letter
		}
	}
	return ""
}
