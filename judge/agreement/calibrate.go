package agreement

import (
	"cmp"
	"context"
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
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

// Labelled is an answer that a person judged.
type Labelled struct {
	Place  string // place of the label, such as labelled.jsonl:3
	Query  datasets.Query
	Answer string
	Right  bool
	Grade  *int    // the person's grade, 1..5; nil if not graded
	Weight float64 // weight in all rates; 0 means 1
}

// labelledLine is the form of a Labelled in a file. Label is a boolean, or "correct" or "incorrect".
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

// ReadLabelled reads labelled answers as JSONL, optionally compressed with gzip. The error lists the lines that
// cannot be used, or is that of Distinct.
func ReadLabelled(name string, r io.Reader) ([]Labelled, error) {
	var out []Labelled
	err := eachLine(name, r, func(n int, line labelledLine) error {
		l, err := line.labelled()
		l.Place, l.Query.ID = fmt.Sprintf("%s:%d", name, n), cmp.Or(line.ID, fmt.Sprintf("line %d", n))
		out = append(out, l)
		return err
	})
	if err != nil {
		return nil, err
	}
	return Distinct(name, out)
}

func (x labelledLine) labelled() (Labelled, error) {
	l := Labelled{Answer: *cmp.Or(x.Answer, new("")), Grade: x.Score,
		Right: x.Label == true || x.Label == string(judge.Correct),
		Query: datasets.Query{Text: x.Query, Gold: datasets.Gold{
			Type: cmp.Or(answer.Type(x.Type), answer.Text), Answer: x.Gold, Aliases: x.Aliases, Condition: x.Condition,
			Outcome: trace.Answered,
		}}}
	switch {
	case strings.TrimSpace(x.Query) == "":
		return l, errors.New("it has no query")
	case x.Gold == "" && x.Condition == "":
		return l, errors.New("it has neither gold nor condition: add one of them to compare the answer with")
	case x.Answer == nil:
		return l, errors.New("it has no answer")
	case !slices.Contains(answer.Types(), l.Query.Gold.Type):
		return l, fmt.Errorf("its type %q is not known", x.Type)
	case x.Label == nil:
		return l, fmt.Errorf("it has no label: write true or false, or %q or %q", judge.Correct, judge.Incorrect)
	case !l.Right && x.Label != false && x.Label != string(judge.Incorrect):
		return l, fmt.Errorf("its label is %v: write true or false, or %q or %q", x.Label, judge.Correct,
			judge.Incorrect)
	}
	return l, checkScore(x.Score)
}

// Distinct removes repeated answers. It returns an error if two labels of one answer contradict each other, or
// if all labels are right or all are wrong. name is the source of the labels.
func Distinct(name string, list []Labelled) ([]Labelled, error) {
	var out []Labelled
	var wrong []error
	right := 0
	for _, l := range list {
		same := slices.IndexFunc(out, func(o Labelled) bool {
			return o.Query.Text == l.Query.Text && o.Answer == l.Answer && o.Query.Gold.Answer == l.Query.Gold.Answer
		})
		switch {
		case same < 0:
			out = append(out, l)
			right += int(stats.Bit(l.Right))
		case out[same].Right != l.Right:
			wrong = append(wrong, fmt.Errorf("%s: the answer %q to this query has another label at %s: keep only "+
				"one of these lines", l.Place, l.Answer, out[same].Place))
		}
	}
	if len(wrong) == 0 && (right == 0 || right == len(out)) {
		wrong = append(wrong, fmt.Errorf("%s: %d of %d labels say right: add right and wrong answers, or a judge that "+
			"always gives the same verdict would pass", name, right, len(out)))
	}
	return out, errors.Join(wrong[:min(len(wrong), 20)]...)
}

// Calibrate asks the judge about every answer, several at a time, and compares its verdicts with the labels.
// done is called after each answer with the share done so far. It returns an error if the judge is invalid, its
// model failed, or ctx ended; it returns no partial results, because they would mislead. With the rule
// "calibrated", a panel decides by majority while it is asked; for its figures, the opinions on an answer are
// then weighted by means of the other answers.
func Calibrate(
	ctx context.Context, j *judge.Correctness, list []Labelled, parallel int, done func(share float64),
) (*judge.Calibration, error) {
	version := j.Version()
	weighed := version.Rule == judge.RuleCalibrated
	if weighed {
		j = &judge.Correctness{Settings: j.Settings,
			Panel: &judge.Panel{Members: j.Panel.Members, Rule: judge.RuleMajority}}
	}
	whole, members := make([]Rated, len(list)), make([]Rated, len(list)) // the judge, and the members of a panel
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(max(1, parallel))
	var n atomic.Int64
	for i, l := range list {
		group.Go(func() error {
			got, err := j.Judge(within, l.Query,
				judge.Subject{Outcome: trace.Answered, Answer: l.Answer, Message: l.Answer})
			switch {
			case err != nil:
				return err
			case got.Canaries != nil && len(got.Canaries.Missed) > 0 && got.Verdict.Verdict == judge.Unscored:
				return errors.New(got.Verdict.Reason)
			case got.Verdict.By == judge.ByInfra:
				return fmt.Errorf("%s: %s", l.Place, got.Verdict.Reason)
			}
			opinions := got.Repeats
			if opinions == nil {
				opinions = []judge.Opinion{{Verdict: got.Verdict.Verdict, Score: got.Score}}
			}
			rated := Rated{Right: l.Right, Grade: l.Grade, Weight: l.Weight,
				Refused: got.Criteria != nil && (!got.Criteria.Correct || got.Criteria.ContradictsReference)}
			members[i], whole[i] = rated, rated
			whole[i].Opinions, members[i].Opinions = map[string][]judge.Opinion{j.Name: opinions}, map[string][]judge.Opinion{}
			for _, o := range got.Members {
				members[i].Opinions[o.Judge] = []judge.Opinion{o}
			}
			done(float64(n.Add(1)) / float64(len(list)))
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	if weighed {
		weigh(whole, members, j.Name)
	}
	f := Measure(members)
	return &judge.Calibration{
		Schema: judge.CalibrationSchema, Made: time.Now().UTC(), Version: version, Answers: f.Answers, Right: f.Right,
		Whole: agreed(j.Name, whole), Members: append([]judge.Agreed{}, f.Judges...), Votes: f.Votes, Best: f.Best,
	}, nil
}

// weigh replaces a panel's verdict on each answer by a verdict with weighted opinions. The weights come from
// the other answers only: an answer that influenced its own weights would make the panel look better. A verdict
// that followed from the gold, so that no member was asked, is unchanged.
func weigh(whole, members []Rated, panel string) {
	for i, item := range members {
		p := judge.Panel{Rule: judge.RuleCalibrated, Weights: map[string]judge.Weight{}}
		var opinions []judge.Opinion
		for _, name := range slices.Sorted(maps.Keys(item.Opinions)) {
			p.Weights[name] = agreed(name, slices.Concat(members[:i], members[i+1:])).Weight()
			opinions = append(opinions, item.Opinions[name]...)
		}
		if len(opinions) > 0 {
			whole[i].Opinions[panel] = []judge.Opinion{{Verdict: p.Decide(opinions).Verdict}}
		}
	}
}
