package result

import (
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// judges is the running count of what judges said.
type judges struct {
	correctness, quality         bool // some judgement of the kind was asked for
	correctPasses, qualityPasses int
	scores                       []float64
	unscored, disagree           int
}

func (j *judges) add(r store.Record) {
	if r.Judgements == nil {
		return
	}
	if c := r.Judgements.Correctness; c != nil {
		j.correctness = true
		j.count(c.Verdict, &j.correctPasses)
		if r.Verdict.By == judge.ByGold && c.Verdict.Verdict != judge.Unscored && c.Verdict.Verdict != r.Verdict.Verdict {
			j.disagree++
		}
	}
	for _, q := range r.Judgements.Quality {
		j.quality = true
		j.count(q.Verdict, &j.qualityPasses)
		if q.Score != nil {
			j.scores = append(j.scores, float64(*q.Score))
		}
	}
}

func (j *judges) count(v judge.Verdict, passes *int) {
	switch v.Verdict {
	case judge.Correct:
		*passes++
	case judge.Unscored:
		j.unscored++
	}
}

func (j *judges) figures(queries int) Judge {
	out := Judge{Unscored: j.unscored, Disagree: j.disagree, QualityMean: mean(j.scores)}
	rate := func(passes int) *float64 {
		r := float64(passes) / float64(queries)
		return &r
	}
	if j.correctness {
		out.CorrectnessPassRate = rate(j.correctPasses)
	}
	if j.quality {
		out.QualityPassRate = rate(j.qualityPasses)
	}
	return out
}
