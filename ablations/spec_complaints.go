package ablations

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// complaint is an error of rows; one that several rows share is reported once.
type complaint struct {
	message, first string // and the first row that has it
	at             strictyaml.Pos
	rows           int
}

type complaints []*complaint

func (c *complaints) add(row string, at strictyaml.Pos, err error) {
	for _, message := range messages(err) {
		i := slices.IndexFunc(*c, func(c *complaint) bool { return c.message == message })
		if i < 0 {
			i = len(*c)
			*c = append(*c, &complaint{message: message, first: row, at: at})
		}
		(*c)[i].rows++
	}
}

// errors are those of an ablation of so many rows.
func (c complaints) errors(all int) (out strictyaml.Errors) {
	for _, about := range c {
		rows := fmt.Sprintf("row %q", about.first)
		switch {
		case about.rows > 1 && about.rows == all:
			rows = "every row"
		case about.rows > 1:
			rows += fmt.Sprintf(" and %d more", about.rows-1)
		}
		out = append(out, &strictyaml.Error{Line: about.at.Line, Column: about.at.Column, Message: rows + ": " + about.message})
	}
	return out
}

// messages splits joined errors.
func messages(err error) (out []string) {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			out = append(out, messages(e)...)
		}
	}
	if strings.Join(out, "\n") != err.Error() { // the whole adds text to its parts
		return []string{err.Error()}
	}
	return out
}
