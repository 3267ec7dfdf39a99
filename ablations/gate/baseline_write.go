package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/store"
)

// The kinds of lines.
const (
	kindRun   = "run"
	kindQuery = "query"
	kindReset = "reset"
)

// The lines of the file, as they are written.
type (
	headerLine struct {
		Schema string `json:"schema"`
	}
	runLine struct {
		Kind string `json:"kind"`
		AcceptedRun
	}
	queryLine struct {
		Kind          string `json:"kind"`
		Run           string `json:"run"`
		Configuration string `json:"configuration"`
		AcceptedQuery
	}
	resetLine struct {
		Kind string `json:"kind"`
		Reset
	}
)

// Write replaces the file, whole or not at all. Of a link it replaces the target, and a file
// keeps its mode.
func (b *Baseline) Write(path string) error {
	raw, err := b.Encode()
	if err != nil {
		return err
	}
	if err := replace(path, raw); err != nil {
		return fmt.Errorf("write baseline: %w", err)
	}
	return nil
}

func replace(path string, data []byte) error {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, lost := os.Lstat(path); lost == nil {
			return fmt.Errorf("%s is a link to a file that is not there: make the file, or remove the link", path)
		}
		return store.WriteFile(path, data)
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file but %s: name the file", path, kindOf(info.Mode()))
	}
	if err := store.WriteFile(target, data); err != nil {
		return err
	}
	return os.Chmod(target, info.Mode().Perm())
}

// Encode gives the bytes of the file. Equal baselines have equal bytes, whatever the order
// in which they came about: a line for each run and configuration by name, the lines of its
// queries by id beneath it, and resets where they fall in time.
func (b *Baseline) Encode() ([]byte, error) {
	sorted := b.clone()
	sorted.sort()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // people read the differences
	lines := []any{headerLine{BaselineSchema}}
	resets := sorted.Resets
	for _, r := range sorted.Runs {
		for len(resets) > 0 && resets[0].key() <= r.Run {
			lines, resets = append(lines, resetLine{kindReset, resets[0]}), resets[1:]
		}
		lines = append(lines, runLine{kindRun, r})
		for _, q := range r.Queries {
			lines = append(lines, queryLine{kindQuery, r.Run, r.Configuration, q})
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
