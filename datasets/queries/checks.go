package queries

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/text"
)

// Checks counts the checks of a set of queries, and lists the programs among them.
type Checks struct {
	Queries  int            // queries with checks
	Checks   int            // with those in groups
	Programs [][]string     // the different commands, in the order of the queries
	Suites   []checks.Check // the different tests, in the same order
}

// String returns a line with the number of checks, and one with the programs; "" without checks.
func (c Checks) String() string {
	if c.Queries == 0 {
		return ""
	}
	out := fmt.Sprintf("  %s of %s\n", text.Counted(c.Checks, "check"), text.Counted(c.Queries, "query"))
	if len(c.Programs) == 0 {
		return out
	}
	commands := make([]string, len(c.Programs))
	for i, command := range c.Programs {
		commands[i] = strings.Join(command, " ")
	}
	return out + "  a run starts these programs: " + strings.Join(commands, ", ") + "\n"
}

// Checks reads the checks of the set's queries. The error is that of reading a query.
func (s *Set) Checks() (found Checks, err error) {
	if len(s.Checked()) == 0 {
		return found, nil
	}
	seen := map[string]bool{}
	for q, err := range s.Queries() {
		if err != nil {
			return found, err
		}
		all := q.AllChecks()
		if len(all) == 0 {
			continue
		}
		found.Queries++
		found.Checks += checks.Count(all)
		for _, suite := range checks.Suites(all) {
			suite.Weight = nil
			raw, err := suite.MarshalJSON()
			if err != nil {
				return found, err
			}
			if key := string(raw); !seen[key] {
				seen[key] = true
				found.Suites = append(found.Suites, suite)
			}
		}
		for _, command := range checks.Programs(all) {
			if key := strings.Join(command, "\x00"); !seen[key] {
				seen[key] = true
				found.Programs = append(found.Programs, command)
			}
		}
	}
	return found, nil
}

// Checked returns the ids of the queries with checks, in their order.
func (s *Set) Checked() (ids []string) { return s.with(hasChecks) }

// Programmed returns the ids of the queries with checks that are programs or tests of programs, in their order.
func (s *Set) Programmed() (ids []string) { return s.with(hasExec) }

// Similar returns the ids of the queries with checks that need embeddings, in their order.
func (s *Set) Similar() (ids []string) { return s.with(hasSimilar) }

// Executed returns the ids of the queries whose gold is a statement, in their order.
func (s *Set) Executed() (ids []string) { return s.with(hasSQL) }
