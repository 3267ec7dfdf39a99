package datasets

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
)

// writeCSV writes all columns, so that the form does not depend on the content.
func writeCSV(w io.Writer, queries []Query) error {
	rows := csv.NewWriter(w)
	if err := rows.Write(fieldNames()); err != nil {
		return err
	}
	for i := range queries {
		q := toWrite(&queries[i])
		g := &q.Gold
		steps := ""
		if q.MaxSteps > 0 {
			steps = strconv.Itoa(q.MaxSteps)
		}
		expects := ""
		if q.Expects != nil {
			raw, err := json.Marshal(q.Expects)
			if err != nil {
				return err
			}
			expects = string(raw)
		}
		if err := rows.Write([]string{
			q.ID, q.Category, q.Query, g.Type, g.Answer, joinWords(g.Aliases), g.Tolerance,
			flag(g.Ordered), flag(g.UnitOptional), flag(g.PrefixDate), flag(g.BarePercent), joinGroups(queries[i].Gold.AllOf),
			joinWords(g.NoneOf), g.Condition, g.Outcome, steps, q.Cluster, q.Source, joinWords(q.Tags), expects,
		}); err != nil {
			return err
		}
	}
	rows.Flush()
	return rows.Error()
}

// flag is empty for false.
func flag(set bool) string {
	if set {
		return "true"
	}
	return ""
}
