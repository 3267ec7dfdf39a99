package imports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/lines"
)

// source is the input of a reader, with its options.
type source struct {
	io.Reader
	score  string            // see Open
	beside fs.FS             // the folder of the file; nil if unknown
	fields map[string]string // attributes of spans; see ReadFields
}

// reader reads one format.
type reader struct {
	format string
	what   string   // name for people
	marks  []string // texts that all occur at the beginning of such a file, and of no file of later readers
	fields []string // fields of such a file or its lines; a file without the marks may have them
	read   func(from source) (*Log, error)
}

func readers() []reader {
	return []reader{
		{FormatOTLP, "spans of OpenTelemetry", splitWords(`"resourceSpans":`), splitWords("resourceSpans resourceLogs"),
			readSpans},
		{"lm-eval", "lm-eval's samples", splitWords(`{"doc_id"`), splitWords("doc_id doc resps filtered_resps target"),
			readSamples},
		{"promptfoo", "promptfoo's results", splitWords(`"evalId":`), splitWords("evalId results config shareableUrl"),
			whole(promptfooFile.log)},
		{formatOpenAI, "a log of OpenAI evals", splitWords(`{"spec": "eval_name":`),
			splitWords("run_id event_id sample_id type data"),
			readEvals},
		{formatInspect, "Inspect's log", splitWords(`"eval":`), splitWords("version status eval plan samples"),
			whole(inspectLog.log)},
		{"tau2", "tau2-bench's results", splitWords(`"num_trials":`),
			splitWords("info tasks simulations simulation_index"),
			whole(tau2File.log)},
		{"tau", "tau-bench's results", splitWords(`"task_id": "reward":`), splitWords("task_id reward info traj trial"),
			whole(tauFile.log)},
		// Last, because any .jsonl may contain one of these marks.
		{formatChats, "chats", splitWords(`"messages":`), splitWords("messages trace"), readChats},
	}
}

func splitWords(words string) []string { return strings.Fields(words) }

const (
	formatInspect = "inspect"
	formatOpenAI  = "openai-evals"
	formatChats   = "chats"
)

// Formats lists the formats that can be read.
func Formats() []string {
	var out []string
	for _, r := range readers() {
		out = append(out, r.format)
	}
	return out
}

// whole returns a reader of a file that has one JSON value.
func whole[T any](log func(T, source) (*Log, error)) func(source) (*Log, error) {
	return func(from source) (*Log, error) {
		var file T
		switch err := json.NewDecoder(from).Decode(&file); {
		case err == io.EOF:
			return nil, errEmpty
		case err != nil:
			return nil, lines.Fault(err, nil)
		}
		return log(file, from)
	}
}

// errEmpty is the error for a file without a value, such as a file of blank lines.
var errEmpty = errors.New("the file is empty; write it again")

// maxLine is the maximum length of a line of JSONL, in bytes.
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
			err = fmt.Errorf("%w; write one object on each line, and copy the file again if it was cut",
				lines.Fault(err, raw))
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

// Open reads a file of a format, compressed by gzip or not. If format is "", Open detects the format from
// name and content. score names the score of Inspect, or the metric of lm-eval, that gives the verdict; it
// may be "".
func Open(path, format, score string) (*Log, error) {
	if format == FormatOTLP {
		return OpenSpans(path, nil)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	defer f.Close()
	l, err := open(f, format, score)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%w: the file ends too early; copy it again, or write it again", err)
	}
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	if m := samplesFile.FindStringSubmatch(filepath.Base(path)); m != nil {
		l.Name = m[1]
	}
	return l, nil
}

// samplesFile matches lm-eval's names of files with samples; the first group is the task.
var samplesFile = lazy.Compile(`^samples_(.+)_\d{4}-\d\d-\d\dT[\d.-]+\.jsonl(?:\.gz)?$`)

func open(f *os.File, format, score string) (*Log, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("it is a folder: name a file in it, or add --from otlp for spans")
	case filepath.Ext(f.Name()) == ".eval" && (format == "" || format == formatInspect):
		return InspectEval(f, info.Size(), score)
	}
	in := bufio.NewReaderSize(lines.Decompressed(f), 1<<16)
	if format == "" {
		if format = guess(f.Name(), in); format == "" {
			return nil, unknown(in, info.Size())
		}
	}
	return read(source{Reader: in, score: score, beside: os.DirFS(filepath.Dir(f.Name()))}, format)
}

// guess detects the format from the beginning of the file; "" if it is unknown.
func guess(name string, in *bufio.Reader) string {
	head, _ := in.Peek(1 << 12) // the file may end before the whole head
	text := strings.ReplaceAll(string(head), `" :`, `":`)
	for _, r := range readers() {
		if !slices.ContainsFunc(r.marks, func(mark string) bool { return !strings.Contains(text, mark) }) {
			return r.format
		}
	}
	head, _ = in.Peek(in.Size())
	keys, many := keysOf(head)
	isChats := len(keys) == 0 && !many || slices.Contains(keys, "trace") || slices.Contains(keys, "messages")
	if isChats && filepath.Ext(strings.TrimSuffix(name, ".gz")) == ".jsonl" {
		return formatChats
	}
	return ""
}

// Read reads a file of a format from a reader. See Open for score.
func Read(in io.Reader, format, score string) (*Log, error) {
	return read(source{Reader: in, score: score}, format)
}

func read(from source, format string) (*Log, error) {
	i := slices.Index(Formats(), format)
	if i < 0 {
		return nil, fmt.Errorf("the format %q is not known: use one of these with --from: %s", format,
			strings.Join(Formats(), ", "))
	}
	l, err := readers()[i].read(from)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", readers()[i].what, err)
	}
	return l, nil
}
