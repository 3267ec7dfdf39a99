package imports

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// Format is the form of a file.
type Format string

const (
	FormatPromptfoo Format = "promptfoo"
	FormatInspect   Format = "inspect"
	FormatLMEval    Format = "lm-eval"
	FormatTau2      Format = "tau2"
	FormatChats     Format = "chats"
)

// Formats lists the forms that can be read.
func Formats() []Format {
	return []Format{FormatPromptfoo, FormatInspect, FormatLMEval, FormatTau2, FormatChats}
}

// Open reads a file of a format; "" finds it out from name and content. A name that ends in
// .gz is unpacked. score names the score of Inspect, or the metric of lm-eval,
// that decides; it may be "".
func Open(path string, format Format, score string) (*Log, error) {
	if format != "" && !slices.Contains(Formats(), format) {
		return nil, fmt.Errorf("import %s: the format %q is not known: promptfoo, inspect, lm-eval, tau2, chats", path, format)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("import %s: it is a folder: name a file in it", path)
	}
	name := strings.TrimSuffix(path, ".gz")
	if filepath.Ext(name) == ".eval" && format != FormatPromptfoo {
		return located(path)(InspectEval(f, info.Size(), score))
	}
	var in io.Reader = f
	if name != path {
		if in, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("import %s: %w", path, err)
		}
	}
	buffered := bufio.NewReaderSize(in, 1<<16)
	switch cmp.Or(format, guess(name, buffered)) {
	case FormatPromptfoo:
		return located(path)(Promptfoo(buffered))
	case FormatInspect:
		return located(path)(InspectJSON(buffered, score))
	case FormatLMEval:
		l, err := LMEval(buffered, score)
		if m := samplesFile.FindStringSubmatch(filepath.Base(name)); m != nil && err == nil {
			l.Name = m[1]
		}
		return located(path)(l, err)
	case FormatTau2:
		return located(path)(Tau2(buffered))
	case FormatChats:
		return located(path)(Chats(buffered))
	}
	return nil, fmt.Errorf("import %s: it is neither promptfoo's results, nor a log of Inspect, nor samples of lm-eval, nor results of tau2-bench, nor JSONL of chats; name its format with --from: promptfoo, inspect, lm-eval, tau2, chats", path)
}

func located(path string) func(*Log, error) (*Log, error) {
	return func(l *Log, err error) (*Log, error) {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("%w: the file ends too early; copy it again, or write it anew", err)
		}
		if err != nil {
			return nil, fmt.Errorf("import %s: %w", path, err)
		}
		return l, nil
	}
}

// samplesFile is the name that lm-eval gives a file of samples, with the task in it.
var samplesFile = regexp.MustCompile(`^samples_(.+)_\d{4}-\d\d-\d\dT[\d.-]+\.jsonl$`)

// guess tells a format by the first keys of the file.
func guess(name string, in *bufio.Reader) Format {
	head, _ := in.Peek(1 << 12) // less at the end of the file
	if strings.HasPrefix(string(head), `{"doc_id"`) {
		return FormatLMEval
	}
	if filepath.Ext(name) == ".jsonl" {
		return FormatChats
	}
	for _, first := range []struct { // in this order: a log has messages too
		format Format
		key    string
	}{{FormatPromptfoo, `"evalId":`}, {FormatInspect, `"eval":`}, {FormatTau2, `"num_trials":`}, {FormatChats, `"messages":`}} {
		if strings.Contains(string(head), first.key) {
			return first.format
		}
	}
	return ""
}

// Save writes the log as a run into the folder of runs, and returns the run's folder. start
// names the run.
func (l *Log) Save(ctx context.Context, runsDir string, build map[string]string, start time.Time) (string, error) {
	arms, err := l.Arms()
	if err != nil {
		return "", err
	}
	l.Name = cmp.Or(strings.Trim(unusable.ReplaceAllString(l.Name, "-"), "-"), "imported")
	data := datasets.New(l.Name, l.Queries)
	var confs []config.Configuration
	for _, a := range arms {
		confs = append(confs, a.Configuration)
	}
	seed := int64(1)
	draft, err := runner.NewDraft(data, runner.DescribeDataset(data), confs, &seed, start)
	if err != nil {
		return "", err
	}
	m := draft.Manifest
	m.Versions = build
	for i, a := range arms {
		m.Configurations[i].Agent = a.AgentHash
	}
	if len(arms) > 1 {
		m.Ablation, m.Baseline = "import", arms[0].Configuration.Name
	}
	plan := runner.Plan{Dataset: data, Seed: seed, Arms: arms}
	if err := plan.Check(); err != nil {
		return "", err
	}
	out, err := store.Create(runsDir, m)
	if err != nil {
		return "", err
	}
	for _, note := range l.Notes {
		fmt.Fprintln(out.Log(), "import ", note)
	}
	err = plan.Run(ctx, out, runner.Control{})
	return out.Dir(), errors.Join(err, out.Finish(runner.StateAfter(err), time.Now()))
}
