package usefulness

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/store"
)

// Schema is the name of the JSON form of a Report.
const Schema = "concur/usefulness/v1"

// Report has the figures of a run's calls.
type Report struct {
	Schema string  `json:"schema"`
	Run    string  `json:"run"`
	Scorer string  `json:"scorer"`
	Tau    float64 `json:"tau"` // in nats
	Rows   []Row   `json:"rows"`
	// Undefined counts the calls of all rows that were left out, by reason. A call of an agent with several
	// configurations is counted in each.
	Undefined map[Reason]int `json:"undefined"`
	// Useful lists the calls with the largest gains, if they are at least Tau. Harmful lists those with the smallest
	// gains, if they are at most -Tau.
	// Equal calls of several traces of a query are listed once.
	Useful  []Listed `json:"most_useful"`
	Harmful []Listed `json:"most_harmful"`
	// Warnings are facts that one must know before one trusts the figures.
	Warnings []string `json:"warnings"`
	Requests int      `json:"requests"` // that were sent to the scorer; other scores were in the run folder
}

// Row has the figures of a configuration's calls: of all of them, of a tool, or of a category of queries.
type Row struct {
	Configuration string `json:"configuration"`
	By            By     `json:"by"`
	Name          string `json:"name"` // of the tool or the category; "" for all calls
	Figures
}

// By says which calls a row has.
type By string

// The kinds of rows.
const (
	ByConfiguration By = "configuration"
	ByTool          By = "tool"
	ByCategory      By = "category"
)

// Listed is a call with its text.
type Listed struct {
	Configuration string  `json:"configuration"`
	Query         string  `json:"query"`
	Trace         int     `json:"trace"`
	Call          int     `json:"call"`
	Tool          string  `json:"tool"`
	Input         string  `json:"input"`  // at most MaxText characters
	Output        string  `json:"output"` // the result, at most MaxText characters
	Answer        string  `json:"answer"` // the right answer as the dataset writes it
	Gain          float64 `json:"gain"`
}

// MaxText is the maximum number of characters of a text in a Listed.
const MaxText = 400

// listed is the number of calls in each list.
const listed = 5

// sums collects the figures of a report.
type sums struct {
	o        Options
	manifest store.Manifest
	rows     map[rowKey]*tally
	list     []Listed
	refused  map[Reason]int
	counted  int // calls of all rows
}

type rowKey struct {
	configuration, name string
	by                  By
}

func newSums(m store.Manifest, o Options) *sums {
	return &sums{o: o, manifest: m, rows: map[rowKey]*tally{}, refused: map[Reason]int{}}
}

// add counts the calls of a record.
func (s *sums) add(r *record) {
	unit := unitOf(r.Record)
	for i, e := range r.entries {
		c := r.calls[i]
		s.counted++
		if e.Undefined != "" {
			s.refused[e.Undefined]++
		}
		for _, k := range []rowKey{{r.Configuration, "", ByConfiguration}, {r.Configuration, c.Tool, ByTool},
			{r.Configuration, r.Category, ByCategory}} {
			if s.rows[k] == nil {
				s.rows[k] = &tally{}
			}
			s.rows[k].add(e, c, unit)
		}
		if e.Gain != nil {
			s.keepExtremes(r, c, *e.Gain)
		}
	}
}

// unitOf returns the unit of a query's calls: its cluster, or the query itself.
func unitOf(r store.Record) string {
	return cmp.Or(r.Cluster, "\x00"+r.Query) // a query may have the name of a cluster
}

// keepExtremes keeps a call if its gain is among the largest or the smallest.
func (s *sums) keepExtremes(r *record, c tracedCall, worth float64) {
	l := Listed{Configuration: r.Configuration, Query: r.Query, Trace: c.id.Trace, Call: c.Number, Tool: c.Tool,
		Input: text.Clip(c.Input, MaxText), Output: text.Clip(c.Output, MaxText), Answer: c.gold.Answers[0], Gain: worth}
	same := func(x Listed) bool { return x.Query == l.Query && x.Tool == l.Tool && x.Input == l.Input }
	if at := slices.IndexFunc(s.list, same); at >= 0 {
		if math.Abs(worth) <= math.Abs(s.list[at].Gain) {
			return
		}
		s.list = slices.Delete(s.list, at, at+1)
	}
	s.list = append(s.list, l)
	slices.SortStableFunc(s.list, func(a, b Listed) int { return cmp.Compare(b.Gain, a.Gain) })
	if len(s.list) > 4*listed {
		s.list = slices.Delete(s.list, 2*listed, len(s.list)-2*listed)
	}
}

// report returns the figures.
func (s *sums) report(m *meter, kept *cache) *Report {
	out := &Report{Schema: Schema, Run: s.manifest.Run, Scorer: s.o.Scorer.Name, Tau: s.o.Tau, Rows: []Row{},
		Undefined: s.refused, Useful: []Listed{}, Harmful: []Listed{}, Warnings: []string{}, Requests: m.requests}
	row := map[string]int{}
	for i, c := range s.manifest.Configurations {
		row[c.Name] = i
	}
	keys := slices.SortedFunc(maps.Keys(s.rows), func(a, b rowKey) int {
		return cmp.Or(cmp.Compare(row[a.configuration], row[b.configuration]), cmp.Compare(order(a.by), order(b.by)),
			cmp.Compare(s.place(a), s.place(b)), cmp.Compare(a.name, b.name))
	})
	for _, k := range keys {
		out.Rows = append(out.Rows, Row{k.configuration, k.by, k.name, s.rows[k].figures(s.o.Tau)})
	}
	out.Useful, out.Harmful = extremes(s.list, s.o.Tau)
	out.Warnings = s.warnings(kept)
	return out
}

func order(b By) int { return slices.Index([]By{ByConfiguration, ByTool, ByCategory}, b) }

// place is the place of a category in the dataset.
func (s *sums) place(k rowKey) int {
	if k.by != ByCategory {
		return 0
	}
	return slices.Index(s.manifest.Dataset.Categories, k.name)
}

// warnings returns what must be known of the figures.
func (s *sums) warnings(kept *cache) []string {
	out := []string{}
	if s.counted == 0 {
		out = append(out, "the run has no calls of tools")
	}
	if state := s.manifest.State; state != store.Complete {
		out = append(out, fmt.Sprintf("the run is not complete (state: %s): the figures are of its decided queries", state))
	}
	others := map[string]bool{}
	var names []string
	for _, c := range s.manifest.Configurations {
		spec := cmp.Or(c.Model, c.Configuration.Agent.External.Label())
		if s.o.Configuration != "" && c.Name != s.o.Configuration || spec == s.o.Scorer.Name || others[spec] {
			continue
		}
		others[spec] = true
		names = append(names, spec)
	}
	if len(names) > 0 {
		out = append(out, fmt.Sprintf("the scorer %s is not the agent's model %s: a gain is what the result was worth for "+
			"the scorer", s.o.Scorer.Name, text.ListedUpTo(3, names)))
	}
	if kept.damaged > 0 {
		out = append(out, fmt.Sprintf("%s of %s %s damaged; their calls were scored again",
			text.Counted(kept.damaged, "line"), File, text.Verb(kept.damaged, "is", "are")))
	}
	if kept.file == nil {
		out = append(out, "the run folder cannot be written, so the scores are not kept")
	}
	return out
}
