package page

import (
	"fmt"
	"html/template"
	"slices"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/gatereport"
)

// pageView is the data of the page's template.
type pageView struct {
	Policy         string // Content-Security-Policy
	Style          template.CSS
	Script         template.JS
	Title, Closing string
	Facts          []namedFact
	Gate           *gateView // nil if there is no decision
	Changes        []changesView
	Single         bool // one configuration: its queries come before its plots
	Warnings       []string
	Rows           []configRow
	Overview       table
	Readings       []string // the number of answers that could not be read, and ways to read them
	Figures        []figure
	Breakdowns     []table // right answers by category, questions of the rubric, and tools
	Grid           []gridRow
	LeftOut        string
	Categories     []string
	OtherWay       bool // some trace has the same answer after other tool calls
	Sections       []section
	Documents      []evidence
	Prompts        []prompt
	Brief          bool
	Frame          *Frame
}

// policy allows the page's own style and script, by their hashes.
const policy = "default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'"

func (p Page) view() (pageView, error) {
	v := pageView{
		Policy: fmt.Sprintf(policy, policyHash(style), policyHash(script)),
		Style:  template.CSS(style), Script: template.JS(script),
		Title: p.title(), Closing: reports.Closing(p.Result), Facts: p.origins(),
		Warnings: reports.Titled(p.Result).Warnings, Categories: p.Result.Dataset.Categories, Brief: p.Brief,
		Frame: p.Frame,
	}
	if p.Gate != nil { // the decision replaces the closing sentence of the run
		words := p.Gate.Summary()
		v.Title, v.Closing, v.Gate = "Gate: "+v.Title, words.Decision, &gateView{Summary: words}
	}
	var err error
	if v.Rows, err = p.rows(); err != nil {
		return v, err
	}
	if !p.Brief {
		if v.Prompts, err = p.prompts(v.Rows); err != nil {
			return v, err
		}
		docs := library{places: map[string]string{}}
		if v.Grid, v.Sections, v.LeftOut, err = p.sections(v.Rows, &docs); err != nil {
			return v, err
		}
		v.Documents = docs.all
	}
	if v.Gate != nil {
		v.Gate.Findings = linked(v.Gate.Summary.Findings, v.Sections)
	}
	v.Changes = p.changes()
	v.Single = len(v.Rows) == 1
	v.Overview, v.Readings = overview(v.Rows), reports.Readings(p.Result)
	v.Breakdowns = breakdowns(v.Rows, p.Result.Dataset.Categories)
	if title, head, rows, shown := reports.ToolUse(p.Result); shown {
		v.Breakdowns = append(v.Breakdowns, table{Caption: title, Head: head, Rows: rows})
	}
	v.Figures = figures(v.Rows)
	for _, r := range v.Rows {
		v.OtherWay = v.OtherWay || r.against != nil && len(r.against.WayFlips) > 0
		if r.against != nil && r.against.Refused != nil {
			v.Warnings = append(v.Warnings, r.Name+" is not compared: "+*r.against.Refused)
		}
	}
	return v, nil
}

// gateView is a decision of the gate. Each finding links to the traces of its query.
type gateView struct {
	gatereport.Summary
	Findings []finding
}

type finding struct {
	gatereport.Finding
	At string // address of the query in the page; "" if the page does not show it
}

func linked(findings []gatereport.Finding, sections []section) []finding {
	out := make([]finding, len(findings))
	for i, f := range findings {
		out[i].Finding = f
		at := slices.IndexFunc(sections, func(s section) bool { return s.query == f.Query })
		if at >= 0 && f.Query != "" {
			out[i].At = sections[at].At
		}
	}
	return out
}

func (p Page) title() string {
	r := p.Result
	switch {
	case len(r.Runs) > 1:
		titled := reports.Titled(r)
		if titled.Runs[0].Label != r.Runs[0].Label {
			return fmt.Sprintf("%s: %s against %s", r.Dataset.Name, titled.Runs[1].Label, titled.Runs[0].Label)
		}
		return fmt.Sprintf("%s: run %s against %s", r.Dataset.Name, r.Runs[1].Run, r.Runs[0].Run)
	case r.Ablation != "":
		return fmt.Sprintf("Ablation %s on %s", r.Ablation, r.Dataset.Name)
	case len(r.Configurations) == 0:
		return r.Dataset.Name
	}
	return fmt.Sprintf("%s on %s", reports.Titled(r).Configurations[0].Name, r.Dataset.Name)
}

// origins returns the run and dataset of the figures.
func (p Page) origins() []namedFact {
	r := p.Result
	out := []namedFact{
		{"dataset", r.Dataset.Name + ", " + text.Counted(r.Dataset.Queries, "query")},
		{"seed", fmt.Sprint(r.Seed)},
	}
	for _, run := range p.Runs {
		m := run.Manifest
		if m.Title != "" {
			out = append(out, namedFact{"name", m.Title})
		}
		out = append(out, namedFact{"run", m.Run + ", " + m.Start.UTC().Format("2 January 2006, 15:04 UTC")})
	}
	for _, c := range r.Configurations {
		for _, of := range []namedFact{{"agent", c.Command}, {"model", c.Model}} {
			if of.Value == "" || of.Name == "model" && c.ModelUnused && c.Command != "" || slices.Contains(out, of) {
				continue
			}
			out = append(out, of)
		}
	}
	return out
}

// prompt is a system prompt, with the configurations that use it.
type prompt struct {
	Of   []string
	Text string
}

// prompts returns the system prompts of all agents. It stops reading when all are found.
func (p Page) prompts(rows []configRow) ([]prompt, error) {
	var out []prompt
	for i, run := range p.Runs {
		of := map[string][]string{} // the names of configurations by agent, until its prompt is found
		for _, r := range rows {
			if r.run == i {
				of[r.Agent] = append(of[r.Agent], r.Name)
			}
		}
		for x, err := range run.Exchanges() {
			if err != nil {
				return nil, err
			}
			names := of[x.Agent]
			if names == nil || x.Purpose != model.Agent || len(x.Messages) == 0 || x.Messages[0].Role != model.System {
				continue
			}
			delete(of, x.Agent)
			text := shorten(x.Messages[0].Content)
			at := slices.IndexFunc(out, func(p prompt) bool { return p.Text == text })
			if at < 0 {
				at = len(out)
				out = append(out, prompt{Text: text})
			}
			out[at].Of = append(out[at].Of, names...)
			if len(of) == 0 {
				break
			}
		}
	}
	return out, nil
}
