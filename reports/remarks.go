package reports

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
)

// Note is a remark under a table on a model, by the prefix of its name.
type Note struct {
	ModelPrefix, Text string
	// FormOnly says that the model, as a quality judge, grades the form of an answer and not
	// what it says.
	FormOnly bool
}

// remarks are the notes on the models of a result, in the order in which the models
// appear. A model has the mark of its note wherever it is named.
type remarks struct {
	all, used []Note
}

func remarksOn(r *result.Result, notes []Note) remarks {
	m := remarks{all: notes}
	for _, c := range r.Configurations {
		for _, model := range []string{c.Model, c.Judge.CorrectnessModel, c.Judge.QualityModel} {
			if n := m.on(model); n != nil && !slices.Contains(m.used, *n) {
				m.used = append(m.used, *n)
			}
		}
	}
	return m
}

func (m remarks) on(model string) *Note {
	i := slices.IndexFunc(m.all, func(n Note) bool { return strings.HasPrefix(model, n.ModelPrefix) })
	if i < 0 {
		return nil
	}
	return &m.all[i]
}

// formOnly reports whether a quality judge grades form only.
func (m remarks) formOnly(model string) bool {
	n := m.on(model)
	return n != nil && n.FormOnly
}

func (m remarks) named(model string) line {
	n := m.on(model)
	if n == nil {
		return quoted(model)
	}
	return say(quoted(model), plain(mark(slices.Index(m.used, *n))))
}

func mark(i int) string { return strings.Repeat("*", i+1) }

func (m remarks) lines() []line {
	var out []line
	for i, n := range m.used {
		out = append(out, plain(mark(i)+" "+n.Text))
	}
	return out
}
