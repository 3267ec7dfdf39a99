package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/sending"
)

// ModelNote is a remark on a model, printed below a table. ModelPrefix is the beginning of the model's name.
type ModelNote struct {
	ModelPrefix, Text string
	// FormOnly reports that the model, as a quality judge, grades the form of an answer and not its content.
	FormOnly bool
}

// notes collects the lines below the tables. A line on a model or on some of the rows has a mark; equal lines
// share one mark.
type notes struct {
	models  []ModelNote
	marked  []document.RichText
	general []document.RichText
}

// notesOn collects the notes on a result: first on its models, in their order, then on its rows. It sets the
// marks of the rows.
func notesOn(r *result.Result, rows []tableRow, models []ModelNote) *notes {
	n := &notes{models: models}
	for _, c := range r.Configurations {
		models := []string{c.Model, c.Judge.CorrectnessModel, c.Judge.QualityModel}
		if c.ModelUnused { // a judge is marked next to its name
			models = nil
		}
		for _, model := range models {
			n.markedName(model)
		}
	}
	for _, remark := range r.Remarks {
		n.general = append(n.general, document.Mixed(remark))
	}
	for _, c := range r.Configurations {
		if by, decided := byChecks(c); by > 0 && by < decided {
			n.general = append(n.general, document.Plain(fmt.Sprintf("agreement is agreement of verdicts on %d of %s, which "+
				"have checks and no typed answer", by, text.Counted(decided, "query"))))
			break
		}
	}
	warnings := make([][]string, len(rows))
	for _, w := range r.Warnings {
		at, text := -1, w
		for i, row := range rows { // searched by row, because one name may be a prefix of another
			if rest, about := strings.CutPrefix(w, row.Name+": "); about &&
				(at < 0 || len(row.Name) > len(rows[at].Name)) {
				at, text = i, rest
			}
		}
		if at < 0 {
			n.general = append(n.general, document.Concat(document.Plain("warning: "), document.Mixed(w)))
		} else {
			warnings[at] = append(warnings[at], text)
		}
	}
	for i, row := range rows {
		var marks []string
		for _, l := range exceptions(row, warnings[i]) {
			marks = append(marks, n.mark(l))
		}
		rows[i].marks = strings.Join(marks, ",")
	}
	return n
}

// exceptions returns the unusual facts about a row, one sentence each.
func exceptions(r tableRow, warnings []string) []document.RichText {
	var out []document.RichText
	if u := r.Clustered; u != nil && u.CI == nil && r.PassRate != nil {
		out = append(out, document.Plain(text.Counted(u.Clusters, "cluster")+" "+text.Verb(u.Clusters, "is", "are")+
			" too few, or too unequal, for an interval"))
	}
	refused := ""
	if c := r.against; c != nil {
		if c.Refused != nil {
			refused = *c.Refused
		}
		switch {
		case c.Refused != nil && r.invalid():
			out = append(out, document.Concat(document.Plain("no evidence: "), document.Mixed(refused)))
		case c.Refused != nil:
			out = append(
				out,
				document.Concat(
					document.Plain("not compared with "),
					document.Quoted(c.Baseline),
					document.Plain(": "),
					document.Mixed(refused),
				),
			)
		case c.Pairing == result.Unpaired:
			out = append(out, document.Plain("compared unpaired, because the baseline has other queries"))
		}
		if c.LeftOut != nil {
			l := document.Mixed(*c.LeftOut)
			if c.Pairing == result.Paired && c.CorrectBefore != nil && c.CorrectNow != nil {
				l = document.Concat(l, document.Plain(fmt.Sprintf("; over these, %d/%d → %d/%d", *c.CorrectBefore, c.Queries,
					*c.CorrectNow, c.Queries)))
			}
			out = append(out, l)
		}
		out = append(out, onUnits(*c)...)
		if c.JudgeErrors != nil {
			out = append(out, document.Plain(judgeDiffers(c.JudgeErrors)))
		}
		if c.CallIfScored != nil {
			text := fmt.Sprintf("%s if the unscored queries were right, so there is no call", *c.CallIfScored)
			if c.CallAsCounted != nil {
				text = string(*c.CallAsCounted) + " as counted; " + text
			}
			out = append(out, document.Plain(text))
		}
	}
	for _, w := range warnings {
		if !strings.Contains(refused, w) {
			out = append(out, document.Mixed(w))
		}
	}
	return out
}

// mark returns the mark of a text. It adds the text to the notes if it is new.
func (n *notes) mark(text document.RichText) string {
	i := slices.IndexFunc(n.marked, func(l document.RichText) bool { return slices.Equal(l, text) })
	if i < 0 {
		i = len(n.marked)
		n.marked = append(n.marked, text)
	}
	return superscript(i + 1)
}

var superscripts = []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")

func superscript(i int) string {
	return strings.Map(func(digit rune) rune { return superscripts[digit-'0'] }, strconv.Itoa(i))
}

// noteOn returns the note on a model; the zero ModelNote if it has no note.
func (n *notes) noteOn(model string) (out ModelNote) {
	if i := slices.IndexFunc(n.models, func(note ModelNote) bool {
		return strings.HasPrefix(model,
			note.ModelPrefix)
	}); i >= 0 {
		out = n.models[i]
	}
	return out
}

// markedName returns a model's name with the mark of its note.
func (n *notes) markedName(model string) document.RichText {
	if text := n.noteOn(model).Text; text != "" {
		return document.Concat(document.Quoted(model), document.Plain(n.mark(document.Plain(text))))
	}
	return document.Quoted(model)
}

// describeAgent names the agent of a row. For an external agent, this is its command and the model that it
// asked; for concur's own agent, it is the model.
func (n *notes) describeAgent(c result.Configuration) document.RichText {
	switch {
	case c.Command != "" && c.ModelUnused:
		return document.Quoted(c.Command)
	case c.Command != "":
		return document.Concat(document.Quoted(c.Command), document.Plain(" with "), n.markedName(c.Model))
	case c.ModelUnused:
		return document.Quoted(c.Model)
	}
	return n.markedName(c.Model)
}

// lines returns the notes as printed below the tables.
func (n *notes) lines() []document.RichText {
	var out []document.RichText
	for i, l := range n.marked {
		out = append(out, document.Concat(document.Plain(superscript(i+1)+" "), l))
	}
	return append(out, n.general...)
}

// maxDifferences is the maximum number of settings that a note lists.
const maxDifferences = 16

// differing lists the differences between each row's settings and its baseline's.
func differing(rows []tableRow) []document.RichText {
	var out []document.RichText
	for _, r := range rows {
		if c := r.against; c != nil && len(c.Differs) > 0 {
			out = append(
				out,
				document.Concat(
					document.Quoted(r.Name),
					document.Plain(" differs from "),
					document.Quoted(c.Baseline),
					document.Plain(" in "),
					differences(c.Differs),
				),
			)
		}
	}
	return out
}

// requests returns the differences between the requests of each row and the requests of its baseline.
func requests(rows []tableRow) (out []document.Section) {
	for _, r := range rows {
		if c := r.against; c != nil {
			names := sending.Names{Was: document.Quoted(c.Baseline), Now: document.Quoted(r.Name)}
			out = append(out, sending.Sections(c.Sent, c.Differs, names)...)
		}
	}
	return out
}

func differences(settings []string) document.RichText {
	var out document.RichText
	for i, s := range settings {
		if i == maxDifferences {
			return document.Concat(out, document.Plain(fmt.Sprintf("; and %d more", len(settings)-i)))
		}
		if i > 0 {
			out = document.Concat(out, document.Plain("; "))
		}
		out = document.Concat(out, document.Quoted(s))
	}
	return out
}
