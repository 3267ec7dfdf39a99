package agreement

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Labelled is an answer that a person judged: one line of a calibration file.
type Labelled struct {
	Line   int
	Query  datasets.Query
	Answer string
	Right  bool
	Grade  *int // by the person, 1..5; nil without one
}

// labelledLine is its form. Label is a boolean, or correct or incorrect.
type labelledLine struct {
	ID        string   `json:"id"`
	Query     string   `json:"query"`
	Gold      string   `json:"gold"`
	Type      string   `json:"type"`
	Aliases   []string `json:"aliases"`
	Condition string   `json:"condition"`
	Answer    *string  `json:"answer"`
	Label     any      `json:"label"`
	Score     *int     `json:"score"`
}

// ReadLabelled reads labelled answers as JSONL, compressed by gzip or not. The error lists the
// lines that cannot be used, and labels of one answer that contradict each other.
func ReadLabelled(name string, r io.Reader) ([]Labelled, error) {
	var out []Labelled
	var wrong []error
	lines.Each(lines.Decompressed(r), func(n int, text []byte, err error) {
		var l Labelled
		if err == nil {
			l, err = labelled(text)
		}
		if l.Line = n; err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d: %w", name, n, err))
			return
		}
		if l.Query.ID == "" {
			l.Query.ID = fmt.Sprintf("line %d", n)
		}
		same := slices.IndexFunc(out, func(o Labelled) bool {
			return o.Query.Text == l.Query.Text && o.Answer == l.Answer && o.Query.Gold.Answer == l.Query.Gold.Answer
		})
		switch {
		case same < 0:
			out = append(out, l)
		case out[same].Right != l.Right:
			wrong = append(wrong, fmt.Errorf("%s:%d: the answer %q to this query is labelled otherwise on line %d: keep one of the two", name, n, l.Answer, out[same].Line))
		}
	})
	if len(wrong) > 0 {
		return nil, errors.Join(wrong[:min(len(wrong), 20)]...)
	}
	if right := rightOf(out); right == 0 || right == len(out) {
		return nil, fmt.Errorf("%s: %d of %d labels say right, and both kinds are needed: a judge that always says the same would pass", name, right, len(out))
	}
	return out, nil
}

func rightOf(list []Labelled) (n int) {
	for _, l := range list {
		if l.Right {
			n++
		}
	}
	return n
}

func labelled(text []byte) (Labelled, error) {
	var x labelledLine
	if err := json.Unmarshal(text, &x); err != nil {
		return Labelled{}, fmt.Errorf("it is not an object with query, gold, answer and label: %w", err)
	}
	switch {
	case strings.TrimSpace(x.Query) == "":
		return Labelled{}, errors.New("it has no query")
	case x.Gold == "" && x.Condition == "":
		return Labelled{}, errors.New("it has neither gold nor condition, with which a judge could compare the answer")
	case x.Answer == nil:
		return Labelled{}, errors.New("it has no answer")
	case x.Score != nil && (*x.Score < 1 || *x.Score > 5):
		return Labelled{}, fmt.Errorf("its score is %d, not 1 to 5", *x.Score)
	case x.Type != "" && !slices.Contains(answer.Types(), answer.Type(x.Type)):
		return Labelled{}, fmt.Errorf("its type %q is not known", x.Type)
	}
	l := Labelled{Answer: *x.Answer, Grade: x.Score, Query: datasets.Query{ID: x.ID, Text: x.Query, Gold: datasets.Gold{
		Type: answer.Type(x.Type), Answer: x.Gold, Aliases: x.Aliases, Condition: x.Condition, Outcome: answer.Answered,
	}}}
	if l.Query.Gold.Type == "" {
		l.Query.Gold.Type = answer.Text
	}
	switch label := x.Label.(type) {
	case bool:
		l.Right = label
		return l, nil
	case string:
		if label == string(judge.Correct) || label == string(judge.Incorrect) {
			l.Right = label == string(judge.Correct)
			return l, nil
		}
	}
	return l, fmt.Errorf("its label is %v: write true or false, or %q or %q", x.Label, judge.Correct, judge.Incorrect)
}

// What a question to a judge takes, in tokens: its instructions (2,700 bytes) with schema,
// question, reference and answer, and its reply.
const (
	guessedPrompt = 1000
	guessedReply  = 120
)

// Guess is what a calibration may take, with every answer judged so many times by each of the
// models: a bound of the calls without retries, and an order of magnitude of the others. Models
// without a price cost nothing here.
func Guess(answers, repeats int, models []string, price func(name string, u model.Usage) (usd float64, known bool)) (calls, tokens int, usd float64) {
	for _, name := range models {
		n := answers * repeats
		u := model.Usage{InputTokens: n * guessedPrompt, OutputTokens: n * guessedReply}
		cost, _ := price(name, u)
		calls, tokens, usd = calls+n, tokens+u.InputTokens+u.OutputTokens, usd+cost
	}
	return calls, tokens, usd
}

// Calibrate asks the judge about every answer, so many side by side, and compares its verdicts
// with the labels. done is called after each with the number so far; it may be nil. The error is
// that of a judge that is invalid, or whose model failed, or of ctx: half a calibration would
// mislead. With the rule calibrated, a panel decides by majority while it is asked, and its
// figures are those of its opinions weighed by this very calibration.
func Calibrate(ctx context.Context, j *judge.Correctness, list []Labelled, parallel int, done func(n int)) (*judge.Calibration, error) {
	version := j.Version()
	weighed := version.Rule == judge.RuleCalibrated
	if weighed {
		j = &judge.Correctness{Settings: j.Settings, Panel: &judge.Panel{Members: j.Panel.Members, Rule: judge.RuleMajority}}
	}
	items := make([]Rated, len(list))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(max(1, parallel))
	var n atomic.Int64
	for i, l := range list {
		group.Go(func() error {
			got, err := j.Judge(within, l.Query, judge.Subject{Outcome: trace.Answered, Answer: l.Answer, Message: l.Answer})
			switch {
			case err != nil:
				return err
			case got.Canaries != nil && len(got.Canaries.Missed) > 0 && got.Verdict.Verdict == judge.Unscored:
				return errors.New(got.Verdict.Reason)
			case got.Verdict.By == judge.ByInfra:
				return fmt.Errorf("answer on line %d: %s", l.Line, got.Verdict.Reason)
			}
			items[i] = rated(l, got)
			if n := n.Add(1); done != nil {
				done(int(n))
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	f := Of(items)
	if weighed {
		f = Of(weigh(items, f))
	}
	out := &judge.Calibration{Schema: judge.CalibrationSchema, Made: time.Now().UTC(), Version: version, Answers: f.Answers, Right: f.Right, Members: []judge.Agreed{}}
	whole := wholeName
	if j.Panel == nil {
		whole = j.Name
	}
	for _, a := range f.Judges {
		if a.Judge == whole {
			out.Whole = a
			continue
		}
		out.Members = append(out.Members, a)
	}
	if len(out.Members) > 0 {
		members := Of(without(items, wholeName))
		out.Votes, out.Best = members.Votes, members.Best
	}
	return out, nil
}

// wholeName names the decision of a panel among its members.
const wholeName = "panel"

// rated is what a judge, or a panel and its members, said of a labelled answer. A verdict that
// followed from the gold is the panel's alone: no member was asked.
func rated(l Labelled, got judge.CorrectnessJudgement) Rated {
	whole := got.Judge
	if got.Members != nil {
		whole = wholeName
	}
	r := Rated{ID: l.Query.ID, Right: l.Right, Grade: l.Grade, Verdicts: map[string][]*bool{}, Scores: map[string]*int{}}
	said := []judge.Opinion{{Verdict: got.Verdict.Verdict}}
	if got.Repeats != nil {
		said = got.Repeats
	}
	for _, o := range said {
		r.Verdicts[whole] = append(r.Verdicts[whole], passes(o.Verdict))
	}
	r.Scores[whole] = got.Score
	r.Refused = map[string]bool{whole: got.Criteria != nil && (!got.Criteria.Correct || got.Criteria.ContradictsReference)}
	for _, o := range got.Members {
		r.Verdicts[o.Judge] = append(r.Verdicts[o.Judge], passes(o.Verdict))
		r.Scores[o.Judge] = o.Score
	}
	return r
}

func passes(v judge.Ruling) *bool {
	if v == judge.Unscored {
		return nil
	}
	p := v == judge.Correct
	return &p
}

// withoutOne takes an answer out of a judge's counts.
func withoutOne(a judge.Agreed, right, passed bool) judge.Agreed {
	switch {
	case right && passed:
		a.RightPassed--
	case right:
		a.RightFailed--
	case passed:
		a.WrongPassed--
	default:
		a.WrongFailed--
	}
	return a
}

// weigh replaces a panel's verdict on every answer by that of its members' opinions, weighed by
// the other answers alone: an answer that weighed itself would flatter the panel.
func weigh(items []Rated, f Figures) []Rated {
	out := slices.Clone(items)
	for i, item := range items {
		evidence := 0.0
		for _, a := range f.Judges {
			if v := majority(item.Verdicts[a.Judge]); v != nil && a.Judge != wholeName {
				if w := withoutOne(a, item.Right, *v).Weight(); *v {
					evidence += w.Correct
				} else {
					evidence += w.Incorrect
				}
			}
		}
		passes := evidence > 0
		out[i].Verdicts = maps.Clone(item.Verdicts)
		out[i].Verdicts[wholeName] = []*bool{&passes}
	}
	return out
}

// without leaves one judge out of all items.
func without(items []Rated, name string) []Rated {
	out := slices.Clone(items)
	for i, item := range items {
		out[i].Verdicts = map[string][]*bool{}
		for judge, said := range item.Verdicts {
			if judge != name {
				out[i].Verdicts[judge] = said
			}
		}
	}
	return out
}
