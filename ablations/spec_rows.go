package ablations

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/runner/config"
)

// Rows resolves every configuration over base, which is what Base gave with flags over it.
// Explicit configurations come first, then the cells of the matrix.
//
// finish is what a configuration still gets once its keys are set, such as defaults that
// depend on its model; nil does nothing. What is wrong is reported for all rows at once.
// Two rows whose settings come to the same (config.Effective), limits aside, are an error:
// they would be one row measured twice.
func (s *Spec) Rows(base config.Configuration, finish func(config.Configuration) (config.Configuration, error)) ([]Row, error) {
	if len(s.variants) == 0 {
		return nil, errors.New("resolve ablation: the spec has no configurations; Read gives one that has")
	}
	var rows []Row
	found := complaints{rows: len(s.variants)}
	for _, v := range s.variants {
		c, at, err := v.over(base, finish)
		found.add(v.name, at, err)
		rows = append(rows, Row{Configuration: c, Note: v.note})
	}
	wrong := found.errors()
	if len(wrong) == 0 {
		wrong = s.equals(rows)
	}
	for _, e := range wrong {
		e.File = s.file
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	return rows, nil
}

// over resolves one row; an error stands at the returned place.
func (v variant) over(base config.Configuration, finish func(config.Configuration) (config.Configuration, error)) (config.Configuration, strictyaml.Pos, error) {
	c, err := base.Set(v.set)
	if err != nil {
		return c, v.at, err
	}
	if finish != nil { // first: it names the judges of an offline model, which can be taken away
		if c, err = finish(c); err != nil {
			return c, v.at, err
		}
	}
	c.Name = v.name
	if c, err = c.Without(v.without...); err != nil {
		return c, v.withoutAt, err
	}
	return c, v.at, c.Validate()
}

// equals reports rows whose settings come to those of an earlier one.
func (s *Spec) equals(rows []Row) strictyaml.Errors {
	var wrong strictyaml.Errors
	first := map[string]int{}
	for i, row := range rows {
		settings := row.Effective()
		settings.Limits = config.Limits{}
		raw, err := yaml.Marshal(settings)
		if err != nil {
			wrong = append(wrong, &strictyaml.Error{Message: fmt.Sprintf("row %q: encode configuration: %v", row.Name, err)})
			continue
		}
		j, again := first[string(raw)]
		if !again {
			first[string(raw)] = i
			continue
		}
		message := fmt.Sprintf("row %q has the settings of row %q (line %d)%s: change a setting, or take one of them away",
			row.Name, rows[j].Name, s.variants[j].at.Line, idle(rows[j], row))
		at := s.variants[i].at
		wrong = append(wrong, &strictyaml.Error{Line: at.Line, Column: at.Column, Message: message})
	}
	return wrong
}

// idle says in which settings two rows differ that come to the same.
func idle(a, b Row) string {
	differ := config.Differences(a.Configuration, b.Configuration)
	limits := !slices.ContainsFunc(differ, func(d string) bool { return !strings.HasPrefix(d, "limits.") })
	switch {
	case len(differ) == 0:
		return ""
	case limits:
		return " but for limits, which never reach the agent (" + strings.Join(differ, "; ") + ")"
	}
	return " but for what has no effect in them (" + strings.Join(differ, "; ") + ")"
}
