package result

import (
	"fmt"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// maxInfraShare is the share of traces that may fail as infra before the figures of a
// configuration are no longer valid for comparison (methods.md §1.1).
const maxInfraShare = 0.02

// Losses counts what the infrastructure cost a configuration.
type Losses struct {
	Queries      int
	WithoutValid int // queries all of whose traces failed as infra
	Traces       int
	Infra        int // traces that failed as infra
}

// Losses is what the infrastructure cost a configuration.
func (c Configuration) Losses() Losses {
	return Losses{
		Queries: c.Counts.Queries, WithoutValid: c.Traces.QueriesWithoutValid,
		Traces: c.Traces.Total, Infra: c.Traces.Outcomes[trace.Infra],
	}
}

// Add counts the record of a further query.
func (l *Losses) Add(r store.Record) {
	valid := validOf(r)
	l.Infra += len(r.Answers) - valid
	l.Traces += len(r.Answers)
	l.Queries++
	l.WithoutValid += one(valid == 0 && len(r.Answers) > 0)
}

// validOf counts the traces of a record that were not lost to the infrastructure.
func validOf(r store.Record) (valid int) {
	for _, a := range r.Answers {
		valid += one(a.Outcome != trace.Infra)
	}
	return valid
}

// Invalid says why a configuration is no evidence in a comparison; empty where it is.
//
// Source: methods.md §1.1.
func (l Losses) Invalid() []string {
	var why []string
	if l.WithoutValid > 0 {
		why = append(why, fmt.Sprintf("%d of %d queries have no valid trace", l.WithoutValid, l.Queries))
	}
	if float64(l.Infra) > maxInfraShare*float64(l.Traces) {
		why = append(why, fmt.Sprintf("%d of %d traces failed through the infrastructure; above %.0f %% the run is not valid for comparison", l.Infra, l.Traces, maxInfraShare*100))
	}
	return why
}
