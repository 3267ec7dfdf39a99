package reports

import "github.com/seed-5817661a/concur/ablations/result"

// byCategory is the table of correct queries by category.
func byCategory(r *result.Result) []part {
	if len(r.Dataset.Categories) == 0 {
		return nil
	}
	figures := ofEach(r, func(c result.Configuration) string { return c.Name }, categories(r.Dataset.Categories)...)
	return captioned(tabulate(plain("Correct by category"), figures, r.Configurations), nil)
}

// categories are columns of correct queries by category.
func categories(names []string) []figure[result.Configuration] {
	out := make([]figure[result.Configuration], len(names))
	for i, name := range names {
		out[i] = figure[result.Configuration]{header: quoted(name), number: true, cell: func(c result.Configuration) line {
			return plain(fraction(c.ByCategory[name]))
		}}
	}
	return out
}
