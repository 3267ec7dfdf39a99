package imports

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// evalsLine is a line of a log of OpenAI evals: the spec of a run, an event of a sample, or the final report.
type evalsLine struct {
	Spec *struct {
		Name          string   `json:"eval_name"`
		CompletionFns []string `json:"completion_fns"`
	}
	Report json.RawMessage `json:"final_report"`

	Run    string `json:"run_id"`
	Sample scalar `json:"sample_id"`
	Type   string
	Data   json.RawMessage
}

// evalsData is the data of an event: a sampling, a match, or metrics.
type evalsData struct {
	Prompt  json.RawMessage // a text, or messages
	Sampled json.RawMessage // a text, or a list of them
	Usage   *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	}
	Correct  *bool
	Expected json.RawMessage // a text, or several texts of which one is enough
	Error    json.RawMessage
	Message  json.RawMessage
}

// evalsSample is the state of one sample while the log is read.
type evalsSample struct {
	id     string      // id of its query
	texts  []string    // the model's texts since the last verdict
	usage  model.Usage // usage of these texts
	graded bool        // the sample has a verdict
}

// evalsLog reads the lines of a log.
type evalsLog struct {
	*Log
	score    string
	row      *Row
	samples  map[scalar]*evalsSample // samples of the present run
	order    []*evalsSample          // the same samples, in the order of the file
	reported bool                    // the present run has its final report
	unended  int                     // number of runs without a final report
	later    int                     // number of samplings after a sample's verdict, or by its grader
}

// readEvals reads a log of OpenAI evals. A sample is a query. Each match ends a trace, which has the texts
// since the previous match. Without matches, a metric gives the verdict on the first sampling, because the
// later samplings belong to the grader: the metric with the name score or, without score, the only one.
// Several runs of an eval in one file are repeats.
func readEvals(from source) (*Log, error) {
	l := &evalsLog{Log: &Log{Tool: "OpenAI evals", Name: "evals", NoCalls: true}, score: cmp.Or(from.score, "score")}
	err := eachLine(from, func(_ int, line evalsLine) error { return l.take(line) })
	if err != nil {
		return nil, err
	}
	if l.row == nil {
		return nil, errors.New("it has no spec, with which a log begins: copy the whole file")
	}
	l.endRun()
	if len(l.Queries) == 0 {
		return nil, errors.New("it has no sampling, so nothing was asked")
	}
	l.note(l.unended, "run", " has no final report, because it did not finish: its last samples may be missing",
		" have no final report, because they did not finish: their last samples may be missing")
	l.note(l.later, "sampling", " of a grader, after the model's message, is left out",
		" of a grader, after the model's message, are left out")
	return l.Log, nil
}

func (l *evalsLog) take(line evalsLine) error {
	switch {
	case line.Spec != nil:
		l.endRun()
		name := strings.Join(line.Spec.CompletionFns, ", ")
		l.Name = cmp.Or(line.Spec.Name, l.Name)
		l.row, l.samples, l.order, l.reported = l.Log.row(cmp.Or(name, "default"), ""), map[scalar]*evalsSample{},
			nil, false
		return nil
	case l.row == nil:
		return errors.New("it comes before the spec, with which a log begins: copy the whole file")
	case len(line.Report) > 0:
		l.reported = true
		report, _ := lines.Encode(line.Report) // encoding never fails, because report was decoded from JSON
		l.Notes = append(l.Notes, fmt.Sprintf("final report of %s: %s", l.row.Name, text.Clip(string(report), 200)))
		return nil
	case line.Sample == "":
		return nil // another event of the run, which is ignored
	}
	var data evalsData
	if err := json.Unmarshal(line.Data, &data); err != nil && (line.Type == "sampling" || line.Type == "match") {
		return fmt.Errorf("sample %s: %w", line.Sample, lines.Fault(err, line.Data))
	}
	switch line.Type {
	case "sampling":
		l.sampling(line.Sample, data)
	case "match":
		if data.Correct == nil {
			return fmt.Errorf("sample %s: the match does not say correct", line.Sample)
		}
		return l.match(line.Sample, data)
	case "metrics":
		return l.metrics(line.Sample, line.Data)
	case "error":
		if s := l.samples[line.Sample]; s != nil && len(s.texts) > 0 {
			cause := cmp.Or(textOf(data.Message), textOf(data.Error), "the sample ended with an error")
			l.end(s, func(t *Trace) { *t = t.lose(trace.AgentError, cause) })
		}
	}
	return nil
}

// sampling adds texts of a model. The first sampling of a sample has its question.
func (l *evalsLog) sampling(id scalar, data evalsData) {
	s := l.samples[id]
	if s == nil {
		q := datasets.Query{ID: string(id)}
		q.Text, q.History = questionOf(data.Prompt)
		s = &evalsSample{id: l.query(q)}
		l.samples[id] = s
		l.order = append(l.order, s)
	}
	if u := data.Usage; u != nil {
		s.usage = s.usage.Add(model.Usage{InputTokens: max(0, u.Prompt), OutputTokens: max(0, u.Completion)})
	}
	s.texts = append(s.texts, firstText(data.Sampled))
}

// end creates a trace from the texts since the last verdict. The last text is the message, and the earlier
// texts are thoughts.
func (l *evalsLog) end(s *evalsSample, judged func(*Trace)) {
	t := Trace{Trace: trace.Trace{Steps: len(s.texts), ModelCalls: len(s.texts), Usage: s.usage}}
	for i, text := range s.texts {
		if i == len(s.texts)-1 {
			t.Message = text
		} else if text != "" {
			t.Events = append(t.Events, Event{i, trace.Thought{Content: text}})
		}
	}
	judged(&t)
	l.row.add(s.id, t)
	s.texts, s.usage, s.graded = nil, model.Usage{}, true
}

// match ends a trace of a sample with its verdict.
func (l *evalsLog) match(id scalar, data evalsData) error {
	s := l.samples[id]
	if s == nil {
		return fmt.Errorf("sample %s has a match before any sampling: copy the whole file", id)
	}
	if len(s.texts) == 0 {
		return fmt.Errorf("sample %s has two matches for one sampling: import a log with one", id)
	}
	if i := l.at[s.id]; l.Queries[i].Gold.None {
		l.Queries[i].Gold.Answer = soleText(data.Expected)
		l.Queries[i].Gold.None = l.Queries[i].Gold.Answer == ""
	}
	ruling := judge.Incorrect
	if *data.Correct {
		ruling = judge.Correct
	}
	l.end(s, func(t *Trace) { t.grade(ruling, fmt.Sprintf("match: correct is %v", *data.Correct)) })
	return nil
}

// metrics ends a trace of a sample with the verdict of the chosen metric. Without that metric, the sample
// stays without a verdict.
func (l *evalsLog) metrics(id scalar, raw json.RawMessage) error {
	var values map[string]any
	s := l.samples[id]
	if s == nil || len(s.texts) == 0 || json.Unmarshal(raw, &values) != nil {
		return nil
	}
	value, known := values[l.score]
	if !known {
		return nil
	}
	l.later += len(s.texts) - 1
	s.texts = s.texts[:1]
	l.end(s, func(t *Trace) { t.grade(rulingOf(value), fmt.Sprintf("%s: %v", l.score, value)) })
	return nil
}

// endRun ends a run's samples that have no verdict.
func (l *evalsLog) endRun() {
	if l.row != nil && !l.reported {
		l.unended++
	}
	unscored := 0
	for _, s := range l.order {
		if len(s.texts) > 0 && !s.graded {
			l.end(s, func(t *Trace) {
				t.grade(judge.Unscored, "the sample has neither a match nor the metric "+
					l.score)
			})
			unscored++
		}
	}
	l.note(unscored, "sample", " has no verdict: name a metric with --score, or a dataset with --dataset",
		" have no verdict: name a metric with --score, or a dataset with --dataset")
}

// questionOf returns the last question of a prompt, and the messages before it.
func questionOf(raw json.RawMessage) (question string, history []datasets.Turn) {
	var chat []message
	if json.Unmarshal(raw, &chat) != nil {
		return textOf(raw), nil
	}
	rest, history := split(chat)
	if len(rest) > 0 {
		return textOf(rest[0].Content), history
	}
	var all []string
	for _, m := range chat {
		all = append(all, textOf(m.Content))
	}
	return strings.Join(all, "\n"), nil
}

// firstText returns a text, or the first of several texts.
func firstText(raw json.RawMessage) string {
	if list := textsOf(raw); len(list) > 0 {
		return list[0]
	}
	return ""
}

// soleText returns a text, or the only text of a list; "" for several texts.
func soleText(raw json.RawMessage) string {
	if list := textsOf(raw); len(list) == 1 {
		return list[0]
	}
	return ""
}
