package promptfoo

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Category is the category of the queries, unless [Options] give another one.
const Category = "promptfoo"

// Options say how tests become queries.
type Options struct {
	// Fields gives fields of a query the values of variables: the name of the field, and of the variable. The fields
	// are query, category, cluster, source, owner and now.
	Fields map[string]string
}

// mappable are the fields of Options.
var mappable = []string{"query", "category", "cluster", "source", "owner", "now"}

// Finding is a part of a configuration that is not in the queries.
type Finding struct {
	File string
	Line int    // from 1
	Test string // the id of the first query that it concerns; "" if it concerns all
	What string // the type of an assertion, or the key of the file
	Why  string // why it has no counterpart, and what to do
}

// String returns the place, the name and the reason on one line.
func (f Finding) String() string { return fmt.Sprintf("%s:%d: %s: %s", f.File, f.Line, f.What, f.Why) }

// Queries are the queries of a configuration.
type Queries struct {
	JSONL   []byte    // one query in concur's form on each line
	Count   int       // the number of queries
	Losses  []Finding // assertions and options without a counterpart, of tests that became queries
	LeftOut []Finding // tests and files of tests that became no query
	Ignored []string  // keys that neither prompt nor checks need, sorted
	// Judged is the number of queries with a condition, which a run needs the correctness judge for.
	Judged int
}

// Read reads the tests of a configuration, or of a file with tests: YAML, JSON, JSONL or a table. The error says that
// a file cannot be read, or that it has no tests. Neither a program nor an address that the configuration names is
// used.
func Read(name string, given Options) (*Queries, error) {
	for _, field := range slices.Sorted(maps.Keys(given.Fields)) {
		if !slices.Contains(mappable, field) {
			return nil, fmt.Errorf("%s cannot be taken from a variable of promptfoo: map one of %s", field,
				strings.Join(mappable, ", "))
		}
	}
	r := &reader{files: &files{dir: filepath.Dir(name)}, given: given, out: &Queries{}, ignored: map[string]bool{},
		seen: map[Finding]bool{}}
	if err := r.config(name); err != nil {
		return nil, err
	}
	if len(r.tests)+len(r.out.LeftOut) == 0 {
		return nil, fmt.Errorf("%s has no tests: give them under tests, or convert the file that has them", name)
	}
	for _, t := range r.tests {
		for _, one := range t.each() {
			if err := r.query(one); err != nil {
				return nil, err
			}
		}
	}
	r.out.Ignored = slices.Sorted(maps.Keys(r.ignored))
	return r.out, nil
}

// reader reads one configuration.
type reader struct {
	files    *files
	given    Options
	root     *yaml.Node // of the configuration; nil for a table
	prompt   string     // the only prompt, if that is a text
	rendered bool       // the query is the prompt
	base     test       // the defaults of all tests
	tests    []test
	made     int // tests with their combinations
	out      *Queries
	ignored  map[string]bool
	seen     map[Finding]bool
}

func (r *reader) ignore(name string) { r.ignored[name] = true }

// lose notes a part that has no counterpart, once for each place.
func (r *reader) lose(id string, at place, what, why string) {
	f := Finding{at.file, at.line, "", what, why}
	if !r.seen[f] {
		r.seen[f] = true
		f.Test = id
		r.out.Losses = append(r.out.Losses, f)
	}
}

func (r *reader) leaveOut(id string, at place, what, why string) {
	r.out.LeftOut = append(r.out.LeftOut, Finding{at.file, at.line, id, what, why})
}

// record is a query in concur's own form.
type record struct {
	ID        string            `json:"id"`
	Category  string            `json:"category"`
	Query     string            `json:"query"`
	Gold      *gold             `json:"gold,omitempty"`
	Checks    []checks.Check    `json:"checks,omitempty"`
	Threshold float64           `json:"threshold,omitempty"`
	Cluster   string            `json:"cluster,omitempty"`
	Source    string            `json:"source,omitempty"`
	Owner     string            `json:"owner,omitempty"`
	Now       string            `json:"now,omitempty"`
	Meta      map[string]string `json:"meta,omitempty"`
}

type gold struct {
	Condition string `json:"condition"`
}

// query adds the query of a test, or leaves the test out.
func (r *reader) query(t test) error {
	r.made++
	id := fmt.Sprintf("test-%d", r.made)
	out := func(why string) error {
		r.leaveOut(id, t.place, id, why)
		return nil
	}
	if t.wrong != "" {
		return out(t.wrong)
	}
	vars, err := r.filled(t)
	if err != nil {
		return out(err.Error())
	}
	q := record{ID: id, Category: Category, Meta: maps.Clone(t.meta)}
	used, err := r.texts(&q, t, vars)
	if err != nil {
		return out(err.Error())
	}
	j, why := r.judged(id, t, vars)
	if why != "" {
		return out(why)
	}
	q.Checks, q.Threshold = j.checks, j.threshold
	if j.condition != "" {
		q.Gold = &gold{j.condition}
		r.out.Judged++
	}
	r.keep(&q, t, vars, used)
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(q); err != nil {
		return fmt.Errorf("write %s of %s: %w", id, t.place.file, err)
	}
	r.out.JSONL = append(r.out.JSONL, line.Bytes()...)
	r.out.Count++
	return nil
}

// questions are the variables that are the query if there are several, the preferred ones first.
var questions = []string{"question", "query", "input", "prompt", "message", "user_input"}

// texts fills the query and the fields that come from variables. used are the variables whose texts it took.
func (r *reader) texts(q *record, t test, vars map[string]any) (used []string, err error) {
	take := func(name string) (string, error) {
		used = append(used, name)
		filled, err := look(name, vars)
		if err == nil && strings.Contains(filled, "{{") {
			filled, err = render(filled, vars)
		}
		return filled, err
	}
	for field, into := range map[string]*string{"query": &q.Query, "category": &q.Category, "cluster": &q.Cluster,
		"source": &q.Source, "owner": &q.Owner, "now": &q.Now} {
		if name, given := r.given.Fields[field]; given {
			if *into, err = take(strings.TrimPrefix(name, "vars.")); err != nil {
				return used, err
			}
		}
	}
	_, named := r.given.Fields["query"]
	only := ""
	if len(t.names) == 1 {
		only = t.names[0]
	}
	for _, name := range questions {
		if _, has := t.vars[name]; has && only == "" {
			only = name
		}
	}
	switch {
	case named:
	case r.rendered:
		q.Query, err = render(t.prefix+r.prompt+t.suffix, vars)
		used = t.names
	case only == "":
		err = fmt.Errorf("has the variables %s: name the question with --map query=vars.NAME",
			cmp.Or(strings.Join(t.names, ", "), "none"))
	default:
		q.Query, err = take(only)
	}
	if err == nil && strings.TrimSpace(q.Query) == "" {
		err = errors.New("has an empty question")
	}
	return used, err
}

// keep puts the description and the variables that the query does not show into the metadata.
func (r *reader) keep(q *record, t test, vars map[string]any, used []string) {
	add := func(name, value string) {
		if _, has := q.Meta[name]; !has && strings.TrimSpace(value) != "" {
			q.Meta[name] = value
		}
	}
	if q.Meta == nil {
		q.Meta = map[string]string{}
	}
	add("description", t.description)
	for _, name := range t.names {
		if !slices.Contains(used, name) {
			add(name, jsonText(vars[name]))
		}
	}
}

// jsonText returns a text unchanged, and any other value as JSON.
func jsonText(value any) string {
	if t, is := value.(string); is {
		return t
	}
	raw, err := json.Marshal(value)
	if err != nil { // only a value that is no JSON, such as .nan of YAML
		return fmt.Sprint(value)
	}
	return string(raw)
}

// load reads a YAML or JSON file.
func (r *reader) load(path string) (*yaml.Node, error) {
	data, err := r.files.read(path)
	if err != nil {
		return nil, err
	}
	var n yaml.Node
	if err := strictyaml.Decode(path, data, &n); err != nil {
		return nil, err
	}
	return &n, nil
}
