package reports

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/runner/store"
)

// RunEntry is one run of a list.
type RunEntry struct {
	store.Manifest
	Bytes int64
	// Summary is nil of a run that is not complete.
	Summary *result.Result
}

// Runs writes a list of runs, a row each.
func Runs(w io.Writer, runs []RunEntry) error {
	return writeTable(w, tabulate(nil, []figure[RunEntry]{
		word("run", func(r RunEntry) line { return quoted(r.Run) }),
		word("started", func(r RunEntry) line { return plain(r.Start.Local().Format("2006-01-02 15:04")) }),
		word("kind", func(r RunEntry) line { return plain(string(r.Kind())) }),
		{header: plain("dataset"), most: maxAnswer, cell: func(r RunEntry) line { return quoted(r.Dataset.Name) }},
		count("queries", func(r RunEntry) string { return fmt.Sprint(r.Dataset.Queries) }),
		{header: plain("configurations"), most: maxAnswer, cell: func(r RunEntry) line {
			names := make([]string, len(r.Configurations))
			for i, c := range r.Configurations {
				names[i] = c.Name
			}
			return quoted(strings.Join(names, ", "))
		}},
		count("pass rate", func(r RunEntry) string { return passRates(r.Summary) }),
		word("state", func(r RunEntry) line { return blend(string(r.State)) }),
		count("size", func(r RunEntry) string { return megabytes(r.Bytes) }),
	}, runs))
}

// passRates is the rate of a run's configuration, or the lowest and the highest of several.
func passRates(s *result.Result) string {
	if s == nil {
		return undefined
	}
	var low, high *float64
	for _, c := range s.Configurations {
		if c.PassRate == nil {
			continue
		}
		if low == nil || *c.PassRate < *low {
			low = c.PassRate
		}
		if high == nil || *c.PassRate > *high {
			high = c.PassRate
		}
	}
	if low == nil || *low == *high {
		return percent(low)
	}
	return percent(low) + " to " + percent(high)
}

func megabytes(n int64) string {
	if n < 1e5 {
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// PlanRow is a configuration that is about to be run.
type PlanRow struct {
	Name, Model        string
	K                  int
	Strategy, Protocol string
	Tools, Without     []string // Without are guards that were taken away
	Traces             int      // that are to be run for it; 0 where it shares another's
	Done               bool     // nothing of it is left to run
	Note               string
}

// Plan writes one row per configuration, for a terminal.
func Plan(w io.Writer, plan []PlanRow) error {
	traces := func(r PlanRow) line {
		switch {
		case r.Done:
			return plain("done")
		case r.Traces == 0:
			return plain("shared")
		}
		return plain(strconv.Itoa(r.Traces))
	}
	figures := []figure[PlanRow]{
		word("configuration", func(r PlanRow) line { return quoted(r.Name) }),
		word("model", func(r PlanRow) line { return quoted(r.Model) }),
		{header: plain("K"), number: true, cell: func(r PlanRow) line { return plain(strconv.Itoa(r.K)) }},
		word("agent", func(r PlanRow) line { return quoted(r.Strategy + ", " + r.Protocol) }),
		word("tools", func(r PlanRow) line { return quoted(strings.Join(r.Tools, ", ")) }),
		word("without", func(r PlanRow) line { return quoted(strings.Join(r.Without, ", ")) }),
		{header: plain("traces\nto run"), number: true, cell: traces},
		{header: plain("note"), most: maxReason, cell: func(r PlanRow) line { return quoted(r.Note) }},
	}
	return writeTable(w, tabulate(nil, figures, plan))
}

// CheckState says what came of a check.
type CheckState string

// The states of a check.
const (
	Works    CheckState = "works"
	Fails    CheckState = "fails"
	Set      CheckState = "set" // and not tried by itself
	NotSet   CheckState = "not set up"
	NotTried CheckState = "not tried"
)

// Check is one thing that was tried.
type Check struct {
	What   string     `json:"what"` // model, key, search, …
	Name   string     `json:"name"`
	Needed bool       `json:"needed"` // by the configuration
	State  CheckState `json:"state"`
	Detail string     `json:"detail"` // of a failure, or what else was found
	Mend   string     `json:"mend"`   // the way out
}

// Checks writes what was tried as a table, and beneath it what failed and the way out.
func Checks(w io.Writer, checks []Check) error {
	needed := map[bool]string{true: "yes"}
	t := tabulate(nil, []figure[Check]{
		word("what", func(c Check) line { return plain(c.What) }),
		word("name", func(c Check) line { return quoted(Printable(c.Name)) }),
		word("needed", func(c Check) line { return plain(needed[c.Needed]) }),
		word("state", func(c Check) line { return plain(string(c.State)) }),
	}, checks)
	var lines []line
	for _, c := range checks {
		if c.Mend == "" && c.Detail == "" {
			continue
		}
		text := fmt.Sprintf("%s %s", c.What, Printable(c.Name))
		for _, part := range []string{c.Detail, c.Mend} {
			if part != "" {
				text += ": " + Printable(strings.ReplaceAll(part, "\n", "; "))
			}
		}
		lines = append(lines, plain(text))
	}
	return writeTable(w, t, lines...)
}

// ChecksJSON writes what was tried as one JSON document.
func ChecksJSON(w io.Writer, checks []Check) error {
	return writeJSON(w, struct {
		Schema string  `json:"schema"`
		Checks []Check `json:"checks"`
	}{"concur/doctor/v1", checks})
}
