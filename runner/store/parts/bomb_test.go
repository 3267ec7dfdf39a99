package parts_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/seed-5817661a/concur/runner/store/parts"
)

// allocated returns the number of bytes that do allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// table returns the table of a part with one frame, with a given size of its text.
func table(frame []byte, claimed uint32) []byte {
	out := binary.LittleEndian.AppendUint32(nil, 0x184D2A5E)
	for _, n := range []uint32{17, uint32(len(frame)), claimed, 1} {
		out = binary.LittleEndian.AppendUint32(out, n)
	}
	return binary.LittleEndian.AppendUint32(append(out, 0), 0x8F92EAB1)
}

// Reading a part whose frame has more text than its table says, or more than a frame may have, takes no more
// memory than the table allows.
func TestBomb(t *testing.T) {
	for name, window := range map[string]int{"one segment": 64 << 20, "windows": 1 << 20} {
		encoder, err := zstd.NewWriter(nil, zstd.WithWindowSize(window))
		if err != nil {
			t.Fatal(err)
		}
		frame := encoder.EncodeAll(make([]byte, 64<<20), nil)
		var streamed bytes.Buffer // so its head does not have the size of the text
		encoder.Reset(&streamed)
		if _, err := encoder.Write(make([]byte, 64<<20)); err != nil {
			t.Fatal(err)
		}
		if err := encoder.Close(); err != nil {
			t.Fatal(err)
		}
		for _, frame := range [][]byte{frame, streamed.Bytes()} {
			for _, claimed := range []uint32{1, 1000, 1 << 20, 256 << 20, 3_000_000_000, 1<<32 - 1} {
				path := filepath.Join(t.TempDir(), "trace.jsonl")
				part := append(bytes.Clone(frame), table(frame, claimed)...)
				if os.WriteFile(parts.Name(path, 1), part, 0o600) != nil || os.WriteFile(path, []byte("rest\n"), 0o600) != nil {
					t.Fatal("the files were not written")
				}
				used := allocated(func() {
					if f, err := parts.Open(path, os.Open); err == nil {
						t.Errorf("%s, claimed %d: the part was read", name, claimed)
						_ = f.Close()
					} else if !strings.Contains(err.Error(), "trace.0001.jsonl.zst: the frame at byte 0") {
						t.Errorf("%s, claimed %d: %v", name, claimed, err)
					}
					var text bytes.Buffer
					lost, err := parts.Salvage(&text, path, os.Open)
					if err != nil || !lost || text.String() != "\nrest\n" {
						t.Errorf("%s, claimed %d: salvaged %d bytes, lost %v, %v", name, claimed, text.Len(), lost, err)
					}
				})
				if used > 32<<20 {
					t.Errorf("%s, claimed %d: %d MB were allocated", name, claimed, used>>20)
				}
			}
		}
	}
}

// Salvaging a part without a table takes limited memory, and stops at a limited size.
func TestBombWithoutTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.jsonl")
	var part bytes.Buffer
	encoder, err := zstd.NewWriter(&part)
	if err != nil {
		t.Fatal(err)
	}
	for range 256 {
		if _, err := encoder.Write(bytes.Repeat([]byte{'\n'}, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if encoder.Close() != nil || os.WriteFile(parts.Name(path, 1), part.Bytes(), 0o600) != nil {
		t.Fatal("the part was not written")
	}
	var written counter
	used := allocated(func() {
		if lost, err := parts.Salvage(&written, path, os.Open); err != nil || !lost {
			t.Errorf("lost %v, %v", lost, err)
		}
	})
	if written > 140<<20 || used > 64<<20 {
		t.Errorf("%d MB of text, %d MB allocated", written>>20, used>>20)
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

// A line may be longer than a frame and than the window of the encoder.
func TestLongLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.jsonl")
	random := rand.New(rand.NewPCG(1, 2))
	line := make([]byte, 20<<20)
	for i := range line {
		line[i] = byte('a' + random.IntN(26))
	}
	want := append(append([]byte("first\n"), line...), "\nlast\n"...)
	var part bytes.Buffer
	if err := parts.Write(&part, bytes.NewReader(want)); err != nil {
		t.Fatal(err)
	}
	if os.WriteFile(parts.Name(path, 1), part.Bytes(), 0o600) != nil || os.WriteFile(path, nil, 0o600) != nil {
		t.Fatal("the files were not written")
	}
	f, err := parts.Open(path, os.Open)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<30)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d: %v", len(got), len(want), err)
	}
	var got bytes.Buffer
	if lost, err := parts.Salvage(&got, path, os.Open); err != nil || lost || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("salvaged %d bytes, want %d: lost %v, %v", got.Len(), len(want), lost, err)
	}
}

// A part without frames is damaged.
func TestNoFrames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.jsonl")
	var part bytes.Buffer
	if err := parts.Write(&part, strings.NewReader("")); err != nil {
		t.Fatal(err)
	}
	if os.WriteFile(parts.Name(path, 1), part.Bytes(), 0o600) != nil || os.WriteFile(path, nil, 0o600) != nil {
		t.Fatal("the files were not written")
	}
	if f, err := parts.Open(path, os.Open); err == nil {
		t.Error("the part was read")
		_ = f.Close()
	}
}
