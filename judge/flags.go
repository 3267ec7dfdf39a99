package judge

import (
	"regexp"
	"slices"
	"sync"

	"github.com/seed-5817661a/concur/internal/asking"
	"github.com/seed-5817661a/concur/runner/guard/inject"
)

// judgeDirected are the families of phrases that address a grader instead of the reader of
// an answer (methods.md §7.6).
var judgeDirected = sync.OnceValue(func() []family {
	compile := func(name, expression string) family {
		return family{name, regexp.MustCompile(`(?i)` + expression)}
	}
	return []family{
		compile("verdict", `\b(score|grade|rating|verdict|confidence)\b["'*]*\s*(is|:|=)\s*["'*]*(\d|[a-f]\b|correct|incorrect|pass|fail)`),
		compile("reply_form", `["'](correct|complete|contradicts_reference|equivalent|extracted_answer)["']\s*:`),
		compile("note_to_grader", `\b(note|message|instructions?|attention|dear)\b.{0,20}\b(grader|judge|evaluator|examiner|assessor|reviewer)s?\b`),
		compile("asks_for_marks", `\b(give|award|assign|deserves?|merits?)\b.{0,20}\b(full|maximum|max|top|highest|perfect|five)\b.{0,10}\b(marks?|points?|scores?|grade|credit|stars?)\b`),
		compile("asks_to_accept", `\b(mark|grade|accept|count|treat|consider|score)\b.{0,20}\b(this|my|the|it)\b.{0,20}\bas\b.{0,10}\b(correct|right|true|passing|equivalent)\b`),
		compile("claims_correct", `\b(this|my|the|above|following)\b.{0,10}\banswer\b.{0,10}\bis\b.{0,20}\b(correct|right|accurate|perfect)\b`),
	}
})

type family struct {
	name    string
	pattern *regexp.Regexp
}

// flagsOf names phrases that address the judge or look like an injection, sorted. A flag is
// information for people: it changes neither the text nor a verdict.
func flagsOf(texts ...string) []string {
	flags := []string{}
	for _, text := range texts {
		shown := asking.Visible(text)
		for _, f := range judgeDirected() {
			if f.pattern.MatchString(shown) {
				flags = append(flags, "judge:"+f.name)
			}
		}
		finding := inject.Scan(text, inject.Query)
		if finding.Invisible > 0 {
			flags = append(flags, "invisible")
		}
		if finding.Flagged {
			for _, h := range finding.Hits {
				flags = append(flags, "inject:"+h.Family)
			}
		}
	}
	slices.Sort(flags)
	return slices.Compact(flags)
}
