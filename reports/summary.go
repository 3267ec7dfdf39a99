package reports

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Note is a remark under a table on a model, by the prefix of its name.
type Note struct {
	ModelPrefix, Text string
}

// Summary writes the table of a run, one row per configuration, and beneath it how to
// read the figures, notes on the models in it, and the warnings.
func Summary(w io.Writer, r *result.Result, notes []Note) error {
	categories := r.Dataset.Categories
	priced := slices.ContainsFunc(r.Configurations, func(c result.Configuration) bool { return c.Usage.USD != nil })
	columns := []column{{"configuration", false}, {"model", false}, {"K", true}, {"correct", true}, {"pass rate [95 %]", true}}
	for _, c := range categories {
		columns = append(columns, column{strings.ReplaceAll(Clean(c), "_", "\n"), true})
	}
	correctness, quality := judged(r)
	if correctness {
		columns = append(columns, column{"judged\ncorrect", true})
	}
	if quality {
		columns = append(columns, column{"quality\n1 to 5", true})
	}
	columns = append(columns, column{"agreement", true}, column{"calls\n(+ tools)", true},
		column{"tokens", true})
	if priced {
		columns = append(columns, column{"cost", true}, column{"per\ncorrect", true})
	}
	columns = append(columns, column{"time", true})

	var used []Note
	rows := make([][]string, len(r.Configurations))
	for i, c := range r.Configurations {
		name := c.Model
		if j := slices.IndexFunc(notes, func(n Note) bool { return strings.HasPrefix(c.Model, n.ModelPrefix) }); j >= 0 {
			if !slices.Contains(used, notes[j]) {
				used = append(used, notes[j])
			}
			name += strings.Repeat("*", slices.Index(used, notes[j])+1)
		}
		row := []string{c.Name, name, strconv.Itoa(c.K), fraction(c.Counts), rate(c)}
		for _, category := range categories {
			row = append(row, fraction(c.ByCategory[category]))
		}
		if correctness {
			row = append(row, percent(c.Judge.CorrectnessPassRate))
		}
		if quality {
			row = append(row, decimal(c.Judge.QualityMean, 1))
		}
		rows[i] = append(row, decimal(c.Consensus.MeanAgreement, 2), fmt.Sprintf("%d+%d", c.Usage.ModelCalls, c.Usage.ToolCalls),
			thousands(c.Usage.InputTokens+c.Usage.OutputTokens))
		if priced {
			rows[i] = append(rows[i], dollars(c.Usage.USD), dollars(c.USDPerCorrect))
		}
		rows[i] = append(rows[i], seconds(c.Timing.WallS))
	}
	if err := renderTable(w, columns, rows); err != nil {
		return err
	}
	return footer(w, r, used)
}

// judged tells which judges said something of any configuration.
func judged(r *result.Result) (correctness, quality bool) {
	for _, c := range r.Configurations {
		correctness = correctness || c.Judge.CorrectnessPassRate != nil
		quality = quality || c.Judge.QualityPassRate != nil
	}
	return correctness, quality
}

func percent(x *float64) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", *x*100)
}

func footer(w io.Writer, r *result.Result, used []Note) error {
	lines := []string{""}
	for _, c := range r.Configurations {
		lines = append(lines, fmt.Sprintf("%s: %s", c.Name, methods(c)))
		if c.Usage.USD != nil {
			lines = append(lines, fmt.Sprintf("%s: cost %s; %s a query", c.Name, roles(c), dollars(c.USDPerQuery)))
		}
		if n := c.Citations; n.Audited > 0 {
			lines = append(lines, fmt.Sprintf("%s: citations of %d answers audited, %s grounded; precision %s, recall %s; correct but not grounded %d, grounded but wrong %d",
				c.Name, n.Audited, percent(n.Share), percent(n.Precision), percent(n.Recall), n.CorrectUngrounded, n.IncorrectGrounded))
		}
		if f := c.Traces.Format; f != (trace.Format{}) {
			lines = append(lines, fmt.Sprintf("%s: of %d replies %d were wrong in form, %d were mended, %d invented an observation; %d further actions were dropped",
				c.Name, c.Traces.Replies, f.Errors, f.Repaired, f.Invented, f.Dropped))
		}
		if c.Pass != "" && c.Pass != "gold" {
			lines = append(lines, fmt.Sprintf("%s: correct means passed by %s, not by the gold", c.Name, passedBy(c.Pass)))
		}
	}
	for i, n := range used {
		lines = append(lines, strings.Repeat("*", i+1)+" "+n.Text)
	}
	for _, warning := range r.Warnings {
		lines = append(lines, "warning: "+warning)
	}
	lines = append(lines, fmt.Sprintf("%s, %s, seed %d, run %s%s", r.Dataset.Name, queriesOf(r.Dataset), r.Seed, r.Run, stateOf(r)))
	for i := range lines {
		lines[i] = Clean(lines[i])
	}
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

func stateOf(r *result.Result) string {
	if r.State == store.Complete {
		return ""
	}
	return fmt.Sprintf(" (not complete: %s)", r.State)
}

func passedBy(pass string) string {
	if pass == "both" {
		return "the correctness and the quality judge"
	}
	return "the " + pass + " judge"
}

func queriesOf(d result.Dataset) string {
	if d.Of > d.Queries {
		return fmt.Sprintf("%d of its %d queries", d.Queries, d.Of)
	}
	return fmt.Sprintf("%d queries", d.Queries)
}

// methods says how the decisions of a configuration came about, and how often each way
// led to a right one.
func methods(c result.Configuration) string {
	var parts []string
	for _, m := range consensus.Methods() {
		if n := c.Consensus.Methods[m]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d (%d correct)", m, n, c.Consensus.CorrectByMethod[m]))
		}
	}
	if len(parts) == 0 {
		return "no queries"
	}
	return fmt.Sprintf("consensus %s; %d of %d single traces correct by the gold", strings.Join(parts, ", "), c.Traces.Correct, c.Traces.Total)
}

// JSON writes the result as one JSON document.
func JSON(w io.Writer, r *result.Result) error {
	raw, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode result: %w", err)
	}
	_, err = w.Write(append(raw, '\n'))
	return err
}

func fraction(c result.Counts) string {
	if c.Queries == 0 {
		return "–"
	}
	return fmt.Sprintf("%d/%d", c.Correct, c.Queries)
}

func rate(c result.Configuration) string {
	if c.PassRate == nil {
		return "–"
	}
	if c.Counts.Missing > 0 { // of a part of a run, only bounds are known
		return fmt.Sprintf("%.0f %% to %.0f %%", c.Bounds[0]*100, c.Bounds[1]*100)
	}
	digits := 0 // below some hundred queries, tenths of a per cent would tell of nothing
	if c.Counts.Queries >= 300 {
		digits = 1
	}
	return fmt.Sprintf("%.*f %% [%.*f, %.*f]", digits, *c.PassRate*100, digits, c.CI.Low*100, digits, c.CI.High*100)
}

func decimal(x *float64, digits int) string {
	if x == nil {
		return "–"
	}
	return strconv.FormatFloat(*x, 'f', digits, 64)
}

func seconds(x *float64) string {
	switch {
	case x == nil:
		return "–"
	case *x < 1:
		return fmt.Sprintf("%.0f ms", *x*1000)
	case *x < 120:
		return fmt.Sprintf("%.1f s", *x)
	default:
		return fmt.Sprintf("%.0f min", *x/60)
	}
}

// dollars shows two digits that tell, and no more.
func dollars(x *float64) string {
	switch {
	case x == nil:
		return "–"
	case *x >= 1 || *x == 0:
		return fmt.Sprintf("$%.2f", *x)
	default:
		return "$" + strconv.FormatFloat(*x, 'g', 2, 64)
	}
}

// roles says what each role cost, where there is more than one.
func roles(c result.Configuration) string {
	var parts []string
	for _, role := range []store.Role{store.AgentRole, store.VerifierRole, store.JudgeRole} {
		if r, called := c.Usage.Roles[role]; called && r.USD != nil {
			parts = append(parts, fmt.Sprintf("%s %s", role, dollars(r.USD)))
		}
	}
	return strings.Join(parts, ", ")
}

func thousands(n int) string {
	switch {
	case n < 10_000:
		return strconv.Itoa(n)
	case n < 10_000_000:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	default:
		return fmt.Sprintf("%.0fM", float64(n)/1e6)
	}
}
