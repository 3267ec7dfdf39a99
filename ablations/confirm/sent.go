package confirm

import (
	"github.com/seed-5817661a/concur/ablations/sent"
	"github.com/seed-5817661a/concur/ablations/sent/accepted"
	"github.com/seed-5817661a/concur/runner/store"
)

// Sent compares what the run sent to its model with what the last accepted run sent. It also returns the name
// of that run. The comparison is nil if there is no accepted run. file has the samples of accepted runs.
// differs says that the results differ; if the comparison then finds no difference, it gives advice. Call
// Prepare first.
func (c *Case) Sent(run *store.Run, file string, differs bool) (*sent.Comparison, string) {
	if len(c.Pool.Runs) == 0 {
		return nil, ""
	}
	before := accepted.Before{File: file}
	for _, r := range c.Pool.Runs {
		before.Runs = append(before.Runs, r.Run)
	}
	hashes := map[string]string{}
	for _, q := range c.Pool.Runs[len(c.Pool.Runs)-1].Queries {
		hashes[q.Query] = q.Hash
	}
	for _, r := range c.Pass.Records {
		if hash, known := hashes[r.Query]; known && hash == r.QueryHash {
			before.Queries = append(before.Queries, r.Query)
		}
	}
	out, name := accepted.Compare(run, c.Pass.Configuration, before)
	if differs {
		out.Advise(c.Differs, c.Pass.Configuration.Configuration.Agent.External)
	}
	return &out, name
}
