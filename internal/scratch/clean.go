package scratch

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/filelock"
)

// clean removes the folders of a kind that no process uses. It skips what it cannot remove: an error here must not
// prevent the work of this process, and a later process tries again.
func clean(kind, host string) {
	root, err := os.OpenRoot(os.TempDir())
	if err != nil {
		return
	}
	defer root.Close()
	all, err := root.Open(".")
	if err != nil {
		return
	}
	defer all.Close()
	for {
		names, err := all.Readdirnames(1000)
		for _, name := range names {
			if strings.HasPrefix(name, kind+"-") {
				remove(root, name, host)
			}
		}
		if err != nil {
			return
		}
	}
}

// abandonedAfter is the age at which an empty folder counts as one whose process was killed while it made the folder.
const abandonedAfter = time.Hour

// remove removes a folder whose process has ended, or was killed before it had written the lock file: then the folder
// is empty. It leaves everything else: a folder in use, one of another host, one with files and no lock file, a file.
// Other users can put links and folders with such names into a common folder for temporary files, to have files of
// this user removed: links are not followed, and only a folder counts that belongs to this user and that no other user
// can enter. So no other user can have made the lock file in it.
func remove(root *os.Root, name, host string) {
	info, err := root.Lstat(name)
	if err != nil || !info.IsDir() || !private(info) {
		return
	}
	folder, err := root.OpenRoot(name)
	if err != nil {
		return
	}
	defer folder.Close()
	opened, err := folder.Stat(".")
	if err != nil || !os.SameFile(info, opened) { // replaced by a link
		return
	}
	lock, err := folder.OpenFile(lockName, os.O_RDWR, 0)
	abandoned := time.Since(info.ModTime()) > abandonedAfter
	if errors.Is(err, fs.ErrNotExist) && abandoned {
		folder.Close()
		_ = root.Remove(name) // fails if there is something in it
	}
	if err != nil {
		return
	}
	defer lock.Close()
	if filelock.Try(lock) != nil {
		return
	}
	from, err := io.ReadAll(io.LimitReader(lock, 1<<10))
	switch {
	case err != nil:
		return
	case len(from) == 0 && abandoned && hasOnlyLock(folder): // killed before it wrote its host
	case string(from) != host || !empty(folder):
		return // the next process tries again
	}
	lock.Close() // Windows removes no open file
	_ = folder.Remove(lockName)
	folder.Close()
	_ = root.Remove(name) // fails if there is something new in it
}

// hasOnlyLock reports whether a folder has its lock file and nothing else.
func hasOnlyLock(folder *os.Root) bool {
	all, err := folder.Open(".")
	if err != nil {
		return false
	}
	defer all.Close()
	names, err := all.Readdirnames(-1)
	return err == nil && len(names) == 1 && names[0] == lockName
}

// empty removes everything in a folder but its lock file. It reports whether nothing else is left.
func empty(folder *os.Root) bool {
	all, err := folder.Open(".")
	if err != nil {
		return false
	}
	defer all.Close()
	names, err := all.Readdirnames(-1)
	for _, name := range names {
		if name != lockName && folder.RemoveAll(name) != nil {
			return false
		}
	}
	return err == nil
}
