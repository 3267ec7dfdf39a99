package agreement

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
)

// RecordingSchema is the name of the JSON form of Recording.
const RecordingSchema = "concur/judge-score/v1"

// Recording is what recorded verdicts say of the judges that gave them.
type Recording struct {
	Schema  string         `json:"schema"`
	Answers int            `json:"answers"`
	Right   int            `json:"right"`
	Judges  []judge.Agreed `json:"judges"`
	Orders  []Orders       `json:"orders"` // of judges that were asked in two orders
	Alpha   *float64       `json:"alpha"`  // Krippendorff's over the judges
	Votes   *float64       `json:"effective_votes"`
	Best    string         `json:"best_judge"`
}

// Orders compares the verdicts of a judge on two orders of the same options.
type Orders struct {
	Judge string       `json:"judge"`
	Agree *judge.Share `json:"agree"`
	// First is the share of the disagreements in which the option that was shown first won, and P
	// the probability of one at least as far from one half by chance.
	First *float64 `json:"first_wins"`
	P     *float64 `json:"p"`
}

// recordedLine is one answer. A verdict is a boolean, null, or a list of them; an order is the
// verdicts on the first and on the swapped order, true where the option shown first won.
type recordedLine struct {
	ID       string                     `json:"id"`
	Label    *bool                      `json:"label"`
	Verdicts map[string]json.RawMessage `json:"verdicts"`
	Orders   map[string][2]*bool        `json:"orders"`
	Scores   map[string]*int            `json:"scores"`
	Score    *int                       `json:"score"`
}

// ReadRecording reads recorded verdicts as JSONL, compressed by gzip or not, and computes their
// figures. The error lists the lines that cannot be used.
func ReadRecording(name string, r io.Reader) (*Recording, error) {
	var items []Rated
	var wrong []error
	seen := map[string]int{}
	orders := map[string]*orderCount{}
	lines.Each(lines.Decompressed(r), func(n int, text []byte, err error) {
		var x recordedLine
		if err == nil {
			err = json.Unmarshal(text, &x)
		}
		var item Rated
		if err == nil {
			item, err = x.rated()
		}
		if first, twice := seen[x.ID]; err == nil && x.ID != "" && twice {
			err = fmt.Errorf("the id %q is on line %d too", x.ID, first)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d: %w", name, n, err))
			return
		}
		seen[x.ID] = n
		items = append(items, item)
		for name, pair := range x.Orders {
			if orders[name] == nil {
				orders[name] = &orderCount{}
			}
			orders[name].add(pair)
		}
	})
	if len(wrong) > 0 {
		return nil, errors.Join(wrong[:min(len(wrong), 20)]...)
	}
	if len(items) == 0 {
		return nil, fmt.Errorf("%s: it has no lines", name)
	}
	f := Of(items)
	out := &Recording{Schema: RecordingSchema, Answers: f.Answers, Right: f.Right, Judges: f.Judges, Orders: []Orders{}, Alpha: f.Alpha, Votes: f.Votes, Best: f.Best}
	for _, name := range slices.Sorted(maps.Keys(orders)) {
		out.Orders = append(out.Orders, orders[name].figures(name))
	}
	return out, nil
}

func (x recordedLine) rated() (Rated, error) {
	if x.Label == nil || len(x.Verdicts)+len(x.Orders) == 0 {
		return Rated{}, errors.New(`it needs "label" and "verdicts", such as {"id": "1", "label": true, "verdicts": {"gpt-4o": true}}`)
	}
	r := Rated{ID: x.ID, Right: *x.Label, Grade: x.Score, Verdicts: map[string][]*bool{}, Scores: x.Scores}
	for name, raw := range x.Verdicts {
		var one *bool
		var several []*bool
		if json.Unmarshal(raw, &one) == nil {
			several = []*bool{one}
		} else if err := json.Unmarshal(raw, &several); err != nil {
			return r, fmt.Errorf("the verdict of %q is %s: write true, false, null, or a list of them", name, raw)
		}
		r.Verdicts[name] = several
	}
	for _, s := range append(slices.Collect(maps.Values(x.Scores)), x.Score) {
		if s != nil && (*s < 1 || *s > 5) {
			return r, fmt.Errorf("a score is %d, not 1 to 5", *s)
		}
	}
	return r, nil
}

// orderCount counts a judge's verdicts on pairs that were shown in both orders.
type orderCount struct{ agree, first, second int }

func (c *orderCount) add(pair [2]*bool) {
	switch {
	case pair[0] == nil || pair[1] == nil:
	case *pair[0] != *pair[1]: // the same option won, first here and second there
		c.agree++
	case *pair[0]:
		c.first++
	default:
		c.second++
	}
}

func (c orderCount) figures(name string) Orders {
	out := Orders{Judge: name, Agree: share(c.agree, c.agree+c.first+c.second)}
	if n := c.first + c.second; n > 0 {
		first := float64(c.first) / float64(n)
		out.First = &first
		if p, ok := stats.McNemar(c.first, c.second, stats.Exact); ok {
			out.P = &p
		}
	}
	return out
}
