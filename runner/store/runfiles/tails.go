package runfiles

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
)

// CutTails removes the incomplete last line of each file. If torn is not nil, the run was complete. An empty
// file or an incomplete last line is then an error, which wraps torn and names the file.
func (fs *Set) CutTails(torn error) error {
	for i, f := range fs.out {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		whole, err := disk.WholeLines(f, info.Size())
		if err != nil {
			return err
		}
		rest := fs.parts[i] > 0 // the plain file may be empty if there are parts
		if whole == info.Size() && (whole > 0 || torn == nil || rest) {
			continue
		}
		if torn != nil {
			return fmt.Errorf("read %s: %w", f.Name(), torn)
		}
		if whole == 0 && !rest && !beginsLike(f, File(i).Schema()) {
			return fmt.Errorf("read %s:1: %w", f.Name(), linefile.ErrDamaged)
		}
		if err := fs.disk.Truncate(f, whole); err != nil {
			return err
		}
	}
	return nil
}

// beginsLike reports whether a file has only a part of its first line, or only zeros, as after a power failure.
func beginsLike(f io.ReaderAt, schema string) bool {
	first := linefile.FirstLine(schema)
	got := make([]byte, len(first))
	n, err := f.ReadAt(got, 0)
	return (err == nil || errors.Is(err, io.EOF)) && strings.HasPrefix(first, string(bytes.TrimRight(got[:n], "\x00")))
}
