package reports

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/score"
	"github.com/seed-5817661a/concur/internal/text"
)

// Score writes the figures of recorded answers, as table, Markdown or JSON.
func Score(w io.Writer, f Format, s *score.Score, o Options) error {
	switch f {
	case FormatTable:
		return o.Screen.write(w, scored(s, o))
	case FormatMarkdown:
		return writeMarkdown(w, scored(s, o))
	case FormatJSON:
		return JSON(w, s)
	}
	return fmt.Errorf("write score: there is no format %q; there are %s, %s, %s", f, FormatTable,
		FormatMarkdown, FormatJSON)
}

// atK holds the figures for one k of one file.
type atK struct {
	*score.Figures
	k int
}

// stopRow is a stopping rule on one file.
type stopRow struct {
	*score.Figures
	score.Stopping
}

func scored(s *score.Score, o Options) document {
	r := s.Result()
	rows := rowsOf(r)
	n := notesOn(r, rows, nil)
	files := s.Files()
	file := "" // the header above their names
	if len(files) > 1 {
		file = "file"
	}
	var ks owned[atK]
	var stops owned[stopRow]
	for _, f := range files {
		for _, k := range slices.Sorted(maps.Keys(f.QueriesAtK)) {
			ks.add(f.Name, atK{f, k})
		}
		for _, stop := range f.Stopping {
			stops.add(f.Name, stopRow{f, stop})
		}
	}
	var d document
	d.details = append(captioned(byK(ks, file)), captioned(stopping(stops, file))...)
	if o.Show.Flips {
		d.details = append(d.details, flips(r)...)
	}
	name := Column[row]{Header: "right by vote", Text: func(r row) line { return say(quoted(r.Name), plain(r.marks)) }}
	d.headline = []part{
		{lines: []line{readingOfAnswers(s.Figures)}},
		{table: tabulate(nil, narrowed(slices.Concat([]Column[row]{name}, identity(rows, n), comparison(rows))), rows)},
		{table: confidenceOf(files)},
	}
	for _, f := range files {
		if f.LeftOut != nil {
			for _, named := range f.LeftOut.Named() {
				n.general = append(n.general, blend(named))
			}
		}
	}
	d.headline = filled(append(d.headline, part{lines: n.lines()})...)
	d.closing = closing(r, rows)
	return d
}

// readingOfAnswers describes how the answers were read.
func readingOfAnswers(f score.Figures) line {
	norm := string(f.Norm)
	if f.Type != "" {
		norm += " " + string(f.Type)
	}
	l := plain(fmt.Sprintf("%s of up to %s; norm %s, nulls %s, quorum %s", text.Counted(f.Verdicts.Queries, "query"),
		text.Counted(f.K, "answer"), norm, f.Nulls, f.Quorum))
	if f.Messages {
		l = say(l, plain("; answers read in messages"))
	}
	if f.Extractor != "" {
		l = say(l, plain(", else by "), quoted(f.Extractor),
			plain(fmt.Sprintf(" in %s", text.Counted(f.ExtractorCalls, "call"))))
	}
	if f.Verifier != "" {
		l = say(l, plain("; verified by "), quoted(f.Verifier),
			plain(fmt.Sprintf(" in %s", text.Counted(f.VerifierCalls, "call"))))
	}
	if f.Judge != "" {
		l = say(l, plain("; judged by "), quoted(f.Judge),
			plain(fmt.Sprintf(" in %s", text.Counted(f.JudgeCalls, "call"))))
	}
	return l
}

// byK returns the table of the figures for the first k answers, and for any k of them.
func byK(rows owned[atK], file string) *table {
	of := func(header string, leaves int, x func(atK) *float64) Column[atK] {
		return Column[atK]{
			Header: header, When: ifFilled, Leaves: leaves,
			Show: func(r atK) string { return percentOf(x(r), r.QueriesAtK[r.k]) },
		}
	}
	rate := func(header string, x func(atK) map[int]float64) Column[atK] {
		return Column[atK]{
			Header: header,
			Show: func(r atK) string {
				v := x(r)[r.k]
				return percentOf(&v, r.QueriesAtK[r.k])
			},
		}
	}
	ragged := slices.ContainsFunc(rows.things, func(r atK) bool { return r.QueriesAtK[r.k] < r.N })
	return tabulateOwned("By k: the first k answers as stored, and k answers drawn of all", file, rows, []Column[atK]{
		{Header: "k", Show: func(r atK) string { return strconv.Itoa(r.k) }},
		{
			Header: "queries", When: ifFilled,
			Show: func(r atK) string {
				if !ragged {
					return ""
				}
				return whole(r.QueriesAtK[r.k])
			},
		},
		rate("vote of\nfirst k", func(r atK) map[int]float64 { return r.MajFirstK }),
		rate("any of\nfirst k", func(r atK) map[int]float64 { return r.AnyAtK }),
		of("vote of\nk", 0, func(r atK) *float64 { return r.MajExpected[r.k] }),
		of("pass@k", 0, func(r atK) *float64 { return r.PassAtK[r.k] }),
		of("pass^k", 0, func(r atK) *float64 { return r.PassHatK[r.k] }),
		of("unanimous", 1, func(r atK) *float64 { return r.Unanimity[r.k].Rate }),
		of("correct if\nunanimous", 1, func(r atK) *float64 { return r.Unanimity[r.k].Accuracy }),
	})
}

// stopping returns the table of the answers that rules of adaptive sampling would have drawn.
func stopping(rows owned[stopRow], file string) *table {
	return tabulateOwned("Had sampling stopped by a rule", file, rows, []Column[stopRow]{
		{Header: "rule", Text: func(r stopRow) line { return plain(r.Stopping.String()) }},
		{Header: "answers\na query", Show: func(r stopRow) string { return decimal(&r.MeanSamples, 2) }},
		{Header: "answers", Show: func(r stopRow) string { return whole(r.TotalSamples) }, Leaves: 1},
		{Header: "right", Show: func(r stopRow) string { return percentOf(&r.Accuracy, r.N) }},
		{
			Header: "as the vote\nover all",
			Show:   func(r stopRow) string { return percentOf(&r.AgreeWithFullVote, r.N) },
		},
	})
}

// confidenceOf returns the table of single answers, and of how reliable their agreement is.
func confidenceOf(files []*score.Figures) *table {
	of := func(header string, x func(*score.Figures) *float64) Column[*score.Figures] {
		return Column[*score.Figures]{
			Header: header, When: ifFilled,
			Show: func(f *score.Figures) string { return decimal(x(f), 3) },
		}
	}
	return tabulate(nil, []Column[*score.Figures]{
		{Header: "single answers", Text: func(f *score.Figures) line { return quoted(f.Name) }},
		{Header: "right", When: ifFilled, Show: func(f *score.Figures) string { return percentOf(f.MeanSingle, f.N) }},
		of("ICC", func(f *score.Figures) *float64 { return f.ICC }),
		of("vote share:\nAUROC", func(f *score.Figures) *float64 { return f.AUROC }),
		of("ECE", func(f *score.Figures) *float64 { return f.ECE }),
		of("Brier", func(f *score.Figures) *float64 { return f.Brier }),
	}, files)
}
