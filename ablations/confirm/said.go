package confirm

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/runner/store"
)

// Question is what the gate was asked of a run: everything but the run itself and whether
// fresh traces may be run.
type Question struct {
	Alpha    float64  `json:"alpha"`
	Strict   bool     `json:"strict"`
	Baseline string   `json:"baseline"` // the file
	Frozen   string   `json:"frozen"`   // the file; "" without one
	Pool     []string `json:"pool"`     // the runs that it is compared with
	// Thresholds are the floor and the plain ones that were given, by their flags' names.
	Thresholds map[string]float64 `json:"thresholds"`
}

// Said is what the gate said once.
type Said struct {
	As string `json:"as"` // the name of a question beside the run's own; "" for that
	Question
	Decision  gate.Decision `json:"decision"`
	Bootstrap bool          `json:"bootstrap"` // gate.Outcome.Bootstrap
	NoFresh   string        `json:"no_fresh"`  // gate.Options.NoFresh
	Fresh     int           `json:"fresh"`     // traces that it rests on
	At        time.Time     `json:"at"`
}

// Own is the run's decision: the last that was asked without a name. ok is false where none
// was.
func Own(said []Said) (last Said, ok bool) {
	for _, s := range said {
		if s.As == "" {
			last, ok = s, true
		}
	}
	return last, ok
}

// Allow refuses a question without a name once the run's decision rests on fresh traces, or is
// an alarm, unless the question is the same or stricter: what was said once stays said. Of the
// fresh traces that exist, fewer than a decision rests on mean that some are gone, and nothing
// can be said without them.
func Allow(said []Said, as string, q Question, exist State) error {
	fresh := exist.Traces()
	for _, s := range said {
		if s.Fresh > fresh && !exist.Stopped {
			return fmt.Errorf("the decision %s rests on %d fresh traces, of which %d are there: put the folders of fresh traces back beside the run; to draw them anew would be a second chance", s.Decision, s.Fresh, fresh)
		}
		if as != "" && s.As == as && len(q.differences(s.Question)) > 0 {
			return fmt.Errorf("%q was asked with %s: take another name", as, strings.Join(q.differences(s.Question), ", "))
		}
	}
	own, ok := Own(said)
	if as != "" || !ok || own.Fresh == 0 && !own.Decision.Alarm() || q.stricter(own.Question) {
		return nil
	}
	return fmt.Errorf("it said %s already%s, asked with %s: that stays; ask this beside it under a name, as with --as release", own.Decision, restsOn(own.Fresh), strings.Join(q.differences(own.Question), ", "))
}

func restsOn(fresh int) string {
	if fresh == 0 {
		return ""
	}
	return fmt.Sprintf(" on %d fresh traces", fresh)
}

// differences says what an earlier question had otherwise.
func (q Question) differences(earlier Question) []string {
	var out []string
	add := func(what string, now, was any) {
		if !reflect.DeepEqual(now, was) {
			out = append(out, fmt.Sprintf("%s %v (now %v)", what, was, now))
		}
	}
	add("alpha", q.Alpha, earlier.Alpha)
	add("strict", q.Strict, earlier.Strict)
	add("the baseline", q.Baseline, earlier.Baseline)
	add("the frozen baseline", q.Frozen, earlier.Frozen)
	if !slices.Equal(q.Pool, earlier.Pool) {
		out = append(out, fmt.Sprintf("another pool of %d runs (now %d)", len(earlier.Pool), len(q.Pool)))
	}
	if len(q.Thresholds)+len(earlier.Thresholds) > 0 {
		add("the thresholds", q.Thresholds, earlier.Thresholds)
	}
	return out
}

// stricter reports whether everything that failed the earlier question fails this one: the
// same pool, a level as large, and thresholds as tight.
func (q Question) stricter(earlier Question) bool {
	for name, limit := range earlier.Thresholds {
		now, ok := q.Thresholds[name]
		atLeast := name == "floor" || name == "min-pass-rate" // the others are at most
		if !ok || atLeast && now < limit || !atLeast && now > limit {
			return false
		}
	}
	return q.Alpha >= earlier.Alpha && (!q.Strict || earlier.Strict) && q.Baseline == earlier.Baseline &&
		(earlier.Frozen == "" || q.Frozen == earlier.Frozen) && slices.Equal(q.Pool, earlier.Pool)
}

// Suffix tells the files and folders of one configuration of an ablation from those of the
// others. It is "" for a run of one configuration. The hash keeps names apart that look
// alike once they are fit for a file.
func Suffix(m store.Manifest, configuration string) string {
	if len(m.Configurations) < 2 {
		return ""
	}
	const longest = 40
	words := strings.FieldsFunc(strings.ToLower(configuration), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	slug := strings.Join(words, "-")
	slug = strings.Trim(slug[:min(len(slug), longest)], "-")
	sum := sha256.Sum256([]byte(configuration))
	return strings.TrimSuffix("-"+slug, "-") + fmt.Sprintf("-%x", sum[:2])
}
