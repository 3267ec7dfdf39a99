package datasets

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// Write writes the dataset in a format, the queries in their order and the same
// bytes each time. What Load returned loads again with the same hash.
func (d *Dataset) Write(w io.Writer, f Format) error {
	out := bufio.NewWriter(w)
	var err error
	switch f {
	case YAML:
		err = writeYAML(out, d.Queries)
	case JSONL:
		err = writeJSONL(out, d.Queries)
	case CSV:
		err = writeCSV(out, d.Queries)
	default:
		err = fmt.Errorf("unknown format %q: use yaml, jsonl or csv", f)
	}
	if err == nil {
		err = out.Flush() // a buffered writer keeps its first error until here
	}
	if err != nil {
		return fmt.Errorf("write dataset %s: %w", d.Name, err)
	}
	return nil
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

func writeJSONL(w io.Writer, queries []Query) error {
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	if _, err := fmt.Fprintf(w, "{\"schema\":%q}\n", datasetSchema); err != nil {
		return err
	}
	for i := range queries {
		if err := lines.Encode(toWrite(&queries[i])); err != nil {
			return err
		}
	}
	return nil
}
