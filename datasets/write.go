package datasets

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// Write writes the dataset in a format, the queries in their order and the same
// bytes each time. What Load returned loads again with the same hash.
func (d *Dataset) Write(w io.Writer, f Format) error {
	out, err := newWriter(w, f)
	for i := 0; i < len(d.Queries) && err == nil; i++ {
		err = out.query(&d.Queries[i])
	}
	if err == nil {
		err = out.flush()
	}
	if err != nil {
		return fmt.Errorf("write dataset %s: %w", d.Name, err)
	}
	return nil
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
		return writer{yamlWriter(out), out.Flush}, nil // a buffered writer keeps its first error until here
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
		}}, rows.Write(fieldNames())
	}
	return writer{}, fmt.Errorf("unknown format %q: use yaml, jsonl or csv", f)
}

// written is a query without what goes without saying.
type written struct {
	ID       string      `json:"id"`
	Category string      `json:"category"`
	Query    string      `json:"query"`
	Gold     writtenGold `json:"gold"`
	Expects  *Expects    `json:"expects,omitempty"`
	MaxSteps int         `json:"max_steps,omitempty"`
	Cluster  string      `json:"cluster,omitempty"`
	Source   string      `json:"source,omitempty"`
	Tags     []string    `json:"tags,omitempty"`
}

type writtenGold struct {
	Type      string   `json:"type,omitempty"`
	Answer    string   `json:"answer,omitempty"`
	Aliases   []string `json:"aliases,omitempty"`
	Tolerance string   `json:"tolerance,omitempty"`
	goldOptions
	AllOf     []any    `json:"all_of,omitempty"`
	NoneOf    []string `json:"none_of,omitempty"`
	Condition string   `json:"condition,omitempty"`
	Outcome   string   `json:"outcome,omitempty"`
}

func toWrite(q *Query) written {
	g := &q.Gold
	w := written{
		ID: q.ID, Category: q.Category, Query: q.Text, Expects: q.Expects, MaxSteps: q.MaxSteps, Cluster: q.Cluster, Source: q.Source, Tags: q.Tags,
		Gold: writtenGold{Answer: g.Answer, Aliases: g.Aliases, NoneOf: g.NoneOf, Condition: g.Condition, goldOptions: optionsOf(g)},
	}
	for _, group := range g.AllOf {
		if len(group) == 1 {
			w.Gold.AllOf = append(w.Gold.AllOf, group[0])
		} else {
			w.Gold.AllOf = append(w.Gold.AllOf, group)
		}
	}
	if g.Answer != "" || g.Type != answer.Text {
		w.Gold.Type = string(g.Type)
	}
	if !g.Tolerance.IsZero() {
		w.Gold.Tolerance = g.Tolerance.String()
	}
	if g.Outcome != answer.Answered {
		w.Gold.Outcome = string(g.Outcome)
	}
	return w
}
