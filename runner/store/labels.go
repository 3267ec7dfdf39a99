package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

// LabelsSchema is the first line of labels.jsonl.
const LabelsSchema = "concur/labels/v1"

const labelsFile = "labels.jsonl"

// Label is a person's verdict on a trace's answer. It takes precedence over every other
// verdict on it, and over those on equal answers to the same query.
type Label struct {
	Configuration string       `json:"configuration"`
	Query         string       `json:"query"`
	Trace         int          `json:"trace"`
	Verdict       judge.Ruling `json:"verdict"` // correct, incorrect, or unscored: the person could not say
	Reason        string       `json:"reason"`
	Author        string       `json:"author"`
	Time          time.Time    `json:"time"`
	// Seen says that the person had looked at the verdict before.
	Seen bool  `json:"seen"`
	Draw *Draw `json:"draw"` // nil if the person chose the query
}

// Draw is how a query came to be labelled. Queries are drawn in order of At = u/Weight, for u uniform in (0, 1) by
// the run's seed. Those up to a query then have the inclusion probabilities min(1, Weight × Next), of the last Next
// (Duffield, Lund and Thorup, J. ACM 54(6), 2007: priority sampling).
type Draw struct {
	Weight float64 `json:"weight"` // above 0
	// Uniform says that every answer had the same chance; a run has draws of one kind alone.
	Uniform bool    `json:"uniform"`
	At      float64 `json:"at"`
	Next    float64 `json:"next"` // At of the query that would be drawn next; 0 after the last
}

// Labelled is the label that decides a record's verdict, and the verdict before it.
type Labelled struct {
	Label
	Before judge.Verdict `json:"before"`
}

// Before is the verdict of gold and judges, whatever a person said.
func (r Record) Before() judge.Verdict {
	if r.Label != nil {
		return r.Label.Before
	}
	return r.Verdict
}

// HasLabel reports whether a person's label is on the record, or on a trace of it that does not decide.
func (r Record) HasLabel() bool { return r.Label != nil || r.AnswersBefore != nil }

// Unlabelled is the record with the verdicts of gold and judges, also on its traces, whatever a person said.
func (r Record) Unlabelled() Record {
	r.Verdict = r.Before()
	if r.AnswersBefore != nil {
		r.Answers = slices.Clone(r.Answers)
		for i, v := range r.AnswersBefore {
			r.Answers[i].Verdict = v
		}
	}
	return r
}

// Chances are the probabilities with which the answers of these records, all of a configuration
// that have labels, were drawn for them: 1 for an answer that a person chose.
func Chances(labelled []Record) []float64 {
	next, all := 0.0, false // of the last draw
	for _, r := range labelled {
		if d := r.Label.Draw; d != nil {
			next, all = max(next, d.Next), all || d.Next == 0
		}
	}
	out := make([]float64, len(labelled))
	for i, r := range labelled {
		out[i] = 1
		if d := r.Label.Draw; d != nil && !all {
			out[i] = min(1, d.Weight*next)
		}
	}
	return out
}

// recordKey names a record of a run.
type recordKey struct{ configuration, query string }

// Labels reads the labels of a run, in the order in which they were given; of several on one
// query the last counts. A run without any has none.
func (r *Run) Labels() ([]Label, error) {
	var out []Label
	file := lineFile{path: filepath.Join(r.Dir, labelsFile), schema: LabelsSchema, sums: r.Manifest.sums(), optional: true, mend: r.mendable}
	last := 0
	for line, err := range file.lines(start) { // a cut line was never given
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if _, p, sum := split(line.text); sum != nil { // a person may have written or removed others
			if p.line <= last {
				return nil, line.error(r.mendable(misplaced(p.line, line.number).Error(), nil))
			}
			last = p.line
		}
		var l Label
		if err := l.read(line.text); err != nil {
			return nil, damage{line.error(fmt.Errorf("%w: mend or remove the line", err))}
		}
		out = append(out, l)
	}
	return out, nil
}

// read decodes a line.
func (l *Label) read(line []byte) error {
	err := json.Unmarshal(line, l)
	if err == nil && l.Verdict != judge.Correct && l.Verdict != judge.Incorrect && l.Verdict != judge.Unscored {
		err = fmt.Errorf("the verdict %q is not correct, incorrect or unscored", l.Verdict)
	}
	return err
}

// AddLabel appends a label, and is on disk when it returns. Several people may label at once: each
// waits for the others, until ctx is done.
func (r *Run) AddLabel(ctx context.Context, l Label) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("label run %s: %w", r.Dir, err)
		}
	}()
	release, err := LockFolder(ctx, r.Dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	f, err := Options{}.disk().open(filepath.Join(r.Dir, labelsFile), os.O_CREATE|os.O_RDWR)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	whole, err := wholeLines(f, info.Size())
	if err == nil {
		err = f.Truncate(whole) // without what a power failure left of a line
	}
	var line []byte
	if err == nil {
		line, err = lines.Encode(l)
	}
	if err == nil && whole == 0 {
		_, err = f.WriteString(firstLine(LabelsSchema))
	}
	if s := r.Manifest.sums(); err == nil && s.hasPlaces {
		var n int
		n, err = nextLabel(f)
		line = s.add(line, place{line: n})
	}
	if err == nil {
		_, err = f.Write(append(line, '\n'))
	}
	return errors.Join(err, f.Sync())
}

// nextLabel is the number of the line that is appended to a file of whole lines.
func nextLabel(f *os.File) (int, error) {
	last, in := 1, newLineReader(f, 0)
	for n := 1; ; n++ {
		line, err := in.next()
		if errors.Is(err, io.EOF) {
			return last + 1, nil
		}
		if err != nil {
			return 0, err
		}
		_, p, _ := split(line)
		last = max(last, n, p.line)
	}
}

// labels are those that count, by record.
func (r *Run) labels() (map[recordKey]Label, error) {
	all, err := r.Labels()
	out := map[recordKey]Label{}
	for _, l := range all {
		out[recordKey{l.Configuration, l.Query}] = l
	}
	return out, err
}

// apply puts a label over the verdicts on the labelled answer.
func (l Label) apply(rec Record) Record {
	if l.Verdict == judge.Unscored {
		rec.Label = &Labelled{l, rec.Verdict}
		return rec
	}
	at := slices.IndexFunc(rec.Answers, func(a Answer) bool { return a.Trace == l.Trace })
	decides := false
	rec.AnswersBefore = make([]judge.Ruling, len(rec.Answers))
	for i, a := range rec.Answers {
		rec.AnswersBefore[i] = a.Verdict
	}
	for i, a := range rec.Answers {
		if i != at && (at < 0 || a.Key == nil || rec.Answers[at].Key == nil || *a.Key != *rec.Answers[at].Key) {
			continue // another answer
		}
		if d := rec.Consensus.Representative; d != nil && a.Trace == *d {
			decides = true
		}
		if a.Outcome != trace.Infra {
			rec.Answers[i].Verdict = l.Verdict
		}
	}
	if decides {
		reason := l.Author
		if l.Reason != "" {
			reason += ": " + l.Reason
		}
		rec.Label = &Labelled{l, rec.Verdict}
		rec.Verdict = judge.Verdict{Verdict: l.Verdict, By: judge.ByPerson, Reason: reason}
	}
	return rec
}
