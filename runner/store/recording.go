package store

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Recording reads single exchanges and events of a run by their position, so that a large run can
// be replayed without holding it in memory. It is safe for concurrent use. Close it after use.
type Recording struct {
	run      *Run
	file     [len(jsonl)]*os.File
	settings map[string]*RequestSettings
}

// ExchangeAt is the position of an exchange.
type ExchangeAt struct {
	model.Identity
	Session int   `json:"session"`
	Offset  int64 `json:"-"`
}

// EventAt is the position of an event.
type EventAt struct {
	trace.ID
	Path       string           `json:"path"`
	Name       string           `json:"event"`       // action, observation, …
	CallID     string           `json:"call_id"`     // of actions and observations
	StopReason trace.StopReason `json:"stop_reason"` // of ends
	Session    int              `json:"session"`
	Offset     int64            `json:"-"`
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
		Settings        string           `json:"settings"`
		RequestSettings *RequestSettings `json:"request_settings"`
	}
	all := func(yield func(ExchangeAt, error) bool) {
		for x, err := range placedLines(rec.run, chatFile, func(x *at, offset int64) { x.Offset = offset }) {
			if x.RequestSettings != nil {
				rec.settings[x.Settings] = x.RequestSettings
			}
			if !yield(x.ExchangeAt, err) {
				return
			}
		}
	}
	return lastSession(rec.run, all, func(x ExchangeAt) (model.Identity, int) { return x.OfTrace(), x.Session })
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
	all := placedLines(rec.run, traceFile, func(e *EventAt, offset int64) { e.Offset = offset })
	return lastSession(rec.run, all, func(e EventAt) (trace.ID, int) { return e.ID, e.Session })
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
	line, err := bufio.NewReader(from(file, offset)).ReadBytes('\n')
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

// from reads a file from an offset, independently of other readers.
func from(file *os.File, offset int64) io.Reader {
	return io.NewSectionReader(file, offset, math.MaxInt64-offset)
}
