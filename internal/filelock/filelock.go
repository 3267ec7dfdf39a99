package filelock

import "errors"

// ErrHeld means that another process has the lock.
var ErrHeld = errors.New("another process has the lock")
