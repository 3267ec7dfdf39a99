package checks

import (
	"path/filepath"
	"strings"
	"time"
)

// The languages of tests.
const (
	Python     = "python"
	JavaScript = "javascript"
)

// Suite has the options of a check of the kind Tests.
type Suite struct {
	Language string // Python or JavaScript; "" means that of the file's name, else Python
	// Beside runs the tests in the program's own interpreter, after it. The program can then forge the result.
	Beside  bool
	Timeout time.Duration // of the program; 0 means DefaultTimeout
}

// Inline reports whether the text of a check has the tests themselves, and is not the name of a file.
func (Suite) Inline(text string) bool {
	return strings.Contains(text, "\n") || strings.HasPrefix(text, "{")
}

// In returns the language of tests.
func (s Suite) In(text string) string {
	switch {
	case s.Language != "":
		return s.Language
	case !s.Inline(text) && strings.EqualFold(filepath.Ext(text), ".js"):
		return JavaScript
	}
	return Python
}

// Limit returns the limit of the program's time.
func (s Suite) Limit() time.Duration {
	if s.Timeout == 0 {
		return DefaultTimeout
	}
	return s.Timeout
}

// Suites returns the checks of a list that are tests, with those in groups.
func Suites(list []Check) (out []Check) {
	for _, c := range list {
		if c.Kind == Tests {
			out = append(out, c)
		}
		out = append(out, Suites(c.Parts)...)
	}
	return out
}
