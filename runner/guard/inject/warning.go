package inject

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A page that warns of an attack quotes it. What stands in quotation marks is not scanned
// where the sentence around them speaks of attacks.

//go:embed warnings.txt
var warningWords string

// maxContext is the bytes before and behind a quotation in which its sentence is read.
const maxContext = 160

type warningRules struct {
	stems      []string // beginnings of the words, to pass over most texts
	words      *regexp.Regexp
	quotations [3]*regexp.Regexp // within JSON strings, in prose, in single quotation marks
	border     *regexp.Regexp    // of sentences and of fields of JSON
}

var warnings = sync.OnceValue(func() warningRules {
	var words, stems []string
	for line := range strings.Lines(warningWords) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			words = append(words, line)
			stems = append(stems, line[:len(line)-len(strings.TrimLeft(line, "abcdefghijklmnopqrstuvwxyz"))])
		}
	}
	return warningRules{
		stems: stems,
		words: regexp.MustCompile(`\b(?:` + strings.Join(words, "|") + `)\b`),
		quotations: [...]*regexp.Regexp{
			regexp.MustCompile(`\\"([^"\\\n]{3,200})\\"`),
			regexp.MustCompile("[\"“„«]([^\"“”„«»\\\\\n]{3,200})[\"”“»]|`([^`\n]{3,200})`"),
			regexp.MustCompile(`(?:^|[\s(])['‘]([^'‘’\n]{8,200})['’](?:[\s.,;:!?)]|$)`),
		},
		border: regexp.MustCompile(`[.!?](?:\s|$)|\n|\\n|"\s*[:,]|[{}\[\]<>]`),
	}
})

// withoutWarnings returns text without what it quotes as an attack.
func withoutWarnings(text string) string {
	folded := strings.ToLower(text)
	if !slices.ContainsFunc(warnings().stems, func(stem string) bool { return strings.Contains(folded, stem) }) {
		return text
	}
	for _, rule := range warnings().quotations {
		var out strings.Builder
		kept := 0
		for _, m := range rule.FindAllStringSubmatchIndex(text, -1) {
			start, end := max(m[2], m[len(m)-2]), max(m[3], m[len(m)-1])
			if inWarning(text, start, end) {
				out.WriteString(text[kept:start] + "…")
				kept = end
			}
		}
		text = out.String() + text[kept:]
	}
	return text
}

// inWarning reports whether the sentence around a quotation speaks of attacks.
func inWarning(text string, start, end int) bool {
	before := text[max(0, start-maxContext):start]
	before = before[:len(strings.TrimRight(before, "\"“„«`'‘\\"))]
	if borders := warnings().border.FindAllStringIndex(before, -1); borders != nil {
		before = before[borders[len(borders)-1][1]:]
	}
	behind := strings.TrimLeft(text[end:min(len(text), end+maxContext)], "\"”“»`'’\\")
	if border := warnings().border.FindStringIndex(behind); border != nil {
		behind = behind[:border[0]]
	}
	return warnings().words.MatchString(fold(before)) || warnings().words.MatchString(fold(behind))
}
