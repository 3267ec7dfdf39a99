package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Loss is a query that an alarm of Test A rests on.
type Loss struct {
	Query string `json:"query"`
	// Right of Traces valid ones are right, over both passes where there are two, where
	// Expected would be if nothing had changed.
	Right    int     `json:"right"`
	Traces   int     `json:"traces"`
	Expected float64 `json:"expected"`
	// HistoryRight of History are right in the history that it is compared with.
	HistoryRight int `json:"history_right"`
	History      int `json:"history"`
}

// mostLosses is how many queries an alarm names.
const mostLosses = 8

// lossesOf are the queries that add most to the difference between expected and right, the
// largest first, with the first n fresh traces; queries that lost nothing are left out.
func lossesOf(e Evidence, queries []gated, n int) []Loss {
	var out []Loss
	for _, q := range queries {
		l := Loss{Query: e.Items[q.item].Query, Right: q.x + q.right(n), Traces: q.k + n, HistoryRight: q.h, History: q.m}
		l.Expected = float64(l.Traces) * float64(l.Right+q.h) / float64(l.Traces+q.m)
		if l.deficit() > 0 {
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(a, b Loss) int { return cmp.Compare(b.deficit(), a.deficit()) })
	return out[:min(mostLosses, len(out))]
}

func (l Loss) deficit() float64 { return l.Expected - float64(l.Right) }

// lossesNamed says where to look.
func lossesNamed(losses []Loss) string {
	if len(losses) == 0 {
		return ""
	}
	names := make([]string, len(losses))
	for i, l := range losses {
		names[i] = fmt.Sprintf("%s (%d of %d, before %d of %d)", l.Query, l.Right, l.Traces, l.HistoryRight, l.History)
	}
	return "most was lost on " + strings.Join(names, ", ") + ": look for what they have in common"
}
