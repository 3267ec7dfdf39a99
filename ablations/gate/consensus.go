package gate

import "fmt"

// consensus compares the run's consensus answers with the pool's: where the vote goes wrong
// and the traces do not, no test on traces says so. nil where no run of the pool was over as
// many queries.
func (e Evidence) consensus() *ConsensusCounts {
	now := e.Consensus
	c := &ConsensusCounts{Correct: now.Correct, Unscored: now.Unscored, Queries: now.Queries, Outvoted: append([]string{}, now.Outvoted...)}
	for _, run := range now.Pool {
		if run.Queries != now.Queries {
			continue
		}
		if c.Runs == 0 {
			c.Least, c.Most = run.Correct, run.Correct
		}
		c.Runs++
		c.Least, c.Most = min(c.Least, run.Correct), max(c.Most, run.Correct)
	}
	if c.Runs == 0 && len(c.Outvoted) == 0 {
		return nil
	}
	return c
}

// warnings are about what the traces do not show.
func (c *ConsensusCounts) warnings() []string {
	if c == nil {
		return nil
	}
	var out []string
	// What has no verdict may be right. A single run has no spread.
	if best := c.Correct + c.Unscored; c.Runs > 1 && c.Least-best > c.Most-c.Least {
		out = append(out, fmt.Sprintf("the consensus is correct in %d of %d queries, and was in %d to %d in the %d runs of the pool: it got worse, whatever the traces say; look at how they were voted on with concur trace", best, c.Queries, c.Least, c.Most, c.Runs))
	}
	if n := len(c.Outvoted); n > 0 {
		out = append(out, fmt.Sprintf("most traces are right and the consensus is not in %s: %s; the vote, and not the agent, lost them: look at them with concur trace", counted(n, "query"), listed(c.Outvoted)))
	}
	return out
}
