package offline

import (
	"errors"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
)

type correctnessReply struct {
	Extracted  string          `json:"extracted_answer"`
	Criteria   criteriaInReply `json:"criteria"`
	Score      int             `json:"score"`
	Confidence int             `json:"confidence"`
}

type criteriaInReply struct {
	Correct     bool  `json:"correct"`
	Complete    bool  `json:"complete"`
	Contradicts bool  `json:"contradicts_reference"`
	Grounded    *bool `json:"grounded"` // always null, because the answer alone has no evidence
}

// grade is the result of comparing an answer with one part of a reference. A smaller grade is worse.
type grade int

const (
	gradeOther grade = iota // another value of the same kind
	gradeNone               // no value of this kind
	gradePart               // at least half of a name's words are present, or a keyword is missing
	gradeHeld               // the reference is present, among other words
	gradeEqual              // equal by the rules of datasets/answer
)

// ruleCorrectness compares an answer with a reference. Its grade is the worst of the grades of the answer and
// of the keywords. It never gives a score of 3, which means a missing qualification, because no rule detects
// this. It cannot judge conditions in words.
func ruleCorrectness(b blocks) (any, error) {
	d, err := b.need("question", "reference", "answer")
	if err != nil {
		return nil, err
	}
	g, err := readReference(d[1]).grade(d[2])
	if err != nil {
		return nil, err
	}
	return correctnessReply{
		Extracted:  d[2],
		Criteria:   criteriaInReply{Correct: g >= gradeHeld, Complete: g == gradeEqual, Contradicts: g == gradeOther},
		Score:      [...]int{1, 1, 2, 4, 5}[g],
		Confidence: [...]int{90, 60, 60, 75, 95}[g],
	}, nil
}

// reference has the fields of a reference, each with its values.
type reference map[string][]string

// readReference reads lines of the form "field: value".
func readReference(s string) reference {
	r := reference{}
	for line := range strings.Lines(s) {
		field, content, _ := strings.Cut(strings.TrimSpace(line), ": ")
		r[field] = append(r[field], content)
	}
	return r
}

func (r reference) grade(short string) (grade, error) {
	if len(r["condition"])+len(r["condition:"]) > 0 {
		return 0, errors.New("rules cannot decide a condition in words: name a language model as judge.correctness")
	}
	if len(r["premise"]) > 0 { // rules found no denial in it, or it would not have been asked about
		return gradeOther, nil
	}
	accepted := append(slices.Clone(r["answer"]), r["also accepted"]...)
	if _, ok := readAs(short, answer.Text); !ok ||
		len(accepted)+len(r["must mention"])+len(r["must not mention"]) == 0 {
		return gradeNone, nil
	}
	worst, best := gradeEqual, gradeOther
	for _, want := range accepted {
		best = max(best, r.against(want, short))
		worst = best
	}
	for _, m := range r["must mention"] {
		if !slices.ContainsFunc(strings.Split(m, " or "),
			func(k string) bool { return answer.ContainsTokens(short, k) }) {
			worst = min(worst, gradePart)
		}
	}
	if slices.ContainsFunc(r["must not mention"], func(k string) bool { return answer.ContainsTokens(short, k) }) {
		worst = gradeOther
	}
	return worst, nil
}

// against compares an answer with one accepted answer. It reads both as values of the accepted answer's type.
func (r reference) against(want, short string) grade {
	tolerance := answer.Tolerance{}
	for _, t := range r["tolerance"] {
		if read, err := answer.ParseTolerance(strings.TrimSpace(strings.TrimPrefix(t, "±"))); err == nil {
			tolerance = read
		}
	}
	t := typeOf(want)
	matches := func(short string) bool {
		ok, _ := answer.Match(short, want, t, nil, tolerance, answer.Options{})
		return ok
	}
	_, read := readAs(short, t)
	within := answer.Extract(short, "", t).Short // the value, without the words around it
	isName := t == answer.Entity || t == answer.Text
	switch {
	case matches(short):
		return gradeEqual
	case matches(within) && !hedges(short), isName && answer.ContainsTokens(short, want) && !hedges(short):
		return gradeHeld
	case isName && share(want, short) >= 0.5:
		return gradePart
	case isName && share(want, short) > 0, !read && (isName || within == ""):
		return gradeNone
	}
	return gradeOther
}

// hedges reports whether an answer has a negation, alternatives or several things.
func hedges(short string) bool {
	return slices.ContainsFunc(wordsOf(short), func(w word) bool {
		return strings.Contains(" not no never or and nor neither ", " "+w.low+" ")
	})
}
