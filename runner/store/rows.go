package store

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
)

// Rows lists records of a run in the order of configurations, categories and queries. It keeps some bytes for
// each record, and reads a record when it is needed.
type Rows struct {
	run    *Run // nil if the records are in memory
	memory []Record
	rows   []Row
	names  []string // names of the configurations
	labels map[recordKey]Label
}

// Row is one record of a list. It has only the fields that are needed to count and sort records.
type Row struct {
	Query   string
	Verdict judge.Ruling // including labels
	Seconds float64      // from the start of the first trace to the verdict

	offset                  int64 // in results.jsonl; in memory, the index in Rows.memory
	configuration, category int32 // positions in the manifest; -1 for an unknown category
}

// Rows returns an empty list. Reading fills it.
func (r *Run) Rows() *Rows { return &Rows{run: r} }

// RowsOf returns a list of records that are in memory, in their order.
func RowsOf(records ...Record) *Rows {
	l := &Rows{memory: records}
	for i, r := range records {
		l.add(r, int64(i), -1)
	}
	return l
}

// add adds the row of a record.
func (l *Rows) add(r Record, offset int64, category int32) {
	i := slices.Index(l.names, r.Configuration)
	if i < 0 {
		i, l.names = len(l.names), append(l.names, r.Configuration)
	}
	l.rows = append(l.rows, Row{
		Query: r.Query, Verdict: knownRuling(r.Verdict.Verdict), Seconds: r.Timing.WallS, offset: offset,
		configuration: int32(i), category: category,
	})
}

// Reading reads the records of the run, like Records, and adds those for which keep returns true to the list.
// If keep is nil, it adds all. The list is complete when the sequence has ended without an error.
func (l *Rows) Reading(keep func(Record) bool) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		l.rows, l.names = nil, nil
		for _, c := range l.run.Manifest.Configurations {
			l.names = append(l.names, c.Name)
		}
		categories := map[string]int32{}
		for i, c := range l.run.Manifest.Dataset.Categories {
			categories[c] = int32(i)
		}
		for rec, err := range l.run.labelled(&l.labels) {
			if err == nil && (keep == nil || keep(rec.Record)) {
				category, known := categories[rec.Category]
				if !known {
					category = -1
				}
				l.add(rec.Record, rec.offset, category)
			}
			if !yield(rec.Record, err) || err != nil {
				return
			}
		}
		slices.SortStableFunc(l.rows, func(a, b Row) int {
			return cmp.Or(cmp.Compare(a.configuration, b.configuration), cmp.Compare(a.category, b.category),
				cmp.Compare(a.Query, b.Query))
		})
	}
}

// knownRuling returns the constant that is equal to a verdict, so that a row does not need its own copy of the
// text.
func knownRuling(v judge.Ruling) judge.Ruling {
	for _, known := range []judge.Ruling{judge.Correct, judge.Incorrect, judge.Unscored} {
		if v == known {
			return known
		}
	}
	return v
}

// Len is the number of rows.
func (l *Rows) Len() int { return len(l.rows) }

// All lists the rows.
func (l *Rows) All() []Row { return l.rows }

// Configuration returns the name of a row's configuration.
func (l *Rows) Configuration(r Row) string { return l.names[r.configuration] }

// Several reports whether the rows have several configurations.
func (l *Rows) Several() bool {
	return slices.ContainsFunc(l.rows, func(r Row) bool { return r.configuration != l.rows[0].configuration })
}

// with returns a list with other rows of the same run.
func (l *Rows) with(rows []Row) *Rows {
	out := *l
	out.rows = rows
	return &out
}

// Where returns a list with the rows for which keep is true.
func (l *Rows) Where(keep func(Row) bool) *Rows {
	var rows []Row
	for _, r := range l.rows {
		if keep(r) {
			rows = append(rows, r)
		}
	}
	return l.with(rows)
}

// First returns a list with the first n rows, or all rows if there are fewer.
func (l *Rows) First(n int) *Rows { return l.with(l.rows[:min(n, len(l.rows))]) }

// WrongFirst returns a list with the same rows, in which the rows that are not right come first.
func (l *Rows) WrongFirst() *Rows {
	right := func(r Row) bool { return r.Verdict == judge.Correct }
	wrong := func(r Row) bool { return !right(r) }
	return l.with(append(l.Where(wrong).rows, l.Where(right).rows...))
}

// Records reads the records of the rows one by one. If the line that it reads has another query than the row,
// this is an error.
func (l *Rows) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		if l.run == nil || len(l.rows) == 0 {
			for _, row := range l.rows {
				if !yield(l.memory[row.offset], nil) {
					return
				}
			}
			return
		}
		file, err := l.run.openLines(runfiles.Results)
		if err != nil {
			yield(Record{}, fmt.Errorf("read run: %w", err))
			return
		}
		defer file.Close() // closing a file that was only read cannot lose data
		in := reader{sums: l.run.Manifest.LineSums()}
		in.files[runfiles.Results] = file
		for _, row := range l.rows {
			var rec Record
			err := in.read(runfiles.Results, row.offset, &rec)
			if err == nil && rec.Query != row.Query {
				err = l.run.Mendable(fmt.Sprintf("%s at byte %d has query %q, not %q: the file has changed", file.Path(),
					row.offset, rec.Query, row.Query), nil)
			}
			if label, ok := l.labels[recordKey{rec.Configuration, rec.Query}]; ok {
				rec = label.apply(rec)
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// Sorted reads all records into memory, in the order of configurations, categories and queries. For many
// records, use Rows.
func (r *Run) Sorted() ([]Record, error) {
	rows := r.Rows()
	for _, err := range rows.Reading(nil) {
		if err != nil {
			return nil, err
		}
	}
	records := make([]Record, 0, rows.Len())
	for rec, err := range rows.Records() {
		if err != nil {
			return nil, err
		}
		records = append(records, rec)
	}
	return records, nil
}
