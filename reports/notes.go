package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
)

// Note is a remark on a model, printed below a table. ModelPrefix is the beginning of the model's name.
type Note struct {
	ModelPrefix, Text string
	// FormOnly reports that the model, as a quality judge, grades the form of an answer and not its content.
	FormOnly bool
}

// notes collects the lines below the tables. Lines on models and single rows have a mark, one for each text.
type notes struct {
	models  []Note
	marked  []line
	general []line
}

// notesOn collects the notes on a result's models, in their order, and on its rows, and gives the rows their
// marks.
func notesOn(r *result.Result, rows []row, models []Note) *notes {
	n := &notes{models: models}
	for _, c := range r.Configurations {
		models := []string{c.Model, c.Judge.CorrectnessModel, c.Judge.QualityModel}
		if c.ModelUnused { // a judge is marked next to its name
			models = nil
		}
		for _, model := range models {
			n.named(model)
		}
	}
	for _, remark := range r.Remarks {
		n.general = append(n.general, blend(remark))
	}
	warnings := make([][]string, len(rows))
	for _, w := range r.Warnings {
		at, text := -1, w
		for i, row := range rows { // one name may be the beginning of another
			if rest, about := strings.CutPrefix(w, row.Name+": "); about &&
				(at < 0 || len(row.Name) > len(rows[at].Name)) {
				at, text = i, rest
			}
		}
		if at < 0 {
			n.general = append(n.general, say(plain("warning: "), blend(w)))
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

// exceptions returns the special facts on a row, one sentence each.
func exceptions(r row, warnings []string) []line {
	var out []line
	if u := r.Clustered; u != nil && u.CI == nil && r.PassRate != nil {
		out = append(out, plain(text.Counted(u.Clusters, "cluster")+" "+text.Verb(u.Clusters, "is", "are")+
			" too few, or too unequal, for an interval"))
	}
	refused := ""
	if c := r.against; c != nil {
		if c.Refused != nil {
			refused = *c.Refused
		}
		switch {
		case c.Refused != nil && r.invalid():
			out = append(out, say(plain("no evidence: "), blend(refused)))
		case c.Refused != nil:
			out = append(out, say(plain("not compared with "), quoted(c.Baseline), plain(": "), blend(refused)))
		case c.Pairing == result.Unpaired:
			out = append(out, plain("compared unpaired, since its queries are not the baseline's"))
		}
		if c.LeftOut != nil {
			l := blend(*c.LeftOut)
			if c.Pairing == result.Paired && c.CorrectBefore != nil && c.CorrectNow != nil {
				l = say(l, plain(fmt.Sprintf("; over these, %d/%d → %d/%d", *c.CorrectBefore, c.Queries,
					*c.CorrectNow, c.Queries)))
			}
			out = append(out, l)
		}
		out = append(out, onUnits(*c)...)
		if c.JudgeErrors != nil {
			out = append(out, plain(judgeDiffers(c.JudgeErrors)))
		}
		if c.CallIfScored != nil {
			text := fmt.Sprintf("%s if the unscored queries were right, so the call is left open", *c.CallIfScored)
			if c.CallAsCounted != nil {
				text = string(*c.CallAsCounted) + " as counted; " + text
			}
			out = append(out, plain(text))
		}
	}
	for _, w := range warnings {
		if !strings.Contains(refused, w) {
			out = append(out, blend(w))
		}
	}
	return out
}

// mark returns the mark of a text, and adds the text if it is new.
func (n *notes) mark(text line) string {
	i := slices.IndexFunc(n.marked, func(l line) bool { return slices.Equal(l, text) })
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

// on returns the note on a model; a zero Note if it has none.
func (n *notes) on(model string) (out Note) {
	if i := slices.IndexFunc(n.models, func(note Note) bool {
		return strings.HasPrefix(model,
			note.ModelPrefix)
	}); i >= 0 {
		out = n.models[i]
	}
	return out
}

// named returns a model's name with the mark of its note.
func (n *notes) named(model string) line {
	if text := n.on(model).Text; text != "" {
		return say(quoted(model), plain(n.mark(plain(text))))
	}
	return quoted(model)
}

// agent names the agent of a row: the command of an external agent, with the model that it asked, or the
// model.
func (n *notes) agent(c result.Configuration) line {
	switch {
	case c.Command != "" && c.ModelUnused:
		return quoted(c.Command)
	case c.Command != "":
		return say(quoted(c.Command), plain(" with "), n.named(c.Model))
	case c.ModelUnused:
		return quoted(c.Model)
	}
	return n.named(c.Model)
}

// lines returns the notes as printed below the tables.
func (n *notes) lines() []line {
	var out []line
	for i, l := range n.marked {
		out = append(out, say(plain(superscript(i+1)+" "), l))
	}
	return append(out, n.general...)
}

// maxDifferences is the number of settings that a note lists.
const maxDifferences = 16

// differing lists the differences between each row's settings and its baseline's.
func differing(rows []row) []line {
	var out []line
	for _, r := range rows {
		if c := r.against; c != nil && len(c.Differs) > 0 {
			out = append(out, say(quoted(r.Name), plain(" differs from "), quoted(c.Baseline), plain(" in "),
				differences(c.Differs)))
		}
	}
	return out
}

func differences(settings []string) line {
	var out line
	for i, s := range settings {
		if i == maxDifferences {
			return say(out, plain(fmt.Sprintf("; and %d more", len(settings)-i)))
		}
		if i > 0 {
			out = say(out, plain("; "))
		}
		out = say(out, quoted(s))
	}
	return out
}
