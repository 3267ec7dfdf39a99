package result

import (
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// judges is the running count of judgements.
type judges struct {
	correctPasses, qualityPasses int
	correctScored, qualityScored bool // a judgement of the kind gave a verdict
	scores                       []float64
	unscored, disagree           int
	read, followed               int // correctness verdicts with and without a call
	opinions                     opinions
}

func (j *judges) add(r store.Record) {
	if r.Judgements == nil {
		return
	}
	j.opinions.add(*r.Judgements)
	if c := r.Judgements.Correctness; c != nil {
		if c.Calls > 0 {
			j.read++
		} else {
			j.followed++
		}
		j.count(c.Verdict, &j.correctPasses, &j.correctScored)
		if r.Verdict.By == judge.ByGold && c.Verdict.Verdict != judge.Unscored && c.Verdict.Verdict != r.Verdict.Verdict {
			j.disagree++
		}
	}
	for _, q := range r.Judgements.Quality {
		j.count(q.Verdict, &j.qualityPasses, &j.qualityScored)
		if q.Score != nil {
			j.scores = append(j.scores, float64(*q.Score))
		}
	}
}

func (j *judges) count(v judge.Verdict, passes *int, scored *bool) {
	switch v.Verdict {
	case judge.Unscored:
		j.unscored++
		return
	case judge.Correct:
		*passes++
	}
	*scored = true
}

// figures gives no rates of an incomplete run: missing queries would count as not passed.
func (j *judges) figures(of store.Configuration, c Counts) Judge {
	out := Judge{
		CorrectnessModel: judgeModel(of, of.Judge.Correctness), QualityModel: judgeModel(of, of.Judge.Quality),
		Unscored: j.unscored, Disagree: j.disagree, QualityMean: mean(j.scores),
		CorrectnessRead: j.read, CorrectnessFollowed: j.followed,
	}
	j.opinions.figures(of, &out)
	if out.CorrectnessModel != "" || out.QualityModel != "" {
		out.Threshold = &of.Judge.Threshold
	}
	if c.Missing > 0 {
		return out
	}
	rate := func(passes int) *float64 {
		r := float64(passes) / float64(c.Queries)
		return &r
	}
	if j.correctScored {
		out.CorrectnessPassRate = rate(j.correctPasses)
	}
	if j.qualityScored {
		out.QualityPassRate = rate(j.qualityPasses)
	}
	return out
}

// Names for no judge and for the agent's model: runner/config's NoModel and SameModel.
const noModel, sameModel = "none", "same"

// judgeModel resolves the name of a judge in a configuration; "" if there is no judge.
func judgeModel(of store.Configuration, name string) string {
	switch name {
	case noModel:
		return ""
	case sameModel:
		return of.Model
	}
	return name
}
