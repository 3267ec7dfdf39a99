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
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// Batch is one line of a playbook's log: the changes of one call of Update.
type Batch struct {
	Time    string             `json:"time,omitempty"` // of the change, in the format of RFC 3339; "" in older logs
	Why     string             `json:"why"`
	Parent  string             `json:"parent"` // SHA-256 of the file before; "" if it was new
	Result  string             `json:"result"` // SHA-256 of the file after
	Learned *playbook.Learned  `json:"learned,omitempty"`
	Changes []playbook.Change  `json:"changes"`
	Refused []playbook.Refusal `json:"refused,omitempty"`
}

// logPath returns the path of a playbook's log: for playbook.yaml, playbook.log.jsonl.
func logPath(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ".log.jsonl" }

// Update changes the playbook at a path, creates it if needed, and logs the changes. If change returns nil,
// nothing is written. The log is written before the file. If a process is killed between the two, the last
// batch of the log is not in the file, and readers of the log ignore it.
func Update(ctx context.Context, path string, change func(*playbook.Book) (*Batch, error)) (b *Batch, err error) {
	if ext := filepath.Ext(path); ext != ".yaml" && ext != ".yml" {
		return nil, fmt.Errorf("playbook %s: its extension is %q: name a .yaml file, because ACE's text form has no "+
			"origins", path, ext)
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
			return fmt.Errorf("change playbook: the result is not valid and was not written: %w", err)
		}
		b.Parent, b.Result = before, digest(after)
		if err := writeLog(path, append(log, *b)); err != nil {
			return err
		}
		return disk.Deliver(path, after)
	})
	return b, err
}

// Undo reverts the last batch of a playbook. It returns an error if the file was edited by hand after that
// batch.
func Undo(ctx context.Context, path string) (undone *Batch, err error) {
	err = edit(ctx, path, func(book *playbook.Book, _ string, log []Batch) error {
		if len(log) == 0 {
			return fmt.Errorf("%s: nothing to undo: the log %s has no change that led to the present file; if "+
				"it was edited by hand, undo that first", path, logPath(path))
		}
		undone, log = &log[len(log)-1], log[:len(log)-1]
		book.Revert(undone.Changes)
		book.Learned = slices.DeleteFunc(book.Learned,
			func(l playbook.Learned) bool { return undone.Learned != nil && sameLesson(l, *undone.Learned) })
		after, err := book.Bytes()
		if err != nil {
			return err
		}
		if err := disk.Deliver(path, after); err != nil {
			return err
		}
		if len(log) > 0 { // the last batch led to this file; its bytes may differ from ours
			log[len(log)-1].Result = digest(after)
		}
		return writeLog(path, log)
	})
	return undone, err
}

// edit locks the folder of a playbook against other processes, and calls change with the playbook, the digest
// of its file and the batches that led to it. If the file does not exist, the playbook is new.
func edit(ctx context.Context, path string, change func(book *playbook.Book, digest string,
	log []Batch) error) (err error) {
	release, err := disk.LockFolder(ctx, filepath.Dir(path))
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

// History returns the batches of the log beside a playbook, the oldest first. current is the number of batches
// that led to the present file. It is smaller than their number if a process was killed before it wrote the
// file, and 0 if the file was edited by hand.
func History(path string) (batches []Batch, current int, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, fmt.Errorf("read playbook: %w", err)
	}
	return batchesOf(path, digest(data))
}

// readLog returns the batches that led to a file with the digest result. It ignores later batches, which a
// killed process left. If the file was edited by hand, it returns no batches.
func readLog(path, result string) ([]Batch, error) {
	batches, current, err := batchesOf(path, result)
	return batches[:current], err
}

// batchesOf reads all batches. current is the number of those up to the last with this result.
func batchesOf(path, result string) (out []Batch, current int, err error) {
	data, err := os.ReadFile(logPath(path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fmt.Errorf("read log of playbook: %w", err)
	}
	for in := json.NewDecoder(bytes.NewReader(data)); in.More(); {
		var b Batch
		if err := in.Decode(&b); err != nil {
			return nil, 0, fmt.Errorf("%s:%d: the line is damaged: restore the file from a copy, or remove it and "+
				"lose undo: %w", logPath(path), len(out)+1, err)
		}
		if out = append(out, b); b.Result == result {
			current = len(out)
		}
	}
	return out, current, nil
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
	return disk.Deliver(logPath(path), out.Bytes())
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// sameLesson reports whether two lessons have the same run and reflector.
func sameLesson(a, b playbook.Learned) bool { return a.Run == b.Run && a.Reflector == b.Reflector }
