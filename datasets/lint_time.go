package datasets

import (
	_ "embed" // for observations.tsv
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

//go:embed observations.tsv
var observationsTable string

// observations says which tools and which questions have an answer of one moment alone.
type observations struct {
	tools            []string
	subject, moments *regexp.Regexp
}

var momentary = sync.OnceValue(func() observations {
	rows := map[string][]string{}
	for _, row := range text.Rows(observationsTable, 2) {
		rows[row[0]] = append(rows[row[0]], row[1])
	}
	oneOf := func(patterns []string) *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:` + strings.Join(patterns, `)|(?:`) + `)`)
	}
	return observations{rows["tool"], oneOf(rows["subject"]), oneOf(rows["moment"])}
})

// ObservingTools returns the names of tools whose documents are observations with a time.
func ObservingTools() []string { return slices.Clone(momentary().tools) }

// time reports a gold without a time, although its query can only be answered by an observation.
func (l *linter) time() {
	g := &l.query.Gold
	if g.At != "" || g.Outcome != trace.Answered || g.FalsePremise != "" || !l.query.HasGold() {
		return
	}
	why := ""
	if of := l.query.Expects; of != nil {
		for _, call := range of.Tools {
			if slices.Contains(momentary().tools, call.Name) {
				why = "the tool " + call.Name + " tells what is so at one moment"
			}
		}
	} else if momentary().subject.MatchString(l.query.Text) && momentary().moments.MatchString(l.query.Text) {
		why = "the query asks for what is so at one moment"
	}
	if why != "" {
		l.report(l.record.Gold.At, NoTime, "%s, and the gold does not say when it holds: add at, such as at: 2026-11-27", why)
	}
}
