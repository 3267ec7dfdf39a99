package page

import (
	"github.com/seed-5817661a/concur/ablations/sent"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/sending"
)

// changesView has the differences of two runs in settings, files and requests.
type changesView struct {
	Settings     []string
	Introduction string // "" if no request differs
	Changes      []changeView
	Remarks      []string
}

// changeView is one difference between what two runs sent.
type changeView struct {
	Sentence string
	Lines    []changedLine
}

// changedLine is a line of a unified diff. Class is the class of its element: added, removed, place, or "".
type changedLine struct{ Class, Text string }

// changes returns the differences of the compared runs, or of a gated run from an accepted run.
func (p Page) changes() (out []changesView) {
	if p.Gate != nil {
		return appendChanges(nil, p.Gate.Sent, nil, p.Gate.Names()) // the decision has the differences in settings
	}
	if len(p.Result.Runs) < 2 {
		return nil
	}
	for _, c := range reports.Titled(p.Result).Comparisons {
		names := sending.Names{Was: document.Quoted(c.Baseline), Now: document.Quoted(c.Configuration)}
		out = appendChanges(out, c.Sent, c.Differs, names)
	}
	return out
}

func appendChanges(out []changesView, c *sent.Comparison, settings []string, names sending.Names) []changesView {
	v := changesView{Settings: settings}
	shown, requests := sending.Shown(c, settings)
	if requests {
		v.Introduction = sending.Introduction(c, names).String()
	}
	for _, d := range shown {
		one := changeView{Sentence: d.Sentence.String()}
		for _, line := range d.Lines {
			class := map[byte]string{'+': "added", '-': "removed", '@': "place"}[line[0]]
			one.Lines = append(one.Lines, changedLine{class, line})
		}
		v.Changes = append(v.Changes, one)
	}
	for _, r := range sending.Remarks(c) {
		v.Remarks = append(v.Remarks, r.String())
	}
	if len(v.Settings)+len(v.Changes)+len(v.Remarks) == 0 {
		return out
	}
	return append(out, v)
}
