package worth

import (
	"fmt"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// compose lays out the figures for people. The table of configurations comes last, above the notes.
func compose(r *usefulness.Report) document.Document {
	by := map[usefulness.By][]usefulness.Row{}
	for _, row := range r.Rows {
		by[row.By] = append(by[row.By], row)
	}
	several := len(by[usefulness.ByConfiguration]) > 1
	table := func(kind usefulness.By, title document.RichText) *document.Table {
		return document.Tabulate(title, columns(kind, r.Tau, several), by[kind])
	}
	var d document.Document
	d.Details = append(d.Details, list("the most useful calls", r.Useful)...)
	d.Details = append(d.Details, list("the most harmful calls", r.Harmful)...)
	d.Details = append(d.Details, document.Captioned(table(usefulness.ByTool, document.Plain("by tool")))...)
	d.Details = append(d.Details, document.Captioned(table(usefulness.ByCategory, document.Plain("by category")))...)
	d.Headline = document.Captioned(table(usefulness.ByConfiguration, nil), notes(r, by[usefulness.ByConfiguration])...)
	d.Closing = closing(by[usefulness.ByConfiguration])
	return d
}

// list returns calls with their texts.
func list(title string, calls []usefulness.Listed) []document.Section {
	if len(calls) == 0 {
		return nil
	}
	lines := []document.RichText{document.Plain(title + ":")}
	for _, c := range calls {
		lines = append(lines, document.Concat(
			document.Plain(figures.Signed(c.Gain, 2)+"  "), document.Quoted(c.Query),
			document.Plain(fmt.Sprintf(", trace %d: ", c.Trace)), document.Quoted(c.Tool), document.Plain(" "),
			document.Quoted(document.Shorten(c.Input, shown)), document.Plain(" returned "),
			document.Quoted(document.Shorten(c.Output, shown)), document.Plain("; right is "),
			document.Quoted(document.Shorten(c.Answer, shown))))
	}
	return []document.Section{{Lines: lines}}
}

// shown is the maximum number of characters of a text in a list.
const shown = 160

// notes says what the figures are.
func notes(r *usefulness.Report, rows []usefulness.Row) []document.RichText {
	out := []document.RichText{document.Concat(document.Plain("scorer: "), document.Quoted(r.Scorer),
		document.Plain("; τ = "+strconv.FormatFloat(r.Tau, 'g', -1, 64)+"; a gain of +1 makes the right answer's tokens e "+
			"times as likely (weighted mean over the first five)"))}
	for _, w := range r.Warnings {
		out = append(out, document.Concat(document.Plain("warning: ").Toned(document.Doubtful), document.Mixed(w)))
	}
	out = append(out, leftOut(r)...)
	short, defined, auroc := 0, 0, false
	for _, row := range rows {
		short, defined, auroc = short+row.Short, defined+row.Defined, auroc || row.AUROC != nil
	}
	if short > 0 {
		out = append(out, document.Plain(fmt.Sprintf("%s %s a right answer of fewer than five tokens: its weights are "+
			"divided by their own sum", text.CountedOf(short, defined, "call"), text.Verb(short, "has", "have"))))
	}
	if auroc {
		out = append(out, document.Plain("AUROC: how often a call of a right trace has a larger gain than one of a wrong "+
			"trace; the unit is a call, and all calls of a trace share its verdict; intervals are by clusters of queries"))
	}
	return out
}

// closing says whether the calls made the right answers likelier.
func closing(rows []usefulness.Row) document.RichText {
	if len(rows) != 1 || rows[0].Mean == nil {
		return nil
	}
	switch ci := rows[0].CI; {
	case ci == nil:
		return document.Plain("There is no interval of the mean gain: there are too few queries, or all gains are equal.")
	case ci.Low > 0:
		return document.Plain("On average a result made the right answer likelier.")
	case ci.High < 0:
		return document.Plain("On average a result made the right answer less likely.")
	}
	return document.Plain("It is not shown that the results made the right answers likelier.")
}
