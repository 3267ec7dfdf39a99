package judge

import (
	_ "embed"
	"regexp"
	"slices"
	"sync"

	"github.com/seed-5817661a/concur/guard/inject"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model/asking"
)

//go:embed flags.tsv
var flagTable string

// judgeDirected returns the patterns of phrases that address a grader, by flag name.
var judgeDirected = sync.OnceValue(func() map[string]*regexp.Regexp {
	phrases := map[string]*regexp.Regexp{}
	for _, row := range text.Rows(flagTable, 2) {
		phrases[row[0]] = regexp.MustCompile(`(?i)` + row[1])
	}
	return phrases
})

// flagsOf returns the names of phrases that address the judge or look like an injection, sorted. A flag informs
// people: it changes neither the text nor a verdict.
func flagsOf(message string) []string {
	flags := []string{}
	for name, phrase := range judgeDirected() {
		if phrase.MatchString(asking.Visible(message)) {
			flags = append(flags, "judge:"+name)
		}
	}
	finding := inject.Scan(message, inject.Query)
	if finding.Invisible > 0 {
		flags = append(flags, "invisible")
	}
	if finding.Flagged {
		for _, h := range finding.Hits {
			flags = append(flags, "inject:"+h.Family)
		}
	}
	slices.Sort(flags)
	return slices.Compact(flags)
}
