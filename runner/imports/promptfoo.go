package imports

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// promptfooVersion is the version of promptfoo's result files that this package reads; promptfooTested is the
// version of promptfoo whose files were used for testing.
const (
	promptfooVersion = 3
	promptfooTested  = "promptfoo 0.123.1"
)

type promptfooFile struct {
	Config struct {
		Description string `json:"description"`
	} `json:"config"`
	Metadata struct {
		Version string `json:"promptfooVersion"`
	} `json:"metadata"`
	Results *struct {
		Version int               `json:"version"`
		Results []promptfooResult `json:"results"`
	} `json:"results"`
}

type promptfooResult struct {
	PromptIdx int `json:"promptIdx"`
	TestIdx   int `json:"testIdx"`
	Provider  struct{ ID, Label string }
	Prompt    struct{ Raw, Label string }
	Vars      map[string]any
	TestCase  json.RawMessage
	Response  *struct {
		Output     json.RawMessage
		TokenUsage struct{ Prompt, Completion, Cached int }
	}
	Error         *string
	LatencyMS     float64 `json:"latencyMs"`
	FailureReason int     `json:"failureReason"` // 0 without a failure, 1 for an assertion, 2 for an error
	Success       bool
	GradingResult *struct{ Reason string }
	Cost          *float64
}

// log reads the file that `promptfoo eval -o results.json` writes. A provider with a prompt is a row. Tests
// with the same variables and assertions are repeats of one query, because promptfoo gives each repeat
// another number. Assertions become checks of the query; the verdicts are those of the file.
func (file promptfooFile) log(from source) (*Log, error) {
	switch {
	case file.Results == nil || len(file.Results.Results) == 0:
		return nil, errors.New("the file has no results: write it with promptfoo eval -o results.json")
	case file.Results.Version != promptfooVersion:
		return nil, fmt.Errorf("they have version %d, and only version %d can be read (%s)", file.Results.Version,
			promptfooVersion, promptfooTested)
	}
	l := &Log{Tool: strings.TrimSpace("promptfoo " + file.Metadata.Version), Name: cmp.Or(file.Config.Description,
		"promptfoo"), NoCalls: true}
	results := file.Results.Results
	slices.SortStableFunc(results, func(a, b promptfooResult) int {
		return cmp.Or(cmp.Compare(a.TestIdx, b.TestIdx), cmp.Compare(a.PromptIdx, b.PromptIdx))
	})
	labels := map[string]map[string]bool{} // prompts of each provider
	for _, x := range results {
		p := cmp.Or(x.Provider.Label, x.Provider.ID)
		if labels[p] == nil {
			labels[p] = map[string]bool{}
		}
		labels[p][x.Prompt.Label] = true
	}
	tests := newTests(l, from.beside)
	for _, x := range results {
		name := cmp.Or(x.Provider.Label, x.Provider.ID)
		if len(labels[name]) > 1 {
			name += ", " + firstLine(x.Prompt.Label)
		}
		id, err := tests.query(x)
		if err != nil {
			return nil, fmt.Errorf("test %d: %w", x.TestIdx, err)
		}
		r, t := l.row(name, x.Provider.ID), x.trace()
		tests.compare(id, fmt.Sprintf("trace %d of %s, %s", len(r.Traces[id]), id, name), x, t)
		r.add(id, t)
	}
	l.Asserted = tests.notes()
	return l, nil
}

func (x promptfooResult) query(id string) datasets.Query {
	q := datasets.Query{ID: id, Text: x.Prompt.Raw}
	if len(x.Vars) > 0 {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(x.Vars)) {
			parts = append(parts, fmt.Sprintf("%s: %v", name, x.Vars[name]))
		}
		q.Text = strings.Join(parts, "\n")
		if len(x.Vars) == 1 {
			_, q.Text, _ = strings.Cut(q.Text, ": ")
		}
	}
	// A dataset file, in which the query is kept, has texts in this form.
	q.Text = strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(q.Text))
	return q
}

// message returns the output as a text. Another value than a text is JSON on one line, as promptfoo's assertions read
// it.
func (x promptfooResult) message() string {
	var said *string
	raw := x.Response.Output
	if len(raw) == 0 || json.Unmarshal(raw, &said) == nil {
		if said == nil {
			return ""
		}
		return *said
	}
	var out bytes.Buffer
	if err := json.Compact(&out, raw); err != nil { // the file was decoded, so that this is JSON
		return string(raw)
	}
	return out.String()
}

func (x promptfooResult) trace() Trace {
	t := Trace{Trace: trace.Trace{Steps: 1, ModelCalls: 1}, Seconds: x.LatencyMS / 1000}
	if x.Response != nil {
		u := x.Response.TokenUsage
		t.Usage = model.Usage{InputTokens: u.Prompt, OutputTokens: u.Completion, CachedTokens: u.Cached}
		t.Message = x.message()
	}
	if x.FailureReason == 2 || x.Response == nil {
		cause := "the provider failed"
		if x.Error != nil {
			cause = *x.Error
		}
		return t.lose(trace.ModelError, cause)
	}
	ruling, reason := judge.Incorrect, "an assertion of promptfoo failed"
	if x.Success {
		ruling, reason = judge.Correct, "promptfoo's assertions hold"
	}
	if x.GradingResult != nil {
		reason = cmp.Or(x.GradingResult.Reason, reason)
	}
	t.grade(ruling, reason)
	return t
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(line); len(runes) > 40 {
		line = string(runes[:39]) + "…"
	}
	return line
}
