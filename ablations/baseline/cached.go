package baseline

import (
	"fmt"
	"slices"
)

const (
	fewestCached = 5 // queries, in two runs
	fewestCopies = 4 // traces that repeat another, where most queries do so
)

// Cached says why the traces of a run look like copies of each other (methods.md §6.2).
// refuse is not "" where that is beyond doubt: most of the queries with replies of 200 bytes or
// more hold the same ones in all traces, or five of them and more do in this run and in another.
// warn is not "" where only shorter replies do, which a sure model may repeat. other names that
// other run, whose copies these are. It is not for deterministic models, nor for temperature
// 0, where equal replies are what was asked for.
func Cached(p Pass, other string, copies Copies) (refuse, warn string) {
	c := p.Configuration
	if c.Configuration.Agent.Temperature == 0 || c.K < 2 {
		return "", ""
	}
	way := fmt.Sprintf("at temperature %g: something caches, and copies are no evidence; switch the cache off and begin a new run with concur run", c.Configuration.Agent.Temperature)
	if n := len(p.Copies.Long); 2*n > p.Copies.LongOf && n*(c.K-1) >= fewestCopies {
		return fmt.Sprintf("in %d of %d queries all traces of %s hold the same replies to the byte, %s", n, p.Copies.LongOf, p.Manifest.Run, way), ""
	}
	long, all := 0, 0
	theirs := slices.Concat(copies.Long, copies.Short)
	for _, query := range slices.Concat(p.Copies.Long, p.Copies.Short) {
		if slices.Contains(theirs, query) {
			all++
		}
		if slices.Contains(p.Copies.Long, query) && slices.Contains(copies.Long, query) {
			long++
		}
	}
	switch {
	case long >= fewestCached:
		return fmt.Sprintf("in %d queries all traces of %s hold the same replies to the byte, and so they do in %s, %s", long, p.Manifest.Run, other, way), ""
	case all >= fewestCached:
		return "", fmt.Sprintf("in %d queries all traces of %s hold the same short replies to the byte, and so they do in %s; a sure model may do so, and so may a cache, whose copies are no evidence", all, p.Manifest.Run, other)
	}
	return "", ""
}
