package confirm

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// Question is a request to gate a run: all settings except the run itself and whether fresh traces may be run.
type Question struct {
	Alpha      float64          `json:"alpha"`
	Strict     bool             `json:"strict"`
	Baseline   string           `json:"baseline"`    // the file
	Frozen     string           `json:"frozen"`      // the file; "" without one
	FrozenRuns []string         `json:"frozen_runs"` // the frozen baseline's runs that the run is compared with
	Pool       []string         `json:"pool"`        // the accepted runs that the run is compared with
	PoolRuns   int              `json:"pool_runs"`   // the requested number of runs; 0 for the default
	Levels     *gate.Dependence `json:"levels"`      // the levels chosen by the pool's dependence; nil in older logs
	// the floor and the plain thresholds that were given, by the names of their flags
	Thresholds map[string]float64 `json:"thresholds"`
}

// Entry is a line of the gate's log of a run. It has a question and the decision on it.
type Entry struct {
	As string `json:"as"` // the name of an extra question; "" for the run's own
	Question
	Decision gate.Decision `json:"decision"` // "" if the question was logged before its first fresh traces
	// for another session of the provider; the next gate of the line continues this question
	Waits     bool      `json:"waits"`
	Bootstrap bool      `json:"bootstrap"` // gate.Outcome.Bootstrap
	Fresh     int       `json:"fresh"`     // number of fresh traces that the decision uses
	At        time.Time `json:"at"`        // when the line was written
}

// Question returns the question about the case, for Allow.
func (c *Case) Question(o gate.Options, file, frozen string) Question {
	levels := c.Evidence.Dependent()
	return Question{
		Alpha: cmp.Or(o.Alpha, gate.DefaultAlpha), Strict: o.Strict, Baseline: file, Frozen: frozen,
		FrozenRuns: runNames(c.Frozen),
		Pool:       runNames(c.Pool), PoolRuns: c.PoolRuns, Levels: &levels, Thresholds: o.Thresholds,
	}
}

func runNames(p baseline.Pool) []string {
	names := []string{}
	for _, r := range p.Runs {
		names = append(names, r.Run)
	}
	return names
}

// DecisionFile returns the path of the file with the decision on a configuration of a run. logFile has a line
// for every question about the configuration.
func DecisionFile(run *store.Run, configuration, as string) string {
	return filepath.Join(run.Dir, "gate"+Suffix(run.Manifest, configuration)+strings.TrimSuffix("."+as, ".")+".json")
}

func logFile(run *store.Run, configuration string) string {
	return DecisionFile(run, configuration, "said") + "l"
}

// ReadLog reads the questions and decisions on a run, the oldest first. If no gate has decided on the run, the
// log is empty.
func ReadLog(run *store.Run, configuration string) ([]Entry, error) {
	path := logFile(run, configuration)
	raw, err := disk.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		decision := DecisionFile(run, configuration, "")
		if _, err := os.Lstat(decision); err == nil {
			return nil, fmt.Errorf("read decision: %s was written by another version of concur, or %s was "+
				"removed: restore it, or "+
				"remove both and run the gate again", decision, path)
		}
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read decision: %w", err)
	}
	var log []Entry
	for line := range bytes.Lines(raw) {
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, disk.Damage(fmt.Errorf("read decision: %s is damaged: restore it, or remove it "+
				"and run the gate again: %w", path, err))
		}
		log = append(log, e)
	}
	return log, nil
}

// Write appends the entry to the log of a run.
func (e Entry) Write(run *store.Run, configuration string) error {
	e.At = time.Now().Round(0).UTC()
	raw, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode decision: %w", err)
	}
	path := logFile(run, configuration)
	old, err := disk.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read decision: %w", err)
	}
	return store.WriteFile(path, slices.Concat(old, raw, []byte("\n")))
}

// OwnEntry returns the last entry of the question without a name, which is the run's own question. If this
// entry has no decision yet, it gets the decision of the entry before it.
func OwnEntry(log []Entry) (last Entry, ok bool) {
	for _, e := range log {
		if e.As != "" {
			continue
		}
		if e.Decision == "" {
			e.Decision, e.Bootstrap = last.Decision, last.Bootstrap
		}
		last, ok = e, true
	}
	return last, ok
}

// Undecided reports whether the last entry of the run's own question has no decision, because its gate was
// interrupted.
func Undecided(log []Entry) bool {
	for _, e := range slices.Backward(log) {
		if e.As == "" {
			return e.Decision == ""
		}
	}
	return false
}

// Begun returns the question with this name if the gate must continue it, because it has requested fresh traces
// or its decision is an alarm. Its pool, frozen baseline and levels stay the same, even if runs were accepted
// since then. A question that was open only because history was missing is not continued: it starts again, with
// more history.
func Begun(log []Entry, as string, exist State) (q Question, ok bool) {
	var last Entry
	for _, e := range log {
		if e.As == as {
			last, ok = e, true
		}
	}
	fresh := exist.Traces() > 0 || exist.Stopped
	return last.Question, ok && !last.Bootstrap && (fresh || last.Decision.Alarm())
}

// Allow decides whether a question may be asked. If fresh traces exist or the run's decision is an alarm, a
// question without a name is an error, unless it is the same question as before or a stricter one. If fresh
// traces that a decision used are missing, every question is an error.
func Allow(log []Entry, as string, q Question, exist State) error {
	fresh := exist.Traces()
	for _, e := range log {
		if e.Fresh > fresh && !exist.Stopped {
			return fmt.Errorf("the decision %s used %d fresh traces, of which %d exist: put the folders of "+
				"fresh traces back beside the run; new traces could change the decision", e.Decision,
				e.Fresh, fresh)
		}
		if as != "" && e.As == as && len(q.differences(e.Question)) > 0 {
			return fmt.Errorf("%q was decided with %s: use another name", as,
				strings.Join(q.differences(e.Question), ", "))
		}
	}
	own, ok := OwnEntry(log)
	if own.Bootstrap { // the decision did not depend on history
		own.Pool = q.Pool
	}
	if as != "" || !ok || fresh == 0 && !exist.Stopped && !own.Decision.Alarm() || q.stricter(own.Question) {
		return nil
	}
	return fmt.Errorf("the run was gated already, with %s: %s on %d fresh traces; to decide this as well, "+
		"give it a name, such as --as release",
		strings.Join(q.differences(own.Question), ", "), cmp.Or(own.Decision, "no decision yet"), fresh)
}

// differences lists the settings in which an earlier question and q differ.
func (q Question) differences(earlier Question) (out []string) {
	add := func(what string, now, was any) {
		if !reflect.DeepEqual(now, was) {
			out = append(out, fmt.Sprintf("%s %v (now %v)", what, was, now))
		}
	}
	add("alpha", q.Alpha, earlier.Alpha)
	add("strict", q.Strict, earlier.Strict)
	add("the baseline", q.Baseline, earlier.Baseline)
	add("the frozen baseline", q.Frozen, earlier.Frozen)
	if q.Frozen != "" && q.Frozen == earlier.Frozen && !slices.Equal(q.FrozenRuns, earlier.FrozenRuns) {
		out = append(out, fmt.Sprintf("%d runs in the frozen baseline (now %d)", len(earlier.FrozenRuns),
			len(q.FrozenRuns)))
	}
	if !slices.Equal(q.Pool, earlier.Pool) {
		out = append(out, fmt.Sprintf("a different pool of %d runs (now %d)", len(earlier.Pool), len(q.Pool)))
	}
	if !maps.Equal(q.Thresholds, earlier.Thresholds) {
		add("the thresholds", thresholds(q.Thresholds), thresholds(earlier.Thresholds))
	}
	return out
}

func thresholds(limits map[string]float64) string {
	return cmp.Or(strings.Trim(strings.TrimPrefix(fmt.Sprint(limits), "map"), "[]"), "not set")
}

// stricter reports whether every run that failed the earlier question also fails this one: the pool is the
// same, the level is at least as large, and the thresholds are at least as strict.
func (q Question) stricter(earlier Question) bool {
	for name, limit := range earlier.Thresholds {
		now, ok := q.Thresholds[name]
		if !ok || gate.AtLeast(name) && now < limit || !gate.AtLeast(name) && now > limit {
			return false
		}
	}
	return q.Alpha >= earlier.Alpha && (!q.Strict || earlier.Strict) && q.Baseline == earlier.Baseline &&
		(earlier.Frozen == "" || q.Frozen == earlier.Frozen) && slices.Equal(q.Pool, earlier.Pool)
}

// Suffix distinguishes the files and folders of the configurations of an ablation. It is "" if the run has one
// configuration. It contains a hash of the name, because two names can become equal when special characters are
// removed.
func Suffix(m store.Manifest, configuration string) string {
	if len(m.Configurations) < 2 {
		return ""
	}
	words := strings.FieldsFunc(strings.ToLower(configuration), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	slug := strings.Join(words, "-")
	sum := sha256.Sum256([]byte(configuration))
	return strings.TrimSuffix("-"+strings.Trim(slug[:min(len(slug), 40)], "-"), "-") + fmt.Sprintf("-%x", sum[:2])
}
