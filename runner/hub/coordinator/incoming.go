package coordinator

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// incoming keeps the parts of results in files until they are complete. A part that is in its file is no longer at
// the hub.
type incoming struct {
	dir     string
	decoder *wire.Decoder
}

func incomingIn(run string) incoming {
	return incoming{filepath.Join(run, "incoming"), &wire.Decoder{}}
}

// clear removes all parts. Their traces are asked for again.
func (in incoming) clear() error {
	if err := os.RemoveAll(in.dir); err != nil {
		return fmt.Errorf("remove parts of results: %w", err)
	}
	return nil
}

// errTwice means that a part is there already.
var errTwice = errors.New("the part has come before")

// parts is a result of which all parts are there.
type parts struct {
	dir string
	n   int
}

// add keeps a part. It returns the result when all its parts are there.
func (in incoming) add(key wire.TraceKey, p wire.Part) (*parts, error) {
	whole := &parts{filepath.Join(in.dir, fmt.Sprintf("%s-%.16s-%d", key, p.SHA256, p.Parts)), p.Parts}
	if err := os.MkdirAll(whole.dir, 0o700); err != nil {
		return nil, err
	}
	path := whole.path(p.Part)
	if _, err := os.Stat(path); err == nil {
		return nil, errTwice
	}
	temporary := path + ".new"
	if err := errors.Join(os.WriteFile(temporary, p.Data, 0o600), os.Rename(temporary, path)); err != nil {
		return nil, err
	}
	for i := range whole.n {
		if _, err := os.Stat(whole.path(i)); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	return whole, nil
}

func (p *parts) path(i int) string { return filepath.Join(p.dir, strconv.Itoa(i)) }

// reader reads all parts in their order.
func (p *parts) reader() io.Reader {
	readers := make([]io.Reader, p.n)
	for i := range readers {
		readers[i] = &lateFile{path: p.path(i)}
	}
	return io.MultiReader(readers...)
}

func (p *parts) remove() { _ = os.RemoveAll(p.dir) } // clear removes what is left

// remove removes all parts of a trace, also those of other attempts, which will never be complete.
func (in incoming) remove(key wire.TraceKey) {
	all, _ := filepath.Glob(filepath.Join(in.dir, key.String()+"-*")) // the pattern is correct
	for _, dir := range all {
		_ = os.RemoveAll(dir) // clear removes what is left
	}
}

// lateFile opens a file at the first read, and closes it at its end.
type lateFile struct {
	path string
	file *os.File
}

func (f *lateFile) Read(into []byte) (n int, err error) {
	if f.file == nil {
		if f.file, err = os.Open(f.path); err != nil {
			return 0, err
		}
	}
	if n, err = f.file.Read(into); err != nil {
		f.file.Close() // opened only for reading
	}
	return n, err
}
