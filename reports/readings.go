package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
	"github.com/seed-5817661a/concur/runner/config"
)

// Readings returns the lines below a table of a result, for a page: the traces without a readable answer, the
// answer types under which more traces would be right, and the work of the extractor.
func Readings(r *result.Result) []string {
	var out []string
	for _, l := range readings(r, rowsOf(Titled(r))) {
		out = append(out, l.String())
	}
	return out
}

// readings returns the lines below a table: the number of traces without a readable answer, the answer types
// under which more traces would be right, and the work of the extractor.
func readings(r *result.Result, rows []tableRow) []document.RichText {
	var out []document.RichText
	for _, row := range rows {
		if row.Reading == nil {
			continue
		}
		of := document.RichText(nil)
		if len(rows) > 1 {
			of = document.Concat(document.Quoted(row.Name), document.Plain(": "))
		}
		for _, l := range readingOf(row, runOf(r, row)) {
			out = append(out, document.Concat(of, l))
		}
	}
	return out
}

// runOf returns the run of a row. In a comparison, the name of the row begins with the label of its run.
func runOf(r *result.Result, of tableRow) string {
	for _, run := range r.Runs {
		if of.Name == run.Label || strings.HasPrefix(of.Name, run.Label+": ") {
			return run.Run
		}
	}
	if len(r.Runs) > 0 {
		return "RUN"
	}
	return r.Run
}

func readingOf(of tableRow, run string) []document.RichText {
	var out []document.RichText
	reading := of.Reading
	if n := reading.Unread; n > 0 {
		out = append(out, document.Concat(
			document.Plain(fmt.Sprintf("%d of %s gave no readable answer: `concur trace ", n,
				text.Counted(of.Traces.Total, "trace"))),
			document.Quoted(run+" "+reading.Example), document.Plain("` shows one; "+waysToRead(reading)+" would help")))
	}
	if types := reading.RightAs; len(types) > 0 {
		var parts []string
		n := 0
		for _, t := range types {
			n += t.Traces
			parts = append(parts, fmt.Sprintf("%d as %s", t.Traces, t.Type))
			if len(types) == 1 {
				parts[0] = "as " + t.Type
			}
		}
		out = append(
			out,
			document.Concat(document.Plain(text.Counted(n, "wrong trace")+" would be right "+strings.Join(parts, ", ")+
				": see the type of "), document.Quoted(types[0].Example)),
		)
	}
	if x := reading.Extraction; x != nil {
		out = append(out, extractionOf(*x))
	}
	return out
}

// waysToRead names the ways to make more answers readable. It leaves out the extractor if the run has one.
func waysToRead(r *result.Reading) string {
	if r.Extraction != nil {
		return "an answer line or another type"
	}
	return "an answer line, another type or `--extract model`"
}

func extractionOf(x result.Extraction) document.RichText {
	by := ""
	if config.IsOffline(x.Model) || strings.Contains(x.Model, ":"+config.OfflineProvider+":") {
		by = " (rule-based)"
	}
	read := document.Concat(document.Quoted(x.Model), document.Plain(by+fmt.Sprintf(" read the answer of %d of %s", x.Read,
		text.Counted(x.Messages, "message"))))
	switch {
	case len(x.Missed) > 0:
		return document.Concat(
			document.Plain("warning: the extractor "),
			document.Quoted(x.Model),
			document.Plain(fmt.Sprintf(
				" was not asked: it read %d of %d canaries wrong (%s); name another with --extractor PROVIDER:MODEL",
				len(x.Missed), x.Canaries, strings.Join(x.Missed, ", "))),
		)
	case x.Refused > 0:
		read = document.Concat(
			read,
			document.Plain(fmt.Sprintf("; for %d its text was refused: it is not in the message, or not a "+
				"value of the type", x.Refused)),
		)
	}
	if x.Tokenless {
		read = document.Concat(
			read,
			document.Plain("; it does not repeat the token of a request, so it was asked without one"),
		)
	}
	if x.Errors > 0 {
		read = document.Concat(
			read,
			document.Plain(fmt.Sprintf("; its model failed on %d, which have no answer: run them again with "+
				"--retry-failed", x.Errors)),
		)
	}
	return read
}

func namesOf(rows []tableRow) []document.RichText {
	out := make([]document.RichText, len(rows))
	for i, r := range rows {
		out[i] = document.Quoted(r.Name)
	}
	return out
}

// verbFor returns the form of a verb for the number of rows.
func verbFor(rows []tableRow, one, many string) string {
	return text.Verb(len(rows), one, many)
}

// baselineOf names the baseline of rows.
func baselineOf(rows []tableRow) document.RichText {
	if alike(rows, func(r tableRow) string { return r.against.Baseline }) {
		return document.Quoted(rows[0].against.Baseline)
	}
	return document.Plain("their baselines")
}

// votesWorth describes the gain from voting. If all is set, it does so for every row. Otherwise it does so for
// the baseline or, if the baseline has one trace per query, for the row with the most traces.
func votesWorth(rows []tableRow, all bool) []document.RichText {
	voted := slices.DeleteFunc(slices.Clone(rows), func(r tableRow) bool { return r.Vote == nil })
	shown := voted
	if !all && len(voted) > 0 {
		if shown = slices.DeleteFunc(slices.Clone(voted), func(r tableRow) bool { return !r.baseline }); len(shown) == 0 {
			shown = []tableRow{slices.MaxFunc(voted, func(a, b tableRow) int { return cmp.Compare(a.K, b.K) })}
		}
	}
	var out []document.RichText
	for _, r := range shown {
		v := r.Vote
		l := document.Plain("what the vote was worth here: ")
		if len(rows) > 1 {
			l = document.Concat(document.Plain("what the vote was worth for "), document.Quoted(r.Name), document.Plain(": "))
		}
		d := figures.Digits(v.Queries)
		worth := figures.Signed(v.Worth*100, d) + " points against a single trace"
		if v.CI != nil {
			low, high := text.SignedEnds(v.CI.Low*100, v.CI.High*100, d)
			worth += " [" + low + ", " + high + "]"
		}
		if v.EffectiveTraces != nil {
			worth += fmt.Sprintf("; the %d traces of a query are worth %.1f independent ones", r.K,
				*v.EffectiveTraces)
			if i := v.EffectiveCI; i != nil {
				worth += fmt.Sprintf(" [%.1f, %.1f]", i.Low, i.High)
			}
		}
		worth += fmt.Sprintf("; %d of %d verdicts depend on a tie or on one trace (%s %%", v.Hanging, v.Queries,
			figures.FormatRate(v.Share, 0))
		if i := v.ShareCI; i != nil {
			worth += " " + text.Bracketed(i.Low, i.High, 0)
		}
		worth += ")"
		out = append(out, document.Concat(l, document.Plain(worth)))
	}
	return out
}
