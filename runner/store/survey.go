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

// survey is what the files of a run say of how far it got. It decodes no more of a line
// than that needs: a large run is to be opened in seconds.
type survey struct {
	configurations, queries map[string]bool // that the run is of; nil knows none

	ends      map[trace.ID]*end
	exchanges map[trace.ID]*exchanges
	asked     map[string]int // query → last session in which its verifier or judges were asked
	records   map[decision]basis
}

// end is how a trace ended when it was last run.
type end struct {
	session int
	ended   bool // there is a conclusion that counts
	failed  bool // as infra
	calls   int  // model calls that the harness saw
}

// exchanges counts the model calls of a trace that chat.jsonl holds of its last session.
type exchanges struct{ session, n int }

// basis is what a record rests on.
type basis struct {
	session     int
	traces      []trace.ID
	askedInVain bool // the verifier or a judge failed
}

// survey reads the three files side by side.
func (r *Run) survey(queries map[string]bool) (*survey, error) {
	s := &survey{
		configurations: map[string]bool{}, queries: queries,
		ends: map[trace.ID]*end{}, exchanges: map[trace.ID]*exchanges{}, asked: map[string]int{}, records: map[decision]basis{},
	}
	for _, c := range r.Manifest.Configurations {
		s.configurations[c.Name] = true
	}
	var g errgroup.Group
	for file, read := range map[fileIndex]func(rawLine) error{traceFile: s.event, chatFile: s.exchange, resultsFile: s.record} {
		g.Go(func() error {
			for line, err := range r.rawLines(file) {
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

// complete reports whether chat.jsonl holds all that the trace which ended so had asked,
// and nothing of a later session: a power cut can leave one file behind another, and a
// trace that is run again asks before it does anything else.
func (s *survey) complete(id trace.ID, e end) bool {
	x := s.exchanges[id]
	if x == nil {
		return e.calls == 0
	}
	return x.session < e.session && e.calls == 0 || x.session == e.session && x.n >= e.calls
}

// eventHead is what stands in front of an event's time.
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
		s.asked[h.Query] = max(s.asked[h.Query], h.Session)
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
		return damaged(err)
	}
	if !s.configurations[r.Configuration] || s.queries != nil && !s.queries[r.Query] {
		return fmt.Errorf("the run has no query %q of a configuration %q, of which this is a record: %w", r.Query, r.Configuration, errDamaged)
	}
	b := basis{session: r.Timing.Session, askedInVain: askedInVain(r)}
	for _, a := range r.Answers {
		b.traces = append(b.traces, trace.ID{Agent: r.Agent, Query: r.Query, Trace: a.Trace})
	}
	s.records[decision{r.Configuration, r.Query}] = b
	return nil
}

// askedInVain reports whether the verifier or a judge failed on a query.
func askedInVain(r Record) bool {
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

// load reads the events that the traces which are needed have of a session.
func (r *Run) load(p *Prior, needed map[trace.ID]int) error {
	if len(needed) == 0 {
		return nil
	}
	for line, err := range r.rawLines(traceFile) {
		if err != nil {
			return err
		}
		var h eventHead
		if err := decodeHead(line.text, &h); err != nil {
			return line.error(err)
		}
		if session, wanted := needed[h.ID]; !wanted || session != h.Session {
			continue
		}
		var e trace.Event
		if err := json.Unmarshal(line.text, &e); err != nil {
			return line.error(err)
		}
		t := p.traces[e.ID]
		t.Events = append(t.Events, e)
		if c, last := e.Body.(trace.Conclusion); last && e.Path == "" {
			t.Trace, t.Timing = c.Trace(e.ID), c.Timing
		}
		p.traces[e.ID] = t
	}
	return nil
}

var errDamaged = errors.New("the line is damaged; what comes before it is whole: copy the folder, cut the file off there, and resume")

func damaged(cause error) error { return fmt.Errorf("%w (%w)", errDamaged, cause) }

// headEnd ends the part of a line that names what it belongs to.
var headEnd = []byte(`,"time":`)

// decodeHead decodes the fields in front of the time alone, and sees to it that the line is
// whole. A quotation mark within a string is escaped, so that headEnd can stand between
// fields only.
func decodeHead(line []byte, into any) error {
	if !whole(line) {
		return errDamaged
	}
	if i := bytes.Index(line, headEnd); i >= 0 {
		head := make([]byte, 0, 256)
		line = append(append(head, line[:i]...), '}')
	}
	if err := json.Unmarshal(line, into); err != nil {
		return damaged(err)
	}
	return nil
}

// whole reports whether a line is one object from its first byte to its last, as far as
// brackets, strings and control characters tell. What a power cut, a full disk or two
// writers leave is not; that every value in between is JSON is for those who read it. It
// takes a tenth of the time of json.Valid, which a large run is to be opened in.
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

// stringEnd is the place of the quotation mark that ends a string; -1 where there is none,
// or something in it that a string cannot hold.
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
