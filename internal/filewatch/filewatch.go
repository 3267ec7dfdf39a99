package filewatch

import (
	"context"
	"crypto/sha256"
	"io"
	"os"
	"slices"
	"time"
)

// Poll is the usual time between two looks.
const Poll = 500 * time.Millisecond

// racy is how old a file must be for its time to tell later changes from the content that was read: some file systems
// keep times of two seconds.
const racy = 2 * time.Second

// looksOfError is how many looks in a row have the same error of List if it lasts.
const looksOfError = 5

// Watcher remembers the contents of files.
type Watcher struct {
	// List returns the files to watch; it is called at each look, so that new files are noticed.
	List func() ([]string, error)
	Poll time.Duration // zero means Poll
	// Failed gets an error of List that lasts, once; Changed waits on. If it is nil, Changed returns the error.
	Failed func(error)

	seen map[string]look
}

// look is what one look at a file found.
type look struct {
	size int64 // -1 if there is no such file
	at   time.Time
	sum  [sha256.Size]byte
	sure bool // another content would have another time
}

// Mark remembers the present contents. Changed returns files that differ from them.
func (w *Watcher) Mark() error {
	seen, _, err := w.looks()
	if err == nil {
		w.seen = seen
	}
	return err
}

// Changed waits until files differ from those of the last Mark or Changed and stay the same from one look to the next,
// because editors write in several steps. It returns their paths, sorted: files with another content, new files, and
// files that are gone. An error of List counts only if it lasts, because files are replaced while editors write. If ctx
// is done, Changed returns its cause.
func (w *Watcher) Changed(ctx context.Context) ([]string, error) {
	poll := w.Poll
	if poll == 0 {
		poll = Poll
	}
	tick := time.NewTicker(poll)
	defer tick.Stop()
	begun := w.seen
	changing, failed, lasting := false, 0, ""
	for {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-tick.C:
		}
		seen, moved, err := w.looks()
		if err != nil {
			if err.Error() != lasting {
				failed, lasting = 0, err.Error()
			}
			switch failed++; {
			case failed != looksOfError:
			case w.Failed == nil:
				return nil, err
			default:
				w.Failed(err)
			}
			continue
		}
		failed, lasting, w.seen = 0, "", seen
		if moved {
			changing = true
			continue
		}
		if changed := differ(begun, seen); changing && len(changed) > 0 {
			return changed, nil
		}
		changing = false // changed and changed back
	}
}

// differ returns the paths whose files differ.
func differ(a, b map[string]look) (out []string) {
	for path, is := range b {
		if was, known := a[path]; !known && is.size >= 0 || known && (was.size != is.size || was.sum != is.sum) {
			out = append(out, path)
		}
	}
	for path, was := range a {
		if _, still := b[path]; !still && was.size >= 0 {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// looks looks at all files. moved reports whether one differs from the last look.
func (w *Watcher) looks() (seen map[string]look, moved bool, err error) {
	paths, err := w.List()
	if err != nil {
		return nil, false, err
	}
	seen = make(map[string]look, len(paths))
	for _, path := range paths {
		was, known := w.seen[path]
		now := time.Now()
		info, err := os.Stat(path)
		switch {
		case err != nil || !info.Mode().IsRegular():
			seen[path] = look{size: -1}
		case known && was.sure && was.size == info.Size() && was.at.Equal(info.ModTime()):
			seen[path] = was
		default:
			seen[path] = look{info.Size(), info.ModTime(), sumOf(path), now.Sub(info.ModTime()) > racy}
		}
	}
	return seen, len(differ(w.seen, seen)) > 0, nil
}

// sumOf returns the hash of a file; the zero value if it cannot be read now.
func sumOf(path string) (sum [sha256.Size]byte) {
	f, err := os.Open(path)
	if err != nil {
		return sum
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err == nil {
		h.Sum(sum[:0])
	}
	return sum
}
