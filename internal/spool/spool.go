package spool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// inMemory is the number of bytes from which a buffer continues in a file.
const inMemory = 4 << 20

// Buffer holds what is written to it. Its zero value is empty. Close it after use.
type Buffer struct {
	memory bytes.Buffer
	file   *os.File // nil while everything is in memory
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

// spill moves the memory into the file.
func (b *Buffer) spill() (err error) {
	if b.file == nil {
		if b.file, err = os.CreateTemp("", "concur-output-"); err != nil {
			return fmt.Errorf("keep output: %w", err)
		}
	}
	if _, err := b.memory.WriteTo(b.file); err != nil {
		return fmt.Errorf("keep output in %s: %w", b.file.Name(), err)
	}
	return nil
}

// WriteTo writes what the buffer holds to w, and empties it.
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
	err := errors.Join(b.file.Close(), os.Remove(b.file.Name()))
	b.file = nil
	return err
}
