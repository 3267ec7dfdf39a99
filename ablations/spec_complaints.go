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
