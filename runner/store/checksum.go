package store

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
)

// castagnoli is the polynomial of CRC-32C, which finds every error of up to three bits in a
// line of any length that occurs here.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// The checksum is the last field of a line: `,"crc":"89abcdef"}`.
const (
	sumField = `,"crc":"`
	sumTail  = len(sumField) + len(`89abcdef"}`)
)

// withSum adds the checksum of a JSON object to it as its last field.
func withSum(object []byte) []byte {
	sum := crc32.Checksum(object, castagnoli)
	return fmt.Appendf(object[:len(object)-1], `%s%08x"}`, sumField, sum)
}

// errSum is that of a line which is not what was written.
var errSum = errors.New("the line is not what was written, its checksum differs: the disk or an editor changed it; " +
	"put the file back from a copy, or begin a new run")

// checkSum verifies the checksum of a line. Lines of runs before there were checksums have
// none and pass.
func checkSum(line []byte) error {
	line = bytes.TrimRight(line, "\n")
	at := len(line) - sumTail
	if at < 0 || !bytes.HasPrefix(line[at:], []byte(sumField)) {
		return nil
	}
	object := append(bytes.Clone(line[:at]), '}')
	if !bytes.Equal(withSum(object), line) {
		return errSum
	}
	return nil
}

// checkPlain refuses what is no regular file: a link may lead out of the folder, and whoever
// opens a FIFO waits for its other end. A run folder can come from somebody else, as the
// artifact of a CI job does.
func checkPlain(path string) error {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is a %s and not a plain file, so it is not opened: copy the run with what its links lead to", path, kindOf(info.Mode()))
	}
	return err
}

func kindOf(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "link"
	case m&fs.ModeNamedPipe != 0:
		return "FIFO"
	case m.IsDir():
		return "folder"
	}
	return "special file"
}

// openPlain opens a regular file for reading.
func openPlain(path string) (*os.File, error) {
	if err := checkPlain(path); err != nil {
		return nil, err
	}
	return os.Open(path)
}
