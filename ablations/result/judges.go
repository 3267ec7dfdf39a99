package result

import (
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// judges is the running count of judgements.
type judges struct {
	correct, quality judgements
	scores           []float64
	disagree         int
	read, followed   int // correctness verdicts with and without a call
	opinions         opinions
}

// judgements counts those of one kind of judge.
type judgements struct{ passed, scored, unscored int }

func (j *judgements) add(v judge.Verdict) {
	j.passed += one(v.Verdict == judge.Correct)
	j.scored += one(v.Verdict != judge.Unscored)
	j.unscored += one(v.Verdict == judge.Unscored)
}

// rate is over all queries; nil if no judgement gave a verdict.
func (j judgements) rate(queries int) *float64 {
	if j.scored == 0 {
		return nil
	}
	return share(j.passed, queries)
}

func (j *judges) add(r store.Record) {
	if r.Judgements == nil {
		return
	}
	j.opinions.add(*r.Judgements)
	if c := r.Judgements.Correctness; c != nil {
		j.read += one(c.Calls > 0)
		j.followed += one(c.Calls == 0)
		j.correct.add(c.Verdict)
		j.disagree += one(r.Verdict.By == judge.ByGold && c.Verdict.Verdict != judge.Unscored && c.Verdict.Verdict != r.Verdict.Verdict)
	}
	for _, q := range r.Judgements.Quality {
		j.quality.add(q.Verdict)
		if q.Score != nil {
			j.scores = append(j.scores, float64(*q.Score))
		}
	}
}

// figures gives no rates of an incomplete run: missing queries would count as not passed.
func (j *judges) figures(of store.Configuration, c Counts) Judge {
	out := Judge{
		CorrectnessModel: judgeModel(of, of.Judge.Correctness), QualityModel: judgeModel(of, of.Judge.Quality),
		Unscored: j.correct.unscored + j.quality.unscored, Disagree: j.disagree, QualityMean: mean(j.scores),
		CorrectnessRead: j.read, CorrectnessFollowed: j.followed,
	}
	j.opinions.figures(of, &out)
	if out.CorrectnessModel != "" || out.QualityModel != "" {
		out.Threshold = &of.Judge.Threshold
	}
	if c.Missing == 0 {
		out.CorrectnessPassRate, out.QualityPassRate = j.correct.rate(c.Queries), j.quality.rate(c.Queries)
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
