package worth

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/annotate"
)

// AnnotationSchema is the name of the JSON form of an Annotation.
const AnnotationSchema = "concur/annotation/v1"

// Annotation is the result of concur annotate.
type Annotation struct {
	Schema   string           `json:"schema"`
	Scorer   string           `json:"scorer"`
	Proposer string           `json:"proposer"`
	Folder   string           `json:"folder"`
	Stopped  bool             `json:"stopped"` // the limit of requests was reached
	Figures  annotate.Figures `json:"figures"`
}

// WriteAnnotation writes the figures of an annotated corpus in one of Formats.
func WriteAnnotation(w io.Writer, format document.Format, a Annotation, s document.Screen) error {
	switch format {
	case document.FormatTable:
		return s.Write(w, composeAnnotation(a))
	case document.FormatMarkdown:
		return document.WriteMarkdown(w, composeAnnotation(a))
	case document.FormatCSV:
		return document.WriteCSV(w, toolColumns(), document.Sequence(a.Figures.Tools))
	case document.FormatJSON:
		return document.WriteJSON(w, a)
	}
	return fmt.Errorf("write annotation: there is no format %q; there are %s", format, strings.Join(Formats(), ", "))
}

// toolColumns returns the columns of the table of tools.
func toolColumns() []document.Column[annotate.ToolFigures] {
	type row = annotate.ToolFigures
	count := func(header, name string, of func(row) int) document.Column[row] {
		return document.Column[row]{Header: header, Name: name, Value: func(r row) any { return of(r) },
			Show: func(r row) string { return text.Thousands(of(r)) }}
	}
	out := []document.Column[row]{
		{Header: "tool", Name: "tool", Text: func(r row) document.RichText { return document.Quoted(r.Tool) },
			Value: func(r row) any { return r.Tool }},
		count("texts\nthat suit", "texts", func(r row) int { return r.Texts }),
		count("calls", "calls", func(r row) int { return r.Candidates }),
		count("scored", "scored", func(r row) int { return r.Scored }),
	}
	for i, tau := range annotate.Thresholds {
		at := strconv.FormatFloat(tau, 'g', -1, 64)
		out = append(out, count("gain\n≥ "+at, "reached_"+at, func(r row) int { return r.Reached[i] }))
	}
	return append(out, document.Column[row]{Header: "τ_f", Name: "tau_f", Value: func(r row) any { return r.TauF },
		Show: func(r row) string { return strconv.FormatFloat(r.TauF, 'g', -1, 64) }},
		count("kept", "kept", func(r row) int { return r.Kept }))
}

func composeAnnotation(a Annotation) document.Document {
	f := a.Figures
	notes := []document.RichText{
		document.Concat(document.Plain(fmt.Sprintf("%s; scorer ", text.Counted(f.Texts, "text"))), document.Quoted(a.Scorer),
			document.Plain("; calls by "), document.Quoted(a.Proposer), document.Plain("; results in "),
			document.Quoted(a.Folder)),
	}
	if a.Proposer == annotate.RulesVersion {
		notes = append(notes, document.Plain("the rules are no language model: they propose calculations that a text spells "+
			"out, names and dates, and choose the positions themselves"))
	}
	for _, list := range []struct {
		title  string
		counts map[string]int
	}{{"texts that were skipped: ", f.Skipped}, {"calls that were dropped: ", f.Dropped}} {
		var parts []string
		for _, reason := range slices.Sorted(maps.Keys(list.counts)) {
			parts = append(parts, fmt.Sprintf("%s %s", text.Thousands(list.counts[reason]), reason))
		}
		if len(parts) > 0 {
			notes = append(notes, document.Concat(document.Plain(list.title), document.Quoted(strings.Join(parts, "; "))))
		}
	}
	if a.Stopped {
		notes = append(notes, document.Plain("stopped at the limit of requests: the same command goes on"))
	}
	return document.Document{Headline: document.Captioned(document.Tabulate(nil, toolColumns(), f.Tools), notes...)}
}
