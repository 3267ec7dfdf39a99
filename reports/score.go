package reports

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/score"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// WriteScore writes the figures of recorded answers, as table, Markdown or JSON.
func WriteScore(w io.Writer, f document.Format, s *score.Score, o Options) error {
	switch f {
	case document.FormatTable:
		return o.Screen.Write(w, scored(s, o))
	case document.FormatMarkdown:
		return document.WriteMarkdown(w, scored(s, o))
	case document.FormatJSON:
		return document.WriteJSON(w, s)
	}
	return fmt.Errorf("write score: there is no format %q; there are %s, %s, %s", f, document.FormatTable,
		document.FormatMarkdown, document.FormatJSON)
}

// figuresAtK is one row: the figures of one file for one k.
type figuresAtK struct {
	*score.Figures
	k int
}

// stopRow is one row: a stopping rule applied to one file.
type stopRow struct {
	*score.Figures
	score.Stopping
}

func scored(s *score.Score, o Options) document.Document {
	r := s.Result()
	rows := rowsOf(r)
	n := notesOn(r, rows, nil)
	files := s.Files()
	file := "" // the header above the names of files
	if len(files) > 1 {
		file = "file"
	}
	var ks ownedRows[figuresAtK]
	var stops ownedRows[stopRow]
	for _, f := range files {
		for _, k := range slices.Sorted(maps.Keys(f.QueriesAtK)) {
			ks.add(f.Name, figuresAtK{f, k})
		}
		for _, stop := range f.Stopping {
			stops.add(f.Name, stopRow{f, stop})
		}
	}
	var d document.Document
	d.Details = append(document.Captioned(tableByK(ks, file)), document.Captioned(stopping(stops, file))...)
	if o.Show.Flips {
		d.Details = append(d.Details, flips(r)...)
	}
	name := document.Column[tableRow]{Header: "right by vote", Text: func(r tableRow) document.RichText {
		return document.Concat(document.Quoted(r.Name), document.Plain(r.marks))
	}}
	d.Headline = []document.Section{
		{Lines: []document.RichText{readingOfAnswers(s.Figures)}},
		{
			Table: document.Tabulate(
				nil,
				document.WithoutWide(slices.Concat([]document.Column[tableRow]{name}, identity(rows, n), comparison(rows))),
				rows,
			),
		},
		{Table: confidenceOf(files)},
	}
	for _, f := range files {
		if f.LeftOut != nil {
			for _, named := range f.LeftOut.Named() {
				n.general = append(n.general, document.Mixed(named))
			}
		}
	}
	d.Headline = document.WithoutEmpty(append(d.Headline, document.Section{Lines: n.lines()})...)
	d.Closing = closing(r, rows)
	return d
}

// readingOfAnswers describes how the answers were read.
func readingOfAnswers(f score.Figures) document.RichText {
	norm := string(f.Norm)
	if f.Type != "" {
		norm += " " + string(f.Type)
	}
	l := document.Plain(
		fmt.Sprintf("%s of up to %s; norm %s, nulls %s, quorum %s", text.Counted(f.Verdicts.Queries, "query"),
			text.Counted(f.K, "answer"), norm, f.Nulls, f.Quorum),
	)
	if f.Messages {
		l = document.Concat(l, document.Plain("; answers read in messages"))
	}
	if f.Extractor != "" {
		l = document.Concat(l, document.Plain(", else by "), document.Quoted(f.Extractor),
			document.Plain(fmt.Sprintf(" in %s", text.Counted(f.ExtractorCalls, "call"))))
	}
	if f.Verifier != "" {
		l = document.Concat(l, document.Plain("; verified by "), document.Quoted(f.Verifier),
			document.Plain(fmt.Sprintf(" in %s", text.Counted(f.VerifierCalls, "call"))))
	}
	if f.Judge != "" {
		l = document.Concat(l, document.Plain("; judged by "), document.Quoted(f.Judge),
			document.Plain(fmt.Sprintf(" in %s", text.Counted(f.JudgeCalls, "call"))))
	}
	return l
}

// tableByK returns the table of the figures for the first k answers, and for k answers drawn at random.
func tableByK(rows ownedRows[figuresAtK], file string) *document.Table {
	of := func(header string, leaves int, x func(figuresAtK) *float64) document.Column[figuresAtK] {
		return document.Column[figuresAtK]{
			Header: header, When: document.IfFilled, Leaves: leaves,
			Show: func(r figuresAtK) string { return figures.PercentOf(x(r), r.QueriesAtK[r.k]) },
		}
	}
	rate := func(header string, x func(figuresAtK) map[int]float64) document.Column[figuresAtK] {
		return document.Column[figuresAtK]{
			Header: header,
			Show: func(r figuresAtK) string {
				v := x(r)[r.k]
				return figures.PercentOf(&v, r.QueriesAtK[r.k])
			},
		}
	}
	ragged := slices.ContainsFunc(rows.rows, func(r figuresAtK) bool { return r.QueriesAtK[r.k] < r.N })
	return tabulateOwned(
		"By k: the first k answers as stored, and k answers drawn from all",
		file,
		rows,
		[]document.Column[figuresAtK]{
			{Header: "k", Show: func(r figuresAtK) string { return strconv.Itoa(r.k) }},
			{
				Header: "queries", When: document.IfFilled,
				Show: func(r figuresAtK) string {
					if !ragged {
						return ""
					}
					return figures.Whole(r.QueriesAtK[r.k])
				},
			},
			rate("vote of\nfirst k", func(r figuresAtK) map[int]float64 { return r.MajFirstK }),
			rate("any of\nfirst k", func(r figuresAtK) map[int]float64 { return r.AnyAtK }),
			of("vote of\nk", 0, func(r figuresAtK) *float64 { return r.MajExpected[r.k] }),
			of("pass@k", 0, func(r figuresAtK) *float64 { return r.PassAtK[r.k] }),
			of("pass^k", 0, func(r figuresAtK) *float64 { return r.PassHatK[r.k] }),
			of("unanimous", 1, func(r figuresAtK) *float64 { return r.Unanimity[r.k].Rate }),
			of("correct if\nunanimous", 1, func(r figuresAtK) *float64 { return r.Unanimity[r.k].Accuracy }),
		},
	)
}

// stopping returns the table of the number of answers that rules of adaptive sampling would have drawn.
func stopping(rows ownedRows[stopRow], file string) *document.Table {
	return tabulateOwned("If sampling had stopped by a rule", file, rows, []document.Column[stopRow]{
		{Header: "rule", Text: func(r stopRow) document.RichText { return document.Plain(r.Stopping.String()) }},
		{Header: "answers\na query", Show: func(r stopRow) string { return figures.Decimal(&r.MeanSamples, 2) }},
		{Header: "answers", Show: func(r stopRow) string { return figures.Whole(r.TotalSamples) }, Leaves: 1},
		{Header: "right", Show: func(r stopRow) string { return figures.PercentOf(&r.Accuracy, r.N) }},
		{
			Header: "as the vote\nover all",
			Show:   func(r stopRow) string { return figures.PercentOf(&r.AgreeWithFullVote, r.N) },
		},
	})
}

// confidenceOf returns the table on single answers and on how reliable their agreement is.
func confidenceOf(files []*score.Figures) *document.Table {
	of := func(header string, x func(*score.Figures) *float64) document.Column[*score.Figures] {
		return document.Column[*score.Figures]{
			Header: header, When: document.IfFilled,
			Show: func(f *score.Figures) string { return figures.Decimal(x(f), 3) },
		}
	}
	return document.Tabulate(nil, []document.Column[*score.Figures]{
		{Header: "single answers", Text: func(f *score.Figures) document.RichText { return document.Quoted(f.Name) }},
		{
			Header: "right",
			When:   document.IfFilled,
			Show:   func(f *score.Figures) string { return figures.PercentOf(f.MeanSingle, f.N) },
		},
		of("ICC", func(f *score.Figures) *float64 { return f.ICC }),
		of("vote share:\nAUROC", func(f *score.Figures) *float64 { return f.AUROC }),
		of("ECE", func(f *score.Figures) *float64 { return f.ECE }),
		of("Brier", func(f *score.Figures) *float64 { return f.Brier }),
	}, files)
}
