package spool_test

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/seed-5817661a/concur/internal/spool"
)

// A buffer gives back what was written to it, and leaves no file behind.
func TestBuffer(t *testing.T) {
	for _, size := range []int{0, 1, 1000 << 10, 9 << 20} {
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		t.Setenv("TMP", dir)
		var b spool.Buffer
		var want, got bytes.Buffer
		for i := 0; want.Len() < size; i++ {
			part := fmt.Sprintf("%d of a long output\n", i)
			want.WriteString(part)
			if _, err := b.Write([]byte(part)); err != nil {
				t.Fatal(err)
			}
		}
		for from := 0; from < want.Len(); from += 1 << 20 { // a part is somewhere within a line
			line := append(bytes.SplitAfterN(want.Bytes()[from:], []byte("\n"), 3)[1], 0)
			line = line[:len(line)-1]
			at := bytes.Index(want.Bytes()[from:], []byte("\n")) + 1 + from
			got := make([]byte, len(line))
			if _, err := b.ReadAt(got, int64(at)); err != nil || !bytes.Equal(got, line) {
				t.Errorf("%d bytes: %q at %d, want %q, %v", size, got, at, line, err)
			}
		}
		whole := make([]byte, want.Len())
		if n, err := b.ReadAt(whole, 0); err != nil || n != len(whole) || !bytes.Equal(whole, want.Bytes()) {
			t.Errorf("%d bytes: %d bytes were read at once, %v", size, n, err)
		}
		if _, err := b.ReadAt(make([]byte, 2), int64(want.Len())-1); err == nil && want.Len() > 0 {
			t.Errorf("%d bytes: a byte after the end was read", size)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) > 0 && runtime.GOOS != "windows" {
			t.Errorf("%d bytes are in %d files with names, %v", size, len(files), err)
		}
		n, err := b.WriteTo(&got)
		if err != nil || n != int64(want.Len()) || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%d bytes: %d came back, %v", want.Len(), n, err)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
			t.Errorf("%d files are left, %v", len(files), err)
		}
	}
}

// A buffer that is not needed leaves no file behind, either.
func TestClose(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	var b spool.Buffer
	if _, err := b.Write(make([]byte, 9<<20)); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("%d files are left, %v", len(files), err)
	}
}
