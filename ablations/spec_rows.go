package ablations

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/runner/config"
)

// Rows resolves every configuration over base, which is the result of Base with flags applied:
// explicit ones first, then the cells of the matrix. finish completes a configuration once its keys
// are set, such as with defaults that depend on its model; it may be nil. Errors of all rows are
// reported at once. Two rows with equal effective settings, limits aside, are an error.
func (s *Spec) Rows(base config.Configuration, finish func(config.Configuration) (config.Configuration, error)) ([]Row, error) {
	var rows []Row
	var found complaints
	for _, e := range s.entries {
		c, at, err := e.resolve(base, finish)
		found.add(e.Name, at, err)
		rows = append(rows, Row{Configuration: c, Note: e.Note})
	}
	wrong := found.errors(len(s.entries))
	if len(wrong) == 0 {
		wrong = s.duplicates(rows)
	}
	if err := s.withFile(wrong.Err()); err != nil {
		return nil, err
	}
	return rows, nil
}

// resolve gives the configuration of one row; the position is that of its error.
func (e entry) resolve(base config.Configuration, finish func(config.Configuration) (config.Configuration, error)) (config.Configuration, strictyaml.Pos, error) {
	c, err := base.Set(e.Set.node)
	if err != nil {
		return c, e.at(), err
	}
	if finish != nil { // before Without, which may remove the judges that it sets
		if c, err = finish(c); err != nil {
			return c, e.at(), err
		}
	}
	c.Name = e.Name
	if c, err = c.Without(e.Without...); err != nil {
		return c, e.Keys["without"], err
	}
	return c, e.at(), c.Validate()
}

// duplicates reports rows with the same effective settings as an earlier row.
func (s *Spec) duplicates(rows []Row) strictyaml.Errors {
	var wrong problems
	first := map[string]int{}
	for i, row := range rows {
		effective := config.Settings(row.Effective())
		maps.DeleteFunc(effective, func(key, _ string) bool { return strings.HasPrefix(key, "limits.") })
		settings := fmt.Sprint(effective) // in the order of its keys
		j, again := first[settings]
		if !again {
			first[settings] = i
			continue
		}
		unused := ""
		if differ := config.Differences(rows[j].Configuration, row.Configuration); len(differ) > 0 {
			unused = fmt.Sprintf(" but for settings without effect in them (%s)", strings.Join(differ, "; "))
		}
		wrong.fail(s.entries[i].at(), "", "row %q has the settings of row %q (line %d)%s: change a setting, or remove one of them",
			row.Name, rows[j].Name, s.entries[j].at().Line, unused)
	}
	return wrong.Errors
}

// CheckRunWide refuses a configuration that differs from its base in settings that hold for a
// run as a whole: endpoints, prices and limits.
func CheckRunWide(base, c config.Configuration) error {
	out := slices.DeleteFunc(config.Differences(base, c), func(d string) bool {
		return !strings.HasPrefix(d, "limits.") && !strings.HasPrefix(d, "providers") && !strings.HasPrefix(d, "prices")
	})
	if len(out) == 0 {
		return nil
	}
	return fmt.Errorf("%s: endpoints, prices and limits are those of the whole run: set them under base, or in concur.yaml", strings.Join(out, "; "))
}

// complaint is an error of rows; one that several rows share is reported once.
type complaint struct {
	message, first string // and the first row that has it
	at             strictyaml.Pos
	rows           int
}

type complaints []*complaint

func (c *complaints) add(row string, at strictyaml.Pos, err error) {
	if err == nil {
		return
	}
	for message := range strings.SplitSeq(err.Error(), "\n") { // errors are joined by lines
		i := slices.IndexFunc(*c, func(c *complaint) bool { return c.message == message })
		if i < 0 {
			i = len(*c)
			*c = append(*c, &complaint{message: message, first: row, at: at})
		}
		(*c)[i].rows++
	}
}

// errors are those of an ablation of so many rows.
func (c complaints) errors(all int) strictyaml.Errors {
	var out problems
	for _, about := range c {
		rows := fmt.Sprintf("row %q", about.first)
		switch {
		case about.rows > 1 && about.rows == all:
			rows = "every row"
		case about.rows > 1:
			rows += fmt.Sprintf(" and %d more", about.rows-1)
		}
		out.fail(about.at, "", "%s: %s", rows, about.message)
	}
	return out.Errors
}
