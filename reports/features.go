package reports

import "github.com/seed-5817661a/concur/runner/feature/registry"

// features returns the columns of the features of agents.
func features() (out []Column[row]) {
	for _, kind := range registry.Features() {
		of := func(r row) any { return r.Extras[kind.Name] }
		for _, c := range kind.Columns {
			column := Column[row]{Header: c.Header, Name: c.Name}
			if c.Show != nil {
				column.When = ifFilled
				column.Show = func(r row) string {
					if of(r) == nil {
						return undefined
					}
					return c.Show(of(r))
				}
			}
			if c.Value != nil {
				column.Value = func(r row) any {
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
