package imports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/trace"
)

// lmEvalTested is the version of lm-evaluation-harness whose files were used for testing. The files do not
// state their version.
const lmEvalTested = "lm-eval 0.4.13"

// repeatsRow is the name of the row with a question's answers before lm-eval's filters.
const repeatsRow = "repeats"

type lmEvalSample struct {
	DocID     scalar          `json:"doc_id"`
	Target    json.RawMessage `json:"target"`
	Arguments map[string]struct {
		Prompt json.RawMessage `json:"arg_0"`
		Second json.RawMessage `json:"arg_1"` // the choice; for a generation, the settings
	} `json:"arguments"`
	Resps    []json.RawMessage `json:"resps"`
	Filtered []json.RawMessage `json:"filtered_resps"`
	Filter   string            `json:"filter"`
	Metrics  []string          `json:"metrics"`

	values map[string]any // all fields, including the metrics
}

func (s *lmEvalSample) UnmarshalJSON(raw []byte) error {
	type plain lmEvalSample
	if err := json.Unmarshal(raw, (*plain)(s)); err != nil {
		return err
	}
	return json.Unmarshal(raw, &s.values)
}

// readSamples reads the samples that lm-evaluation-harness writes with --log_samples, one JSON object per line.
// Each filter of a task is a row with one trace per question. The verdict comes from a metric: the metric
// score, or else the first metric of the sample. If a question was repeated, its answers before the filters
// form the row "repeats", which has no verdicts, so that the gold decides.
func readSamples(from source) (*Log, error) {
	l := &Log{Tool: "lm-eval", Name: "lm-eval"}
	return l, eachLine(from, func(_ int, s lmEvalSample) error {
		if err := l.takeSample(s, from.score); err != nil {
			return fmt.Errorf("sample %s: %w", s.DocID, err)
		}
		return nil
	})
}

// takeSample adds a line: the filtered answer and, if the line is the first of its question, the answers
// before the filters.
func (l *Log) takeSample(s lmEvalSample, score string) error {
	first, ok := s.Arguments["gen_args_0"]
	if !ok || len(s.Resps) == 0 || len(s.Filtered) == 0 {
		return fmt.Errorf("it has no arguments, resps or filtered_resps: write the file with lm_eval run "+
			"--log_samples (%s)", lmEvalTested)
	}
	if len(s.Metrics) > 0 {
		score = cmp.Or(score, s.Metrics[0])
	}
	q := datasets.Query{ID: "doc-" + string(s.DocID), Text: textOf(first.Prompt)}
	var repeats, filtered []string
	if len(s.Resps) > 1 { // several choices
		q.Gold.Answer = s.choice(textOf(s.Target))
		filtered = []string{s.choice(s.likeliest(score == normalised))}
	} else {
		// The target is several texts, as Python prints a list.
		if q.Gold.Answer = textOf(s.Target); strings.HasPrefix(q.Gold.Answer, "[") {
			q.Gold.Answer = ""
		}
		repeats, filtered = textsOf(s.Resps[0]), textsOf(s.Filtered[0])
	}
	id := l.query(q)
	if len(repeats) > 1 {
		if row := l.row(repeatsRow, ""); len(row.Traces[id]) == 0 {
			row.Traces[id] = answersOf(repeats)
		}
	}
	row := l.row(cmp.Or(strings.TrimPrefix(s.Filter, "none"), "default"), "")
	if len(row.Traces[id]) > 0 {
		return fmt.Errorf("it occurs twice for the filter %q: import the file of one run", s.Filter)
	}
	row.Traces[id] = answersOf(filtered)
	if len(filtered) != 1 {
		return nil
	}
	metrics := map[string]any{}
	for _, name := range s.Metrics {
		metrics[name] = s.values[name]
	}
	return row.Traces[id][0].gradeBy(score, metrics)
}

func answersOf(texts []string) []Trace {
	out := make([]Trace, len(texts))
	for i, text := range texts {
		out[i] = Trace{Trace: trace.Trace{Steps: 1, ModelCalls: 1, Message: text}}
	}
	return out
}

// textsOf returns a list of texts, or the list of a single text.
func textsOf(raw json.RawMessage) []string {
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	return []string{textOf(raw)}
}

// choice returns the text of a choice by its index, or the index if there is no such choice.
func (s lmEvalSample) choice(index string) string {
	if a, ok := s.Arguments["gen_args_"+index]; ok {
		return strings.TrimSpace(textOf(a.Second))
	}
	return index
}

// normalised is the metric that divides a log-likelihood by the length of the choice.
const normalised = "acc_norm"

// likeliest returns the index of the choice with the highest log-likelihood, in total or per character.
func (s lmEvalSample) likeliest(byLength bool) string {
	best, at := 0.0, ""
	for i, raw := range s.Filtered {
		var pair []string // the log-likelihood, and whether the choice is the model's most likely text
		if json.Unmarshal(raw, &pair) != nil || len(pair) == 0 {
			continue
		}
		v, err := strconv.ParseFloat(pair[0], 64)
		if err != nil {
			continue
		}
		if byLength {
			v /= float64(max(1, utf8.RuneCountInString(s.choice(strconv.Itoa(i)))))
		}
		if at == "" || v > best {
			best, at = v, strconv.Itoa(i)
		}
	}
	return at
}
