package learn

import (
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

// logPath is the log of a playbook: playbook.yaml has playbook.log.jsonl.
func logPath(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ".log.jsonl" }

// Update changes the playbook at a path, which is made if it is not there, and logs what changed. If
// change returns nil, nothing is written. The log is written before the file, and a last batch that is
// not in the file yet is left out when it is read: a process that is killed does no harm.
func Update(ctx context.Context, path string, change func(*playbook.Book) (*Batch, error)) (b *Batch, err error) {
	if ext := filepath.Ext(path); ext != ".yaml" && ext != ".yml" {
		return nil, fmt.Errorf("playbook %s: its extension is %q: name a .yaml file, since ACE's text form has no "+
			"place for origins", path, ext)
	}
	err = edit(ctx, path, func(book *playbook.Book, before string, log []Batch) error {
		if b, err = change(book); err != nil || b == nil {
			return err
		}
		after, err := book.Bytes()
		if err == nil {
			_, err = playbook.Parse(path, after)
		}
		if err != nil {
			return fmt.Errorf("change playbook: the result would not be valid, and was not written: %w", err)
		}
		b.Parent, b.Result = before, digest(after)
		if err := writeLog(path, append(log, *b)); err != nil {
			return err
		}
		return store.Deliver(path, after)
	})
	return b, err
}

// Undo takes the last batch of a playbook back, unless the file was changed by hand since.
func Undo(ctx context.Context, path string) (undone *Batch, err error) {
	err = edit(ctx, path, func(book *playbook.Book, _ string, log []Batch) error {
		if len(log) == 0 {
			return fmt.Errorf("%s: nothing to undo: the log %s has no change that led to the file as it is now; if "+
				"it was edited by hand, undo that first", path, logPath(path))
		}
		undone, log = &log[len(log)-1], log[:len(log)-1]
		book.Revert(undone.Changes)
		book.Learned = slices.DeleteFunc(book.Learned,
			func(l playbook.Learned) bool { return undone.Learned != nil && same(l, *undone.Learned) })
		after, err := book.Bytes()
		if err != nil {
			return err
		}
		if err := store.Deliver(path, after); err != nil {
			return err
		}
		if len(log) > 0 { // it led to this file, whatever the bytes of the file were then
			log[len(log)-1].Result = digest(after)
		}
		return writeLog(path, log)
	})
	return undone, err
}

// edit calls change with a playbook, the digest of its file, and the batches that led to it, while
// no other process can change a playbook in the folder. Where there is no file, it is a new one.
func edit(ctx context.Context, path string, change func(book *playbook.Book, digest string,
	log []Batch) error) (err error) {
	release, err := store.LockFolder(ctx, filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("change playbook %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, release()) }()
	book := playbook.New()
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return change(book, "", nil)
	case err != nil:
		return fmt.Errorf("read playbook: %w", err)
	}
	if book, err = playbook.Parse(path, data); err != nil {
		return err
	}
	log, err := readLog(path, digest(data))
	if err != nil {
		return err
	}
	return change(book, digest(data), log)
}

// readLog reads the batches that led to a file with this digest: those after the last one with
// this result, which a killed process has left, do not count. An edit by hand leaves none.
func readLog(path, result string) ([]Batch, error) {
	data, err := os.ReadFile(logPath(path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read log of playbook: %w", err)
	}
	var out []Batch
	last := 0
	for in := json.NewDecoder(bytes.NewReader(data)); in.More(); {
		var b Batch
		if err := in.Decode(&b); err != nil {
			return nil, fmt.Errorf("%s:%d: the line is damaged: put the file back from a copy, or remove it, and "+
				"with it what can be undone: %w", logPath(path), len(out)+1, err)
		}
		if out = append(out, b); b.Result == result {
			last = len(out)
		}
	}
	return out[:last], nil
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
	return store.Deliver(logPath(path), out.Bytes())
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// same reports whether two lessons are of one run by one reflector.
func same(a, b playbook.Learned) bool { return a.Run == b.Run && a.Reflector == b.Reflector }
