package inject

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/prefilter"
	"github.com/seed-5817661a/concur/internal/text"
)

// A page that warns of an attack may quote the attack. If the sentence around a quotation is about attacks, the
// text in quotation marks is not scanned.

//go:embed warnings.txt
var warningWords string

const (
	maxContext    = 160 // bytes before and after a quotation that may belong to its sentence
	maxQuotations = 100 // quotations of a text that are checked
)

type warningRules struct {
	words              *pattern
	quotation, borders *regexp.Regexp
}

var warnings = sync.OnceValue(func() warningRules {
	var words []string
	for _, row := range text.Rows(warningWords, 1) {
		words = append(words, row[0])
	}
	pattern, err := newGrammar(bySpaces).pattern(line{text: `\b(?:` + strings.Join(words, "|") + `)\b`})
	if err != nil {
		panic(err) // cannot happen, because the file is embedded
	}
	return warningRules{
		words: &pattern,
		// In a JSON string, in prose, and between single marks.
		quotation: regexp.MustCompile(`\\"([^"\\\n]{3,200})\\"|["“„«]([^"“”„«»\\\n]{3,200})["”»]|` + "`([^`\n]{3,200})`" +
			`|(?:^|[\s(])['‘]([^'‘’\n]{8,200})['’](?:[\s.,;:!?)]|$)`),
		borders: regexp.MustCompile(`[.!?](?:\s|$)|\n|\\n|"\s*[:,]|[{}\[\]<>]`),
	}
})

// withoutWarnings removes the quotations that the text around them describes as attacks.
func withoutWarnings(text string) string {
	if lower := strings.ToLower(text); !prefilter.In(lower, warnings().words.needs) || warnings().words.find(lower) == "" {
		return text
	}
	out := splice{text: text}
	for _, m := range warnings().quotation.FindAllStringSubmatchIndex(text, maxQuotations) {
		if start, end := slices.Max([]int{m[2], m[4], m[6], m[8]}), slices.Max(m[3:]); inWarning(text, start, end) {
			out.put(start, end, "…")
		}
	}
	return out.done()
}

// inWarning reports whether the sentence around a quotation is about attacks.
func inWarning(text string, start, end int) bool {
	before := text[max(0, start-maxContext):start]
	before = before[:len(strings.TrimRight(before, "\"“„«`'‘\\"))]
	if borders := warnings().borders.FindAllStringIndex(before, -1); borders != nil {
		before = before[borders[len(borders)-1][1]:]
	}
	after := strings.TrimLeft(text[end:min(len(text), end+maxContext)], "\"”“»`'’\\")
	if border := warnings().borders.FindStringIndex(after); border != nil {
		after = after[:border[0]]
	}
	return warnings().words.find(fold(before)) != "" || warnings().words.find(fold(after)) != ""
}
