package learn

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/runner/store"
)

// Batch is one line of the log beside a playbook: what one call of Update changed.
type Batch struct {
	Why     string             `json:"why"`
	Parent  string             `json:"parent"` // SHA-256 of the file before; "" if there was none
	Result  string             `json:"result"` // and after
	Learned *playbook.Learned  `json:"learned,omitempty"`
	Changes []playbook.Change  `json:"changes"`
	Refused []playbook.Refusal `json:"refused,omitempty"`
}

// LogPath is the log of a playbook: playbook.yaml has playbook.log.jsonl.
func LogPath(path string) string {
	return strings.TrimSuffix(path, filepath.Ext(path)) + ".log.jsonl"
}

// Update changes the playbook at a path, which is made if it is not there, and logs what
// changed. change is called while no other process can change a playbook in the same folder;
// if it returns nil, nothing is written. A process that is killed leaves the file as it was
// or as it will be, and the log is written first: a last batch that is not in the file yet is
// left out when it is read.
func Update(ctx context.Context, path string, change func(*playbook.Book) (*Batch, error)) (b *Batch, err error) {
	if ext := filepath.Ext(path); ext != ".yaml" && ext != ".yml" {
		return nil, fmt.Errorf("playbook %s: its extension is %q: name a .yaml file, since ACE's text form has no place for origins", path, ext)
	}
	release, err := store.LockFolder(ctx, filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("change playbook %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, release()) }()
	book, before, err := current(path)
	if err != nil {
		return nil, err
	}
	if b, err = change(book); err != nil || b == nil {
		return nil, err
	}
	after, err := book.Bytes()
	if err != nil {
		return nil, err
	}
	if _, err := playbook.Parse(path, after); err != nil {
		return nil, fmt.Errorf("change playbook: the result would not be valid, and was not written: %w", err)
	}
	b.Parent, b.Result = digest(before), digest(after)
	if before == nil {
		b.Parent = ""
	}
	batches, err := readLog(path, b.Parent)
	if err == nil {
		err = writeLog(path, append(batches, *b))
	}
	if err == nil {
		err = replace(path, after)
	}
	return b, err
}

// current is the playbook at a path with its bytes; a new one and nil where there is no file.
func current(path string) (*playbook.Book, []byte, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return playbook.New(), nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read playbook: %w", err)
	}
	book, err := playbook.Parse(path, data)
	return book, data, err
}

// Undo takes the last batch of a playbook back. A file that was changed by hand since is an
// error.
func Undo(ctx context.Context, path string) (undone *Batch, err error) {
	release, err := store.LockFolder(ctx, filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("undo in playbook %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, release()) }()
	book, data, err := current(path)
	if err != nil {
		return nil, err
	}
	batches, err := readLog(path, digest(data))
	if err != nil {
		return nil, err
	}
	if len(batches) == 0 {
		return nil, fmt.Errorf("%s: nothing to undo: the log %s has no change that led to the file as it is now; if it was edited by hand, undo that first", path, LogPath(path))
	}
	last := batches[len(batches)-1]
	book.Revert(last.Changes)
	if last.Learned != nil {
		book.Learned = slices.DeleteFunc(book.Learned, func(l playbook.Learned) bool {
			return l.Run == last.Learned.Run && l.Reflector == last.Learned.Reflector
		})
	}
	after, err := book.Bytes()
	if err != nil {
		return nil, err
	}
	// The batch before led to this file, whatever the bytes of the file were then.
	batches = batches[:len(batches)-1]
	if len(batches) > 0 {
		batches[len(batches)-1].Result = digest(after)
	}
	if err := replace(path, after); err != nil {
		return nil, err
	}
	return &last, writeLog(path, batches)
}

// readLog reads the batches that led to a file with this digest: those after the last one with
// this result, which a killed process has left, do not count. An edit by hand leaves none.
func readLog(path, result string) ([]Batch, error) {
	data, err := os.ReadFile(LogPath(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read log of playbook: %w", err)
	}
	var out []Batch
	in := bufio.NewScanner(bytes.NewReader(data))
	in.Buffer(nil, len(data)+1)
	for n := 1; in.Scan(); n++ {
		var b Batch
		if err := json.Unmarshal(in.Bytes(), &b); err != nil {
			return nil, fmt.Errorf("%s:%d: the line is damaged: put the file back from a copy, or remove it, and with it what can be undone: %w", LogPath(path), n, err)
		}
		out = append(out, b)
	}
	for i := len(out) - 1; i >= 0; i-- {
		if out[i].Result == result {
			return out[:i+1], nil
		}
	}
	return nil, nil
}

func writeLog(path string, batches []Batch) error {
	var out bytes.Buffer
	for _, b := range batches {
		line, err := lines.Encode(b)
		if err != nil {
			return fmt.Errorf("encode log of playbook: %w", err)
		}
		out.Write(append(line, '\n'))
	}
	return replace(LogPath(path), out.Bytes())
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// replace writes a file as a whole: whoever reads it finds the old or the new one.
func replace(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".playbook-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(f.Name()))
	}
	return nil
}
