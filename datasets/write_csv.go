package datasets

import (
	"encoding/csv"
	"encoding/json"
	"strconv"
)

// writeRow writes all columns, so that the form does not depend on the content.
func writeRow(rows *csv.Writer, of *Query) error {
	q := toWrite(of)
	g := &q.Gold
	steps, expects := "", ""
	if q.MaxSteps > 0 {
		steps = strconv.Itoa(q.MaxSteps)
	}
	if q.Expects != nil {
		raw, err := json.Marshal(q.Expects)
		if err != nil {
			return err
		}
		expects = string(raw)
	}
	return rows.Write([]string{
		q.ID, q.Category, q.Query, g.Type, g.Answer, joinWords(g.Aliases), g.Tolerance,
		flag(g.Ordered), flag(g.UnitOptional), flag(g.PrefixDate), flag(g.BarePercent), joinGroups(of.Gold.AllOf),
		joinWords(g.NoneOf), g.Condition, g.Outcome, steps, q.Cluster, q.Source, joinWords(q.Tags), expects,
	})
}

// flag is empty for false.
func flag(set bool) string {
	if set {
		return "true"
	}
	return ""
}
