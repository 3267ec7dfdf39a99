package parts

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A part is a sequence of Zstandard frames with whole lines, and a table of their sizes in a frame that
// decompressors skip. This is the seekable format of Zstandard (contrib/seekable_format in facebook/zstd,
// version 0.1.0).
const (
	frameBytes  = 1 << 20                       // text of a frame; a frame ends with the line that exceeds this size
	usualFrame  = frameBytes + 64<<10           // memory in which the text of nearly every frame fits
	maxFrame    = frameBytes + MaxLine + 64<<10 // maximum text of a frame that is read; a reader of lines takes 64 KiB more
	maxWindow   = 8 << 20                       // largest window of a frame that is read; older versions wrote such frames
	tableMagic  = 0x184D2A5E
	footerMagic = 0x8F92EAB1
	entryBytes  = 8
	footerBytes = 9
)

// MaxLine is the maximum length of a line that is read, in bytes.
const MaxLine = 128 << 20

// errTable means that the table of frames is missing at the end of a part.
var errTable = errors.New("it is cut off or changed at its end, where the table of its frames is")

// coder returns the shared encoder and decoder, which are safe for concurrent use of EncodeAll and DecodeAll.
var coder = sync.OnceValues(func() (*zstd.Encoder, *zstd.Decoder) {
	// The window is twice as long as a usual frame, so that nearly every frame fits. An encoder keeps twice the
	// length of the window in memory.
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(2*frameBytes))
	if err != nil {
		panic(err) // cannot happen, because the options are constant
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxFrame),
		zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err)
	}
	return e, d
})

// Write compresses lines into a part.
func Write(w io.Writer, lines io.Reader) error {
	encoder, _ := coder()
	var table, text, frame []byte
	n := 0
	flush := func() error {
		if len(text) == 0 {
			return nil
		}
		frame = encoder.EncodeAll(text, frame[:0])
		table = binary.LittleEndian.AppendUint32(table, uint32(len(frame)))
		table = binary.LittleEndian.AppendUint32(table, uint32(len(text)))
		n, text = n+1, text[:0]
		_, err := w.Write(frame)
		return err
	}
	in := bufio.NewReaderSize(lines, 64<<10)
	for {
		piece, err := in.ReadSlice('\n')
		text = append(text, piece...)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		done := errors.Is(err, io.EOF)
		if done || err == nil && len(text) >= frameBytes {
			if err := flush(); err != nil {
				return err
			}
		}
		if done {
			break
		}
	}
	head := binary.LittleEndian.AppendUint32(nil, tableMagic)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(table)+footerBytes))
	foot := append(binary.LittleEndian.AppendUint32(nil, uint32(n)), 0)
	foot = binary.LittleEndian.AppendUint32(foot, footerMagic)
	_, err := w.Write(bytes.Join([][]byte{head, table, foot}, nil))
	return err
}

// part is an open part.
type part struct {
	file   io.ReaderAt
	frames []frame
	size   int64 // size of its text
}

// cache keeps the texts of the frames that were read last, newest first. A new text replaces the oldest one and
// uses its memory.
type cache struct {
	mu   sync.Mutex
	kept []cached
}

// mostCached is the number of frames in a cache, some megabytes.
const mostCached = 6

type cached struct {
	of    *part
	frame int
	text  []byte
}

// copy copies the text of a frame, from an offset on, until into is full or the text ends. It returns the
// number of copied bytes.
func (c *cache) copy(into []byte, p *part, frame int, offset int64) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.kept, func(k cached) bool { return k.of == p && k.frame == frame })
	if i < 0 {
		var old []byte
		if last := len(c.kept) - 1; len(c.kept) == mostCached {
			old, c.kept = c.kept[last].text, c.kept[:last]
		} else if len(p.frames) > 1 {
			old = make([]byte, 0, usualFrame)
		}
		text, err := p.read(p.frames[frame], old)
		if err != nil {
			return 0, err
		}
		i = len(c.kept)
		c.kept = append(c.kept, cached{p, frame, text})
	}
	found := c.kept[i]
	copy(c.kept[1:i+1], c.kept[:i])
	c.kept[0] = found
	return copy(into, found.text[offset:]), nil
}

// frame has the position of a compressed frame in the part, and the position of its text in the uncompressed
// text of the part.
type frame struct {
	at, from     int64
	length, text int
}

// openPart reads the table of a part; bytes is the size of the part. It returns an error if a frame is too
// large to read.
func openPart(file io.ReaderAt, bytes int64) (*part, error) {
	p, err := readTable(file, bytes)
	if err != nil {
		return nil, err
	}
	for _, f := range p.frames {
		if err := f.check(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// check returns an error if, by the table, a frame has a size of text that Write never makes.
func (f frame) check() error {
	if f.text == 0 || f.text > maxFrame {
		return fmt.Errorf("the frame at byte %d has %d bytes of text by its table, not 1 to %d", f.at, f.text, maxFrame)
	}
	return nil
}

// readTable reads the table of a part; bytes is the size of the part.
func readTable(file io.ReaderAt, bytes int64) (*part, error) {
	foot := make([]byte, footerBytes)
	if bytes < footerBytes+entryBytes {
		return nil, errTable
	}
	if _, err := file.ReadAt(foot, bytes-footerBytes); err != nil {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint32(foot))
	length := n*entryBytes + footerBytes
	if binary.LittleEndian.Uint32(foot[5:]) != footerMagic || foot[4] != 0 || n == 0 || length+8 > bytes {
		return nil, errTable
	}
	table := make([]byte, 8+n*entryBytes)
	if _, err := file.ReadAt(table, bytes-length-8); err != nil {
		return nil, err
	}
	if binary.LittleEndian.Uint32(table) != tableMagic || int64(binary.LittleEndian.Uint32(table[4:])) != length {
		return nil, errTable
	}
	p := &part{file: file}
	at := int64(0)
	for entry := table[8:]; len(entry) > 0; entry = entry[entryBytes:] {
		f := frame{at, p.size, int(binary.LittleEndian.Uint32(entry)), int(binary.LittleEndian.Uint32(entry[4:]))}
		p.frames = append(p.frames, f)
		at, p.size = at+int64(f.length), p.size+int64(f.text)
	}
	if at != bytes-length-8 {
		return nil, errTable
	}
	return p, nil
}

// read decompresses a frame. Its text must have the size that is in the table. The memory of old is used again,
// if it is large enough.
func (p *part) read(f frame, old []byte) ([]byte, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	raw := make([]byte, f.length)
	if _, err := p.file.ReadAt(raw, f.at); err != nil {
		return nil, err
	}
	if cap(old) < f.text {
		old = make([]byte, 0, f.text)
	}
	_, decoder := coder()
	text, err := decoder.DecodeAll(raw, old[:0]) // which is an error if the capacity is too small
	if err == nil && len(text) != f.text {
		err = fmt.Errorf("it has %d bytes, and the table says %d", len(text), f.text)
	}
	if err != nil {
		return nil, fmt.Errorf("the frame at byte %d: %w", f.at, err)
	}
	return text, nil
}

// readAt reads text of the part at an offset, up to the part's end.
func (p *part) readAt(into []byte, offset int64, c *cache) (n int, err error) {
	for n < len(into) && offset < p.size {
		i := sort.Search(len(p.frames), func(i int) bool { return p.frames[i].from > offset }) - 1
		m, err := c.copy(into[n:], p, i, offset-p.frames[i].from)
		if err != nil {
			return n, err
		}
		n, offset = n+m, offset+int64(m)
	}
	return n, nil
}
