package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// usedTool is one row: a tool that a configuration called.
type usedTool struct {
	name string
	result.ToolUse
}

// toolsOf returns the tools that a configuration called, by name.
func toolsOf(c result.Configuration) (out []usedTool) {
	for _, name := range slices.Sorted(maps.Keys(c.Tools)) {
		out = append(out, usedTool{name, c.Tools[name]})
	}
	return out
}

// toolColumns are the columns of the table of tools.
var toolColumns = []document.Column[usedTool]{
	{Header: "tool", Text: func(t usedTool) document.RichText { return document.Quoted(t.name) }},
	{Header: "calls", Show: func(t usedTool) string { return figures.Thousands(t.Calls) }},
	{Header: "failed", Show: func(t usedTool) string { return t.failures() }, Leaves: 1, Most: document.MaxReason},
	{Header: "seconds", Show: func(t usedTool) string { return figures.Decimal(&t.Seconds, 1) }, Leaves: 2},
	{Header: "tokens", Show: func(t usedTool) string { return figures.Thousands(t.Tokens) }, Leaves: 3},
	{Header: "right\nwith", Show: func(t usedTool) string { return figures.Percent(t.Paired.With) }, Leaves: 5},
	{Header: "right\nwithout", Show: func(t usedTool) string { return figures.Percent(t.Paired.Without) }, Leaves: 5},
	{Header: "difference,\npoints", Show: func(t usedTool) string { return t.difference() }},
	{Header: "both\nkinds", Show: func(t usedTool) string { return strconv.Itoa(t.Paired.Queries) }, Leaves: 4},
}

// failures lists the failed calls by kind, the most frequent first; 0 if no call failed.
func (t usedTool) failures() string {
	kinds := slices.SortedFunc(maps.Keys(t.Failures), func(a, b string) int {
		return cmp.Or(cmp.Compare(t.Failures[b], t.Failures[a]), cmp.Compare(a, b))
	})
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", t.Failures[kind], kind)
	}
	return cmp.Or(strings.Join(kinds, ", "), "0")
}

// difference returns the difference with its interval, in points; "too few" if there are too few queries for it.
func (t usedTool) difference() string {
	p := t.Paired
	if p.Difference == nil || p.CI == nil {
		return "too few"
	}
	return formatShift(result.Shift{Difference: *p.Difference, CI: p.CI}, 100, 0)
}

const toolUseTitle = "Use of tools, and right traces with and without a call in queries with both kinds"

// toolUse returns the table of the tools that were called.
func toolUse(r *result.Result) []document.Section {
	var rows ownedRows[usedTool]
	for _, c := range r.Configurations {
		rows.add(c.Name, toolsOf(c)...)
	}
	if len(rows.rows) == 0 {
		return nil
	}
	return document.Captioned(tabulateOwned(toolUseTitle, owner(r), rows, toolColumns))
}

// showsTools reports whether the table of tools is shown without a flag.
func showsTools(r *result.Result) bool { return r.Ablation == result.ToolsAblation }

// ToolUse returns the table of the tools that were called. All cells are plain strings, and the first column has the
// names of the configurations. It is for formats that other packages write, such as the HTML page of reports/page.
// ok is false if no tool was called, or if the result does not show this table by default.
func ToolUse(r *result.Result) (title string, head []string, rows [][]string, ok bool) {
	if !showsTools(r) {
		return "", nil, nil, false
	}
	head = []string{"configuration"}
	for _, c := range toolColumns {
		head = append(head, strings.ReplaceAll(c.Header, "\n", " "))
	}
	for _, c := range Titled(r).Configurations {
		for _, t := range toolsOf(c) {
			cells := []string{c.Name, t.name}
			for _, column := range toolColumns[1:] {
				cells = append(cells, column.Show(t))
			}
			rows = append(rows, cells)
		}
	}
	return toolUseTitle, head, rows, len(rows) > 0
}

// toolSheet returns the columns of CSV on tools: for each tool that some configuration called.
func toolSheet(r *result.Result) (out []document.Column[tableRow]) {
	names := map[string]bool{}
	for _, c := range r.Configurations {
		for name := range c.Tools {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		of := func(figure string, value func(result.ToolUse) any) {
			out = append(out, document.Column[tableRow]{Name: "tool:" + name + ":" + figure, Value: func(r tableRow) any {
				t, called := r.Tools[name]
				if !called {
					return nil
				}
				return value(t)
			}})
		}
		of("calls", func(t result.ToolUse) any { return t.Calls })
		of("failed", func(t result.ToolUse) any { return t.Failed })
		of("failures", func(t result.ToolUse) any { return usedTool{name, t}.failures() })
		of("traces", func(t result.ToolUse) any { return t.Traces })
		of("seconds", func(t result.ToolUse) any { return t.Seconds })
		of("tokens", func(t result.ToolUse) any { return t.Tokens })
		of("right_with", func(t result.ToolUse) any { return t.Paired.With })
		of("right_without", func(t result.ToolUse) any { return t.Paired.Without })
		of("difference", func(t result.ToolUse) any { return t.Paired.Difference })
		of("difference_low", func(t result.ToolUse) any { return lowEnd(t.Paired.CI) })
		of("difference_high", func(t result.ToolUse) any { return highEnd(t.Paired.CI) })
		of("queries_with_both", func(t result.ToolUse) any { return t.Paired.Queries })
	}
	return out
}
