package imports

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

// Mapping maps concur's fields to paths in a file, such as output: "response.text" or "choices.0.text". The
// fields are id, query, gold, category, output (the final message), messages (as OpenAI's chats), verdict,
// model and configuration. If the file is one object, rows is the path of the list of results.
type Mapping map[string]string

// rowsField is the field whose path leads to the list of results.
const rowsField = "rows"

// mappable lists the fields of a Mapping, each with its usual names in files.
var mappable = []struct {
	name  string
	usual []string
}{
	{rowsField, []string{"results", "rows", "data", "samples"}},
	{"query", []string{"query", "question", "input", "prompt", "task"}},
	{"output", []string{"output", "answer", "response", "completion", "prediction"}},
	{"verdict", []string{"verdict", "correct", "success", "passed", "score", "reward"}},
	{"messages", []string{"messages", "conversation", "trajectory", "traj"}},
	{"id", []string{"id", "task_id", "sample_id"}},
	{"gold", []string{"gold", "expected", "target", "reference"}},
	{"category", nil}, {"model", nil}, {"configuration", nil},
}

// ReadMapping reads FIELD=PATH,…, or a YAML file of them.
func ReadMapping(text string) (Mapping, error) {
	var names []string
	for _, f := range mappable {
		names = append(names, f.name)
	}
	pairs, err := readPairs(text, "output=response.text", names)
	if err != nil {
		return nil, err
	}
	m := Mapping(pairs)
	if m["output"] == "" && m["messages"] == "" {
		return nil, errors.New("it has neither output nor messages: name the field of the final message, as " +
			"output=FIELD")
	}
	if m["query"] == "" && m["messages"] == "" {
		return nil, errors.New("it has neither query nor messages: name the field of the question, as query=FIELD")
	}
	return m, nil
}

// readPairs reads FIELD=VALUE,…, or a YAML file of them. names lists the fields.
func readPairs(text, example string, names []string) (map[string]string, error) {
	m := map[string]string{}
	if strings.Contains(text, "=") {
		for pair := range strings.SplitSeq(text, ",") {
			field, path, both := strings.Cut(strings.TrimSpace(pair), "=")
			if _, twice := m[field]; !both || path == "" || twice {
				return nil, fmt.Errorf("%q: write FIELD=PATH once for each field, such as %s", pair, example)
			}
			m[field] = path
		}
	} else {
		raw, err := os.ReadFile(text)
		if err == nil {
			err = strictyaml.Decode(text, raw, &m)
		}
		if err != nil {
			return nil, err
		}
	}
	for field := range m {
		if !slices.Contains(names, field) {
			return nil, fmt.Errorf("no field %q is read: %s", field, strictyaml.Suggest(field, names))
		}
	}
	return m, nil
}

// OpenMapped reads a JSON or JSONL file by a mapping; the file may be compressed by gzip. Rows are traces of
// one query if they have the same id or, without ids, the same query. The messages of a row are a whole trace,
// and may have several turns of a user.
func OpenMapped(path string, m Mapping) (*Log, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	defer f.Close()
	name := strings.TrimSuffix(filepath.Base(path), ".gz")
	name = strings.TrimSuffix(name, filepath.Ext(name))
	l := &Log{Tool: "mapped results", Name: name, NoCalls: m["messages"] == ""}
	r := &mappedReader{log: l, mapping: m}
	in := bufio.NewReader(lines.Decompressed(f))
	if mark, _ := in.Peek(3); string(mark) == "\uFEFF" {
		_, _ = in.Discard(3) // the bytes were already read by Peek
	}
	if err := r.read(in); err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	l.note(r.unscored, "row", " has a verdict that is neither right nor wrong, or none: it is unscored",
		" have a verdict that is neither right nor wrong, or none: they are unscored")
	return l, nil
}

type mappedReader struct {
	log            *Log
	mapping        Mapping
	rows, unscored int
}

// read reads the values of a file. Each is a row, a list of rows or, if the mapping has a path of rows, an
// object that contains the list.
func (r *mappedReader) read(in io.Reader) error {
	dec := json.NewDecoder(in)
	for {
		var value json.RawMessage
		switch err := dec.Decode(&value); {
		case err == io.EOF && r.rows == 0:
			return errEmpty
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("after row %d: %w; copy the file again if it was cut", r.rows, lines.Fault(err, nil))
		}
		if path := r.mapping[rowsField]; path != "" {
			if value = valueAt(value, path); value == nil {
				return fmt.Errorf("the file has no field %q: give the path of its list as rows", path)
			}
		}
		list := []json.RawMessage{value}
		if value[0] == '[' {
			if err := json.Unmarshal(value, &list); err != nil {
				return err
			}
		}
		for _, row := range list {
			r.rows++
			if err := r.take(row); err != nil {
				return fmt.Errorf("row %d: %w", r.rows, err)
			}
		}
	}
}

func (r *mappedReader) take(row json.RawMessage) error {
	if row[0] != '{' {
		return errors.New("it is not an object: give the path of the list of objects as rows")
	}
	get := func(field string) string {
		if path := r.mapping[field]; path != "" {
			return textOf(valueAt(row, path))
		}
		return ""
	}
	var chat []message
	if path := r.mapping["messages"]; path != "" {
		if raw := valueAt(row, path); raw == nil || json.Unmarshal(raw, &chat) != nil {
			return fmt.Errorf("its field %q is not a list of messages: name a field of messages with role "+
				"and content", path)
		}
	}
	q := datasets.Query{ID: get("id"), Category: get("category"), Gold: datasets.Gold{Answer: get("gold")}}
	q.Text = cmp.Or(get("query"), firstOfUser(chat))
	if q.Text == "" {
		path := cmp.Or(r.mapping["query"], r.mapping["messages"])
		return fmt.Errorf("its question is missing: the field %q is empty; give its path as query", path)
	}
	q.ID = cmp.Or(q.ID, q.Text)
	t := Trace{Trace: trace.Trace{Message: get("output")}}
	if t.take(chat); len(chat) == 0 {
		t.Steps, t.ModelCalls = 1, 1
	}
	if path := r.mapping["verdict"]; path != "" {
		said := textOf(valueAt(row, path))
		ruling := rulingOfText(said)
		if ruling == judge.Unscored {
			r.unscored++
		}
		t.grade(ruling, path+": "+cmp.Or(said, "missing"))
	}
	name, model := get("configuration"), get("model")
	r.log.row(cmp.Or(name, model, "default"), strings.Replace(model, "/", ":", 1)).add(r.log.query(q), t)
	return nil
}

// rulingOfText reads a verdict in words or as a number.
func rulingOfText(said string) judge.Ruling {
	if n, err := strconv.ParseFloat(said, 64); err == nil {
		return rulingOf(n)
	}
	switch strings.ToLower(strings.TrimSpace(said)) {
	case "true", "correct", "right", "pass", "passed", "yes", "success", "c":
		return judge.Correct
	case "false", "incorrect", "wrong", "fail", "failed", "no", "failure", "i":
		return judge.Incorrect
	}
	return judge.Unscored
}

// valueAt returns the value at a path of names and indexes, separated by dots; nil for a missing value or
// null. A field whose name is the whole path takes precedence.
func valueAt(raw json.RawMessage, path string) json.RawMessage {
	var object map[string]json.RawMessage
	var list []json.RawMessage
	head, rest, more := strings.Cut(path, ".")
	switch {
	case json.Unmarshal(raw, &object) == nil:
		if whole, ok := object[path]; ok {
			raw, more = whole, false
		} else {
			raw = object[head]
		}
	case json.Unmarshal(raw, &list) == nil:
		i, err := strconv.Atoi(head)
		if err != nil || i < 0 || i >= len(list) {
			return nil
		}
		raw = list[i]
	default:
		return nil
	}
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return nil
	case more:
		return valueAt(raw, rest)
	}
	return raw
}
