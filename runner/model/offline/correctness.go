package offline

import (
	"errors"
	"math/big"
	"slices"
	"strings"
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
	Grounded    *bool `json:"grounded"` // always null: an answer alone shows no evidence
}

// ruleCorrectness grades an answer by a reference: the worst of what its answer and its
// keywords say. A condition in words is beyond rules.
func ruleCorrectness(b blocks) (any, error) {
	d, err := b.need("question", "reference", "answer")
	if err != nil {
		return nil, err
	}
	r := readReference(d[1])
	if r.condition {
		return nil, errors.New("rules cannot decide a condition in words: name a language model as judge.correctness")
	}
	g := r.grade(inquiryOf(d[0]), d[2])
	return correctnessReply{
		Extracted:  d[2],
		Criteria:   criteriaInReply{Correct: g.score() >= 4, Complete: g == gradeEqual, Contradicts: g == gradeOther},
		Score:      g.score(),
		Confidence: g.confidence(),
	}, nil
}

// reference is what a right answer must hold.
type reference struct {
	answers   []string // the answer, then its aliases
	tolerance *big.Rat
	relative  bool     // the tolerance is a share of the answer
	condition bool     // there is one, in words
	must      []string // each "a or b"
	mustNot   []string
}

// readReference reads lines of the form "field: value".
func readReference(text string) reference {
	var r reference
	for line := range strings.Lines(text) {
		field, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch field {
		case "answer":
			r.answers = slices.Insert(r.answers, 0, value)
		case "also accepted":
			r.answers = append(r.answers, value)
		case "tolerance":
			r.readTolerance(value)
		case "condition":
			r.condition = true
		case "must mention":
			r.must = append(r.must, value)
		case "must not mention":
			r.mustNot = append(r.mustNot, value)
		}
	}
	return r
}

// readTolerance reads "± 0.5", "± 1%" and "± 1/3"; anything else is no tolerance.
func (r *reference) readTolerance(value string) {
	number, share := strings.CutSuffix(strings.TrimSpace(strings.TrimPrefix(value, "±")), "%")
	top, bottom, fraction := strings.Cut(number, "/")
	if !plainNumber(top) || fraction && !plainNumber(bottom) { // no exponents, which take long to expand
		return
	}
	t, ok := new(big.Rat).SetString(number)
	if !ok || t.Sign() <= 0 {
		return
	}
	if r.tolerance, r.relative = t, share; share {
		r.tolerance.Quo(t, big.NewRat(100, 1))
	}
}

func (r reference) grade(q inquiry, answer string) grade {
	if gistOf(answer).empty() {
		return gradeNone
	}
	var parts []grade
	if len(r.answers) > 0 {
		parts = append(parts, r.best(q, answer))
	}
	for _, m := range r.must {
		if !slices.ContainsFunc(strings.Split(m, " or "), func(k string) bool { return mentions(answer, k) }) {
			parts = append(parts, gradePart)
		}
	}
	for _, k := range r.mustNot {
		if mentions(answer, k) {
			parts = append(parts, gradeOther)
		}
	}
	if len(parts) == 0 && len(r.must)+len(r.mustNot) > 0 {
		return gradeEqual
	}
	if len(parts) == 0 {
		return gradeNone
	}
	return slices.Min(parts)
}

// best is the best that any of the accepted answers says.
func (r reference) best(q inquiry, answer string) grade {
	out := gradeOther
	for _, want := range r.answers {
		out = max(out, r.against(q, want, answer))
	}
	return out
}
