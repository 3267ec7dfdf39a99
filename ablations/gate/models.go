package gate

import (
	"fmt"
	"strings"
)

// severalModels says that run, fresh traces and second pass are not of one model, "" where
// they are or where it is not known.
func (e Evidence) severalModels() string {
	var all, words []string
	for _, part := range []struct {
		names []string
		where string
	}{{e.RunModels, "in the run"}, {e.FreshModels, "in the fresh traces"}, {e.SecondModels, "in the second pass"}} {
		all = merged(all, part.names...)
		if len(part.names) > 0 {
			words = append(words, strings.Join(part.names, ", ")+" "+part.where)
		}
	}
	if len(all) < 2 {
		return ""
	}
	return fmt.Sprintf("the replies come from %d models (%s), so that the traces are not of one agent; name a fixed version of the model, and begin a new run", len(all), strings.Join(words, "; "))
}

// otherModels warns where the run's model is not the pool's.
func (e Evidence) otherModels(configured string, names []string) []string {
	const then = "a difference may be the model's alone; where the change is meant, reset the baseline once it is accepted"
	if len(e.PoolModels) > 0 && len(missingIn(e.PoolModels, configured)) > 0 {
		return []string{fmt.Sprintf("the run's model is %s, and that of the pool %s: %s", configured, listed(e.PoolModels), then)}
	}
	if other := missingIn(e.PoolNames, names...); len(e.PoolNames) > 0 && len(other) > 0 {
		return []string{fmt.Sprintf("the run's model calls itself %s, and that of the pool called itself %s: %s", listed(other), listed(e.PoolNames), then)}
	}
	return nil
}

// missingIn gives what is not in a list.
func missingIn(list []string, names ...string) []string {
	var out []string
	for _, name := range names {
		known := false
		for _, n := range list {
			known = known || n == name
		}
		if !known {
			out = append(out, name)
		}
	}
	return out
}
