package store

import (
	"fmt"
	"iter"
	"path/filepath"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
	"github.com/seed-5817661a/concur/trace"
)

// Run is a run folder opened for reading.
type Run struct {
	Dir      string
	Manifest Manifest
}

// Open reads the manifest of a run folder.
func Open(dir string) (*Run, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	return &Run{Dir: dir, Manifest: m}, nil
}

// Records reads results.jsonl, in the order in which queries were decided. Where people gave labels, these
// replace the verdicts. If a query was decided several times, only its last record is returned.
func (r *Run) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		var labels map[recordKey]Label
		for rec, err := range r.labelled(&labels) {
			if !yield(rec.Record, err) {
				return
			}
		}
	}
}

// placedRecord is a record and the offset of its line in results.jsonl.
type placedRecord struct {
	Record
	offset int64
}

// labelled reads the labels of the run into the map labels, and then the records, to which it applies the
// labels.
func (r *Run) labelled(labels *map[recordKey]Label) iter.Seq2[placedRecord, error] {
	return func(yield func(placedRecord, error) bool) {
		var err error
		if *labels, err = r.labels(); err != nil {
			yield(placedRecord{}, err)
			return
		}
		for rec, err := range r.placed() {
			if l, ok := (*labels)[recordKey{rec.Configuration, rec.Query}]; ok && err == nil {
				rec.Record = l.apply(rec.Record)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// Unlabelled reads the records without labels, with the harness's own verdicts. The gate and replays use it,
// because they compare two runs of the harness.
func (r *Run) Unlabelled() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for rec, err := range r.placed() {
			if !yield(rec.Record, err) {
				return
			}
		}
	}
}

// placed reads the records that count: for each query, the record of the last session. If a session has two
// records of a query, this is an error, because only a resumption may decide a query again.
func (r *Run) placed() iter.Seq2[placedRecord, error] {
	once := r.decidedOnce()
	all := func(yield func(placedRecord, error) bool) {
		seen := lastSessions{}
		var rec placedRecord // outside of the loop, so that it is allocated once
		for line, err := range r.Lines(runfiles.Results, linefile.Start) {
			rec = placedRecord{offset: line.Offset}
			if err == nil {
				err = r.decode(line, &rec.Record)
			}
			if err == nil {
				rec.Configuration = r.configurationName(rec.Configuration)
				session := rec.Timing.Session
				if once {
					session = 0 // any second record is an error
				}
				err = seen.again(recordKey{rec.Configuration, rec.Query}, session, r)
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
	if once {
		return all
	}
	return lastSession(r, all, r.recordSessions(), func(x placedRecord) recordSession {
		return recordSession{recordKey{x.Configuration, x.Query}, x.Timing.Session}
	})
}

// decidedOnce reports whether a complete run has one record for each query and configuration by the number of its
// lines, so that no record replaces another, even if the run was resumed.
func (r *Run) decidedOnce() bool {
	m := r.Manifest
	sealed, is := m.Files[runfiles.Results.Name()]
	return is && m.State == Complete && sealed.Lines == 1+m.Dataset.Queries*len(m.Configurations)
}

// recordSession is a record's key and the session that wrote it.
type recordSession = inSession[recordKey]

// recordSessions reads only the key and the session of each record.
func (r *Run) recordSessions() iter.Seq2[recordSession, error] {
	return func(yield func(recordSession, error) bool) {
		for line, err := range r.Lines(runfiles.Results, linefile.Start) {
			var h linefile.RecordHead
			if err == nil {
				if err = h.Read(line); err != nil {
					err = line.Wrap(r.Mendable("the line is damaged", err))
				}
			}
			if !yield(recordSession{recordKey{r.configurationName(h.Configuration), h.Query}, h.Session}, err) || err != nil {
				return
			}
		}
	}
}

// configuration returns the configuration with a name; nil for an unknown name.
func (r *Run) configuration(name string) *Configuration {
	for i := range r.Manifest.Configurations {
		if c := &r.Manifest.Configurations[i]; c.Name == name {
			return c
		}
	}
	return nil
}

// configurationName returns the manifest's copy of a name, so that all records use the same memory for it.
func (r *Run) configurationName(name string) string {
	if known := r.configuration(name); known != nil {
		return known.Name
	}
	return name
}

// lastSessions has the session in which each query was last decided, by configuration, in a few bytes per query.
type lastSessions map[string]*lines.IDs

// again returns an error if the query was already decided in this session or in a later one.
func (d lastSessions) again(of recordKey, session int, r *Run) error {
	if d[of.configuration] == nil {
		d[of.configuration] = &lines.IDs{}
	}
	if last, known := d[of.configuration].Replace(of.query, session); known && last >= session {
		return r.secondRecord(of)
	}
	return nil
}

// secondRecord returns the error for a query that was decided twice in one session.
func (r *Run) secondRecord(of recordKey) error {
	return r.Mendable(fmt.Sprintf("%s has a second record of query %q in configuration %q",
		filepath.Join(r.Dir, runfiles.Results.Name()), of.query, of.configuration), nil)
}

// Events reads trace.jsonl. The events of one trace are in order; events of different traces may alternate. If
// a trace was run again, only its last run counts.
func (r *Run) Events() iter.Seq2[trace.Event, error] {
	type key struct {
		trace.ID
		readBy string // the configuration that reads the next Extraction, which comes after the end of its trace
	}
	of := func(e trace.Event) inSession[key] {
		of := key{ID: e.ID}
		if x, is := e.Body.(trace.Extraction); is {
			of.readBy = "configuration " + x.Configuration
		}
		return inSession[key]{of, e.Session}
	}
	all := linesOf[trace.Event](r, runfiles.Traces)
	return lastSession(r, all, each(all, of), of)
}

// Exchanges reads chat.jsonl. The exchanges of one trace are in order; those of different traces may alternate.
// If a trace was run again, only its last run counts.
func (r *Run) Exchanges() iter.Seq2[Exchange, error] {
	of := func(x Exchange) inSession[model.Identity] { return inSession[model.Identity]{x.OfTrace(), x.Session} }
	all := linesOf[Exchange](r, runfiles.Chat)
	return lastSession(r, all, each(all, of), of)
}

// inSession is a key and the session that wrote it.
type inSession[K comparable] struct {
	key     K
	session int
}

func each[T, U any](all iter.Seq2[T, error], of func(T) U) iter.Seq2[U, error] {
	return func(yield func(U, error) bool) {
		for v, err := range all {
			if !yield(of(v), err) {
				return
			}
		}
	}
}

// lastSession omits lines that lines of a later session replaced. If the run was resumed, it reads the file
// twice: first the sessions of the lines, then the lines.
func lastSession[T any, K comparable](r *Run, all iter.Seq2[T, error], sessions iter.Seq2[inSession[K], error],
	of func(T) inSession[K]) iter.Seq2[T, error] {
	if len(r.Manifest.Resumed) == 0 {
		return all
	}
	return func(yield func(T, error) bool) {
		last := map[K]int{}
		for v, err := range sessions {
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			if v.session > last[v.key] {
				last[v.key] = v.session
			}
		}
		for v, err := range all {
			if of := of(v); err == nil && of.session < last[of.key] {
				continue
			}
			if !yield(v, err) {
				return
			}
		}
	}
}

// linesOf reads and decodes the lines of a JSONL file.
func linesOf[T any](r *Run, f runfiles.File) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for line, err := range r.Lines(f, linefile.Start) {
			var v T
			if err == nil {
				err = r.decode(line, &v)
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

func (r *Run) decode(line linefile.Line, into any) error {
	if err := lines.Decode(line.Text, into); err != nil {
		return line.Wrap(r.Mendable("the line is damaged", err))
	}
	return nil
}

// Mendable returns an error with advice on the repair of the run.
func (r *Run) Mendable(fact string, cause error) error {
	err := fmt.Errorf("%s: restore the file from a copy, or keep the undamaged lines with `%s`", fact,
		RepairCommand(r.Dir))
	if cause != nil {
		err = fmt.Errorf("%w (%w)", err, cause)
	}
	return disk.Damage(err)
}
