package annotate

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// The files of a folder.
const (
	KeptFile     = "kept.jsonl"
	DroppedFile  = "dropped.jsonl"
	progressFile = "progress.json"
	lockFile     = "lock"
)

// state is what a folder holds up to a text. What the files have beyond their sizes was written behind it, and is cut
// off when the work goes on.
type state struct {
	Digest  string  `json:"digest"` // of the corpus and the options
	Next    Place   `json:"next"`
	Kept    int64   `json:"kept_bytes"`
	Dropped int64   `json:"dropped_bytes"`
	Figures Figures `json:"figures"`
}

// journal appends candidates to a folder.
type journal struct {
	folder        string
	state         state
	kept, dropped *os.File
	lock          *os.File // against a second command, whose lines would come between
	waiting       int      // texts since the last checkpoint
}

// checkpointEvery is the number of texts without a candidate after which the progress is written.
const checkpointEvery = 1000

// digestOf identifies the corpus and what was done with it.
func digestOf(c *Corpus, o Options) (string, error) {
	raw, err := json.Marshal([]any{"annotate/v1", c.Files, c.sizes, o.Tools, o.Proposer.Name(), o.ScorerName})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8]), nil
}

func openJournal(folder string, c *Corpus, o Options) (*journal, error) {
	digest, err := digestOf(c, o)
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	if err != nil {
		return nil, fmt.Errorf("open folder %s: %w", folder, err)
	}
	j := &journal{folder: folder, state: state{Digest: digest, Figures: newFigures(o.Tools)}}
	if j.lock, err = os.OpenFile(filepath.Join(folder, lockFile), os.O_RDWR|os.O_CREATE, 0o644); err == nil {
		err = disk.TryLock(j.lock)
	}
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return nil, errors.Join(fmt.Errorf("open folder %s: %w", folder, err), j.close())
	}
	if err := j.read(digest, len(o.Tools)); err != nil {
		return nil, errors.Join(err, j.close())
	}
	j.kept, err = openAt(filepath.Join(folder, KeptFile), j.state.Kept)
	if err == nil {
		j.dropped, err = openAt(filepath.Join(folder, DroppedFile), j.state.Dropped)
	}
	if err == nil {
		err = j.checkpoint()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open folder %s: %w", folder, err), j.close())
	}
	return j, nil
}

// read reads the progress of an earlier command, if there is one. It must have had the same digest and tools.
func (j *journal) read(digest string, tools int) error {
	raw, err := os.ReadFile(filepath.Join(j.folder, progressFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return j.mustBeNew()
	case err != nil:
		return fmt.Errorf("open folder %s: %w", j.folder, err)
	}
	var old state
	if err := json.Unmarshal(raw, &old); err != nil {
		return fmt.Errorf("%s: %s is damaged: %w; name another folder", j.folder, progressFile, err)
	}
	if old.Digest != digest || len(old.Figures.Tools) != tools {
		return fmt.Errorf("%s has results of another corpus, other tools or another scorer: name another folder", j.folder)
	}
	j.state = old
	return nil
}

// mustBeNew returns an error if the folder has results without a record of their progress.
func (j *journal) mustBeNew() error {
	for _, name := range []string{KeptFile, DroppedFile} {
		if info, err := os.Stat(filepath.Join(j.folder, name)); err == nil && info.Size() > 0 {
			return fmt.Errorf("%s has a %s without %s: name another folder", j.folder, name, progressFile)
		}
	}
	return nil
}

// openAt opens a file for appending behind its first bytes, and cuts off the rest.
func openAt(path string, size int64) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() < size {
		err = fmt.Errorf("%s has %d bytes, and %d were written: restore it, or name another folder", path, info.Size(), size)
	}
	if err == nil {
		err = f.Truncate(size)
	}
	if err == nil {
		_, err = f.Seek(size, 0)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// add appends the candidates of a text, and notes the place behind it.
func (j *journal) add(next Place, found []Candidate) error {
	for _, c := range found {
		line, err := lines.Encode(c)
		if err != nil {
			return fmt.Errorf("encode candidate of %s: %w", c.Text, err)
		}
		file, size := j.dropped, &j.state.Dropped
		if c.Reason == "" {
			file, size = j.kept, &j.state.Kept
		}
		n, err := file.Write(append(line, '\n'))
		if *size += int64(n); err != nil {
			return fmt.Errorf("write candidate: %w", err)
		}
	}
	j.state.Next = next
	if j.waiting++; len(found) == 0 && j.waiting < checkpointEvery {
		return nil
	}
	return j.checkpoint()
}

// checkpoint writes the progress in one step: a new file takes the place of the old one.
func (j *journal) checkpoint() error {
	j.waiting = 0
	raw, err := json.Marshal(j.state)
	path := filepath.Join(j.folder, progressFile)
	if err == nil {
		err = os.WriteFile(path+".new", raw, 0o644)
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		return fmt.Errorf("write progress: %w", err)
	}
	return nil
}

func (j *journal) close() error {
	var err error
	for _, f := range []*os.File{j.kept, j.dropped, j.lock} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}

// Kept yields the calls of a folder that were kept.
func Kept(folder string, visit func(Candidate) error) error {
	f, err := os.Open(filepath.Join(folder, KeptFile))
	if err != nil {
		return fmt.Errorf("read %s: %w", KeptFile, err)
	}
	defer f.Close()
	in := json.NewDecoder(bufio.NewReader(f))
	for in.More() {
		var c Candidate
		if err := in.Decode(&c); err != nil {
			return fmt.Errorf("read %s: %w", f.Name(), err)
		}
		if err := visit(c); err != nil {
			return err
		}
	}
	return nil
}
