package reports

import (
	"io"
	"strconv"
	"strings"
)

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
	return renderTable(w, *tabulate(nil, figures, plan))
}
