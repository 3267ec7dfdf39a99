package judge

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// CalibrationSchema is the name of the JSON form of a Calibration.
const CalibrationSchema = "concur/calibration/v1"

// Version identifies a correctness judge: its models and all settings that its verdicts depend on.
type Version struct {
	Models    []string `json:"models" yaml:"models"` // the members of a panel in order, or the one model
	Rule      string   `json:"rule" yaml:"rule"`     // the rule of a panel; "" for a single judge
	Prompt    string   `json:"prompt" yaml:"prompt"`
	Norm      string   `json:"norm" yaml:"norm"` // version of the rules that normalise answers
	Threshold int      `json:"threshold" yaml:"threshold"`
	Repeats   int      `json:"repeats" yaml:"repeats"` // 0 and 1 mean that each answer is judged once
}

// Version returns the version of the judge with its current settings.
func (c *Correctness) Version() Version {
	v := Version{Models: []string{c.Name}, Prompt: CorrectnessPromptVersion, Norm: answer.Version,
		Threshold: c.threshold(), Repeats: max(1, c.Repeats)}
	if c.Panel != nil {
		v.Models, v.Rule, v.Repeats = nil, c.Panel.Rule, 1
		for _, m := range c.Panel.Members {
			v.Models, v.Repeats = append(v.Models, m.Name), max(1, m.Repeats)
		}
	}
	return v
}

// Differences lists the fields in which now differs from v, one sentence for each field.
func (v Version) Differences(now Version) []string {
	var out []string
	for _, d := range []struct{ what, was, is string }{
		{"judge", strings.Join(v.Models, ", "), strings.Join(now.Models, ", ")},
		{"rule", v.Rule, now.Rule}, {"prompt", v.Prompt, now.Prompt}, {"norm", v.Norm, now.Norm},
		{"threshold", fmt.Sprint(v.Threshold), fmt.Sprint(now.Threshold)},
		{"repeats", fmt.Sprint(v.Repeats), fmt.Sprint(now.Repeats)},
	} {
		if d.was != d.is {
			out = append(out, fmt.Sprintf("%s: %s, now %s", d.what, d.was, d.is))
		}
	}
	return out
}

// Share is a proportion with its 95 % Wilson interval.
type Share struct {
	Value float64 `json:"value" yaml:"value"`
	Low   float64 `json:"low" yaml:"low"`
	High  float64 `json:"high" yaml:"high"`
}

// Agreed measures how well the verdicts of one judge, or of a panel, agree with people's labels.
// Figures that are undefined are nil.
type Agreed struct {
	Judge string `json:"judge" yaml:"judge"` // the name of a model, or "panel"
	// The numbers of labelled answers: right answers that passed and that failed, wrong answers that failed and
	// that passed, and answers without a usable verdict. If answers were drawn with unequal chances, each
	// counts by its weight.
	RightPassed float64 `json:"right_passed" yaml:"right_passed"`
	RightFailed float64 `json:"right_failed" yaml:"right_failed"`
	WrongFailed float64 `json:"wrong_failed" yaml:"wrong_failed"`
	WrongPassed float64 `json:"wrong_passed" yaml:"wrong_passed"`
	Unread      int     `json:"unread" yaml:"unread"`

	Sensitivity *Share   `json:"sensitivity" yaml:"sensitivity"` // share of the right answers that passed
	Specificity *Share   `json:"specificity" yaml:"specificity"` // share of the wrong answers that failed
	Accuracy    *Share   `json:"accuracy" yaml:"accuracy"`
	Kappa       *float64 `json:"kappa" yaml:"kappa"`
	AC1         *float64 `json:"ac1" yaml:"ac1"`
	// Quadratic is the weighted kappa between the judge's scores and people's scores, both 1 to 5.
	Quadratic *float64 `json:"quadratic_kappa" yaml:"quadratic_kappa"`
	// Alpha is Krippendorff's alpha over the repeats of a judge. Flips is the share of the repeatedly
	// judged answers on which its verdicts differ.
	Alpha *float64 `json:"repeats_alpha" yaml:"repeats_alpha"`
	Flips *float64 `json:"flip_rate" yaml:"flip_rate"`
	// Cuts has the figures for each possible threshold. Best is the threshold with the greatest sensitivity +
	// specificity - 1 among the thresholds with a specificity of at least .90. If several are equally good, it
	// is the strictest. It is 0 if no threshold reaches that specificity (docs/method.md §7.4).
	Cuts []Cut `json:"cuts" yaml:"cuts"`
	Best int   `json:"best_cut" yaml:"best_cut"`
}

// Cut has the figures of a judge for one threshold, the lowest score that passes.
type Cut struct {
	Threshold   int     `json:"threshold" yaml:"threshold"`
	Sensitivity float64 `json:"sensitivity" yaml:"sensitivity"`
	Specificity float64 `json:"specificity" yaml:"specificity"`
	J           float64 `json:"youden_j" yaml:"youden_j"`
}

// Doubts lists the reasons why the judge is not validated (docs/method.md §7.4); nil if it is validated.
func (a Agreed) Doubts() []string {
	switch {
	case a.Sensitivity == nil || a.Specificity == nil:
		return []string{"all labelled answers are right, or all are wrong"}
	case a.Sensitivity.Value+a.Specificity.Value <= 1:
		return []string{fmt.Sprintf("it is no better than chance (sensitivity %.2f, specificity %.2f)",
			a.Sensitivity.Value, a.Specificity.Value)}
	}
	var out []string
	for _, d := range []struct {
		what  string
		is    *float64
		least float64
	}{{"specificity's lower bound", &a.Specificity.Low, .70}, {"sensitivity", &a.Sensitivity.Value, .85},
		{"the scores' quadratic kappa", a.Quadratic, .7}} {
		if d.is != nil && *d.is < d.least {
			out = append(out, fmt.Sprintf("%s is %.2f, %.2f needed", d.what, *d.is, d.least))
		}
	}
	return out
}

// Weight returns the weight of the judge's opinions. It adds 1 to each count, so that a judge
// that made no error does not get an infinite weight.
func (a Agreed) Weight() Weight {
	sens := (a.RightPassed + 1) / (a.RightPassed + a.RightFailed + 2)
	spec := (a.WrongFailed + 1) / (a.WrongFailed + a.WrongPassed + 2)
	return Weight{Correct: math.Log(sens / (1 - spec)), Incorrect: math.Log((1 - sens) / spec)}
}

// Calibration measures a judge, or a panel, by its verdicts on labelled answers.
type Calibration struct {
	Schema  string    `json:"schema" yaml:"schema"`
	Made    time.Time `json:"made" yaml:"made"`
	Version Version   `json:"version" yaml:"version"`
	Answers int       `json:"answers" yaml:"answers"`
	Right   int       `json:"right" yaml:"right"` // answers that are labelled right
	Whole   Agreed    `json:"whole" yaml:"whole"` // the judge, or the panel
	Members []Agreed  `json:"members" yaml:"members"`
	// Votes is the effective number of independent votes of the panel, from the correlation of its
	// members' errors. Best is the member with the greatest sensitivity + specificity.
	Votes *float64 `json:"effective_votes" yaml:"effective_votes"`
	Best  string   `json:"best_member" yaml:"best_member"`
}

// ReadCalibration reads a calibration file. It returns an error if the calibration is of another version of the
// judge.
func ReadCalibration(path string, now Version) (*Calibration, error) {
	c, err := LoadCalibration(path)
	if err != nil {
		return nil, err
	}
	if d := c.Version.Differences(now); len(d) > 0 {
		return nil, fmt.Errorf("the calibration %s is of another judge (%s): calibrate this judge with `concur judge "+
			"calibrate`, or leave judge.calibration out", path, strings.Join(d, "; "))
	}
	return c, nil
}

// LoadCalibration reads a calibration file of any judge.
func LoadCalibration(path string) (*Calibration, error) {
	var c Calibration
	raw, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	if err == nil && c.Schema != CalibrationSchema {
		err = fmt.Errorf("its schema is %q, but this version of concur reads %s", c.Schema, CalibrationSchema)
	}
	if err != nil {
		return nil, fmt.Errorf("read calibration %s: %w: create the file with `concur judge calibrate FILE --format json "+
			"--out %s`", path, err, path)
	}
	return &c, nil
}

// Weights returns the weights of the members by name.
func (c Calibration) Weights() map[string]Weight {
	out := map[string]Weight{}
	for _, a := range c.Members {
		out[a.Judge] = a.Weight()
	}
	return out
}
