package imports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lines"
)

// reader reads one format. score is as of Open.
type reader struct {
	format string
	what   string // it reads
	key    string // among the first keys of such a file, and of no file of the readers after it
	read   func(in io.Reader, score string) (*Log, error)
}

func readers() []reader {
	return []reader{
		{"lm-eval", "lm-eval's samples", `{"doc_id"`, readSamples},
		{"promptfoo", "promptfoo's results", `"evalId":`, whole(promptfooFile.log)},
		{formatInspect, "Inspect's log", `"eval":`, whole(inspectLog.log)},
		{"tau2", "tau2-bench's results", `"num_trials":`, whole(tau2File.log)},
		{formatChats, "chats", `"messages":`, readChats}, // any other .jsonl too
	}
}

const (
	formatInspect = "inspect"
	formatChats   = "chats"
)

// Formats lists the forms that can be read.
func Formats() []string {
	var out []string
	for _, r := range readers() {
		out = append(out, r.format)
	}
	return out
}

// whole reads a file that is one JSON value.
func whole[T any](log func(T, string) (*Log, error)) func(io.Reader, string) (*Log, error) {
	return func(in io.Reader, score string) (*Log, error) {
		var file T
		switch err := json.NewDecoder(in).Decode(&file); {
		case err == io.EOF:
			return nil, errEmpty
		case err != nil:
			return nil, lines.Fault(err, nil)
		}
		return log(file, score)
	}
}

// errEmpty is that of a file without a value, such as one of blank lines.
var errEmpty = errors.New("the file is empty; write it anew")

// maxLine is the length of a line of JSONL, in bytes.
const maxLine = 64 << 20

// eachLine reads a file that has one JSON value on each line.
func eachLine[T any](in io.Reader, take func(number int, line T) error) error {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, maxLine)
	number, values := 0, 0
	for scanner.Scan() {
		number++
		raw := bytes.TrimSpace(scanner.Bytes())
		if len(raw) == 0 {
			continue
		}
		values++
		var line T
		err := json.Unmarshal(raw, &line)
		if err != nil {
			err = fmt.Errorf("%w; write one object on each line, and copy the file again if it was cut", lines.Fault(err, raw))
		} else {
			err = take(number, line)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("line %d: %w", number+1, err)
	}
	if values == 0 {
		return errEmpty
	}
	return nil
}

// Open reads a file of a format, compressed by gzip or not; "" finds the format out from name and content. score
// names the score of Inspect, or the metric of lm-eval, that decides; it may be "".
func Open(path, format, score string) (*Log, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	defer f.Close()
	l, err := open(f, format, score)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%w: the file ends too early; copy it again, or write it anew", err)
	}
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	if m := samplesFile.FindStringSubmatch(filepath.Base(path)); m != nil {
		l.Name = m[1]
	}
	return l, nil
}

// samplesFile is the name that lm-eval gives a file of samples, with the task in it.
var samplesFile = regexp.MustCompile(`^samples_(.+)_\d{4}-\d\d-\d\dT[\d.-]+\.jsonl(?:\.gz)?$`)

func open(f *os.File, format, score string) (*Log, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("it is a folder: name a file in it")
	case filepath.Ext(f.Name()) == ".eval" && (format == "" || format == formatInspect):
		return InspectEval(f, info.Size(), score)
	}
	in := bufio.NewReaderSize(lines.Decompressed(f), 1<<16)
	if format == "" {
		format = guess(f.Name(), in)
	}
	return Read(in, format, score)
}

// guess tells a format by the first keys of the file; "" if they are unknown.
func guess(name string, in *bufio.Reader) string {
	head, _ := in.Peek(1 << 12) // less at the end of the file
	for _, r := range readers() {
		if strings.Contains(string(head), r.key) {
			return r.format
		}
	}
	if filepath.Ext(strings.TrimSuffix(name, ".gz")) == ".jsonl" {
		return formatChats
	}
	return ""
}

// Read reads what is of a format. score is as of Open.
func Read(in io.Reader, format, score string) (*Log, error) {
	i := slices.Index(Formats(), format)
	if i < 0 {
		named := fmt.Sprintf("the format %q is not known", format)
		if format == "" {
			named = "its format cannot be told from its content"
		}
		return nil, fmt.Errorf("%s: name it with --from: %s", named, strings.Join(Formats(), ", "))
	}
	l, err := readers()[i].read(in, score)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", readers()[i].what, err)
	}
	return l, nil
}
