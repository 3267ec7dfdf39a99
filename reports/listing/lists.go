package listing

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
	"github.com/seed-5817661a/concur/runner/store"
)

// RunEntry is one run of a list.
type RunEntry struct {
	store.Manifest
	Bytes int64
	// Summary is nil for an incomplete run.
	Summary *result.Result
}

// WriteRuns writes a list of runs, one per row. Fresh traces of a run have no row: the state of the run gives
// their number, and the size of the run includes them.
func WriteRuns(w io.Writer, runs []RunEntry, s document.Screen) error {
	at := map[string]int{}
	fresh := map[string]int{}
	var shown []RunEntry
	for _, r := range runs {
		if r.FreshOf == "" || !slices.ContainsFunc(runs, func(o RunEntry) bool { return o.Run == r.FreshOf }) {
			at[r.Run] = len(shown)
			shown = append(shown, r)
		}
	}
	for _, r := range runs {
		if i, folded := at[r.FreshOf]; folded && r.FreshOf != "" {
			fresh[r.FreshOf]++
			shown[i].Bytes += r.Bytes
		}
	}
	older := olderNamesakes(shown)
	return s.Write(w, document.Document{Details: document.Captioned(document.Tabulate(nil, []document.Column[RunEntry]{
		{Header: "run", Text: func(r RunEntry) document.RichText { return document.Quoted(r.Run) }},
		{
			Header: "started", Leaves: 7,
			Text: func(r RunEntry) document.RichText { return document.Plain(r.Start.Local().Format("2006-01-02 15:04")) },
		},
		{
			Header: "name", When: document.IfFilled, Most: document.MaxAnswer, Leaves: 2,
			Text: func(r RunEntry) document.RichText { return document.Quoted(NameOf(r.Manifest) + older[r.Run]) },
		},
		{Header: "kind", Text: func(r RunEntry) document.RichText { return document.Plain(string(r.Kind())) }, Leaves: 5},
		{
			Header: "model or agent", Most: document.MaxAnswer, Leaves: 1,
			Text: func(r RunEntry) document.RichText { return document.Quoted(AgentsOf(r.Manifest)) },
		},
		{
			Header: "dataset",
			Most:   document.MaxAnswer,
			Leaves: 3,
			Text:   func(r RunEntry) document.RichText { return document.Quoted(r.Dataset.Name) },
		},
		{Header: "queries", Show: func(r RunEntry) string { return fmt.Sprint(r.Dataset.Queries) }, Leaves: 6},
		{Header: "pass rate", Show: func(r RunEntry) string { return passRates(r.Summary) }},
		{
			Header: "state",
			Text: func(r RunEntry) document.RichText {
				if n := fresh[r.Run]; n > 0 {
					return document.Concat(document.Mixed(string(r.State)), document.Plain(fmt.Sprintf(", %d fresh", n)))
				}
				return document.Mixed(string(r.State))
			},
		},
		{
			Header: "workers", Leaves: 9, When: document.IfFilled,
			Show: func(r RunEntry) string { return figures.UnlessZero(len(r.Workers)) },
		},
		{Header: "size", Show: func(r RunEntry) string { return Megabytes(r.Bytes) }, Leaves: 8},
	}, shown))})
}

// olderNamesakes returns the mark " (older)" for each run whose name now refers to a newer run of the same
// name. The newest run comes first. A name never refers to a replay or to another run that was made from a run.
func olderNamesakes(runs []RunEntry) map[string]string {
	older, seen := map[string]string{}, map[string]bool{}
	for _, r := range runs {
		if r.Kind() != store.KindRun {
			continue
		}
		if r.Title != "" && seen[r.Title] {
			older[r.Run] = " (older)"
		}
		seen[r.Title] = true
	}
	return older
}

// NameOf returns the name that the user gave a run. Without such a name, it returns the name of the ablation's
// spec, or "".
func NameOf(m store.Manifest) string { return cmp.Or(m.Title, m.Ablation) }

// AgentsOf returns the agents of a run: the commands of external agents, or the models.
func AgentsOf(m store.Manifest) string {
	var out []string
	for _, c := range m.Configurations {
		if agent := cmp.Or(naming.Command(c), c.Model,
			c.Configuration.Agent.External.Imported); !slices.Contains(out, agent) {
			out = append(out, agent)
		}
	}
	return strings.Join(out, ", ")
}

// passRates formats the pass rate of a run's configuration; of several configurations, the lowest and the
// highest.
func passRates(s *result.Result) string {
	if s == nil {
		return document.Undefined
	}
	var rates []float64
	for _, c := range result.Headlines(s).Configurations {
		if c.PassRate != nil {
			rates = append(rates, *c.PassRate)
		}
	}
	if len(rates) == 0 {
		return document.Undefined
	}
	low, high := slices.Min(rates), slices.Max(rates)
	if low == high {
		return figures.Percent(&low)
	}
	return figures.Percent(&low) + " to " + figures.Percent(&high)
}

// Megabytes formats a size in bytes as megabytes.
func Megabytes(n int64) string {
	if n < 1e5 {
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// RunList is the JSON form of a list of runs.
type RunList struct {
	Schema string      `json:"schema"`
	Runs   []ListedRun `json:"runs"`
}

// ListedRun is one run of a RunList.
type ListedRun struct {
	Run  string `json:"run"`
	Name string `json:"name"` // given by the user or by the spec; "" without a name
	// FreshOf is the id of the gated run, if this folder holds fresh traces of its agent; "" for other runs
	FreshOf        string                `json:"fresh_of"`
	Start          time.Time             `json:"start"`
	Kind           store.Kind            `json:"kind"`
	Dataset        string                `json:"dataset"`
	Queries        int                   `json:"queries"`
	Configurations []ListedConfiguration `json:"configurations"`
	State          store.State           `json:"state"`
	Bytes          int64                 `json:"bytes"`
}

// ListedConfiguration is a configuration of a run with its pass rate, which is nil if unknown.
type ListedConfiguration struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Model    string   `json:"model"`
	Command  string   `json:"command"` // command or address of an external agent; "" if the agent is concur's own
	PassRate *float64 `json:"pass_rate"`
}

// WriteRunsJSON writes a RunList.
func WriteRunsJSON(w io.Writer, runs []RunEntry) error {
	out := RunList{"concur/runs/v1", make([]ListedRun, len(runs))}
	for i, e := range runs {
		out.Runs[i] = ListedRun{e.Run, NameOf(e.Manifest), e.FreshOf, e.Start, e.Kind(), e.Dataset.Name,
			e.Dataset.Queries, []ListedConfiguration{}, e.State, e.Bytes}
		titles := naming.Titles(e.Manifest)
		for j, x := range e.Configurations {
			one := ListedConfiguration{Name: x.Name, Title: titles[j], Model: x.Model, Command: naming.Command(x)}
			if e.Summary != nil && j < len(e.Summary.Configurations) {
				one.PassRate = e.Summary.Configurations[j].PassRate
			}
			out.Runs[i].Configurations = append(out.Runs[i].Configurations, one)
		}
	}
	return document.WriteJSON(w, out)
}

// CheckState is the result of a check.
type CheckState string

// The states of a check.
const (
	Works    CheckState = "works"
	Fails    CheckState = "fails"
	Present  CheckState = "set" // the setting is present, but was not tried
	NotSet   CheckState = "not set up"
	NotTried CheckState = "not tried"
	NotUsed  CheckState = "not used" // something else replaces the setting
	Exposed  CheckState = "exposed"  // a key that other programs can read, a database that agents may change
)

// Check is one setting or service that was checked.
type Check struct {
	What   string     `json:"what"` // model, key, search, …
	Name   string     `json:"name"`
	Needed bool       `json:"needed"` // the configuration needs it
	State  CheckState `json:"state"`
	Detail string     `json:"detail"` // the failure, or other details
	Mend   string     `json:"mend"`   // how to fix it
}

// WriteChecks writes checks as a table, followed by the failures and how to fix them.
func WriteChecks(w io.Writer, checks []Check, s document.Screen) error {
	t := document.Tabulate(nil, []document.Column[Check]{
		{Header: "what", Text: func(c Check) document.RichText { return document.Plain(c.What) }},
		{Header: "name", Text: func(c Check) document.RichText { return document.Quoted(document.Printable(c.Name)) }},
		{
			Header: "needed",
			Text: func(c Check) document.RichText {
				if c.Needed {
					return document.Plain("yes")
				}
				return document.Plain("")
			},
		},
		{Header: "state", Text: func(c Check) document.RichText { return document.Plain(string(c.State)) }},
	}, checks)
	var lines []document.RichText
	for _, c := range checks {
		if c.Mend == "" && c.Detail == "" {
			continue
		}
		text := fmt.Sprintf("%s %s", c.What, document.Printable(c.Name))
		for _, part := range []string{c.Detail, c.Mend} {
			if part != "" {
				text += ": " + document.Printable(strings.ReplaceAll(part, "\n", "; "))
			}
		}
		lines = append(lines, document.Plain(text))
	}
	return s.Write(w, document.Document{Details: document.Captioned(t, lines...)})
}

// CheckList is the JSON form of the checks.
type CheckList struct {
	Schema string  `json:"schema"`
	Checks []Check `json:"checks"`
}

// WriteChecksJSON writes a CheckList.
func WriteChecksJSON(w io.Writer, checks []Check) error {
	return document.WriteJSON(w, CheckList{"concur/doctor/v1", checks})
}
