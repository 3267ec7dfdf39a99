package reports

import (
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/feature/registry"
)

// features returns the columns on the optional features of agents, such as a playbook or sub-agents.
func features() (out []document.Column[tableRow]) {
	for _, kind := range registry.Features() {
		of := func(r tableRow) any { return r.Extras[kind.Name] }
		for _, c := range kind.Columns {
			column := document.Column[tableRow]{Header: c.Header, Name: c.Name}
			if c.Show != nil {
				column.When = document.IfFilled
				column.Show = func(r tableRow) string {
					if of(r) == nil {
						return document.Undefined
					}
					return c.Show(of(r))
				}
			}
			if c.Value != nil {
				column.Value = func(r tableRow) any {
					if of(r) == nil {
						return nil
					}
					return c.Value(of(r))
				}
			}
			out = append(out, column)
		}
	}
	return out
}
