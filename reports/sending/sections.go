package sending

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/sent"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
)

// Names are the names of the two runs in sentences.
type Names struct{ Was, Now document.RichText }

// Difference is a difference for people: a sentence, and the lines of a unified diff below it.
type Difference struct {
	Sentence document.RichText
	Lines    []string
}

// mostShown is the maximum number of differences in a report.
const mostShown = 6

// Shown returns the differences that other sentences about the two runs do not state already, at most six. known are
// these sentences, such as "agent.temperature: 0.7, now 0.1". requests reports whether a request differs, and not only
// a file of the agent.
func Shown(c *sent.Comparison, known []string) (out []Difference, requests bool) {
	if c == nil {
		return nil, false
	}
	left := 0
	for i, d := range c.Differences {
		if stated(d, known) {
			continue
		}
		if requests = requests || d.Kind != sent.File; len(out) == mostShown {
			left++
			continue
		}
		if same := earlier(c.Differences[:i], d); same != nil {
			out = append(out, Difference{
				Sentence: capitalise(document.Phrase("%s changed in the same lines as %s", name(d), name(*same))),
			})
			continue
		}
		out = append(out, Difference{capitalise(sentence(d, c.Queries)), lines(d)})
	}
	if left > 0 {
		more := document.Phrase("%s; --format json has all", text.Counted(left, "more difference"))
		out = append(out, Difference{Sentence: more})
	}
	return out, requests
}

// earlier returns the difference of a prompt that has the same lines as the difference of a file. It returns
// nil if no prompt has them.
func earlier(before []sent.Difference, d sent.Difference) *sent.Difference {
	for i, b := range before {
		if d.Kind == sent.File && b.Kind != sent.File && len(d.Lines) > 0 && slices.Equal(d.Lines, b.Lines) {
			return &before[i]
		}
	}
	return nil
}

// stated reports whether a sentence about settings states a difference already.
func stated(d sent.Difference, known []string) bool {
	begins := func(key string) bool {
		return slices.ContainsFunc(known, func(s string) bool { return strings.HasPrefix(s, key+": ") })
	}
	switch d.Kind {
	case sent.Parameter:
		return begins("agent." + d.Name)
	case sent.Model:
		return d.Name == "" && begins("model")
	case sent.Tool:
		if d.Gone || d.New {
			word := map[string]bool{d.Name + " is gone": d.Gone, d.Name + " is new": d.New}
			return slices.ContainsFunc(known, func(s string) bool {
				change, of := strings.CutPrefix(s, "agent.tools: ")
				return of && slices.ContainsFunc(strings.Split(change, ", "), func(w string) bool { return word[w] })
			})
		}
	}
	return false
}

// Introduction returns the sentence above the differences.
func Introduction(c *sent.Comparison, n Names) document.RichText {
	of := text.Counted(c.Queries, "query")
	if c.Queries < c.Of {
		of = text.CountedOf(c.Queries, c.Of, "query")
	}
	return document.Phrase("%s sent other requests than %s; compared: the first trace of %s.", n.Now, n.Was, of)
}

// Remarks returns sentences about what could not be compared, and advice if nothing explains other results.
func Remarks(c *sent.Comparison) (out []document.RichText) {
	if c == nil {
		return nil
	}
	for _, m := range c.Missing {
		out = append(out, document.Phrase("requests not fully compared: %s", document.Mixed(m)))
	}
	if c.Advice != "" {
		out = append(out, document.Plain(c.Advice))
	}
	return out
}

// Sections returns the differences as sections of a report; nil if there is nothing to show. known has the same
// meaning as in Shown.
func Sections(c *sent.Comparison, known []string, n Names) (out []document.Section) {
	shown, requests := Shown(c, known)
	var now document.Section
	if requests {
		now.Lines = append(now.Lines, Introduction(c, n))
	}
	for _, d := range shown {
		if len(now.Diff) > 0 {
			out, now = append(out, now), document.Section{}
		}
		now.Lines, now.Diff = append(now.Lines, d.Sentence), d.Lines
	}
	out = document.WithoutEmpty(append(out, now)...)
	if remarks := Remarks(c); len(remarks) > 0 {
		out = append(out, document.Section{Lines: remarks})
	}
	return out
}

// sentence describes a difference; queries is the number of compared queries.
func sentence(d sent.Difference, queries int) document.RichText {
	in := document.Phrase(" in %s", text.CountedOf(d.Queries, queries, "query"))
	switch d.Kind {
	case sent.File:
		if len(d.Lines) == 0 {
			return document.Phrase("%s changed; its lines are not kept (text files are kept up to 64 KiB, and 4 MiB in all)",
				name(d))
		}
		return document.Phrase("%s changed:", name(d))
	case sent.Parameter, sent.Model:
		return document.Phrase("%s: %s, now %s,%s", name(d), value(d.Was), value(d.Now), in)
	}
	change := " changed"
	switch {
	case d.Gone:
		change = " is no longer sent"
	case d.New:
		change = " is new"
	}
	out := document.Phrase("%s%s%s", name(d), change, in)
	switch {
	case len(d.Lines) == 0 && !d.Gone && !d.New:
		return document.Phrase("%s; the changed part is not kept (texts are kept up to 64 KiB)", out)
	case len(d.Lines) == 0:
		return out
	case d.Varied:
		return document.Phrase("%s; these lines are of %s:", out, quote(d.Query))
	case queries == 1:
		return document.Phrase("%s:", out)
	}
	return document.Phrase("%s, as in %s:", out, quote(d.Query))
}

// capitalise gives a sentence that does not begin with a name a capital letter.
func capitalise(l document.RichText) document.RichText {
	if strings.HasPrefix(l.String(), "the ") {
		return document.Capitalise(l)
	}
	return l
}

// name returns the name of the part that differs.
func name(d sent.Difference) document.RichText {
	of := document.RichText{}
	if d.Name != "" {
		of = document.Phrase(" of %s", quote(d.Name))
	}
	switch d.Kind {
	case sent.SystemPrompt:
		return document.Phrase("the system prompt%s", of)
	case sent.FirstMessage:
		return document.Phrase("the first message%s", of)
	case sent.File:
		return document.Phrase("the file %s", quote(d.Name))
	case sent.Tool:
		return document.Phrase("the tool %s", quote(d.Name))
	case sent.ReplySchema:
		return document.Phrase("the reply schema %s", quote(d.Name))
	case sent.Model:
		return document.Phrase("the model%s", of)
	}
	return quote(d.Name)
}

// maxShown is the maximum number of characters of a name or a value.
const maxShown = 80

func quote(s string) document.RichText { return document.Quoted(document.Shorten(s, maxShown)) }

// value returns the value of a parameter or the name of a model.
func value(v *string) document.RichText {
	if v == nil {
		return document.Plain("not sent")
	}
	return quote(*v)
}

// lines returns the lines of the diff with the number of those that are left out.
func lines(d sent.Difference) []string {
	if d.More == 0 {
		return d.Lines
	}
	return append(slices.Clone(d.Lines), fmt.Sprintf("… %d more changed %s", d.More, text.Verb(d.More, "line", "lines")))
}
