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

// Recording holds the figures of judges, computed from their recorded verdicts.
type Recording struct {
	Schema string `json:"schema"`
	Figures
	Orders []Orders `json:"orders"` // for judges that were asked in two orders
}

// Orders compares the verdicts of a judge on two orders of the same options.
type Orders struct {
	Judge string       `json:"judge"`
	Agree *judge.Share `json:"agree"`
	// First is the share of the disagreements in which the option shown first won. P is the probability that
	// chance alone gives a share at least as far from one half.
	First *float64 `json:"first_wins"`
	P     *float64 `json:"p"`
}

// recordedLine is one answer. A verdict is a boolean, null, or a list of verdicts. An order has two verdicts,
// on the first and on the swapped order, each true if the option shown first won.
type recordedLine struct {
	ID       string                     `json:"id"`
	Label    *bool                      `json:"label"`
	Verdicts map[string]json.RawMessage `json:"verdicts"`
	Orders   map[string][2]*bool        `json:"orders"`
	Scores   map[string]*int            `json:"scores"`
	Score    *int                       `json:"score"`
}

// ReadRecording reads recorded verdicts as JSONL, optionally compressed with gzip, and computes the judges'
// figures. The error lists the lines that cannot be used.
func ReadRecording(name string, r io.Reader) (*Recording, error) {
	var items []Rated
	seen := map[string]int{}
	orders := map[string][3]float64{} // of each judge: how often the same option won, the first shown, the second
	if err := eachLine(name, r, func(n int, x recordedLine) error {
		item, err := x.rated()
		if err != nil {
			return err
		}
		if first := seen[x.ID]; x.ID != "" && first > 0 {
			return fmt.Errorf("the id %q is also on line %d", x.ID, first)
		}
		seen[x.ID] = n
		items = append(items, item)
		for name, pair := range x.Orders {
			counts := orders[name]
			switch first, swapped := pair[0], pair[1]; {
			case first == nil || swapped == nil:
			case *first != *swapped:
				counts[0]++
			case *first:
				counts[1]++
			default:
				counts[2]++
			}
			orders[name] = counts
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, fmt.Errorf("%s: the file has no lines", name)
	}
	out := &Recording{Schema: RecordingSchema, Figures: Measure(items), Orders: []Orders{}}
	for _, name := range slices.Sorted(maps.Keys(orders)) {
		same, first, second := orders[name][0], orders[name][1], orders[name][2]
		p, ok := stats.McNemar(int(first), int(second), stats.Exact)
		differ := first+second > 0
		out.Orders = append(out.Orders, Orders{name, share(same, same+first+second),
			stats.Defined(first/(first+second), differ), stats.Defined(p, ok && differ)})
	}
	return out, nil
}

func (x recordedLine) rated() (Rated, error) {
	if x.Label == nil || len(x.Verdicts)+len(x.Orders) == 0 {
		return Rated{}, errors.New(`it needs "label" and "verdicts", such as ` +
			`{"id": "1", "label": true, "verdicts": {"gpt-4o": true}}`)
	}
	r := Rated{Right: *x.Label, Grade: x.Score, Opinions: map[string][]judge.Opinion{}}
	for name, raw := range x.Verdicts {
		several := make([]*bool, 1)
		if json.Unmarshal(raw, &several[0]) != nil && json.Unmarshal(raw, &several) != nil {
			return r, fmt.Errorf("the verdict of %q is %s: write true, false, null, or a list of them", name, raw)
		}
		for _, v := range several {
			o := judge.Opinion{Verdict: judge.Unscored, Score: x.Scores[name]}
			if v != nil {
				o.Verdict = judge.RulingOf(*v)
			}
			r.Opinions[name] = append(r.Opinions[name], o)
		}
	}
	for _, s := range append(slices.Collect(maps.Values(x.Scores)), x.Score) {
		if err := checkScore(s); err != nil {
			return r, err
		}
	}
	return r, nil
}

func checkScore(s *int) error {
	if s != nil && (*s < 1 || *s > 5) {
		return fmt.Errorf("a score is %d, outside 1 to 5", *s)
	}
	return nil
}

// eachLine decodes JSONL, optionally compressed with gzip. The error lists the lines that cannot be used.
func eachLine[T any](name string, r io.Reader, use func(n int, line T) error) error {
	var wrong []error
	lines.Each(lines.Decompressed(r), func(n int, text []byte, err error) {
		var line T
		if err == nil {
			if err = json.Unmarshal(text, &line); err != nil {
				err = fmt.Errorf("%w; write one object on each line, as --help shows it", lines.Fault(err, text))
			} else {
				err = use(n, line)
			}
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d: %w", name, n, err))
		}
	})
	return errors.Join(wrong[:min(len(wrong), 20)]...)
}
