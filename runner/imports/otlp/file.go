package otlp

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// maxUnpacked is the maximum size in bytes of a compressed file when it is unpacked.
const maxUnpacked = 64 << 30

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// errForeign is the error for a file that is not OTLP.
var errForeign = errors.New("it is neither JSON nor protobuf of OTLP")

// suffixes are the ends of names of files that are read in a folder, without those of compression.
var suffixes = []string{".json", ".jsonl", ".ndjson", ".pb", ".bin", ".binpb", ".proto", ".otlp"}

// files returns the files of a path: itself, or the files in the folder whose names end as those of OTLP do.
func files(path string) (out []string, others int, err error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, 0, err
	}
	err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		hidden := name != path && strings.HasPrefix(entry.Name(), ".")
		switch {
		case err != nil:
			return err
		case entry.IsDir() && hidden:
			return filepath.SkipDir
		case entry.IsDir() || hidden || !entry.Type().IsRegular():
			return nil
		}
		plain := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".zst")
		if contains(suffixes, filepath.Ext(plain)) {
			out = append(out, name)
		} else {
			others++
		}
		return nil
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("the folder has no file that ends with %s: name a file", strings.Join(suffixes, ", "))
	}
	return out, others, err
}

// unpacked returns what a file has, unpacked if it is compressed. close ends the unpacking.
func unpacked(in io.Reader) (out io.Reader, end func(), err error) {
	b := bufio.NewReaderSize(in, 1<<16)
	head, _ := b.Peek(len(zstdMagic)) // the file may be shorter
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, nil, err
		}
		return &capped{z, maxUnpacked}, func() {}, nil
	case bytes.HasPrefix(head, zstdMagic):
		z, err := zstd.NewReader(b, zstd.WithDecoderMaxMemory(maxMessage), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, nil, err
		}
		return &capped{z, maxUnpacked}, z.Close, nil
	}
	return b, func() {}, nil
}

// capped returns an error after left bytes.
type capped struct {
	from io.Reader
	left int64
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, fmt.Errorf("it unpacks to more than %d GiB", maxUnpacked>>30)
	}
	n, err := c.from.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// decode reads all spans and log records of a file. It calls take with each and its service, and lost with the error
// of one that cannot be read. If the file ends within a message, the error is errCut.
func decode(from io.Reader, take func(span, string), lost func(error)) error {
	plain, end, err := unpacked(from)
	if err != nil {
		return err
	}
	defer end()
	in := bufio.NewReaderSize(plain, 1<<16)
	if mark, _ := in.Peek(3); string(mark) == "\uFEFF" {
		_, _ = in.Discard(3) // the bytes were already read by Peek
	}
	first, err := firstByte(in)
	switch {
	case err == io.EOF:
		return nil
	case err != nil:
		return cutIf(err)
	case first == '{' || first == '[':
		return cutIf(newJSONReader(in, take, lost).file())
	case first == resourcesField<<3|2:
		r := &protoReader{in: in, take: take, bad: lost}
		return r.request(-1)
	case first < 4:
		return framed(in, take, lost)
	}
	return errForeign
}

// cutIf returns errCut for the error of a file that was cut.
func cutIf(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errCut
	}
	return err
}

// beginning is that of JSON of OTLP.
var beginning = lazy.Compile(`^\s*[\[{][\s{]*"(resource|batches|scope)`)

// firstByte returns the first byte that is no white space, without reading it. A line feed is also the first byte of
// protobuf, so it is white space only if JSON follows.
func firstByte(in *bufio.Reader) (byte, error) {
	head, err := in.Peek(1)
	if err != nil {
		return 0, err
	}
	if head[0] == '\n' {
		long, _ := in.Peek(1 << 10)
		if !beginning.Match(long) && strings.TrimSpace(string(long)) != "" {
			return head[0], nil
		}
	}
	for range maxMessage {
		b, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return b, in.UnreadByte()
		}
	}
	return 0, errForeign
}

// framed reads messages that have their length in front, in four bytes, as the file exporter of the OpenTelemetry
// collector writes protobuf and compressed messages.
func framed(in *bufio.Reader, take func(span, string), lost func(error)) error {
	for {
		var head [4]byte
		if _, err := io.ReadFull(in, head[:]); err == io.EOF {
			return nil
		} else if err != nil {
			return errCut
		}
		size := int64(binary.BigEndian.Uint32(head[:]))
		r := &protoReader{in: in}
		raw, err := r.bytes(size)
		if err != nil {
			return err
		}
		if len(raw) > 0 && raw[0] < 4 {
			return errForeign // a length within a message
		}
		if err := decode(bytes.NewReader(raw), take, lost); err != nil {
			if errors.Is(err, errCut) { // the message is whole, so its content is wrong
				err = errForeign
			}
			return err
		}
	}
}

// Check reads a request as it was sent, not compressed, and counts its spans and its log records with messages. bad is
// the number of records that cannot be read. isJSON says in which encoding it must be.
func Check(request []byte, isJSON bool) (spans, logs, bad int, err error) {
	take := func(s span, _ string) {
		if s.log {
			logs++
		} else {
			spans++
		}
	}
	unread := func(error) { bad++ }
	in := bufio.NewReader(bytes.NewReader(request))
	if isJSON {
		err = newJSONReader(in, take, unread).file()
	} else {
		r := &protoReader{in: in, take: take, bad: unread}
		err = r.request(-1)
	}
	return spans, logs, bad, err
}
