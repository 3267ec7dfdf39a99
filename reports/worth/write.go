package worth

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
	"github.com/seed-5817661a/concur/trace"
)

// Formats lists the formats of Write.
func Formats() []string { return append(document.Formats(), string(FormatHTML)) }

// Write writes the figures in one of Formats.
func Write(w io.Writer, format document.Format, r *usefulness.Report, s document.Screen) error {
	switch format {
	case document.FormatTable:
		return s.Write(w, compose(r))
	case document.FormatMarkdown:
		return document.WriteMarkdown(w, compose(r))
	case document.FormatCSV:
		return document.WriteCSV(w, append(sheet, named()...), document.Sequence(r.Rows))
	case document.FormatJSON:
		return document.WriteJSON(w, r)
	case FormatHTML:
		return writeHTML(w, r)
	}
	return fmt.Errorf("write usefulness: there is no format %q; there are %s", format, strings.Join(Formats(), ", "))
}

// sheet has the columns of CSV that say which calls a row has.
var sheet = []document.Column[usefulness.Row]{
	{Name: "configuration", Value: func(r usefulness.Row) any { return r.Configuration }},
	{Name: "by", Value: func(r usefulness.Row) any { return string(r.By) }},
	{Name: "name", Value: func(r usefulness.Row) any { return r.Name }},
}

// end returns an end of an interval.
func end(of func(usefulness.Row) *usefulness.Range, take func(usefulness.Range) float64) func(usefulness.Row) any {
	return func(r usefulness.Row) any {
		if i := of(r); i != nil {
			return take(*i)
		}
		return nil
	}
}

// named returns the columns of figures for programs.
func named() []document.Column[usefulness.Row] {
	low, high := func(i usefulness.Range) float64 { return i.Low }, func(i usefulness.Range) float64 { return i.High }
	ci := func(r usefulness.Row) *usefulness.Range { return r.CI }
	auroc := func(r usefulness.Row) *usefulness.Range { return r.AUROCCI }
	return []document.Column[usefulness.Row]{
		{Name: "calls", Value: func(r usefulness.Row) any { return r.Calls }},
		{Name: "defined", Value: func(r usefulness.Row) any { return r.Defined }},
		{Name: "short", Value: func(r usefulness.Row) any { return r.Short }},
		{Name: "units", Value: func(r usefulness.Row) any { return r.Units }},
		{Name: "mean_gain", Value: func(r usefulness.Row) any { return r.Mean }},
		{Name: "ci_low", Value: end(ci, low)}, {Name: "ci_high", Value: end(ci, high)},
		{Name: "useful", Value: func(r usefulness.Row) any { return r.UsefulCalls }},
		{Name: "useful_share", Value: func(r usefulness.Row) any { return r.UsefulShare }},
		{Name: "harmful", Value: func(r usefulness.Row) any { return r.HarmfulCalls }},
		{Name: "harmful_share", Value: func(r usefulness.Row) any { return r.HarmfulShare }},
		{Name: "gain_per_second", Value: func(r usefulness.Row) any { return r.PerSecond }},
		{Name: "gain_per_1000_tokens", Value: func(r usefulness.Row) any { return r.PerKiloToken }},
		{Name: "auroc", Value: func(r usefulness.Row) any { return r.AUROC }},
		{Name: "auroc_low", Value: end(auroc, low)}, {Name: "auroc_high", Value: end(auroc, high)},
		{Name: "calls_of_right_traces", Value: func(r usefulness.Row) any { return r.RightCalls }},
		{Name: "calls_of_wrong_traces", Value: func(r usefulness.Row) any { return r.WrongCalls }},
	}
}

// columns returns the columns for people. several adds the configuration to the rows of tools and categories.
func columns(kind usefulness.By, tau float64, several bool) []document.Column[usefulness.Row] {
	reach := strconv.FormatFloat(tau, 'g', -1, 64)
	out := []document.Column[usefulness.Row]{
		{Header: string(kind), Most: 28, Text: func(r usefulness.Row) document.RichText {
			if kind == usefulness.ByConfiguration {
				return document.Quoted(r.Configuration)
			}
			return document.Quoted(r.Name)
		}},
	}
	if several && kind != usefulness.ByConfiguration {
		out = append(out, document.Column[usefulness.Row]{Header: "of", Most: 20,
			Text: func(r usefulness.Row) document.RichText { return document.Quoted(r.Configuration) }})
	}
	return append(
		out,
		document.Column[usefulness.Row]{Header: "calls",
			Show: func(r usefulness.Row) string { return figures.Whole(r.Defined) }},
		document.Column[usefulness.Row]{Header: "mean gain\n[95 %]",
			Show: func(r usefulness.Row) string { return Gain(r.Figures) }},
		document.Column[usefulness.Row]{Header: "useful\n(≥ " + reach + ")",
			Show: func(r usefulness.Row) string { return figures.Percent(r.UsefulShare) }},
		document.Column[usefulness.Row]{Header: "harmful\n(≤ −" + reach + ")",
			Show: func(r usefulness.Row) string { return figures.Percent(r.HarmfulShare) }},
		document.Column[usefulness.Row]{Header: "gain a\nsecond", Leaves: 2, When: document.IfFilled,
			Show: func(r usefulness.Row) string { return signed(r.PerSecond) }},
		document.Column[usefulness.Row]{Header: "gain per\n1,000 tokens", Leaves: 3, When: document.IfFilled,
			Show: func(r usefulness.Row) string { return signed(r.PerKiloToken) }},
		document.Column[usefulness.Row]{Header: "AUROC\n[95 %]", Leaves: 1, When: document.IfFilled,
			Show: func(r usefulness.Row) string { return area(r.Figures) }},
	)
}

// Gain formats a mean gain and its interval, in nats.
func Gain(f usefulness.Figures) string {
	if f.Mean == nil {
		return document.Undefined
	}
	out := figures.Signed(*f.Mean, 2)
	if f.CI != nil {
		low, high := text.SignedEnds(f.CI.Low, f.CI.High, 2)
		out += " [" + low + ", " + high + "]"
	}
	return out
}

func area(f usefulness.Figures) string {
	if f.AUROC == nil {
		return document.Undefined
	}
	out := figures.Hundredths(f.AUROC)
	if f.AUROCCI != nil {
		out += fmt.Sprintf(" [%.2f, %.2f]", f.AUROCCI.Low, f.AUROCCI.High)
	}
	return out
}

// signed formats a gain with its sign: two decimals below 10, none from 100 on.
func signed(x *float64) string {
	return document.FormatDefined(x, func(x float64) string {
		decimals := 2
		for limit := 10.0; (x >= limit || x <= -limit) && decimals > 0; limit *= 10 {
			decimals--
		}
		return figures.Signed(x, decimals)
	})
}

// Mark describes the gain of one call, for the transcript of a trace. It is "" for an entry without a reason and
// without a gain.
func Mark(e usefulness.Entry) string {
	switch {
	case e.Gain != nil:
		return "gain " + figures.Signed(*e.Gain, 2) + " by " + e.Scorer
	case e.Undefined != "":
		return "no gain (" + e.Undefined.Words() + ") by " + e.Scorer
	}
	return ""
}

// Marks returns the Mark of each result of a trace, by the index of its event. entries are those of the trace.
func Marks(events []trace.Event, entries []usefulness.Entry) map[int]string {
	out := map[int]string{}
	for at, e := range usefulness.ByResult(events, entries) {
		out[at] = Mark(e)
	}
	return out
}

// leftOut lists the calls without a gain by their reasons; nil if all calls have one.
func leftOut(r *usefulness.Report) []document.RichText {
	n, reasons := 0, []string(nil)
	for _, why := range usefulness.Reasons() {
		if count := r.Undefined[why]; count > 0 {
			n += count
			reasons = append(reasons, fmt.Sprintf("%s (%d)", why.Words(), count))
		}
	}
	if n == 0 {
		return nil
	}
	return []document.RichText{document.Plain(fmt.Sprintf("left out, because they have no gain: %s: %s",
		text.Counted(n, "call"), strings.Join(reasons, ", ")))}
}
