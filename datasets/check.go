package datasets

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// maxID is the length of the longest id, in bytes. Ids name files and stand in
// tables and on command lines.
const maxID = 100

func notInID(r rune) bool {
	switch {
	case 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '.', r == '_', r == '-':
		return false
	}
	return true
}

// checker turns entries into queries and collects what is wrong with them.
type checker struct {
	file     string
	errs     strictyaml.Errors
	reported map[strictyaml.Pos]bool // values that could not be decoded: said already
	lines    map[string]int          // of the ids seen
}

func newChecker(file string, found strictyaml.Errors) *checker {
	c := &checker{file: file, errs: found, reported: map[strictyaml.Pos]bool{}, lines: map[string]int{}}
	for _, e := range found {
		c.reported[strictyaml.Pos{Line: e.Line, Column: e.Column}] = true
	}
	return c
}

func (c *checker) fail(at strictyaml.Pos, path, format string, args ...any) {
	if c.reported[at] {
		return
	}
	c.errs = append(c.errs, &strictyaml.Error{
		File: c.file, Line: at.Line, Column: at.Column, Path: path, Message: fmt.Sprintf(format, args...),
	})
}

func (c *checker) query(path string, e *entry) Query {
	c.required(path, e)
	c.id(path, e)
	if at, given := e.Given["max_steps"]; given && e.MaxSteps < 1 {
		c.fail(at, path+".max_steps", "is %d; give at least 1, or leave it out", e.MaxSteps)
	}
	q := Query{
		ID: e.ID, Category: e.Category, Text: strings.TrimSpace(e.Query),
		MaxSteps: e.MaxSteps, Cluster: e.Cluster, Source: e.Source,
	}
	if e.Gold.Given != nil {
		q.Gold = c.gold(path+".gold", &e.Gold, e.broken)
	}
	return q
}

func (c *checker) required(path string, e *entry) {
	var missing []string
	for _, required := range []struct{ field, value string }{
		{"id", e.ID}, {"category", e.Category}, {"query", e.Query}, {"gold", "never blank"},
	} {
		at, given := e.Given[required.field]
		switch {
		case !given:
			missing = append(missing, required.field)
		case strings.TrimSpace(required.value) == "":
			c.fail(at, path+"."+required.field, "is empty")
		}
	}
	if len(missing) > 0 && !e.broken {
		c.fail(e.At, path, "missing: %s (a query needs id, category, query and gold)", strings.Join(missing, ", "))
	}
}

func (c *checker) id(path string, e *entry) {
	at := e.Given["id"]
	switch line, again := c.lines[e.ID]; {
	case e.ID == "": // reported as missing or empty
	case len(e.ID) > maxID || strings.ContainsFunc(e.ID, notInID):
		c.fail(at, path+".id", "%.*q is no id: use at most %d of A-Z a-z 0-9 . _ -", maxID, e.ID, maxID)
	case again:
		c.fail(at, path+".id", "duplicate id %q, first on line %d", e.ID, line)
	default:
		c.lines[e.ID] = at.Line
	}
}
