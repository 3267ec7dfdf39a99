package datasets

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/datasets/jsonnode"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/trace"
)

// Write writes the dataset in a format, with the queries in order. The same dataset always gives the same
// bytes. If these bytes are loaded again, the dataset has the same hash.
func (d *Dataset) Write(w io.Writer, f Format) error {
	if len(d.Tools) > 0 && f != YAML {
		return fmt.Errorf("write dataset %s: it has tools, which only YAML can hold: write yaml", d.Name)
	}
	if len(d.Tools) > 0 {
		if err := writeTools(w, d.Tools); err != nil {
			return fmt.Errorf("write dataset %s: %w", d.Name, err)
		}
	}
	if err := WriteQueries(w, f, d.each); err != nil {
		return fmt.Errorf("write dataset %s: %w", d.Name, err)
	}
	return nil
}

// WriteQueries writes queries as [Dataset.Write] does, one at a time. If all gives an error, WriteQueries returns it.
func WriteQueries(w io.Writer, f Format, all iter.Seq2[Query, error]) error {
	out, err := newWriter(w, f)
	if err != nil {
		return err
	}
	for q, err := range all {
		if err == nil {
			err = out.query(&q)
		}
		if err != nil {
			return err
		}
	}
	return out.flush()
}

// writer writes queries one by one.
type writer struct {
	query func(*Query) error
	flush func() error
}

func newWriter(w io.Writer, f Format) (writer, error) {
	out := bufio.NewWriter(w)
	switch f {
	case YAML:
		return writer{yamlWriter(out), out.Flush}, nil // the buffered writer returns its first error here
	case JSONL:
		lines := json.NewEncoder(out)
		lines.SetEscapeHTML(false)
		_, err := fmt.Fprintf(out, "{\"schema\":%q}\n", datasetSchema)
		return writer{func(q *Query) error { return lines.Encode(toWrite(q)) }, out.Flush}, err
	case CSV:
		rows := csv.NewWriter(out)
		return writer{func(q *Query) error { return writeRow(rows, q) }, func() error {
			rows.Flush()
			return errors.Join(rows.Error(), out.Flush())
		}}, rows.Write(fieldNames)
	}
	return writer{}, fmt.Errorf("unknown format %q: use yaml, jsonl or csv", f)
}

// written is a query as written to a file, without fields at their defaults.
type written struct {
	ID       string         `json:"id"`
	Category string         `json:"category"`
	Query    string         `json:"query,omitempty"` // "" and no gold for a conversation, whose turns have them
	Gold     *writtenGold   `json:"gold,omitempty"`
	Checks   []checks.Check `json:"checks,omitempty"`
	Expects  *Expects       `json:"expects,omitempty"`
	MaxSteps int            `json:"max_steps,omitempty"`
	Cluster  string         `json:"cluster,omitempty"`
	Source   string         `json:"source,omitempty"`
	Tags     []string       `json:"tags,omitempty"`
	Context
	Meta  map[string]string `json:"meta,omitempty"`
	Turns []writtenTurn     `json:"turns,omitempty"`
}

type writtenGold struct {
	Type      string   `json:"type,omitempty"`
	Answer    string   `json:"answer,omitempty"`
	Aliases   []string `json:"aliases,omitempty"`
	Tolerance string   `json:"tolerance,omitempty"`
	answer.Options
	AllOf     []any    `json:"all_of,omitempty"`
	NoneOf    []string `json:"none_of,omitempty"`
	Condition string   `json:"condition,omitempty"`
	Outcome   string   `json:"outcome,omitempty"`
	Premise   *bool    `json:"premise,omitempty"`
	At        string   `json:"at,omitempty"`
	SQL       string   `json:"sql,omitempty"`
	Tool      string   `json:"tool,omitempty"`
}

func toWrite(q *Query) written {
	w := written{
		ID: q.ID, Category: q.Category, Expects: q.Expects, MaxSteps: q.MaxSteps, Cluster: q.Cluster,
		Source: q.Source, Tags: q.Tags, Context: q.Context, Meta: q.Meta, Turns: turnsToWrite(q), Checks: q.Checks,
	}
	if len(q.Turns) == 0 {
		w.Query = q.Text
	}
	if len(q.Turns) == 0 && q.HasGold() {
		w.Gold = new(goldToWrite(&q.Gold))
	}
	return w
}

func goldToWrite(g *Gold) writtenGold {
	w := writtenGold{Answer: g.Answer, Aliases: g.Aliases, NoneOf: g.NoneOf, Condition: g.Condition, Options: g.Options,
		At: g.At, SQL: g.SQL, Tool: g.Tool}
	if g.FalsePremise != "" {
		w.FalsePremise, w.Premise = "", new(bool)
	}
	for _, group := range g.AllOf {
		if len(group) == 1 {
			w.AllOf = append(w.AllOf, group[0])
		} else {
			w.AllOf = append(w.AllOf, group)
		}
	}
	if g.Answer != "" || g.Type != answer.Text {
		w.Type = string(g.Type)
	}
	if !g.Tolerance.IsZero() {
		w.Tolerance = g.Tolerance.String()
	}
	if g.Outcome != trace.Answered {
		w.Outcome = string(g.Outcome)
	}
	return w
}

// writeRow writes a row. Each row has all columns, so that the columns of the file do not depend on the
// queries.
func writeRow(rows *csv.Writer, of *Query) error {
	if len(of.Turns) > 0 {
		return fmt.Errorf("query %s has turns, which CSV cannot hold: write yaml or jsonl", of.ID)
	}
	q := toWrite(of)
	g := q.Gold
	if len(q.Checks) > 0 {
		return fmt.Errorf("query %s has checks, which are not written to CSV: write yaml or jsonl", of.ID)
	}
	if g.Premise != nil {
		return fmt.Errorf("query %s has a false premise, which CSV cannot hold: write yaml or jsonl", of.ID)
	}
	if g.SQL != "" {
		return fmt.Errorf("query %s has a gold with a statement (sql), which CSV cannot hold: write yaml or jsonl", of.ID)
	}
	if g.At != "" {
		return fmt.Errorf("query %s has a gold with a time (at), which CSV cannot hold: write yaml or jsonl", of.ID)
	}
	steps := ""
	if q.MaxSteps > 0 {
		steps = strconv.Itoa(q.MaxSteps)
	}
	expects, err := jsonCell(q.Expects, q.Expects != nil)
	history, wrong := jsonCell(q.History, q.History != nil)
	meta, unwritten := jsonCell(q.Meta, len(q.Meta) > 0)
	if err := cmp.Or(err, wrong, unwritten); err != nil {
		return err
	}
	return rows.Write([]string{
		q.ID, q.Category, q.Query, g.Type, g.Answer, joinWords(g.Aliases), g.Tolerance,
		flagCell(g.Ordered), flagCell(g.UnitOptional), flagCell(g.PrefixDate), flagCell(g.BarePercent),
		joinGroups(of.Gold.AllOf),
		joinWords(g.NoneOf), g.Condition, g.Outcome, steps, q.Cluster, q.Source, joinWords(q.Tags), expects, history,
		q.Owner, q.Now, meta, g.Locale,
	})
}

// flagCell returns "true", or "" for false.
func flagCell(set bool) string {
	if set {
		return "true"
	}
	return ""
}

// jsonCell returns a value as JSON; "" if it is not set.
func jsonCell(value any, set bool) (string, error) {
	if !set {
		return "", nil
	}
	raw, err := json.Marshal(value)
	return string(raw), err
}

// yamlWriter returns a function that writes a query as YAML, as a person would write it: one field per line,
// names without quotes if that is safe, other texts in quotes, lists in brackets.
func yamlWriter(w io.Writer) func(*Query) error {
	first := true
	return func(q *Query) error {
		raw, err := json.Marshal(toWrite(q))
		if err != nil {
			return err
		}
		query, wrong := jsonnode.Parse(raw, strictyaml.Pos{})
		if wrong != nil {
			return wrong
		}
		restyle(query, "")
		var item bytes.Buffer
		if !first {
			item.WriteByte('\n')
		}
		first = false
		out := yaml.NewEncoder(&item)
		out.SetIndent(2)
		if err := out.Encode([]*yaml.Node{query}); err != nil {
			return err
		}
		_, err = item.WriteTo(w)
		return err
	}
}

var name = lazy.Compile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// restyle sets the style of a field's value; strings from JSON are quoted.
func restyle(n *yaml.Node, field string) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			n.Content[i].Style = 0
			restyle(n.Content[i+1], n.Content[i].Value)
		}
	case yaml.SequenceNode:
		if field == "turns" {
			for _, turn := range n.Content {
				restyle(turn, "")
			}
			return
		}
		n.Style = yaml.FlowStyle
	case yaml.ScalarNode:
		if slices.Contains([]string{"id", "category", "type", "outcome", "cluster", "source"}, field) &&
			name.MatchString(n.Value) {
			n.Style = 0
		}
	}
}
