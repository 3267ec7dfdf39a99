package imports

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/steerless"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/extract"
	"github.com/seed-5817661a/concur/trace"
)

// Log has the contents of another harness's file.
type Log struct {
	Tool    string           // such as promptfoo 0.123.1
	Name    string           // name of the dataset
	Queries []datasets.Query // those of spans are in a temporary file instead
	Rows    []*Row
	// Pass is the condition under which a query passes: judge.PassGold (also if ""), or judge.PassGoldTools.
	Pass judge.Mode
	// Extractor reads messages in which the rules find no answer, and Price is the price of its model. Both are
	// nil if only rules read.
	Extractor *extract.Reader
	Price     runner.Price
	// NoCalls is set if the format does not record tool calls.
	NoCalls bool
	// Notes report, with counts, the parts that were omitted and the facts that the format does not record.
	Notes []string
	// Asserted reports, for the results of promptfoo, how its assertions became checks, and which did not.
	Asserted []string

	at        map[string]int // positions of queries, by id
	questions *queries.Set   // the queries of spans; nil for others
	close     func() error   // removes the temporary files of spans; nil for others
	seed      int64          // of the run; 0 means 1
}

// Close removes the temporary files of a log of spans.
func (l *Log) Close() error {
	if l.close == nil {
		return nil
	}
	return errors.Join(l.questions.Close(), l.close())
}

// set returns the queries. Closing the log closes them.
func (l *Log) set() *queries.Set {
	if l.questions != nil {
		return l.questions
	}
	return queries.Of(datasets.New(l.Name, l.Queries))
}

// IDs gives the ids of the queries, in their order.
func (l *Log) IDs() iter.Seq[string] { return l.set().IDs() }

// edit changes the queries.
func (l *Log) edit(change func(*datasets.Query) error) error {
	for i := range l.Queries {
		if err := change(&l.Queries[i]); err != nil {
			return err
		}
	}
	if l.questions == nil {
		return nil
	}
	changed, err := queries.Collect(l.questions.Name, func(yield func(datasets.Query, error) bool) {
		for q, err := range l.questions.Queries() {
			if err == nil {
				err = change(&q)
			}
			if !yield(q, err) {
				return
			}
		}
	})
	if err == nil {
		l.questions, err = changed, l.questions.Close()
	}
	return err
}

// Trace is a recorded trace.
type Trace struct {
	trace.Trace
	Events []Event
	// Verdict is the verdict of the other harness; nil if it gave no verdict.
	Verdict *judge.Verdict
	Seconds float64 // duration; 0 if unknown
}

// lose returns the trace as failed infrastructure, so that it has no vote.
func (t Trace) lose(reason trace.StopReason, cause string) Trace {
	t.Outcome, t.StopReason, t.Extract, t.Cause = trace.Infra, reason, string(answer.FromNowhere), cause
	return t
}

// grade sets the other harness's verdict on the trace.
func (t *Trace) grade(ruling judge.Ruling, reason string) {
	t.Verdict = &judge.Verdict{Verdict: ruling, By: judge.ByImport, Reason: reason}
}

// gradeBy sets the verdict from a score: the score with this name or, without a name, the only score.
func (t *Trace) gradeBy(name string, scores map[string]any) error {
	names := slices.Sorted(maps.Keys(scores))
	if name == "" && len(names) == 1 {
		name = names[0]
	}
	value, known := scores[name]
	switch {
	case known:
		t.grade(rulingOf(value), fmt.Sprintf("%s: %v", name, value))
	case len(names) > 0:
		return fmt.Errorf("it has no score %q; it has %s: choose one with --score", name, strings.Join(names, ", "))
	default:
		t.grade(judge.Unscored, "the sample has no score")
	}
	return nil
}

// rulingOf converts a score to a verdict. C and 1 are correct; I, N (no answer) and 0 are incorrect; P
// (partial) and numbers between 0 and 1 are unscored.
func rulingOf(value any) judge.Ruling {
	switch value {
	case "C", true, 1.0, "1":
		return judge.Correct
	case "I", "N", false, 0.0, "0":
		return judge.Incorrect
	}
	return judge.Unscored
}

// Event is a recorded event without its place and time.
type Event struct {
	Step int
	Body trace.Body
}

// maxRepeats is the maximum number of traces of a query: a file with a larger number is damaged.
const maxRepeats = 10_000

var unusable = lazy.Compile(`[^A-Za-z0-9._-]+`)

// query adds a query, unless it is there, and returns its id.
func (l *Log) query(q datasets.Query) string {
	if l.at == nil {
		l.at = map[string]int{}
	}
	id := queryID(q)
	if _, known := l.at[id]; !known {
		l.at[id] = len(l.Queries)
		l.Queries = append(l.Queries, completed(q, id))
	}
	return id
}

// queryID returns the id of a query, from the id in the file or from the text.
func queryID(q datasets.Query) string {
	id := strings.Trim(unusable.ReplaceAllString(q.ID, "-"), "-")
	if id == "" || len(id) > 60 {
		sum := sha256.Sum256([]byte(q.ID + "\x00" + q.Text))
		id = strings.Trim(id[:min(len(id), 40)]+"-"+hex.EncodeToString(sum[:4]), "-")
	}
	return id
}

// completed returns a query with an id, and with defaults for what the file does not have.
func completed(q datasets.Query, id string) datasets.Query {
	q.ID, q.Category = id, cmp.Or(q.Category, "all")
	q.Gold.Type = cmp.Or(q.Gold.Type, answer.Text)
	empty := q.Gold.Answer == "" && len(q.Gold.AllOf) == 0 && q.Gold.Condition == ""
	if len(q.Checks) == 0 || !empty { // a query with checks needs no gold
		q.Gold.Outcome, q.Gold.None = cmp.Or(q.Gold.Outcome, trace.Answered), empty
	}
	return q
}

// note adds a sentence about n things if n is above 0. one is the end of the sentence for a single thing.
// several is the end for more things.
func (l *Log) note(n int, thing, one, several string) {
	if n > 0 {
		l.Notes = append(l.Notes, text.Counted(n, thing)+text.Verb(n, one, several))
	}
}

// nameDataset is part of a note about queries without a gold.
const nameDataset = ": name a dataset with --dataset to judge "

// Judge replaces the gold, the checks and the expected tool calls of the queries with those of a dataset, by id or,
// without a match, by text. The other harness's verdicts are then ignored. A query that is not in the dataset
// is an error. Tool calls that the format does not record are not compared.
func (l *Log) Judge(d *datasets.Dataset) error {
	byID, byText := map[string]datasets.Query{}, map[string]datasets.Query{}
	for _, q := range d.Queries {
		byID[q.ID], byText[strings.TrimSpace(q.Text)] = q, q
	}
	var missing []string
	unknown := 0
	err := l.edit(func(q *datasets.Query) error {
		found, ok := byID[q.ID]
		if !ok {
			found, ok = byText[strings.TrimSpace(q.Text)]
		}
		if !ok {
			missing = append(missing, q.ID)
			return nil
		}
		if len(found.Turns) > 0 {
			return fmt.Errorf("query %s of the dataset %s is a conversation, and a file of single questions cannot be judged "+
				"by its turns: name another dataset", found.ID, d.Name)
		}
		q.Gold, q.Checks, q.Category = found.Gold, found.Checks, found.Category
		if found.Expects != nil && l.NoCalls {
			unknown++
		} else {
			q.Expects = found.Expects
		}
		return nil
	})
	if err != nil {
		return err
	}
	l.note(unknown, "query", " expects tool calls, which the file does not record: they are not compared",
		" expect tool calls, which the file does not record: they are not compared")
	if len(missing) > 0 {
		return fmt.Errorf("the dataset %s has no query with the id or text of %s", d.Name,
			strings.Join(missing[:min(len(missing), 10)], ", "))
	}
	l.Asserted = nil
	l.Notes = slices.DeleteFunc(l.Notes, func(note string) bool { return strings.Contains(note, nameDataset) })
	for _, r := range l.Rows {
		for _, traces := range r.Traces {
			for i := range traces {
				traces[i].Verdict = nil
			}
		}
	}
	return nil
}

// Lines returns the counts and all notes, one line each. The lines have no
// characters that control a terminal.
func (l *Log) Lines() []string {
	out := slices.Concat(l.Counts(), l.Notes, l.Asserted)
	for i, line := range out { // ids and names come from the file
		out[i] = steerless.Text(strings.Join(strings.Fields(line), " "))
	}
	return out
}

// Counts describes the verdicts of the other harness, one line per row.
func (l *Log) Counts() []string {
	var out []string
	for _, r := range l.Rows {
		n, lost := r.rulings()
		out = append(out, fmt.Sprintf("%s: %s correct, %d incorrect, %d unscored, %d lost", r.Name,
			text.Counted(n[judge.Correct], "trace"), n[judge.Incorrect], n[judge.Unscored], lost))
	}
	return out
}
