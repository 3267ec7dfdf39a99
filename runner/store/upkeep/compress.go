package upkeep

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
)

// Compress compresses all lines of trace.jsonl and chat.jsonl of a complete run into parts, and returns the
// number of saved bytes. The run and its seal stay the same. A file that differs from its seal is an error.
func Compress(o store.Options, r *store.Run) (saved int64, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("compress run %s: %w", r.Dir, err)
		}
	}()
	before, err := r.Size()
	if err != nil {
		return 0, err
	}
	d := o.Disk()
	out, err := runfiles.Open(d, r.Dir, 0, r.Manifest.LineSums())
	if err != nil {
		return 0, err
	}
	defer out.Abandon()
	now, err := store.Open(r.Dir)
	if err != nil {
		return 0, err
	}
	switch m := now.Manifest; {
	case m.State != store.Complete:
		return 0, fmt.Errorf("it is not complete (state: %s): finish it with `%s`", m.State, store.ResumeCommand(r.Dir, m))
	case !m.LineSums().HasPlaces || m.Files == nil:
		return 0, errors.New("an older version wrote it, without the checksums that parts need: leave it unchanged")
	}
	compressed := []runfiles.File{runfiles.Chat, runfiles.Traces}
	for _, f := range compressed {
		if err := out.Read(f); err != nil {
			return 0, linefile.File{Mend: r.Mendable}.PartError(err)
		}
		if name := f.Name(); out.Sealed()[name] != now.Manifest.Files[name] {
			return 0, r.Mendable(filepath.Join(r.Dir, name)+" differs from the file at the end of the run", nil)
		}
	}
	for _, f := range compressed {
		if err := out.Compress(f); err != nil {
			return 0, err
		}
	}
	if err := d.Remove(filepath.Join(r.Dir, oldChats)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	after, err := r.Size()
	return before - after, err
}

// oldChats is a file that older versions made from chat.jsonl.
const oldChats = "chat.md"
