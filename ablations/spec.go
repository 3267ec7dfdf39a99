package ablations

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/runner/config"
)

// Spec is an ablation as read from its file: configurations that change a few keys of a base, a matrix of keys,
// or both (docs/ablations.md#the-spec).
type Spec struct {
	Name    string // from the file, or else the file's name without extension
	Dataset string // "" if the spec names none

	file           string // as printed in errors
	defaults, base *yaml.Node
	baseline       string
	entries        []entry // also the cells of the matrix
	prompts        bool    // the matrix has prompts with short names
	eachTool       bool    // Rows adds the rows of withoutEachTool
}

// entry is a row of the spec, with the settings that it changes in the base.
type entry struct {
	Name    string          `yaml:"name"`
	Set     settings        `yaml:"set"`
	Without []string        `yaml:"without"`
	Note    string          `yaml:"note"`
	Pos     strictyaml.Pos  `yaml:",pos"`
	Keys    strictyaml.Keys `yaml:",keys"`
}

// at returns the position of the row's name in the file. For a cell of a matrix, it is the position of its
// prompt or of the matrix.
func (e entry) at() strictyaml.Pos {
	if at, given := e.Keys["name"]; given {
		return at
	}
	return e.Pos
}

// settings has keys of a configuration. UnmarshalNode reports unknown keys and wrong types early, before the
// base is known.
type settings struct{ node *yaml.Node }

// UnmarshalNode keeps the node, which Set needs later, and reports errors of its keys now.
func (s *settings) UnmarshalNode(n *yaml.Node) error {
	s.node = n
	_, err := config.New().Set(n)
	return err
}

// Row is one resolved configuration of an ablation. Configuration.Name is the row's name.
type Row struct {
	config.Configuration
	Note string
}

// Baseline returns the name of the row with which the others are compared. It is the row that the spec names;
// if it names none, the first row.
func (s *Spec) Baseline() string {
	switch {
	case s.baseline != "":
		return s.baseline
	case s.eachTool:
		return fullRow
	case len(s.entries) > 0:
		return s.entries[0].Name
	}
	return ""
}

// Defaults applies the spec's defaults to c. These are settings that configuration files and flags may change.
func (s *Spec) Defaults(c config.Configuration) (config.Configuration, error) {
	out, err := c.Set(s.defaults)
	return out, s.withFile(err)
}

// Base applies the spec's base to c. After that, flags are applied to the result, and then Rows is called.
func (s *Spec) Base(c config.Configuration) (config.Configuration, error) {
	out, err := c.Set(s.base)
	return out, s.withFile(err)
}

func (s *Spec) withFile(err error) error {
	if list, ok := err.(strictyaml.Errors); ok {
		for _, e := range list {
			e.File = s.file
		}
	}
	return err
}

// Rows resolves every configuration over base, which is the result of Base with flags applied: first the rows without
// a tool (RemovesTools), then the listed configurations, then the cells of the matrix. finish completes a
// configuration after its keys are set, for example with defaults that depend on its model. It may be nil. The errors
// of all rows are reported together. If two rows have equal effective settings, apart from limits, this is an error.
func (s *Spec) Rows(base config.Configuration, finish func(config.Configuration) (config.Configuration, error)) ([]Row,
	error) {
	s, err := s.withEachTool(base)
	if err != nil {
		return nil, err
	}
	var rows []Row
	var found complaints
	for _, e := range s.entries {
		c, at, err := e.resolve(base, finish)
		found.add(e.Name, at, err)
		rows = append(rows, Row{Configuration: c, Note: e.Note})
	}
	wrong := found.errors()
	if len(wrong) == 0 {
		wrong = s.duplicates(rows)
	}
	if err := s.withFile(wrong.Err()); err != nil {
		return nil, err
	}
	return rows, nil
}

// resolve returns the configuration of one row.
func (e entry) resolve(base config.Configuration,
	finish func(config.Configuration) (config.Configuration, error)) (config.Configuration, strictyaml.Pos, error) {
	c, err := base.Set(e.Set.node)
	if err != nil {
		return c, e.at(), err
	}
	if finish != nil { // before Without, which may remove judges that finish sets
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

func (s *Spec) duplicates(rows []Row) strictyaml.Errors {
	var wrong problems
	first := map[string]int{}
	for i, row := range rows {
		effective := config.Settings(row.Effective())
		maps.DeleteFunc(effective, func(key, _ string) bool { return strings.HasPrefix(key, "limits.") })
		settings := fmt.Sprint(effective) // maps are printed in the order of their keys
		j, again := first[settings]
		if !again {
			first[settings] = i
			continue
		}
		at, earlier := s.entries[i].at(), s.entries[j].at()
		unused := ""
		if differ := config.Differences(rows[j].Configuration, row.Configuration); len(differ) > 0 {
			unused = fmt.Sprintf(" except for settings without effect in them (%s)", strings.Join(differ, "; "))
		}
		if a, b := s.promptOf(j), s.promptOf(i); a != "" && b != "" && unused == "" {
			wrong.fail(at, "", "the prompts %q (line %d) and %q have the same text: change one, or remove it",
				a, earlier.Line, b)
			continue
		}
		wrong.fail(at, "", "row %q has the settings of row %q (line %d)%s: change a setting, or remove one of them",
			row.Name, rows[j].Name, earlier.Line, unused)
	}
	return wrong.Errors
}

// promptOf returns the short name of the prompt of a row whose only setting is a prompt. It returns "" for
// other rows.
func (s *Spec) promptOf(row int) string {
	name, is := strings.CutPrefix(s.entries[row].Name, promptsKey+"=")
	if !is || !s.prompts || strings.Contains(name, ",") {
		return ""
	}
	return name
}

// CheckRunWide returns an error if a configuration differs from its base in settings that belong to the whole
// run: endpoints, prices and limits.
func CheckRunWide(base, c config.Configuration) error {
	out := slices.DeleteFunc(config.Differences(base, c), func(d string) bool {
		return !strings.HasPrefix(d, "limits.") && !strings.HasPrefix(d, "providers") && !strings.HasPrefix(d, "prices")
	})
	if len(out) == 0 {
		return nil
	}
	return fmt.Errorf("%s: endpoints, prices and limits apply to the whole run: set them under base, or "+
		"in concur.yaml", strings.Join(out, "; "))
}

// complaint is an error in rows. If several rows have the same error, it is reported once.
type complaint struct {
	message, first string // the message, and the first row that has it
	at             strictyaml.Pos
	rows           int
}

type complaints []*complaint

func (c *complaints) add(row string, at strictyaml.Pos, err error) {
	if err == nil {
		return
	}
	for message := range strings.SplitSeq(err.Error(), "\n") { // joined errors have one line each
		i := slices.IndexFunc(*c, func(c *complaint) bool { return c.message == message })
		if i < 0 {
			i = len(*c)
			*c = append(*c, &complaint{message: message, first: row, at: at})
		}
		(*c)[i].rows++
	}
}

func (c complaints) errors() strictyaml.Errors {
	var out problems
	for _, about := range c {
		rows := fmt.Sprintf("row %q", about.first)
		if about.rows > 1 {
			rows += fmt.Sprintf(" and %d more", about.rows-1)
		}
		out.fail(about.at, "", "%s: %s", rows, about.message)
	}
	return out.Errors
}

// These are the maximum lengths of texts, in characters. The maximum for the name of a cell is longer, because
// it consists of keys and values, which the author of a spec cannot shorten.
const (
	maxName = 80
	maxCell = 200
	maxNote = 200
)

// nameProblem describes the mistake in a name; "" if the name is valid.
func nameProblem(name string, most int) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "the name is empty: give one"
	case strings.TrimSpace(name) != name:
		return fmt.Sprintf("the name %q begins or ends with a space: remove it", name)
	}
	return textProblem(name, most)
}

// textProblem says why a text cannot be shown in a table. It returns "" if it can be shown.
func textProblem(text string, most int) string {
	if n := utf8.RuneCountInString(text); n > most {
		return fmt.Sprintf("a text of %d characters: give at most %d", n, most)
	}
	for _, r := range text {
		if !unicode.IsGraphic(r) {
			return fmt.Sprintf("%q contains the control character %U: remove it", text, r)
		}
	}
	return ""
}
