package imports

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/trace"
)

// lmEvalTested is the version of lm-evaluation-harness whose files LMEval was tested with. The
// files do not say their version.
const lmEvalTested = "lm-eval 0.4.13"

// repeatsRow is the row of all the answers of a question, before lm-eval's filters.
const repeatsRow = "repeats"

type lmEvalSample struct {
	DocID     sampleID        `json:"doc_id"`
	Target    json.RawMessage `json:"target"`
	Arguments map[string]struct {
		Prompt json.RawMessage `json:"arg_0"`
		Second json.RawMessage `json:"arg_1"` // the choice; of a generation its settings
	} `json:"arguments"`
	Resps    []json.RawMessage `json:"resps"`
	Filtered []json.RawMessage `json:"filtered_resps"`
	Filter   string            `json:"filter"`
	Metrics  []string          `json:"metrics"`

	values map[string]json.RawMessage // all fields, the metrics among them
}

func (s *lmEvalSample) UnmarshalJSON(raw []byte) error {
	type plain lmEvalSample
	if err := json.Unmarshal(raw, (*plain)(s)); err != nil {
		return err
	}
	return json.Unmarshal(raw, &s.values)
}

// LMEval reads the samples that lm-evaluation-harness writes with --log_samples, one JSON object
// a line. Each filter of a task is a row with one trace a question, whose verdict is that of a
// metric: score, or the first one of the sample. Where a question was repeated, its answers
// before the filters are the row "repeats", without verdicts: the gold decides.
func LMEval(r io.Reader, score string) (*Log, error) {
	l := &Log{Tool: "lm-eval", Name: "lm-eval"}
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	number, ungraded := 0, 0
	for in.Scan() {
		number++
		raw := bytes.TrimSpace(in.Bytes())
		if len(raw) == 0 {
			continue
		}
		var s lmEvalSample
		err := json.Unmarshal(raw, &s)
		if err == nil {
			var graded bool
			if graded, err = l.takeSample(s, score); !graded {
				ungraded++
			}
		}
		if err != nil {
			return nil, fmt.Errorf("read lm-eval's samples: line %d: %w", number, err)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("read lm-eval's samples: line %d: %w", number+1, err)
	}
	if len(l.Rows) == 0 {
		return nil, fmt.Errorf("read lm-eval's samples: the file is empty")
	}
	l.note(ungraded, "%d samples have a metric that says neither right nor wrong")
	return l, nil
}

// takeSample adds a line: the answer behind its filter, and the first time the answers before.
func (l *Log) takeSample(s lmEvalSample, score string) (graded bool, err error) {
	first, ok := s.Arguments["gen_args_0"]
	if !ok || len(s.Resps) == 0 || len(s.Filtered) == 0 {
		return false, fmt.Errorf("sample %s has no arguments, resps or filtered_resps: write the file with lm_eval run --log_samples (%s)", s.DocID, lmEvalTested)
	}
	q := datasets.Query{ID: "doc-" + string(s.DocID), Text: textOf(first.Prompt)}
	var repeats, filtered []string
	choices := len(s.Resps) > 1
	if choices {
		q.Gold.Answer = s.choice(textOf(s.Target))
		filtered = []string{s.choice(s.likeliest(score == normalised || score == "" && slices.Index(s.Metrics, normalised) == 0))}
	} else {
		if q.Gold.Answer = textOf(s.Target); strings.HasPrefix(q.Gold.Answer, "[") { // several, as Python prints a list
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
	traces := answersOf(filtered)
	graded = true
	if len(traces) == 1 {
		v, err := s.verdict(score)
		if err != nil {
			return false, err
		}
		traces[0].Verdict, graded = &v, v.Verdict != judge.Unscored
	}
	row := l.row(cmp.Or(strings.TrimPrefix(s.Filter, "none"), "default"), "")
	if len(row.Traces[id]) > 0 {
		return false, fmt.Errorf("sample %s of the filter %q is there twice: import the file of one run", s.DocID, s.Filter)
	}
	row.Traces[id] = traces
	return graded, nil
}

func answersOf(texts []string) []Trace {
	out := make([]Trace, len(texts))
	for i, text := range texts {
		out[i] = Trace{Trace: trace.Trace{Steps: 1, ModelCalls: 1, Message: text}}
	}
	return out
}

// textsOf is a list of texts, or the list of a single one.
func textsOf(raw json.RawMessage) []string {
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	return []string{textOf(raw)}
}

// choice is the text of a choice by its index; the index itself where there is no such choice.
func (s lmEvalSample) choice(index string) string {
	if a, ok := s.Arguments["gen_args_"+index]; ok {
		return strings.TrimSpace(textOf(a.Second))
	}
	return index
}

// normalised is the metric for which a log-likelihood is divided by the choice's length.
const normalised = "acc_norm"

// likeliest is the index of the choice with the highest log-likelihood, or with the highest
// one for each character.
func (s lmEvalSample) likeliest(byLength bool) string {
	best, at := 0.0, ""
	for i, raw := range s.Filtered {
		var pair []string // the log-likelihood, and whether it is what the model would write
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

// verdict is what a metric says of the sample.
func (s lmEvalSample) verdict(score string) (judge.Verdict, error) {
	v := judge.Verdict{Verdict: judge.Unscored, By: judge.ByImport, Reason: "the sample has no metric"}
	if score == "" && len(s.Metrics) > 0 {
		score = s.Metrics[0]
	}
	raw, known := s.values[score]
	switch {
	case score == "":
		return v, nil
	case !known:
		return v, fmt.Errorf("sample %s has no metric %q; it has %s: choose one with --score", s.DocID, score, strings.Join(s.Metrics, ", "))
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return v, err
	}
	v.Verdict, v.Reason = rulingOf(value), fmt.Sprintf("%s: %v", score, value)
	return v, nil
}
