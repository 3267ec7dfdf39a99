package baseline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/trace"
)

// The kinds of lines.
const (
	kindRun      = "run"
	kindFacts    = "facts"
	kindQuestion = "question"
	kindTraces   = "traces"
	kindReset    = "reset"
)

// defaultConfiguration is the name of a configuration that the lines of traces leave out, to keep them short.
const defaultConfiguration = config.DefaultName

// The lines of the file, as they are written.
type (
	runLine struct {
		Kind string `json:"kind"`
		AcceptedRun
	}
	factsLine struct {
		Kind string `json:"kind"`
		Key  string `json:"facts"`
		facts.Facts
	}
	questionLine struct {
		Kind string `json:"kind"`
		Question
	}
	tracesLine struct {
		Kind          string        `json:"kind"`
		Run           string        `json:"run"`
		Configuration string        `json:"configuration,omitempty"`
		Question                    // query and hash only
		Traces        []packedTrace `json:"traces"`

		number int // of the line
	}
	resetLine struct {
		Kind string `json:"kind"`
		Reset
	}
)

// packedTrace is a trace, or several equal ones in a row.
type packedTrace struct {
	AcceptedTrace     // the outcome is answered if it is omitted
	Times         int `json:"times,omitempty"` // 1 if omitted
}

func packed(traces []AcceptedTrace) []packedTrace {
	out := []packedTrace{}
	for i, t := range traces {
		if i > 0 && reflect.DeepEqual(t, traces[i-1]) {
			last := &out[len(out)-1]
			last.Times = max(1, last.Times) + 1
			continue
		}
		if t.Outcome == trace.Answered {
			t.Outcome = ""
		}
		out = append(out, packedTrace{AcceptedTrace: t})
	}
	return out
}

func unpacked(traces []packedTrace) []AcceptedTrace {
	out := []AcceptedTrace{}
	for _, t := range traces {
		t.Outcome = cmp.Or(t.Outcome, trace.Answered)
		out = append(out, slices.Repeat([]AcceptedTrace{t.AcceptedTrace}, max(1, t.Times))...)
	}
	return out
}

// Encode returns the text of the file. Equal baselines have the same text. For each run and configuration,
// sorted by name, there is a line, and after it a line for each query of the run, sorted by id. Resets are
// between the runs, by their time.
func (b *Baseline) Encode() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // people read the diffs of this file
	lines := []any{map[string]string{"schema": Schema}}
	written, questions := map[string]bool{}, map[Question]bool{}
	resets := b.Resets
	for _, r := range b.Runs {
		for len(resets) > 0 && resets[0].key() <= r.Run {
			lines, resets = append(lines, resetLine{kindReset, resets[0]}), resets[1:]
		}
		if f, known := b.Facts[r.Facts]; known && !written[r.Facts] {
			written[r.Facts] = true
			lines = append(lines, factsLine{kindFacts, r.Facts, f})
		}
		lines = append(lines, runLine{kindRun, r})
		for _, q := range r.Queries {
			if !questions[q.name()] {
				questions[q.name()] = true
				lines = append(lines, questionLine{kindQuestion, q.Question})
			}
			name := r.Configuration
			if name == defaultConfiguration {
				name = ""
			}
			lines = append(lines, tracesLine{Kind: kindTraces, Run: r.Run, Configuration: name, Question: q.name(),
				Traces: packed(q.Traces)})
		}
	}
	for _, r := range resets {
		lines = append(lines, resetLine{kindReset, r})
	}
	for _, line := range lines {
		if err := enc.Encode(line); err != nil {
			return nil, fmt.Errorf("encode baseline: %w", err)
		}
	}
	return out.Bytes(), nil
}

// ErrNotWritten reports that a changed baseline could not be written.
var ErrNotWritten = errors.New("write baseline")

// Change changes a baseline file. It reads the file, or begins with an empty baseline, calls change, and
// replaces the file. It holds a lock on the folder. If another process keeps the lock, it returns
// disk.ErrHeld.
func Change(ctx context.Context, file string, change func(*Baseline) error) (*Baseline, error) {
	target, err := filepath.EvalSymlinks(file)
	if err != nil {
		target = file
	}
	patient, cancel := context.WithTimeout(ctx, 30*time.Second) // other changes are quick
	defer cancel()
	release, err := disk.LockFolder(patient, filepath.Dir(target))
	if err != nil {
		return nil, fmt.Errorf("change baseline %s: %w", file, err)
	}
	defer release() // no write uses the lock's handle
	b, err := Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		b, err = &Baseline{}, nil
	}
	if err == nil {
		err = change(b)
	}
	if err != nil || len(b.Runs) == 0 {
		return b, err
	}
	raw, err := b.Encode()
	if err == nil {
		err = disk.Deliver(file, raw)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotWritten, err)
	}
	return b, nil
}
