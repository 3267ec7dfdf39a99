package usefulness

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// File is the name of the file with the scores in the folder of a run.
const File = "usefulness.jsonl"

// FileSchema is the schema's name on the first line of the file.
const FileSchema = "concur/gains/v1"

// Read calls use with each entry of a run's file, in order. If a call occurs several times, its last entry counts.
// Lines that are damaged are left out and counted; their calls are scored again. A run without the file has no entries.
func Read(run *store.Run, use func(Entry)) (damaged int, err error) {
	f, err := disk.OpenFile(filepath.Join(run.Dir, File))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the scores of run %s: %w", run.Manifest.Run, err)
	}
	defer f.Close() // closing a file that was only read cannot lose data
	in := disk.NewLineReader(f, 0)
	for first := true; ; first = false {
		line, err := in.Next()
		switch {
		case errors.Is(err, io.EOF):
			return damaged, nil
		case errors.Is(err, disk.ErrLong):
			return damaged + 1, nil
		case err != nil:
			return damaged, fmt.Errorf("read the scores of run %s: %w", run.Manifest.Run, err)
		}
		e, err := decode(line)
		switch {
		case err == nil:
			use(e)
		case !first:
			damaged++
		}
	}
}

// cache has the scores of one scorer, and appends new ones to the file.
type cache struct {
	mu      sync.Mutex
	file    *os.File // nil if the folder cannot be written
	scores  map[string]Entry
	written map[[16]byte]bool // entries that the file has
	damaged int
}

// openCache reads the file of a run and locks it against a second writer.
func openCache(run *store.Run, scorer string) (c *cache, err error) {
	c = &cache{scores: map[string]Entry{}, written: map[[16]byte]bool{}}
	path := filepath.Join(run.Dir, File)
	c.file, err = disk.AppendFile(path)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		c.file = nil
	} else if err != nil {
		return nil, fmt.Errorf("keep scores: %w", err)
	} else if err := disk.TryLock(c.file); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return nil, errors.Join(fmt.Errorf("write %s: %w", path, err), c.file.Close())
	}
	if c.damaged, err = Read(run, func(e Entry) {
		if e.Scorer == scorer {
			c.written[e.key()] = true
			c.keep(e)
		}
	}); err == nil {
		err = c.begin()
	}
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// key names the entry of a call.
func (e Entry) key() (out [16]byte) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d %q %d %s %s", e.Agent, e.Query, e.Trace, e.Path, e.Call,
		e.Digest, e.Undefined))
	copy(out[:], sum[:])
	return out
}

// begin writes the first line of a new file, and ends a line that was cut off.
func (c *cache) begin() error {
	if c.file == nil {
		return nil
	}
	size, err := c.file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if size == 0 {
		_, err = fmt.Fprintf(c.file, "{\"schema\":%q}\n", FileSchema)
		return err
	}
	in, err := disk.OpenFile(c.file.Name())
	if err != nil {
		return err
	}
	defer in.Close() // only read
	last := make([]byte, 1)
	if _, err := in.ReadAt(last, size-1); err != nil {
		return err
	}
	if last[0] != '\n' {
		_, err = c.file.WriteString("\n")
	}
	return err
}

// find returns the scores for a digest.
func (c *cache) find(digest string) (Entry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, found := c.scores[digest]
	return e, found
}

// keep adds the scores of an entry. A refused call has none: the next command asks for it again.
func (c *cache) keep(e Entry) {
	if e.Undefined != Refused {
		c.scores[e.Digest] = e
	}
}

// add keeps an entry, and writes it.
func (c *cache) add(e Entry) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(e)
	if c.file == nil || c.written[e.key()] {
		return nil
	}
	line, err := e.encode()
	if err != nil {
		return err
	}
	if _, err := c.file.Write(line); err != nil {
		return fmt.Errorf("keep a score: %w", err)
	}
	c.written[e.key()] = true
	return nil
}

func (c *cache) close() error {
	if c.file == nil {
		return nil
	}
	return errors.Join(c.file.Sync(), c.file.Close())
}
