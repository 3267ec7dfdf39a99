package reports

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/runner/store"
)

// warnings are those of the result. They begin with the name of a configuration, which
// may be anything.
func warnings(r *result.Result) []line {
	var out []line
	for _, w := range r.Warnings {
		text := blend(w)
		longest := -1 // one name may be the beginning of another
		for _, c := range r.Configurations {
			if rest, about := strings.CutPrefix(w, c.Name+": "); about && len(c.Name) > longest {
				text, longest = say(quoted(c.Name), plain(": "), blend(rest)), len(c.Name)
			}
		}
		out = append(out, say(plain("warning: "), text))
	}
	return out
}

// origin says what the figures are of.
func origin(r *result.Result) line {
	l := from(r.Dataset, r.Seed, r.Run)
	if r.State != store.Complete {
		l = say(l, plain(" (not complete: "), blend(string(r.State)), plain(")"))
	}
	return l
}

func from(d result.Dataset, seed int64, run string) line {
	return say(quoted(d.Name), plain(fmt.Sprintf(", %s, seed %d, run ", queriesOf(d), seed)), quoted(run))
}

func queriesOf(d result.Dataset) string {
	if d.Of > d.Queries {
		return fmt.Sprintf("%d of its %d queries", d.Queries, d.Of)
	}
	return counted(d.Queries, "query", "queries")
}
