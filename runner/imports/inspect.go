package imports

import (
	"archive/zip"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// inspectVersion is the version of Inspect's log format that this package reads; inspectTested is the version
// of Inspect whose logs were used for testing.
const (
	inspectVersion = 2
	inspectTested  = "inspect_ai 0.3.285"
)

// Limits of the unpacked size of a log, in bytes: of one sample, and of all samples.
const (
	maxSample   = 64 << 20
	maxUnpacked = 8 << 30
)

type inspectLog struct {
	Version int    `json:"version"`
	Status  string `json:"status"`
	Eval    struct {
		Task    string `json:"task"`
		Model   string `json:"model"`
		Dataset struct {
			SampleIDs []scalar `json:"sample_ids"`
		} `json:"dataset"`
		Config struct {
			Epochs int `json:"epochs"`
		} `json:"config"`
		Packages map[string]string `json:"packages"`
	} `json:"eval"`
	Results *struct {
		Headline struct{ Scorer string } `json:"headline"`
	} `json:"results"`
	Error *struct{ Message string } `json:"error"`

	Samples []inspectSample `json:"samples"`
}

type inspectSample struct {
	ID       scalar          `json:"id"`
	Epoch    int             `json:"epoch"`
	Input    json.RawMessage `json:"input"`  // a text, or messages
	Target   json.RawMessage `json:"target"` // a text, or several texts
	Messages []message       `json:"messages"`
	Output   struct{ Completion string }
	Scores   map[string]struct{ Value any }
	Usage    map[string]struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
		Cached int `json:"input_tokens_cache_read"`
	} `json:"model_usage"`
	Error   *struct{ Message string }
	Seconds float64 `json:"total_time"`
	// Own is concur's reading of the message; only a log that concur wrote has it.
	Own struct {
		Outcome    trace.Outcome    `json:"concur_outcome"`
		Answer     string           `json:"concur_answer"`
		StopReason trace.StopReason `json:"concur_stop_reason"`
	} `json:"metadata"`
}

// InspectEval reads a log in Inspect AI's ZIP format (.eval).
func InspectEval(r io.ReaderAt, size int64, score string) (*Log, error) {
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("read Inspect's log: %w: the file was cut, or is not an .eval", err)
	}
	archive.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderMaxMemory(maxSample)))
	left := int64(maxUnpacked)
	read := func(f *zip.File, into any) error {
		in, err := f.Open()
		if err == nil {
			defer in.Close()
			most := min(left, maxSample)
			limited := &io.LimitedReader{R: in, N: most}
			err = json.NewDecoder(limited).Decode(into)
			if left -= most - limited.N; limited.N <= 0 {
				err = fmt.Errorf("it unpacks to more than %d MiB", most>>20)
			}
		}
		if err != nil {
			return fmt.Errorf("read Inspect's log: %s: %w", f.Name, err)
		}
		return nil
	}
	var in inspectLog
	named := func(name string) int {
		return slices.IndexFunc(archive.File, func(f *zip.File) bool { return f.Name == name })
	}
	at := named("header.json")
	if at < 0 {
		at = named("_journal/start.json") // the file of a run that has not ended
	}
	if at < 0 {
		return nil, errors.New("read Inspect's log: the archive has no header.json: name a log of Inspect")
	}
	if err := read(archive.File[at], &in); err != nil {
		return nil, err
	}
	for _, f := range archive.File {
		if !strings.HasPrefix(f.Name, "samples/") || path.Ext(f.Name) != ".json" { // an id may contain a slash
			continue
		}
		var s inspectSample
		if err := read(f, &s); err != nil {
			return nil, err
		}
		in.Samples = append(in.Samples, s)
	}
	l, err := in.log(source{score: score})
	if err != nil {
		return nil, fmt.Errorf("read Inspect's log: %w", err)
	}
	return l, nil
}

func (in inspectLog) log(from source) (*Log, error) {
	score := from.score
	switch {
	case in.Version != inspectVersion:
		return nil, fmt.Errorf("it has version %d, and only version %d can be read (%s)", in.Version, inspectVersion,
			inspectTested)
	case len(in.Samples) == 0:
		why := "status " + in.Status
		if in.Error != nil {
			why += ": " + firstLine(in.Error.Message)
		}
		return nil, fmt.Errorf("it has no samples (%s)", why)
	}
	if in.Results != nil {
		score = cmp.Or(score, in.Results.Headline.Scorer)
	}
	l := &Log{Tool: strings.TrimSpace("inspect_ai " + in.Eval.Packages["inspect_ai"]),
		Name: cmp.Or(in.Eval.Task, "inspect")}
	row := l.row(in.Eval.Model, strings.Replace(in.Eval.Model, "/", ":", 1))
	slices.SortStableFunc(in.Samples, func(a, b inspectSample) int { return cmp.Compare(a.Epoch, b.Epoch) })
	seen := map[scalar]bool{}
	for _, s := range in.Samples {
		seen[s.ID] = true
		id := l.query(s.query())
		t, err := s.trace(score)
		if s.Epoch > maxRepeats {
			err = fmt.Errorf("there are more than %d epochs, the maximum", maxRepeats)
		}
		if err != nil {
			return nil, fmt.Errorf("sample %s, epoch %d: %w", s.ID, s.Epoch, err)
		}
		row.fill(id, s.Epoch-1)
		row.add(id, t)
	}
	missing := 0
	for _, id := range in.Eval.Dataset.SampleIDs {
		if !seen[id] {
			missing++
			row.fill(l.query(datasets.Query{ID: string(id), Text: "(the log does not have this sample)"}), 1)
		}
	}
	l.note(missing, "sample", " of the task is not in the log, because its run did not finish; it counts as lost",
		" of the task are not in the log, because its run did not finish; they count as lost")
	return l, nil
}

func (s inspectSample) query() datasets.Query {
	q := datasets.Query{ID: string(s.ID), Text: textOf(s.Input)}
	var targets []string
	if json.Unmarshal(s.Target, &targets) != nil {
		targets = []string{textOf(s.Target)}
	}
	if len(targets) > 0 {
		q.Gold.Answer, q.Gold.Aliases = targets[0], targets[1:]
	}
	var messages []message
	if json.Unmarshal(s.Input, &messages) == nil {
		for _, m := range messages {
			if m.Role == "user" {
				q.Text = textOf(m.Content)
			}
		}
	}
	return q
}

func (s inspectSample) trace(score string) (Trace, error) {
	t := Trace{Trace: trace.Trace{Message: s.Output.Completion}, Seconds: s.Seconds}
	for _, u := range s.Usage {
		t.Usage = t.Usage.Add(model.Usage{InputTokens: u.Input, OutputTokens: u.Output, CachedTokens: u.Cached})
	}
	t.take(s.Messages)
	if s.Error != nil {
		return t.lose(trace.AgentError, s.Error.Message), nil
	}
	if own := s.Own; own.Outcome != "" {
		t.Outcome, t.Answer, t.StopReason, t.Extract = own.Outcome, own.Answer, own.StopReason,
			string(answer.FromNowhere)
		if own.Outcome == trace.Answered { // concur read the answer during the run
			t.Extract = string(answer.FromLine)
		}
	}
	values := map[string]any{}
	for name, score := range s.Scores {
		values[name] = score.Value
	}
	return t, t.gradeBy(score, values)
}
