package disk

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// openLockable opens the file that is locked to lock a folder. Windows cannot lock folders, so it is a
// temporary file of the user whose name depends on the folder.
func openLockable(dir string) (*os.File, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(strings.ToLower(real)))
	return os.OpenFile(filepath.Join(os.TempDir(), fmt.Sprintf("concur-%x.lock", sum[:8])),
		os.O_CREATE|os.O_RDWR, 0o600)
}

// notFollowed is 0, because Windows has no such flags. On Windows, a file is checked before and after it is
// opened.
const notFollowed = 0
