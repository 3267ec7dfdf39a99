package ablations

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// complaints gathers errors of rows; an error that several rows share is reported once.
type complaints struct {
	rows  int // of the ablation
	order []string
	about map[string]*complaint
}

type complaint struct {
	first string
	at    strictyaml.Pos
	rows  int
}

func (c *complaints) add(row string, at strictyaml.Pos, err error) {
	for _, message := range messages(err) {
		if c.about == nil {
			c.about = map[string]*complaint{}
		}
		if c.about[message] == nil {
			c.about[message] = &complaint{first: row, at: at}
			c.order = append(c.order, message)
		}
		c.about[message].rows++
	}
}

func (c *complaints) errors() strictyaml.Errors {
	var out strictyaml.Errors
	for _, message := range c.order {
		about := c.about[message]
		rows := fmt.Sprintf("row %q", about.first)
		switch {
		case about.rows > 1 && about.rows == c.rows:
			rows = "every row"
		case about.rows > 1:
			rows += fmt.Sprintf(" and %d more", about.rows-1)
		}
		out = append(out, &strictyaml.Error{Line: about.at.Line, Column: about.at.Column, Message: rows + ": " + message})
	}
	return out
}

// messages splits joined errors.
func messages(err error) []string {
	if err == nil {
		return nil
	}
	var out []string
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
