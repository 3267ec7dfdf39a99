package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// survey is the progress of a run according to its files. It decodes as little as possible
// of each line, because a large run must open within seconds.
type survey struct {
	configurations, queries map[string]bool // of the run; nil disables the check

	ends      map[trace.ID]*end
	exchanges map[trace.ID]*exchanges
	questions map[string]int // query → last session with a question to verifier or judges
	records   map[recordKey]basis
}

// end is the end of a trace's last run.
type end struct {
	session int
	ended   bool // it has a valid conclusion
	failed  bool // as infra
	calls   int  // model calls that were sent
}

// exchanges counts the model calls of a trace's last session in chat.jsonl.
type exchanges struct{ session, n int }

// basis is what a record depends on.
type basis struct {
	session     int
	traces      []trace.ID
	judgeFailed bool // the verifier or a judge failed
	verdict     judge.Ruling
	usage       Usage // without its roles
}

// survey reads the three files side by side.
func (r *Run) survey(queries map[string]bool) (*survey, error) {
	s := &survey{
		configurations: map[string]bool{}, queries: queries,
		ends: map[trace.ID]*end{}, exchanges: map[trace.ID]*exchanges{}, questions: map[string]int{}, records: map[recordKey]basis{},
	}
	for _, c := range r.Manifest.Configurations {
		s.configurations[c.Name] = true
	}
	var g errgroup.Group
	for file, read := range map[fileIndex]func(rawLine) error{traceFile: s.event, chatFile: s.exchange, resultsFile: s.record} {
		g.Go(func() error {
			for line, err := range r.rawLines(file, 0) {
				if err != nil {
					return err
				}
				if err := read(line); err != nil {
					return line.error(err)
				}
			}
			return nil
		})
	}
	return s, g.Wait()
}

// complete reports whether chat.jsonl has all calls of an ended trace and none of a later
// session: after a power failure one file may be behind another, and a trace that runs
// again first sends a call.
func (s *survey) complete(id trace.ID, e end) bool {
	x := s.exchanges[id]
	if x == nil {
		return e.calls == 0
	}
	return x.session < e.session && e.calls == 0 || x.session == e.session && x.n >= e.calls
}

// eventHead has the fields before an event's time.
type eventHead struct {
	trace.ID
	Path    string `json:"path"`
	Event   string `json:"event"`
	Session int    `json:"session"`
}

func (s *survey) event(line rawLine) error {
	var h eventHead
	if err := decodeHead(line.text, &h); err != nil {
		return err
	}
	if h.Query == "" || h.Event == "" {
		return errDamaged
	}
	e := s.ends[h.ID]
	if e == nil || e.session < h.Session {
		e = &end{session: h.Session}
		s.ends[h.ID] = e
	}
	if h.Event != "final" || h.Path != "" || e.session != h.Session {
		return nil
	}
	var c struct {
		Outcome    trace.Outcome    `json:"outcome"`
		StopReason trace.StopReason `json:"stop_reason"`
		Timing     trace.Timing     `json:"timing"`
	}
	if err := json.Unmarshal(line.text, &c); err != nil {
		return err
	}
	e.ended, e.failed, e.calls = !c.StopReason.Unfinished(), c.Outcome == trace.Infra, c.Timing.CallsSent
	return nil
}

func (s *survey) exchange(line rawLine) error {
	var h struct {
		model.Identity
		Session int `json:"session"`
	}
	if err := decodeHead(line.text, &h); err != nil {
		return err
	}
	if h.Query == "" || h.Purpose == "" {
		return errDamaged
	}
	if h.Purpose != model.Agent {
		s.questions[h.Query] = max(s.questions[h.Query], h.Session)
		return nil
	}
	id := trace.ID{Agent: h.Agent, Query: h.Query, Trace: h.Trace}
	x := s.exchanges[id]
	if x == nil || x.session < h.Session {
		x = &exchanges{session: h.Session}
		s.exchanges[id] = x
	}
	if x.session == h.Session {
		x.n++
	}
	return nil
}

// record keeps the last record of each query.
func (s *survey) record(line rawLine) error {
	var r Record
	if err := json.Unmarshal(line.text, &r); err != nil {
		return damageError(err)
	}
	if !s.configurations[r.Configuration] || s.queries != nil && !s.queries[r.Query] {
		return fmt.Errorf("this record is of query %q in configuration %q, which the run does not have: %w", r.Query, r.Configuration, errDamaged)
	}
	b := basis{session: r.Timing.Session, judgeFailed: judgeFailed(r), verdict: r.Verdict.Verdict, usage: r.Usage}
	b.usage.Roles = nil
	for _, a := range r.Answers {
		b.traces = append(b.traces, trace.ID{Agent: r.Agent, Query: r.Query, Trace: a.Trace})
	}
	s.records[recordKey{r.Configuration, r.Query}] = b
	return nil
}

// judgeFailed reports whether the verifier or a judge failed on a query.
func judgeFailed(r Record) bool {
	if r.Consensus.VerifierErrors > 0 {
		return true
	}
	if r.Judgements == nil {
		return false
	}
	if c := r.Judgements.Correctness; c != nil && c.Verdict.Verdict == judge.Unscored {
		return true
	}
	return slices.ContainsFunc(r.Judgements.Quality, func(q judge.QualityJudgement) bool { return q.Verdict.Verdict == judge.Unscored })
}

// load reads the events of the needed traces, each of one session; of ends, only the last.
func (r *Run) load(p *Prior, needed map[trace.ID]int, ends bool) error {
	if len(needed) == 0 {
		return nil
	}
	for line, err := range r.rawLines(traceFile, 0) {
		if err != nil {
			return err
		}
		var h eventHead
		if err := decodeHead(line.text, &h); err != nil {
			return line.error(err)
		}
		if session, wanted := needed[h.ID]; !wanted || session != h.Session || ends && h.Event != "final" {
			continue
		}
		var e trace.Event
		if err := json.Unmarshal(line.text, &e); err != nil {
			return line.error(err)
		}
		t := p.traces[e.ID]
		if !ends {
			t.Events = append(t.Events, e)
		}
		if c, last := e.Body.(trace.Conclusion); last && e.Path == "" {
			t.Trace, t.Timing = c.Trace(e.ID), c.Timing
		}
		p.traces[e.ID] = t
	}
	return nil
}

var errDamaged = errors.New("the line is damaged, but the lines before it are not: copy the folder, cut the file off there, and resume")

func damageError(cause error) error { return fmt.Errorf("%w (%w)", errDamaged, cause) }

// headEnd follows the fields that name a line's trace.
var headEnd = []byte(`,"time":`)

// decodeHead decodes only the fields before the time, and checks that the line is complete.
func decodeHead(line []byte, into any) error {
	if !whole(line) {
		return errDamaged
	}
	return headOf(line, into)
}

// headOf decodes only the fields before the time. Quotation marks in strings are escaped, so
// headEnd can only occur between fields.
func headOf(line []byte, into any) error {
	if i := bytes.Index(line, headEnd); i >= 0 {
		head := make([]byte, 0, 256)
		line = append(append(head, line[:i]...), '}')
	}
	if err := json.Unmarshal(line, into); err != nil {
		return damageError(err)
	}
	return nil
}

// whole reports whether a line is one object from its first byte to its last, judging by
// brackets, strings and control characters. Lines cut by a power failure or a full disk, or
// mixed by two writers, are not. It takes a tenth of the time of json.Valid, and leaves
// values to later decoding.
func whole(line []byte) bool {
	line = bytes.TrimRight(line, "\r\n")
	if len(line) == 0 || line[0] != '{' {
		return false
	}
	depth := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			if i = stringEnd(line, i+1); i < 0 {
				return false
			}
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return c == '}' && i == len(line)-1
			}
		case c < ' ':
			return false
		}
	}
	return false
}

// stringEnd is the offset of the quotation mark that ends a string; -1 if it is missing or
// a control character comes first.
func stringEnd(line []byte, from int) int {
	for i := from; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			return i
		case c == '\\':
			i++
		case c < ' ':
			return -1
		}
	}
	return -1
}
