package reports

import (
	"fmt"
	"io"
	"strings"
)

// CheckState says what came of a check.
type CheckState string

// The states of a check.
const (
	Works    CheckState = "works"
	Fails    CheckState = "fails"
	Set      CheckState = "set" // and not tried by itself
	NotSet   CheckState = "not set up"
	NotTried CheckState = "not tried"
)

// Check is one thing that was tried.
type Check struct {
	What   string     `json:"what"` // model, key, search, …
	Name   string     `json:"name"`
	Needed bool       `json:"needed"` // by the configuration
	State  CheckState `json:"state"`
	Detail string     `json:"detail"` // of a failure, or what else was found
	Mend   string     `json:"mend"`   // the way out
}

// Checks writes what was tried as a table, and beneath it what failed and the way out.
func Checks(w io.Writer, checks []Check) error {
	needed := map[bool]string{true: "yes"}
	t := tabulate(nil, []figure[Check]{
		word("what", func(c Check) line { return plain(c.What) }),
		word("name", func(c Check) line { return quoted(Printable(c.Name)) }),
		word("needed", func(c Check) line { return plain(needed[c.Needed]) }),
		word("state", func(c Check) line { return plain(string(c.State)) }),
	}, checks)
	var lines []line
	for _, c := range checks {
		if c.Mend == "" && c.Detail == "" {
			continue
		}
		text := fmt.Sprintf("%s %s", c.What, Printable(c.Name))
		for _, part := range []string{c.Detail, c.Mend} {
			if part != "" {
				text += ": " + Printable(strings.ReplaceAll(part, "\n", "; "))
			}
		}
		lines = append(lines, plain(text))
	}
	return renderTable(w, *t, lines...)
}

// ChecksJSON writes what was tried as one JSON document.
func ChecksJSON(w io.Writer, checks []Check) error {
	return JSON(w, struct {
		Schema string  `json:"schema"`
		Checks []Check `json:"checks"`
	}{"concur/doctor/v1", checks})
}
