package spool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// inMemory is the number of bytes from which a buffer continues in a file.
const inMemory = 1 << 20

// Buffer keeps the bytes that are written to it. Its zero value is empty. Close it after use. If the system allows it,
// the temporary file has no name, so that a killed program leaves no file.
type Buffer struct {
	memory bytes.Buffer
	file   *os.File // nil while everything is in memory
	size   int64    // of the file
	named  bool     // the file has its name until Close
}

// Write adds to the buffer.
func (b *Buffer) Write(p []byte) (int, error) {
	if b.file == nil && b.memory.Len()+len(p) <= inMemory {
		return b.memory.Write(p)
	}
	if b.memory.Len()+len(p) > inMemory {
		if err := b.spill(); err != nil {
			return 0, err
		}
	}
	return b.memory.Write(p)
}

// spill moves the bytes in memory to the file.
func (b *Buffer) spill() (err error) {
	if b.file == nil {
		if b.file, err = os.CreateTemp("", "concur-"); err != nil {
			return fmt.Errorf("make a temporary file in %s; name another folder with TMPDIR: %w", os.TempDir(), err)
		}
		b.named = os.Remove(b.file.Name()) != nil // Windows keeps the name of an open file
	}
	n, err := b.memory.WriteTo(b.file)
	b.size += n
	if err != nil {
		return fmt.Errorf("write a temporary file in %s, the folder of TMPDIR: %w", os.TempDir(), err)
	}
	return nil
}

// ReadAt reads len(p) bytes; from counts from the first byte written. If the buffer ends before, the error is
// io.ErrUnexpectedEOF. Several goroutines may read at the same time, but not while one writes.
func (b *Buffer) ReadAt(p []byte, from int64) (n int, err error) {
	if from < b.size {
		n, err = b.file.ReadAt(p[:min(int64(len(p)), b.size-from)], from)
		if err != nil || n == len(p) {
			return n, err
		}
	}
	held := b.memory.Bytes()
	if from += int64(n) - b.size; from+int64(len(p)-n) > int64(len(held)) {
		return n, io.ErrUnexpectedEOF
	}
	return n + copy(p[n:], held[from:]), nil
}

// WriteTo writes the bytes of the buffer to w, and empties it.
func (b *Buffer) WriteTo(w io.Writer) (n int64, err error) {
	if b.file != nil {
		if _, err := b.file.Seek(0, io.SeekStart); err != nil {
			return 0, err
		}
		if n, err = io.Copy(w, b.file); err != nil {
			return n, err
		}
	}
	more, err := b.memory.WriteTo(w)
	return n + more, errors.Join(err, b.Close())
}

// Close removes the temporary file.
func (b *Buffer) Close() error {
	b.memory.Reset()
	if b.file == nil {
		return nil
	}
	err := b.file.Close()
	if b.named {
		err = errors.Join(err, os.Remove(b.file.Name()))
	}
	b.file, b.size, b.named = nil, 0, false
	return err
}
