package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/seed-5817661a/concur/runner/store/disk"
)

// Callers get the lock one after another, and a caller that does not wait gets ErrHeld.
func TestLockFolder(t *testing.T) {
	dir := t.TempDir()
	release, err := disk.LockFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	hurried, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := disk.LockFolder(hurried, dir); !errors.Is(err, disk.ErrHeld) {
		t.Errorf("a second lock: %v", err)
	}
	waited := make(chan error)
	go func() {
		release, err := disk.LockFolder(t.Context(), dir)
		if err == nil {
			err = release()
		}
		waited <- err
	}()
	if err := release(); err != nil {
		t.Error(err)
	}
	if err := <-waited; err != nil {
		t.Errorf("after the lock was released: %v", err)
	}
	if _, err := disk.LockFolder(t.Context(), dir+"/nosuch"); err == nil || errors.Is(err, disk.ErrHeld) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
