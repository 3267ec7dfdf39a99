package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
	"github.com/seed-5817661a/concur/trace"
)

// Index has the offsets of a run's lines by query and trace, so that single traces of a large run can be read,
// even while the run is in progress. If a later session replaced lines of an earlier session, the index has
// only the later lines. Its methods are safe for concurrent use.
type Index struct {
	parts [runfiles.Count]part

	records   []RecordAt
	recordOf  map[recordKey]int
	decided   decidedIn
	names     [runfiles.Count]names // the texts of the keys below; each map has the names of its file
	traces    map[placeKey]*tracePlaces
	exchanges map[placeKey]*places // by Identity.OfTrace of a trace, a verifier or a judge
	questions map[int32][]placeKey // the conversations of verifiers and judges by the number of their query
	settings  map[string]int64     // offset of the first exchange with each name of settings
}

// part is the part of the index for one file. Its lock protects the maps of that file.
type part struct {
	sync.RWMutex
	end  linefile.Position // position after the last line that was read
	info os.FileInfo       // of the plain file; nil before the first update
	size int64             // size of the file with its parts
	head linefile.Head     // head of the last line
}

// RecordAt has the offset of a record, and the fields of the record that a list of records shows.
type RecordAt struct {
	Configuration, Query string
	Verdict              judge.Ruling
	Offset               int64
}

// tracePlaces has the offsets of a trace's events.
type tracePlaces struct {
	places
	ending ending  // zero for an unfinished trace
	read   *places // Extraction events, which later sessions may add to a trace that has ended; nil without any
}

// ended reports whether a trace ended by itself and was not stopped from outside.
func (t *tracePlaces) ended() bool {
	return t != nil && t.ending.Offset > 0 && !t.ending.StopReason.Unfinished()
}

// ending describes the end of a trace in its last session.
type ending struct {
	Offset     int64            `json:"-"`
	Outcome    trace.Outcome    `json:"outcome"`
	StopReason trace.StopReason `json:"stop_reason"`
	Timing     trace.Timing     `json:"timing"`
}

// NewIndex returns an empty index, which the Update methods fill.
func NewIndex() *Index {
	x := &Index{}
	for f := range runfiles.Count {
		x.reset(f)
	}
	return x
}

func (x *Index) reset(f runfiles.File) {
	x.parts[f].end, x.parts[f].info = linefile.Start, nil
	switch f {
	case runfiles.Results:
		x.records, x.recordOf, x.decided = nil, map[recordKey]int{}, decidedIn{}
	case runfiles.Traces:
		x.names[f], x.traces = names{}, map[placeKey]*tracePlaces{}
	case runfiles.Chat:
		x.names[f], x.exchanges = names{}, map[placeKey]*places{}
		x.questions, x.settings = map[int32][]placeKey{}, map[string]int64{}
	}
}

// UpdateRecords adds the lines that were appended to results.jsonl since the last call. r is the run with its
// present manifest. If the file was cut or replaced, it is read again from its start.
func (x *Index) UpdateRecords(ctx context.Context, r *Run) error {
	return x.update(ctx, r, runfiles.Results, func(line linefile.Line) error { return x.record(r, line) })
}

// UpdateTraces adds the lines that were appended to trace.jsonl and chat.jsonl since the last call, as
// UpdateRecords does.
func (x *Index) UpdateTraces(ctx context.Context, r *Run) error {
	var g errgroup.Group
	g.Go(func() error { return x.update(ctx, r, runfiles.Traces, x.event) })
	g.Go(func() error { return x.update(ctx, r, runfiles.Chat, x.exchange) })
	return g.Wait()
}

func (x *Index) update(ctx context.Context, r *Run, f runfiles.File, read func(linefile.Line) error) error {
	p := &x.parts[f]
	p.Lock()
	defer p.Unlock()
	size, info, err := r.sizeOf(f)
	if err != nil {
		return fmt.Errorf("read run: %w", err)
	}
	if size < p.end.Offset || p.info != nil && !os.SameFile(info, p.info) {
		x.reset(f)
	}
	for line, err := range r.Lines(f, p.end) {
		if err == nil {
			if err = read(line); err != nil {
				err = line.Wrap(err)
			}
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			x.reset(f)
			return err
		}
		p.end = linefile.Position{Offset: line.Offset + int64(len(line.Text)), Line: line.Number + 1}
	}
	p.info, p.size = info, size
	return nil
}

// sizeOf returns the number of bytes of a JSONL file with its parts, and the file information of its plain
// file.
func (r *Run) sizeOf(f runfiles.File) (size int64, info os.FileInfo, err error) {
	file, err := r.openLines(f)
	if err != nil {
		return 0, nil, err
	}
	defer file.Close() // closing a file that was only read cannot lose data
	if size, err = file.Size(); err == nil {
		info, err = file.Rest()
	}
	return size, info, err
}

func (x *Index) record(r *Run, line linefile.Line) error {
	var rec struct {
		Configuration string        `json:"configuration"`
		Query         string        `json:"query"`
		Verdict       judge.Verdict `json:"verdict"`
		Timing        struct {
			Session int `json:"session"`
		} `json:"timing"`
	}
	if err := lines.Decode(line.Text, &rec); err != nil {
		return linefile.Damaged(err)
	}
	of := recordKey{r.configurationName(rec.Configuration), rec.Query}
	if err := x.decided.again(of, rec.Timing.Session, r); err != nil {
		return err
	}
	at := RecordAt{of.configuration, of.query, knownRuling(rec.Verdict.Verdict), line.Offset}
	if i, known := x.recordOf[of]; known {
		x.records[i] = at
		return nil
	}
	x.recordOf[of] = len(x.records)
	x.records = append(x.records, at)
	return nil
}

func (x *Index) event(line linefile.Line) error {
	h := &x.parts[runfiles.Traces].head
	if err := h.Read(line); err != nil {
		return err
	}
	if h.Query == "" || h.Event == "" {
		return linefile.ErrDamaged
	}
	of := x.names[runfiles.Traces].key(traceOf(h.Identity), "")
	t := x.traces[of]
	if t == nil {
		t = &tracePlaces{}
		x.traces[of] = t
	}
	if h.Event == trace.ExtractionEvent {
		if t.read == nil {
			t.read = &places{}
		}
		t.read.add(h.Session, line.Offset)
		return nil
	}
	if h.Session > t.session {
		t.ending = ending{}
	}
	if !t.add(h.Session, line.Offset) || !h.Ends() {
		return nil
	}
	var end ending
	if err := lines.Decode(line.Text, &end); err != nil {
		return err
	}
	end.Offset = line.Offset
	texts := &x.names[runfiles.Traces]
	end.Outcome = trace.Outcome(texts.shared(string(end.Outcome)))
	end.StopReason = trace.StopReason(texts.shared(string(end.StopReason)))
	t.ending = end
	return nil
}

func (x *Index) exchange(line linefile.Line) error {
	h := &x.parts[runfiles.Chat].head
	if err := h.Read(line); err != nil {
		return err
	}
	if h.Query == "" || h.Purpose == "" {
		return linefile.ErrDamaged
	}
	if !linefile.NamesSettings(line.Text) {
		var s struct {
			Settings string `json:"settings"`
		}
		if err := lines.Decode(line.Text, &s); err != nil {
			return linefile.Damaged(err)
		}
		if _, known := x.settings[s.Settings]; !known {
			x.settings[s.Settings] = line.Offset
		}
	}
	x.conversation(traceOf(h.Identity), h.Purpose).add(h.Session, line.Offset)
	return nil
}

// conversation returns the offsets of the exchanges of a trace, a verifier or a judge. It adds those that are not known
// yet.
func (x *Index) conversation(id trace.ID, purpose model.Purpose) *places {
	of := x.names[runfiles.Chat].key(id, purpose)
	p := x.exchanges[of]
	if p == nil {
		p = &places{}
		x.exchanges[of] = p
		if purpose != model.Agent {
			x.questions[of.query] = append(x.questions[of.query], of)
		}
	}
	return p
}
