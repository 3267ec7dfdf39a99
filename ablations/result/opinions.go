package result

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/bag"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// Panel counts the verdicts of the members of a panel.
type Panel struct {
	Rule    string        `json:"rule"`
	Members []PanelMember `json:"members"` // in the order of the configuration
	// Votes is the effective number of votes, k/(1+(k-1)ρ), where ρ is the mean correlation between the
	// verdicts of two members. Members that always agree together count as one vote. It is nil if verdicts do
	// not vary. Agreement on right answers counts as dependence here; in a calibration with labels it does not.
	Votes *float64 `json:"effective_votes"`
}

// PanelMember counts the opinions of one judge.
type PanelMember struct {
	Judge     string `json:"judge"`
	Correct   int    `json:"correct"`
	Incorrect int    `json:"incorrect"`
	Missing   int    `json:"missing"` // answers without a verdict, and so without a vote
}

// RubricItem counts the answers to one question of the rubric.
type RubricItem struct {
	Item     string   `json:"item"`
	Holds    int      `json:"holds"`
	Not      int      `json:"not"`
	Unscored int      `json:"unscored"`
	Rate     *float64 `json:"rate"` // share of "yes" among the answered; nil if none was answered
}

type opinions struct {
	canaries        int             // number of canaries that were asked
	missed          map[string]bool // canaries that got a wrong verdict
	tokenless       bool            // a judge did not repeat its token
	repeated, flips int
	panels          bag.Bag[string]                  // of the verdicts of a panel on one answer, see panelKey
	points          map[string]bag.Bag[judge.Ruling] // by item of the rubric
}

// panelKey joins the verdicts of a panel's members on one answer into one text.
func panelKey(members []judge.Opinion) string {
	var b strings.Builder
	for _, m := range members {
		b.WriteString(m.Judge + "\x00" + string(m.Verdict) + "\x00")
	}
	return b.String()
}

// verdictOf returns the verdict of a member in a text made by panelKey; "" if it has none.
func verdictOf(key, member string) judge.Ruling {
	for key != "" {
		var name, verdict string
		name, key, _ = strings.Cut(key, "\x00")
		verdict, key, _ = strings.Cut(key, "\x00")
		if name == member {
			return judge.Ruling(verdict)
		}
	}
	return ""
}

func (o *opinions) merge(p opinions) {
	o.canaries = max(o.canaries, p.canaries)
	maps.Copy(o.missed, p.missed)
	o.tokenless = o.tokenless || p.tokenless
	o.repeated += p.repeated
	o.flips += p.flips
	o.panels.Merge(p.panels)
	for item, points := range p.points {
		if o.points[item] == nil {
			o.points[item] = bag.Bag[judge.Ruling]{}
		}
		o.points[item].Merge(points)
	}
}

func (o *opinions) add(j store.Judgements) {
	if c := j.Correctness; c != nil {
		o.judged(c.Canaries, c.Repeats)
		if len(c.Members) > 0 {
			o.panels.Add(panelKey(c.Members))
		}
	}
	for _, q := range j.Quality {
		o.judged(q.Canaries, q.Repeats)
	}
	for _, r := range j.Rubric {
		o.judged(r.Canaries, nil)
		if o.points[r.Item] == nil {
			o.points[r.Item] = bag.Bag[judge.Ruling]{}
		}
		o.points[r.Item].Add(r.Verdict.Verdict)
	}
}

// judged adds the canaries of one kind of judge. Each repeated judgement has the same result of the judge's
// canaries.
func (o *opinions) judged(c *judge.CanaryResult, repeats []judge.Opinion) {
	if repeats != nil {
		o.repeated++
		if judge.Flips(repeats) {
			o.flips++
		}
	}
	if c != nil {
		o.canaries = max(o.canaries, c.Count)
		o.tokenless = o.tokenless || c.Tokenless
		for _, name := range c.Missed {
			o.missed[name] = true
		}
	}
}

func (o *opinions) figures(of store.Configuration, out *Judge) {
	if o.canaries > 0 {
		out.Canaries = &judge.CanaryResult{Count: o.canaries,
			Missed: append([]string{}, slices.Sorted(maps.Keys(o.missed))...), Tokenless: o.tokenless}
	}
	out.Repeated, out.Flips = o.repeated, o.flips
	out.FlipRate = share(o.flips, o.repeated)
	held, points := 0.0, 0.0
	for _, item := range of.Judge.Rubric {
		if list := o.points[item.ID]; len(list) > 0 {
			holds, not := list[judge.Correct], list[judge.Incorrect]
			unscored := list.Len() - holds - not
			out.Rubric = append(out.Rubric, RubricItem{item.ID, holds, not, unscored, share(holds, holds+not)})
			weight := cmp.Or(item.Weight, 1)
			held += weight * float64(holds)
			points += weight * float64(holds+not)
		}
	}
	out.RubricScore = ratio(held, points)
	if len(o.panels) == 0 {
		return
	}
	out.Panel = &Panel{Rule: cmp.Or(of.Judge.Panel.Rule, judge.RuleMajority)}
	var votes [][]float64
	for _, name := range of.Judge.Panel.Members {
		name = judgeModel(of, name)
		member, series := o.member(name)
		out.Panel.Members = append(out.Panel.Members, member)
		votes = append(votes, series)
	}
	out.Panel.Votes = stats.Defined(stats.EffectiveVotes(votes))
}

// member counts the verdicts of a member. series has one value per answer: 1 for correct, 0 for incorrect, NaN
// without a verdict. The order of the answers is the same for every member.
func (o *opinions) member(name string) (m PanelMember, series []float64) {
	m.Judge = name
	for key := range o.panels.Each(strings.Compare) {
		switch verdictOf(key, name) {
		case judge.Correct:
			m.Correct++
			series = append(series, 1)
		case judge.Incorrect:
			m.Incorrect++
			series = append(series, 0)
		case "":
			series = append(series, math.NaN()) // not asked
		default:
			m.Missing++
			series = append(series, math.NaN())
		}
	}
	return m, series
}

// tokenless is the warning about a verifier or judge that does not repeat the token of its requests.
const tokenless = "the %s does not repeat the token of its requests, so it was asked without one: a verdict that " +
	"it quotes from an answer may be read as its own; use a larger model"

// verifier adds warnings from the verifier's canaries.
func (n *notes) verifier(k *consensus.CanaryResult) {
	if k == nil {
		return
	}
	n.when(k.Tokenless && !k.Invalid(), tokenless, "verifier")
	const other = "name another (verifier: {model: …} in concur.yaml), or vote without one " +
		"(consensus: {stages: [exact, majority]})"
	missed := strings.Join(k.Missed, ", ")
	n.when(consensus.Steered(k), "the verifier is invalid: answers can steer its verdict (canaries: "+
		"%s), so it was "+
		"not asked and merged nothing; "+other, missed)
	n.when(k.Invalid() && !consensus.Steered(k), "the verifier got built-in canaries wrong (%s), so do not "+
		"rely on the "+
		"answers that it merged; "+other, missed)
}

// picker adds warnings from the picker's canaries.
func (n *notes) picker(k *consensus.CanaryResult) {
	if k == nil {
		return
	}
	n.when(k.Tokenless && !k.Invalid(), tokenless, "picker")
	const other = "name another (verifier: {model: …} in concur.yaml), or leave the stage out of consensus.stages"
	missed := strings.Join(k.Missed, ", ")
	n.when(consensus.SteeredPick(k), "the picker is invalid: messages can steer its choice (canaries: %s), so "+
		"it was not asked and decided nothing; "+other, missed)
	n.when(k.Invalid() && !consensus.SteeredPick(k), "the picker got built-in canaries wrong (%s), so do not rely on "+
		"the answers that it picked; "+other, missed)
}

// judges adds warnings about the judges and the labels of a row.
func (n *notes) judges(c Configuration) {
	j := c.Judge
	if k := j.Canaries; k != nil {
		n.when(k.Tokenless && !k.Invalid(), tokenless, "judge")
		n.when(k.Invalid(), "the judge is invalid: it got built-in canaries wrong (%s), so its queries are "+
			"unscored; name another with --judge, and judge these traces again with `concur rejudge`",
			strings.Join(k.Missed, ", "))
	}
	for _, model := range []string{j.CorrectnessModel, j.QualityModel} {
		if f := judge.Family(model); f != "" && f == judge.Family(c.Model) &&
			(j.CorrectnessRead > 0 || j.QualityMean != nil) {
			n.when(true, "judge %s and agent %s are both of %s, and judges favour their own family: use a "+
				"judge of another", model, c.Model, f)
			break
		}
	}
	n.when(j.Repeated > 0, "the judge was asked again on %d borderline answers and differed from itself on %d",
		j.Repeated, j.Flips)
	if p := j.Panel; p != nil {
		members := make([]string, len(p.Members))
		for i, m := range p.Members {
			members[i] = fmt.Sprintf("%s passed %d of %d", m.Judge, m.Correct, m.Correct+m.Incorrect+m.Missing)
		}
		worth := "an unknown number of votes, because its verdicts do not vary"
		if p.Votes != nil {
			worth = fmt.Sprintf("%.1f independent votes", *p.Votes)
		}
		n.when(true, "the panel of %d (%s) is worth %s: %s", len(p.Members), p.Rule, worth, strings.Join(members, ", "))
	}
	if l := c.Labels; l != nil {
		n.when(true, "verdicts by people: %d (against the verdict before: %d, skipped: %d)", l.Given,
			l.Overruled, l.Skipped)
	}
}
