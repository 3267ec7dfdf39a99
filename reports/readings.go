package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/config"
)

// Readings returns the lines below a table of a result, for a page: which answers could not be read, which
// other type would read wrong answers as right, and the work of the extractor.
func Readings(r *result.Result) []string {
	var out []string
	for _, l := range readings(r, rowsOf(Titled(r))) {
		out = append(out, l.String())
	}
	return out
}

// readings returns the lines below a table: how many traces ended with a message in which no answer could be
// read, which other type would read wrong answers as right, and the work of the extractor.
func readings(r *result.Result, rows []row) []line {
	var out []line
	for _, row := range rows {
		if row.Reading == nil {
			continue
		}
		of := line(nil)
		if len(rows) > 1 {
			of = say(quoted(row.Name), plain(": "))
		}
		for _, l := range readingOf(row, runOf(r, row)) {
			out = append(out, say(of, l))
		}
	}
	return out
}

// runOf returns the run of a row. In a comparison, the row's name begins with the run's label.
func runOf(r *result.Result, of row) string {
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

func readingOf(of row, run string) []line {
	var out []line
	reading := of.Reading
	if n := reading.Unread; n > 0 {
		out = append(out, say(
			plain(fmt.Sprintf("%d of %s gave no readable answer: `concur trace ", n,
				text.Counted(of.Traces.Total, "trace"))),
			quoted(run+" "+reading.Example), plain("` shows one; "+helps(reading)+" would help")))
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
		out = append(out, say(plain(text.Counted(n, "wrong trace")+" would be right "+strings.Join(parts, ", ")+
			": see the type of "), quoted(types[0].Example)))
	}
	if x := reading.Extraction; x != nil {
		out = append(out, extractionOf(*x))
	}
	return out
}

// helps names the ways to make more answers readable, without the extractor if the run has one.
func helps(r *result.Reading) string {
	if r.Extraction != nil {
		return "an answer line or another type"
	}
	return "an answer line, another type or `--extract model`"
}

func extractionOf(x result.Extraction) line {
	by := ""
	if config.IsOffline(x.Model) || strings.Contains(x.Model, ":"+config.OfflineProvider+":") {
		by = " (rule-based)"
	}
	read := say(quoted(x.Model), plain(by+fmt.Sprintf(" read the answer of %d of %s", x.Read,
		text.Counted(x.Messages, "message"))))
	switch {
	case len(x.Missed) > 0:
		return say(plain("warning: the extractor "), quoted(x.Model), plain(fmt.Sprintf(
			" was not asked: it read %d of %d canaries wrong (%s); name another with --extractor PROVIDER:MODEL",
			len(x.Missed), x.Canaries, strings.Join(x.Missed, ", "))))
	case x.Refused > 0:
		read = say(read, plain(fmt.Sprintf("; of %d its words were refused: they are not in the message, or no "+
			"value of the type", x.Refused)))
	}
	if x.Tokenless {
		read = say(read, plain("; it does not repeat the token that it was given, and was asked without one"))
	}
	if x.Errors > 0 {
		read = say(read, plain(fmt.Sprintf("; its model failed on %d, which are lost: run them again with "+
			"--retry-failed", x.Errors)))
	}
	return read
}

func namesOf(rows []row) []line {
	out := make([]line, len(rows))
	for i, r := range rows {
		out[i] = quoted(r.Name)
	}
	return out
}

// agree returns the form of a verb for the number of rows.
func agree(rows []row, one, many string) string {
	return text.Verb(len(rows), one, many)
}

// baselineOf names the baseline of some rows.
func baselineOf(rows []row) line {
	if alike(rows, func(r row) string { return r.against.Baseline }) {
		return quoted(rows[0].against.Baseline)
	}
	return plain("their baselines")
}

// worths describes the gain from voting: for every row with all; else for the baseline, or for the row with
// the most traces if the baseline has no vote.
func worths(rows []row, all bool) []line {
	voted := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.Vote == nil })
	shown := voted
	if !all && len(voted) > 0 {
		if shown = slices.DeleteFunc(slices.Clone(voted), func(r row) bool { return !r.baseline }); len(shown) == 0 {
			shown = []row{slices.MaxFunc(voted, func(a, b row) int { return cmp.Compare(a.K, b.K) })}
		}
	}
	var out []line
	for _, r := range shown {
		v := r.Vote
		l := plain("what the vote was worth here: ")
		if len(rows) > 1 {
			l = say(plain("what the vote was worth for "), quoted(r.Name), plain(": "))
		}
		d := digits(v.Queries)
		text := signed(v.Worth*100, d) + " points against a single trace"
		if v.CI != nil {
			text += fmt.Sprintf(" [%s, %s]", signed(v.CI.Low*100, d), signed(v.CI.High*100, d))
		}
		if v.EffectiveTraces != nil {
			text += fmt.Sprintf("; the %d traces of a query know as much as %.1f independent ones", r.K,
				*v.EffectiveTraces)
			if i := v.EffectiveCI; i != nil {
				text += fmt.Sprintf(" [%.1f, %.1f]", i.Low, i.High)
			}
		}
		text += fmt.Sprintf("; %d of %d verdicts hang on a tie or on one trace (%s %% [%s, %s])",
			v.Hanging, v.Queries, rate(v.Share, 0), rate(v.ShareCI.Low, 0), rate(v.ShareCI.High, 0))
		out = append(out, say(l, plain(text)))
	}
	return out
}
