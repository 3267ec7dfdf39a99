package documents

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/rank"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/tool/api/pick"
	"github.com/seed-5817661a/concur/tool/api/spec"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/trace"
)

const (
	maxTitle = 300 // bytes
	most     = 50  // documents, if the file does not say how many
)

// joint stands between the snippets of rows with the same id.
const joint = " … "

// Row is a document before it is cut and scored.
type Row struct {
	ID, Title, Snippet, Source, Time string
	Score                            *float64 // the service's own
}

// Rows returns the rows of a reply that can be documents, and how many others were passed over. broken reports that
// each failed; then there is no row. An error means that a field of a row cannot be read.
func Rows(ctx context.Context, d *spec.Documents, s *spec.Scene) (rows []Row, passed int, broken error, err error) {
	all, broken := d.Each.All(ctx, s)
	if broken != nil {
		return nil, 0, broken, nil
	}
	for i, v := range all {
		row, ok, err := read(ctx, d, s, v)
		if err != nil {
			return nil, 0, nil, fmt.Errorf("document %d: %w", i+1, err)
		}
		if !ok {
			passed++
			continue
		}
		rows = append(rows, row)
	}
	return rows, passed, nil, nil
}

// read reads the fields of a row. ok is false for a row without an id, without title and snippet, or with a source that
// cannot be cited.
func read(ctx context.Context, d *spec.Documents, s *spec.Scene, v any) (row Row, ok bool, err error) {
	var score string
	for _, f := range []struct {
		name  string
		query *spec.Query
		into  *string
	}{
		{"id", d.ID, &row.ID}, {"title", d.Title, &row.Title}, {"snippet", d.Snippet, &row.Snippet},
		{"source", d.Source, &row.Source}, {"score", d.Score, &score}, {"time", d.Time, &row.Time},
	} {
		value, err := fieldOf(ctx, f.name, f.query, s, v)
		if err != nil {
			return row, false, fmt.Errorf("%s: %w", f.name, err)
		}
		switch value.(type) {
		case nil:
		case bool, []any, map[string]any:
			return row, false, fmt.Errorf("%s is neither a text nor a number", f.name)
		default:
			*f.into = search.OneLine(spec.Text(value))
		}
		if f.name == "source" && value != nil && search.HostOf(row.Source) == "" {
			return row, false, nil
		}
	}
	if n, err := strconv.ParseFloat(score, 64); err == nil {
		row.Score = &n
	}
	return row, row.ID != "" && row.Title+row.Snippet != "", nil
}

// fieldOf returns a field of a row. Without an expression it is the field of that name.
func fieldOf(ctx context.Context, name string, q *spec.Query, s *spec.Scene, row any) (any, error) {
	if q != nil {
		return q.Of(ctx, s, row)
	}
	switch row := row.(type) {
	case map[string]any:
		return row[name], nil
	case nil:
		return nil, nil
	}
	return nil, fmt.Errorf("the row is no object")
}

// AtMost returns how many documents a call gives.
func AtMost(ctx context.Context, d *spec.Documents, s *spec.Scene) int {
	v, err := d.AtMost.First(ctx, s)
	n, bad := strconv.ParseFloat(spec.Text(v), 64)
	if err != nil || bad != nil {
		return most
	}
	return int(max(0, min(n, pick.MaxRows)))
}

// Collection has the rows of all pages of a call.
type Collection struct {
	rows []Row
	at   map[string]int // by id
}

// Add adds the rows of a page, and reports whether one of them brings something new.
func (c *Collection) Add(rows []Row) (isNew bool) {
	if c.at == nil {
		c.at = map[string]int{}
	}
	for _, row := range rows {
		i, again := c.at[row.ID]
		if !again {
			c.at[row.ID], isNew = len(c.rows), true
			c.rows = append(c.rows, row)
			continue
		}
		have := &c.rows[i]
		switch {
		case row.Snippet == "" || strings.Contains(have.Snippet, row.Snippet):
		case have.Snippet == "":
			have.Snippet, isNew = row.Snippet, true
		case len(have.Snippet) < pick.MaxText:
			have.Snippet, isNew = have.Snippet+joint+row.Snippet, true
		}
	}
	return isNew
}

// Len returns the number of documents.
func (c *Collection) Len() int { return len(c.rows) }

// Documents returns at most limit documents of a file. query is what the agent looks for; hide removes keys.
func (c *Collection) Documents(f *spec.File, query string, limit int, hide func(string) string) []trace.Document {
	out := []trace.Document{}
	terms := slices.Compact(rank.Terms(query))
	for _, row := range c.rows[:min(limit, len(c.rows))] {
		d := trace.Document{Backend: f.Evidence, Ref: hide(row.ID), Title: text.Head(hide(row.Title), maxTitle),
			Source: hide(row.Source), Snippet: search.Snippet(search.WebWeights(), hide(row.Snippet), terms),
			BackendScore: row.Score, BackendScoreShown: row.Score != nil && f.Documents.Score != nil,
			Time: hide(row.Time)}
		d.Score = search.Score(query, d.Title, d.Snippet)
		out = append(out, d)
	}
	return out
}
