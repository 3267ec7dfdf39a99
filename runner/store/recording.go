package store

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Recording reads single exchanges and events of a run by their position, so that a large
// run can be replayed without holding it in memory. It is safe for concurrent use. Close it
// after use.
type Recording struct {
	run      *Run
	file     [len(jsonl)]*os.File
	settings map[string]*RequestSettings
}

// ExchangeAt is the position of an exchange.
type ExchangeAt struct {
	model.Identity
	Offset int64
}

// EventAt is the position of an event. Name is as in the file: action, observation, …
type EventAt struct {
	trace.ID
	Path       string
	Name       string
	CallID     string           // of actions and observations
	StopReason trace.StopReason // of ends
	Offset     int64
}

// Recording opens the run's files for reading by position.
func (r *Run) Recording() (*Recording, error) {
	rec := &Recording{run: r, settings: map[string]*RequestSettings{}}
	for f := range jsonl {
		var err error
		if rec.file[f], err = openPlain(filepath.Join(r.Dir, jsonl[f].name)); err != nil {
			return nil, errors.Join(fmt.Errorf("open recording: %w", err), rec.Close())
		}
	}
	return rec, nil
}

// Close closes the files.
func (rec *Recording) Close() error {
	var err error
	for _, f := range rec.file {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}

// Exchanges gives the positions of the exchanges, without those that a later session
// replaced. It must be read to the end once before Exchange is called.
func (rec *Recording) Exchanges() iter.Seq2[ExchangeAt, error] {
	type at struct {
		ExchangeAt
		Session         int              `json:"session"`
		Settings        string           `json:"settings"`
		RequestSettings *RequestSettings `json:"request_settings"`
	}
	all := placedLines(rec.run, chatFile, func(x *at, offset int64) {
		if x.Offset = offset; x.RequestSettings != nil {
			rec.settings[x.Settings] = x.RequestSettings
		}
	})
	last := lastSession(rec.run, all, func(x at) (model.Identity, int) { return x.OfTrace(), x.Session })
	return each(last, func(x at) ExchangeAt { return x.ExchangeAt })
}

// each converts the values of a sequence.
func each[T, U any](all iter.Seq2[T, error], to func(T) U) iter.Seq2[U, error] {
	return func(yield func(U, error) bool) {
		for v, err := range all {
			if !yield(to(v), err) {
				return
			}
		}
	}
}

// Exchange reads the exchange at an offset, with its full settings.
func (rec *Recording) Exchange(offset int64) (Exchange, error) {
	var x Exchange
	err := rec.read(chatFile, offset, &x)
	if err == nil && x.RequestSettings == nil {
		x.RequestSettings = rec.settings[x.Settings]
	}
	if err == nil && x.RequestSettings == nil {
		err = fmt.Errorf("read %s: the settings %s are missing", rec.file[chatFile].Name(), x.Settings)
	}
	return x, err
}

// Events gives the positions of the events, without those that a later session replaced.
func (rec *Recording) Events() iter.Seq2[EventAt, error] {
	type at struct {
		EventAt
		Event   string           `json:"event"`
		ID      string           `json:"call_id"`
		Reason  trace.StopReason `json:"stop_reason"`
		Session int              `json:"session"`
	}
	all := placedLines(rec.run, traceFile, func(e *at, offset int64) {
		e.Name, e.CallID, e.StopReason, e.Offset = e.Event, e.ID, e.Reason, offset
	})
	last := lastSession(rec.run, all, func(e at) (trace.ID, int) { return e.EventAt.ID, e.Session })
	return each(last, func(e at) EventAt { return e.EventAt })
}

// Event reads the event at an offset.
func (rec *Recording) Event(offset int64) (trace.Event, error) {
	var e trace.Event
	err := rec.read(traceFile, offset, &e)
	return e, err
}

// read decodes the line that begins at an offset.
func (rec *Recording) read(f fileIndex, offset int64, into any) error {
	file := rec.file[f]
	line, err := bufio.NewReader(&section{file: file, at: offset}).ReadBytes('\n')
	if err == nil {
		err = checkSum(line)
	}
	if err == nil {
		err = json.Unmarshal(line, into)
	}
	if err != nil {
		return fmt.Errorf("read %s at byte %d: %w", file.Name(), offset, err)
	}
	return nil
}

// section reads a file from an offset, independently of other readers.
type section struct {
	file *os.File
	at   int64
}

func (s *section) Read(p []byte) (int, error) {
	n, err := s.file.ReadAt(p, s.at)
	s.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}
