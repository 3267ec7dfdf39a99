package store

import (
	"encoding/json"

	"golang.org/x/sync/errgroup"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
	"github.com/seed-5817661a/concur/trace"
)

// ends has the end of each trace in the last session that ran it. It needs only a few bytes per trace.
type ends struct {
	events, exchanges names // texts of the keys
	of                map[placeKey]traceEnd
	calls             map[placeKey]exchangeCount // calls of each trace
	questions         map[string]int32           // the last session that asked verifier or judges about each query
}

// traceEnd is the state of a trace in its last session.
type traceEnd struct {
	session, sent int32 // sent counts the calls of a trace that has ended
	ended         bool  // the trace ended by itself and was not stopped from outside
	infra         bool
}

// exchangeCount is the number of exchanges of a trace in one session, the last session that has exchanges of
// the trace.
type exchangeCount struct{ session, n int32 }

// readEnds reads trace.jsonl and chat.jsonl once.
func (r *Run) readEnds() (*ends, error) {
	e := &ends{of: map[placeKey]traceEnd{}, calls: map[placeKey]exchangeCount{}, questions: map[string]int32{}}
	var g errgroup.Group
	g.Go(func() error { return r.eachHead(runfiles.Traces, e.event) })
	g.Go(func() error { return r.eachHead(runfiles.Chat, e.exchange) })
	return e, g.Wait()
}

// eachHead calls read with every line of a file and the line's head.
func (r *Run) eachHead(f runfiles.File, read func(linefile.Line, *linefile.Head) error) error {
	var h linefile.Head
	for line, err := range r.Lines(f, linefile.Start) {
		if err != nil {
			return err
		}
		if err = h.Read(line); err == nil && (h.Query == "" || h.Event == "" && h.Purpose == "") {
			err = linefile.ErrDamaged
		}
		if err == nil {
			err = read(line, &h)
		}
		if err != nil {
			return line.Wrap(err)
		}
	}
	return nil
}

func (e *ends) event(line linefile.Line, h *linefile.Head) error {
	if h.Event == trace.ExtractionEvent {
		return nil // an extraction comes after the end of its trace
	}
	k := e.events.key(traceOf(h.Identity), "")
	t, known := e.of[k]
	if session := int32(h.Session); !known || session > t.session {
		t = traceEnd{session: session}
	} else if session < t.session {
		return nil
	}
	if h.Ends() {
		var end endLine
		if err := end.read(line.Text); err != nil {
			return err
		}
		t.ended, t.infra = !end.StopReason.Unfinished(), end.Outcome == trace.Infra
		t.sent = int32(end.Timing.CallsSent)
	}
	e.of[k] = t
	return nil
}

// endLine has the fields of a trace's last event that a resumption needs.
type endLine struct {
	Outcome    trace.Outcome    `json:"outcome"`
	StopReason trace.StopReason `json:"stop_reason"`
	Timing     struct {
		CallsSent int `json:"calls_sent"`
	} `json:"timing"`
}

// read decodes the fields of a line.
func (e *endLine) read(line []byte) error {
	if e.scan(line) {
		return nil
	}
	*e = endLine{}
	return json.Unmarshal(line, e)
}

// scan reads a line in the form that concur writes. It returns false for any other form.
func (e *endLine) scan(line []byte) bool {
	ok, found := true, 0
	read := linefile.Fields(line, func(key, value []byte) bool {
		var known string
		switch string(key) {
		case "outcome":
			ok, found = linefile.ReadText(value, &known, string(trace.Answered)), found+1
			e.Outcome = trace.Outcome(known)
		case "stop_reason":
			ok, found = linefile.ReadText(value, &known, string(trace.Final)), found+1
			e.StopReason = trace.StopReason(known)
		case "timing":
			found++
			within := linefile.Fields(value, func(key, value []byte) bool {
				if string(key) == "calls_sent" {
					e.Timing.CallsSent, ok = linefile.Digits(value, true)
				}
				return ok
			})
			ok = ok && within
		}
		return ok
	})
	return read && ok && found == 3
}

func (e *ends) exchange(_ linefile.Line, h *linefile.Head) error {
	if h.Purpose != model.Agent {
		e.questions[h.Query] = max(e.questions[h.Query], int32(h.Session))
		return nil
	}
	k := e.exchanges.key(traceOf(h.Identity), model.Agent)
	c := e.calls[k]
	if session := int32(h.Session); session > c.session {
		c = exchangeCount{session: session}
	} else if session < c.session {
		return nil
	}
	c.n++
	e.calls[k] = c
	return nil
}

// trace returns the state of a trace. finished is true if three conditions are met: the trace ended by itself;
// chat.jsonl has all its calls; and chat.jsonl has no call of it from a later session. After a power failure,
// one of the two files may lack lines that the other has. A call from a later session means that the trace was
// run again.
func (e *ends) trace(id trace.ID) (t traceEnd, finished bool) {
	k, known := e.events.known(id, "")
	if t = e.of[k]; !known || !t.ended {
		return t, false
	}
	var c exchangeCount
	called := false
	if k, known := e.exchanges.known(id, model.Agent); known {
		c, called = e.calls[k]
	}
	if !called || c.session < t.session {
		return t, t.sent == 0
	}
	return t, c.session == t.session && c.n >= t.sent
}
