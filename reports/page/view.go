package page

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/reports"
)

// view is what the template lays out.
type view struct {
	shell
	Title, Closing string
	Facts          []fact
	Gate           *reports.GateWords // nil without a decision
	Warnings       []string
	Rows           []row
	Overview       table
	Figures        []figure
	Breakdowns     []table // of right answers by category, and of the rubric by its points
	Grid           []gridRow
	LeftOut        string
	Categories     []string
	OtherWay       bool // some trace came to the same answer by other tool calls
	Sections       []section
	Documents      []document
	Prompts        []prompt
	Brief          bool
	Frame          *Frame
}

func (p Page) view() (view, error) {
	v := view{shell: newShell(), Closing: reports.Closing(p.Result), Warnings: slices.Clone(p.Result.Warnings), Title: p.title(), Brief: p.Brief, Frame: p.Frame}
	var err error
	if v.Rows, err = p.rows(); err != nil {
		return v, err
	}
	if !p.Brief {
		if v.Prompts, err = p.prompts(v.Rows); err != nil {
			return v, err
		}
		var docs library
		if v.Grid, v.Sections, v.LeftOut, err = p.sections(v.Rows, &docs); err != nil {
			return v, err
		}
		v.Documents = docs.all
	}
	v.Overview = overview(v.Rows)
	v.Breakdowns = breakdowns(v.Rows, p.Result.Dataset.Categories)
	v.Figures = figures(v.Rows)
	for _, r := range v.Rows {
		v.OtherWay = v.OtherWay || r.against != nil && len(r.against.WayFlips) > 0
		if r.against != nil && r.against.Refused != nil {
			v.Warnings = append(v.Warnings, r.Name+" is not compared: "+*r.against.Refused)
		}
	}
	v.Categories = p.Result.Dataset.Categories
	v.Facts = p.origins()
	v.decide(p.Gate)
	return v, nil
}

func (p Page) title() string {
	r := p.Result
	switch {
	case len(r.Runs) > 1:
		return fmt.Sprintf("%s: run %s against %s", r.Dataset.Name, r.Runs[1].Run, r.Runs[0].Run)
	case r.Ablation != "":
		return fmt.Sprintf("Ablation %s on %s", r.Ablation, r.Dataset.Name)
	case len(r.Configurations) == 0:
		return r.Dataset.Name
	}
	return fmt.Sprintf("%s on %s", r.Configurations[0].Name, r.Dataset.Name)
}

// origins say what the figures are of.
func (p Page) origins() []fact {
	r := p.Result
	out := []fact{
		{"dataset", fmt.Sprintf("%s, %d queries", r.Dataset.Name, r.Dataset.Queries)},
		{"seed", fmt.Sprint(r.Seed)},
	}
	for _, run := range p.Runs {
		m := run.Manifest
		out = append(out, fact{"run", m.Run + ", " + m.Start.UTC().Format("2 January 2006, 15:04 UTC")})
	}
	seen := map[string]bool{}
	for _, c := range r.Configurations {
		if !seen[c.Model] {
			seen[c.Model] = true
			out = append(out, fact{"model", c.Model})
		}
	}
	return out
}
