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
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/trace"
)

// LabelsSchema is the schema's name on the first line of labels.jsonl.
const LabelsSchema = "concur/labels/v1"

// LabelsFile is the name of the file of labels in a run folder.
const LabelsFile = "labels.jsonl"

// Label is a person's verdict on a trace's answer. It replaces every other verdict on this answer, and also on
// equal answers to the same query.
type Label struct {
	Configuration string       `json:"configuration"`
	Query         string       `json:"query"`
	Trace         int          `json:"trace"`
	Verdict       judge.Ruling `json:"verdict"` // correct, incorrect, or unscored if the person could not decide
	Reason        string       `json:"reason"`
	Author        string       `json:"author"`
	Time          time.Time    `json:"time"`
	// Seen reports that the person had seen another verdict before giving this one.
	Seen bool  `json:"seen"`
	Draw *Draw `json:"draw"` // nil if the person chose the query
}

// Draw records how a query was drawn for labelling. Queries are drawn in order of At = u/Weight, where u is
// uniform in (0, 1) and depends on the run's seed. After some draws, the probability that a drawn query was to
// be drawn is min(1, Weight × Next), where Next is taken from the last draw (Duffield, Lund and Thorup, J. ACM
// 54(6), 2007: priority sampling).
type Draw struct {
	Weight float64 `json:"weight"` // above 0
	// Uniform reports that every answer had the same chance to be drawn. In a run, either all draws are uniform
	// or none is.
	Uniform bool    `json:"uniform"`
	At      float64 `json:"at"`
	Next    float64 `json:"next"` // At of the query that would be drawn next; 0 after the last query
}

// Labelled has a label that decides the verdict of a record, and the verdict that the record had before.
type Labelled struct {
	Label
	Before judge.Verdict `json:"before"`
}

// Before returns the verdict of gold and judges, without labels.
func (r Record) Before() judge.Verdict {
	if r.Label != nil {
		return r.Label.Before
	}
	return r.Verdict
}

// HasLabel reports whether a person labelled the record, or a trace of it that does not decide the record's
// verdict.
func (r Record) HasLabel() bool { return r.Label != nil || r.AnswersBefore != nil }

// Unlabelled returns the record as it was before people labelled it: the verdicts on the record and its traces
// are those of gold and judges.
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

// Chances returns, for each of these records, the probability with which its answer was drawn for labelling. It
// is 1 for an answer that a person chose. labelled must have all labelled records of a configuration.
func Chances(labelled []Record) []float64 {
	next, all := 0.0, false // Next of the last draw
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

// Labels reads the labels of a run, in the order in which they were given. If a query has several labels, the
// last one counts.
func (r *Run) Labels() ([]Label, error) {
	var out []Label
	file := linefile.File{Path: filepath.Join(r.Dir, LabelsFile), Schema: LabelsSchema, Sums: r.Manifest.LineSums(),
		Optional: true, Mend: r.Mendable}
	last := 0
	for line, err := range file.Lines(linefile.Start) { // without a last line that is cut off
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if _, p, sum := linefile.Split(line.Text); sum != nil { // people may add or remove labels by hand
			if p.Line <= last {
				return nil, line.Wrap(r.Mendable(linefile.Misplaced(p.Line, line.Number).Error(), nil))
			}
			last = p.Line
		}
		var l Label
		if err := l.Read(line.Text); err != nil {
			return nil, disk.Damage(line.Wrap(fmt.Errorf("%w: repair or remove the line", err)))
		}
		out = append(out, l)
	}
	return out, nil
}

// Read decodes a line of labels.jsonl.
func (l *Label) Read(line []byte) error {
	err := json.Unmarshal(line, l)
	if err == nil && l.Verdict != judge.Correct && l.Verdict != judge.Incorrect && l.Verdict != judge.Unscored {
		err = fmt.Errorf("the verdict %q is not correct, incorrect or unscored", l.Verdict)
	}
	return err
}

// AddLabel appends a label and syncs it to disk. Several people may label at the same time: a call waits until
// the other calls have ended, or until ctx is done.
func (r *Run) AddLabel(ctx context.Context, l Label) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("label run %s: %w", r.Dir, err)
		}
	}()
	release, err := disk.LockFolder(ctx, r.Dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	f, err := Options{}.Disk().Open(filepath.Join(r.Dir, LabelsFile), os.O_CREATE|os.O_RDWR)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	whole, err := disk.WholeLines(f, info.Size())
	if err == nil {
		err = f.Truncate(whole) // removes a line that a power failure cut
	}
	var line []byte
	if err == nil {
		line, err = lines.Encode(l)
	}
	if err == nil && whole == 0 {
		_, err = f.WriteString(linefile.FirstLine(LabelsSchema))
	}
	if s := r.Manifest.LineSums(); err == nil && s.HasPlaces {
		var n int
		n, err = nextLabel(f)
		line = s.Add(line, linefile.Place{Line: n})
	}
	if err == nil {
		_, err = f.Write(append(line, '\n'))
	}
	return errors.Join(err, f.Sync())
}

// nextLabel returns the number that the next appended line will have. The file must consist of whole lines.
func nextLabel(f *os.File) (int, error) {
	last, in := 1, disk.NewLineReader(f, 0)
	for n := 1; ; n++ {
		line, err := in.Next()
		if errors.Is(err, io.EOF) {
			return last + 1, nil
		}
		if err != nil {
			return 0, err
		}
		_, p, _ := linefile.Split(line)
		last = max(last, n, p.Line)
	}
}

// labels returns the labels that count, by record.
func (r *Run) labels() (map[recordKey]Label, error) {
	all, err := r.Labels()
	out := map[recordKey]Label{}
	for _, l := range all {
		out[recordKey{l.Configuration, l.Query}] = l
	}
	return out, err
}

// apply replaces the verdicts on the labelled answer by the label's verdict.
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
			continue // a different answer
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
