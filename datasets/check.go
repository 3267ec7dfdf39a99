package datasets

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/datasets/columns"
	"github.com/seed-5817661a/concur/datasets/notes"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/memo"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// idForm matches a valid id. Ids are used in file names, tables and command lines.
var idForm = lazy.Compile(`^[A-Za-z0-9._-]{1,100}$`)

// checker converts records to queries and collects their errors.
type checker struct {
	file     string
	flat     bool   // the fields of the gold are fields of the record, as in CSV
	locale   string // of the file; may be empty
	now      string // of the file; may be empty
	errs     strictyaml.Errors
	reported map[strictyaml.Pos]bool // values that could not be decoded, which is already reported
	misnamed bool                    // the record has a field with an unknown name
	ids      *lines.IDs              // lines of the ids so far; nil accepts repeated ids
	decoder  strictyaml.Decoder
	golds    memo.Memo[typedGold, string] // problems of answers that were read before
	notes    notes.Notes                  // notes for the user about how the file was read
}

// decode reads a record from its node. It returns false if some part of the record could not be read.
func (c *checker) decode(path string, n *yaml.Node, into *record) bool {
	c.misnamed = false
	found := c.decoder.DecodeAt(c.file, path, n, into)
	for _, e := range found {
		c.belongs(path, e)
		c.reported[strictyaml.Pos{Line: e.Line, Column: e.Column}] = true
		c.misnamed = c.misnamed || strings.HasPrefix(e.Message, "unknown field")
	}
	c.errs = append(c.errs, found...)
	return len(found) == 0
}

// belongs improves the error for an unknown field: if the field is allowed at another place, such as the gold,
// it adds this place as a hint.
func (c *checker) belongs(path string, e *strictyaml.Error) {
	unknown, _, is := strings.Cut(e.Message, " (")
	name := e.Path[strings.LastIndexByte(e.Path, '.')+1:]
	if !is || !strings.HasPrefix(unknown, "unknown field") {
		return
	}
	if in := strings.TrimSuffix(e.Path, "."+name); isTurnPath(path, in) {
		path = in
	}
	gold := strings.TrimPrefix(below(path, "gold")+"."+name, ".")
	switch {
	case e.Path != below(path, name) && e.Path != gold:
	case slices.Contains(columns.Others("answer"), name):
		e.Message = unknown + "; write it as answer in the gold: gold: {answer: …}"
	case e.Path == gold:
	case isGoldField(name):
		e.Message = unknown + fmt.Sprintf("; it belongs in the gold: gold: {%s: …}", name)
	case slices.Contains(columns.Others("query"), name):
		e.Message = unknown + "; write it as query"
	}
}

// below returns the path of a field inside another field.
func below(path, field string) string {
	if path == "" || field == "" {
		return path + field
	}
	return path + "." + field
}

func (c *checker) fail(at strictyaml.Pos, path, format string, args ...any) {
	if c.reported[at] {
		return
	}
	c.errs = append(c.errs, &strictyaml.Error{
		File: c.file, Line: at.Line, Column: at.Column, Path: path, Message: fmt.Sprintf(format, args...),
	})
}

// oneOf reports whether a value is one of the known values. If it is not, oneOf adds an error.
func oneOf[T ~string](c *checker, at strictyaml.Pos, path, what string, value T, known ...T) bool {
	if slices.Contains(known, value) {
		return true
	}
	c.fail(at, below(path, what), "unknown %s %.40q (%s)", what, value,
		strictyaml.Suggest(string(value), asTexts(known)))
	return false
}

// query checks a record and writes its query to q; broken is true if a part of the record could not be read.
func (c *checker) query(path string, e *record, broken bool, q *Query) {
	c.required(path, e)
	c.id(path, e)
	if at, given := e.Given["max_steps"]; given && e.MaxSteps < 1 {
		c.fail(at, below(path, "max_steps"), "is %d; give at least 1, or leave it out", e.MaxSteps)
	}
	for i, tag := range e.Tags {
		if tag.text == "" || strings.Contains(tag.text, ",") {
			c.fail(tag.at, below(path, fmt.Sprintf("tags[%d]", i)), "%q is not a tag: --tag needs words with commas between",
				tag.text)
		}
	}
	*q = Query{
		ID: e.ID, Category: e.Category, Text: e.Query,
		MaxSteps: e.MaxSteps, Cluster: e.Cluster, Source: e.Source, Tags: texts(e.Tags), Meta: e.Meta,
	}
	q.Context = c.context(path, e)
	if _, given := e.Given["turns"]; given {
		c.script(path, e, broken, q)
		return
	}
	q.Expects = c.expects(below(path, "expects"), &e.Expects)
	q.Checks = c.checks(path, e)
	if suite, given := c.tests(path, e); given {
		q.Checks = append(q.Checks, suite)
	}
	switch {
	case len(q.Checks) > 0 && c.goldless(e):
		q.Gold.Type = answer.Text
	case e.Gold.Given != nil:
		if !c.flat {
			path = below(path, "gold")
		}
		q.Gold = c.gold(path, e, broken)
	}
}

// goldless reports whether a record has no gold, or only one with tests, which is a check.
func (c *checker) goldless(e *record) bool {
	return e.Gold.onlyTests() || len(e.Gold.Given) == 0 && (c.flat || e.Gold.Given == nil)
}

// checks returns the checks of a record.
func (c *checker) checks(path string, e *record) []checks.Check {
	at, given := e.Given["checks"]
	total := e.Given["threshold"]
	switch _, limited := e.Given["threshold"]; {
	case limited && !given:
		c.fail(total, below(path, "threshold"), "has no meaning without checks: give checks, or remove it")
	case limited && !(e.Threshold > 0 && e.Threshold <= 1):
		c.fail(total, below(path, "threshold"), "is %v: give a number above 0 and at most 1", e.Threshold)
	}
	switch {
	case given && len(e.Checks) == 0:
		c.fail(at, below(path, "checks"), "is an empty list: give at least one check, or remove it")
	case len(e.Checks) > checks.MaxChecks:
		c.fail(at, below(path, "checks"), "has %d checks, and %d is the most: leave some out", len(e.Checks),
			checks.MaxChecks)
	case len(e.Checks) > 0 && !checks.Decide(e.Checks) && (e.Threshold != 0 || c.goldless(e)):
		c.fail(at, below(path, "checks"), "%s", checks.NoneDecides)
	}
	for _, command := range checks.Programs(e.Checks) {
		c.notes.Program(strings.Join(command, " "))
	}
	if checks.Uses(e.Checks, checks.Similar) {
		c.notes.Fact("the checks similar need a model for embeddings, judge.embeddings of concur.yaml")
	}
	return checks.Grouped(e.Checks, e.Threshold)
}

// required reports missing fields. If a misspelt name was already reported, required reports nothing, because
// the misspelt name may be that of the missing field.
func (c *checker) required(path string, e *record) {
	var missing []string
	for _, required := range []struct{ field, value string }{
		{"id", e.ID}, {"category", e.Category}, {"query", e.Query}, {"gold", "never blank"},
	} {
		at, given := e.Given[required.field]
		_, talks := e.Given["turns"]
		_, checked := e.Given["checks"]
		switch {
		case talks && (required.field == "query" || required.field == "gold"): // each turn has its own
		case !given && checked && required.field == "gold": // one of the two is enough
		case !given:
			missing = append(missing, required.field)
		case strings.TrimSpace(required.value) == "":
			c.fail(at, below(path, required.field), "is empty")
		}
	}
	if len(missing) > 0 && !c.misnamed && e.At.Line > 0 { // line 0: the value is not a record
		c.fail(e.At, path, "missing: %s (a query needs query, and gold or checks)", strings.Join(missing, ", "))
	}
}

func (c *checker) id(path string, e *record) {
	at := e.Given["id"]
	switch {
	case e.ID == "": // already reported
		return
	case !idForm.MatchString(e.ID):
		c.fail(at, below(path, "id"), "%.100q is not a valid id: use at most 100 of A-Z a-z 0-9 . _ -", e.ID)
		return
	case c.ids == nil:
		return
	}
	switch line, again := c.ids.First(e.ID, at.Line); {
	case again && e.idByPlace:
		c.fail(at, below(path, "id"),
			"the query has no id, and the id of its position, %q, is used on line %d; give it an id", e.ID, line)
	case again:
		c.fail(at, below(path, "id"), "duplicate id %q, first on line %d", e.ID, line)
	}
}
