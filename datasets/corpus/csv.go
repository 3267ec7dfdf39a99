package corpus

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
)

// csv reads one document per row.
func (r *reader) csv(name, text string) {
	rows := csv.NewReader(strings.NewReader(text))
	var at [4]int
	for first := true; ; first = false {
		row, err := rows.Read()
		var syntax *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return
		case errors.As(err, &syntax):
			r.fail(name, syntax.StartLine, "%v; a row has as many cells as the header, and a cell with commas, "+
				"quotes or line ends must be in quotes", syntax.Err)
			return
		case first && slices.Contains(row, "category") && slices.Contains(row, "query"):
			r.fail(name, 1, "this is a dataset with answers: keep it out of the corpus")
			return
		case first:
			var ok bool
			if at, ok = columns(row); !ok {
				r.fail(name, 1, "there is one column, %.60q; a document needs title and text, with commas between "+
					"the cells", row[0])
				return
			}
			continue
		}
		line, _ := rows.FieldPos(0)
		var d Document
		for i, field := range []*string{&d.Title, &d.Text, &d.ID, &d.Source} {
			if at[i] >= 0 {
				*field = strings.TrimSpace(row[at[i]])
			}
		}
		r.add(d, name, line, name+"#"+slugOf(d.Title))
	}
}

// columns returns the indexes of title, text, id and source; -1 for a missing column. If title or text is
// missing, it uses the first columns with other names.
func columns(header []string) (at [4]int, ok bool) {
	fields := []string{"title", "text", "id", "source"}
	var others []int
	at = [4]int{-1, -1, -1, -1}
	for i, name := range header {
		if f := slices.Index(fields, strings.ToLower(strings.TrimSpace(name))); f >= 0 && at[f] < 0 {
			at[f] = i
		} else {
			others = append(others, i)
		}
	}
	for f := range 2 {
		switch {
		case at[f] >= 0:
		case len(others) == 0:
			return at, false
		default:
			at[f], others = others[0], others[1:]
		}
	}
	return at, true
}
