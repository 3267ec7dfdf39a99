package ablations

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/ablations/sent"
	"github.com/seed-5817661a/concur/runner/store"
)

// factsOf returns the facts about one configuration of each run, with the queries that differ between the runs.
// It reads questions and golds only if there are such queries.
func factsOf(runs [2]*store.Run, at [2]int, sides [2]Side) (made [2]facts.Facts, err error) {
	both := map[string]bool{}
	for i, run := range runs {
		made[i] = facts.FromManifest(run.Manifest, run.Manifest.Configurations[at[i]])
		made[i].Queries = map[string]facts.Query{}
	}
	for a, b := range join(sides[0].Queries, sides[1].Queries) {
		switch {
		case b == nil:
			made[0].Queries[a.ID] = facts.Query{Hash: a.Hash}
		case a == nil:
			made[1].Queries[b.ID] = facts.Query{Hash: b.Hash}
		case a.Hash != b.Hash || a.Hash == "":
			both[a.ID] = true
		}
	}
	for i := range runs {
		if len(both) == 0 {
			break
		}
		if err := made[i].ReadQueries(runs[i], runs[i].Manifest.Configurations[at[i]].Name, both); err != nil {
			return made, err
		}
	}
	return made, nil
}

// sentBy compares what one configuration of each run sent to its model, on the queries that both runs have.
func sentBy(runs [2]*store.Run, at [2]int, sides [2]Side, c result.Comparison) *sent.Comparison {
	var ids []string
	for _, p := range newMatch(sides[0], sides[1]).pairs {
		ids = append(ids, p[0].ID)
	}
	some := sent.Spread(ids, sent.MostQueries)
	now := runs[1].Manifest.Configurations[at[1]]
	out := sent.Compare(sent.Read(runs[0], runs[0].Manifest.Configurations[at[0]], some),
		sent.Read(runs[1], now, some), len(ids))
	if len(c.Flips) > 0 || c.Pairing == result.Unpaired && c.Difference != nil && *c.Difference != 0 {
		out.Advise(c.Differs, now.Configuration.Agent.External)
	}
	return &out
}

// sentAlike describes the pairs of rows of two runs whose agents differ although they sent the same requests.
func sentAlike(rows []result.Configuration) (out []string) {
	for n := 0; n+1 < len(rows); n += 2 {
		if a, b := rows[n], rows[n+1]; a.Sent != "" && a.Sent == b.Sent && a.Agent != b.Agent {
			out = append(out, fmt.Sprintf(
				"%s and %s sent the same requests to %s: they are one agent, so a difference between them is chance",
				a.Name, b.Name, a.Model))
		}
	}
	return out
}
