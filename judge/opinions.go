package judge

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model/asking"
)

// Opinion is one of several verdicts on the same answer, from a member of a panel or from a
// judge that was asked repeatedly.
type Opinion struct {
	Judge   string `json:"judge"`
	Verdict Ruling `json:"verdict"`
	Score   *int   `json:"score"`
	Reason  string `json:"reason"`
}

func (v Verdict) opinion(judge string, score *int) Opinion {
	return Opinion{judge, v.Verdict, score, v.Reason}
}

// Flips reports whether the opinions with a verdict differ.
func Flips(opinions []Opinion) bool {
	yes, no := count(opinions)
	return yes > 0 && no > 0
}

// count counts the opinions for and against. An opinion without a verdict counts for neither.
func count(opinions []Opinion) (yes, no int) {
	for _, o := range opinions {
		switch o.Verdict {
		case Correct:
			yes++
		case Incorrect:
			no++
		}
	}
	return yes, no
}

// Majority returns the ruling of most opinions; Unscored for a tie, or if no opinion has a verdict.
func Majority(opinions []Opinion) Ruling {
	switch yes, no := count(opinions); {
	case yes > no:
		return Correct
	case no > yes:
		return Incorrect
	}
	return Unscored
}

// Bounds of a borderline judgement, which is repeated (docs/method.md §7.3).
const (
	borderline = 1  // distance of the score from the threshold, at most
	unsure     = 70 // below this confidence, 0..100, a judgement is borderline
)

// again returns the opinions on a borderline answer: the first opinion, and those of Repeats-1 further requests
// with other seeds. It returns nil if the answer was not judged again. ask sends one request; its argument is
// the number of the request, from 1.
func (s Settings) again(first Opinion, doubtful bool, ask func(n int) (Opinion, error)) ([]Opinion, error) {
	if s.Repeats < 2 || !doubtful || first.Verdict == Unscored {
		return nil, nil
	}
	opinions := []Opinion{first}
	for n := 1; n < s.Repeats; n++ {
		o, err := ask(n)
		if err != nil {
			return nil, err
		}
		opinions = append(opinions, o)
	}
	return opinions, nil
}

// isBorderline reports whether a score is at most 1 from the threshold.
func isBorderline(score *int, threshold int) bool {
	return score != nil && max(*score-threshold, threshold-*score) <= borderline
}

// The rules that combine a panel's opinions into a verdict.
const (
	RuleMajority   = "majority"
	RuleVeto       = "veto"       // one incorrect opinion is enough
	RuleCalibrated = "calibrated" // opinions are weighted by the calibration of each member
)

// PanelRules lists the rules, the default first.
func PanelRules() []string { return []string{RuleMajority, RuleVeto, RuleCalibrated} }

// Weight is the weight of a member's opinion for each ruling: ln(P(opinion | the answer is right) / P(opinion |
// the answer is wrong)).
//
//	Correct   ln(sensitivity / (1-specificity))
//	Incorrect ln((1-sensitivity) / specificity)
type Weight map[Ruling]float64

// Panel is several correctness judges that decide together.
type Panel struct {
	Members []*Correctness
	Rule    string
	Weights map[string]Weight // by member's name, for RuleCalibrated
}

// Decide combines the opinions into a verdict; opinions must not be empty. Judges that failed have no vote.
func (p Panel) Decide(opinions []Opinion) Verdict {
	yes, no := count(opinions)
	ruling := Majority(opinions)
	switch {
	case yes+no == 0:
		return Verdict{Unscored, ByJudge, "no member of the panel gave a verdict: " + opinions[0].Reason}
	case p.Rule == RuleVeto && no > 0:
		ruling = Incorrect
	case p.Rule == RuleCalibrated:
		evidence := 0.0
		for _, o := range opinions {
			evidence += p.Weights[o.Judge][o.Verdict]
		}
		ruling = RulingOf(evidence > 0)
	}
	reason := fmt.Sprintf("%d of %d opinions are correct (%s)", yes, len(opinions), p.Rule)
	if missing := len(opinions) - yes - no; missing > 0 {
		reason += fmt.Sprintf(", %d gave no verdict", missing)
	}
	if ruling == Unscored {
		return Verdict{Unscored, ByJudge, "tied: " + reason}
	}
	return Verdict{ruling, ByCorrectness, reason}
}

// convene asks every member and combines the opinions. A member that missed a canary has no vote.
func (c *Correctness) convene(
	ctx context.Context, q datasets.Query, s Subject, out CorrectnessJudgement,
) (CorrectnessJudgement, error) {
	out.Canaries, out.ByMember = &CanaryResult{Missed: []string{}}, map[string]Effort{}
	for _, m := range c.Panel.Members {
		one, err := m.ask(ctx, q, s, CorrectnessJudgement{Judge: m.Name, Prompt: out.Prompt, Threshold: m.threshold()})
		if err != nil {
			return out, err
		}
		out.Members = append(out.Members, one.Verdict.opinion(m.Name, one.Score))
		out.Effort.add(one.Effort)
		spent := out.ByMember[m.Name]
		spent.add(one.Effort)
		out.ByMember[m.Name] = spent
		if k := one.Canaries; k != nil {
			out.Canaries.Count += k.Count
			out.Canaries.Tokenless = out.Canaries.Tokenless || k.Tokenless
			for _, missed := range k.Missed {
				out.Canaries.Missed = append(out.Canaries.Missed, m.Name+": "+missed)
			}
		}
	}
	if out.Canaries.Count == 0 {
		out.Canaries = nil
	}
	out.Verdict = c.Panel.Decide(out.Members)
	return out, nil
}

// ask returns the judgement of one model. It asks the canaries first, then takes the judgement from the
// cache or asks the model, and repeats a borderline judgement.
func (c *Correctness) ask(
	ctx context.Context, q datasets.Query, s Subject, out CorrectnessJudgement,
) (CorrectnessJudgement, error) {
	list := canaries().Correctness
	if valid, err := c.onProbation(ctx, "correctness", c.version(CorrectnessPromptVersion), list, c.tried,
		&out.Canaries, &out.Verdict); !valid {
		return out, err
	}
	key := c.key(q, s)
	return c.cache().correctness.Get(ctx,
		asking.DigestOf(string(key[:]), fmt.Sprint(c.Repeats, c.threshold())),
		func() (CorrectnessJudgement, bool, error) {
			first, keep, err := c.grade(ctx, q, s, key, out)
			if err != nil {
				return first, false, err
			}
			byGold := Gold(q.Gold, s).Verdict
			doubtful := isBorderline(first.Score, out.Threshold) || first.Confidence != nil &&
				*first.Confidence < unsure ||
				q.Gold.Answer != "" && q.Gold.Condition == "" && byGold != first.Verdict.Verdict
			first.Repeats, err = c.again(first.Verdict.opinion(c.Name, first.Score), doubtful,
				func(n int) (Opinion, error) {
					next, kept, err := c.grade(ctx, q, s, asking.DigestOf(string(key[:]), "again", fmt.Sprint(n)), out)
					keep = keep && kept
					first.Effort.add(next.Effort)
					return next.Verdict.opinion(c.Name, next.Score), err
				})
			if err != nil {
				return first, false, err
			}
			if first.Repeats != nil {
				first.Verdict = Panel{Rule: RuleMajority}.Decide(first.Repeats)
			}
			return first, keep, nil
		})
}
