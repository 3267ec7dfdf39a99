package result

import (
	"github.com/seed-5817661a/concur/internal/bag"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

type judges struct {
	correct, quality judgements
	scores           bag.Bag[float64]
	disagree         int
	read, followed   int // correctness verdicts with a call, and without one
	opinions         opinions
}

type judgements struct{ passed, scored, unscored int }

func (j *judgements) add(v judge.Verdict) {
	j.passed += bag.OneIf(v.Verdict == judge.Correct)
	j.scored += bag.OneIf(v.Verdict != judge.Unscored)
	j.unscored += bag.OneIf(v.Verdict == judge.Unscored)
}

// rate returns the share of all queries that passed; nil if no judgement gave a verdict.
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
		j.read += bag.OneIf(c.Calls > 0)
		j.followed += bag.OneIf(c.Calls == 0)
		j.correct.add(c.Verdict)
		j.disagree += bag.OneIf(r.Verdict.By == judge.ByGold && c.Verdict.Verdict != judge.Unscored &&
			c.Verdict.Verdict != r.Verdict.Verdict)
	}
	for _, q := range r.Judgements.Quality {
		j.quality.add(q.Verdict)
		if q.Score != nil {
			j.scores.Add(float64(*q.Score))
		}
	}
}

func newJudges() judges {
	return judges{scores: bag.Bag[float64]{}, opinions: opinions{missed: map[string]bool{}, panels: bag.Bag[string]{},
		points: map[string]bag.Bag[judge.Ruling]{}}}
}

func (j *judgements) merge(o judgements) {
	j.passed += o.passed
	j.scored += o.scored
	j.unscored += o.unscored
}

func (j *judges) merge(o judges) {
	j.correct.merge(o.correct)
	j.quality.merge(o.quality)
	j.scores.Merge(o.scores)
	j.disagree += o.disagree
	j.read += o.read
	j.followed += o.followed
	j.opinions.merge(o.opinions)
}

// figures returns the judges' figures. An incomplete run has no rates, because the missing queries would count
// as failed.
func (j *judges) figures(of store.Configuration, c Counts) Judge {
	out := Judge{
		CorrectnessModel: judgeModel(of, of.Judge.Correctness), QualityModel: judgeModel(of, of.Judge.Quality),
		Unscored: j.correct.unscored + j.quality.unscored, Disagree: j.disagree, QualityMean: bag.Mean(j.scores),
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

// judgeModel returns the model of a configuration's judge; "" if there is no judge.
func judgeModel(of store.Configuration, name string) string {
	if name == config.NoModel {
		return ""
	}
	return of.ModelOf(name)
}

// unread sums up the costs of replies that could not be parsed, of the verifier or of judges.
type unread struct {
	replies, of, tokens int
	seconds, ofSeconds  bag.Nanoseconds
}

func (u *unread) merge(o unread) {
	u.replies += o.replies
	u.of += o.of
	u.tokens += o.tokens
	u.seconds += o.seconds
	u.ofSeconds += o.ofSeconds
}

func (u *unread) addVerifier(r store.Record) {
	u.replies += r.Consensus.Effort.Unread
	u.of += r.Consensus.Effort.Calls - r.Consensus.Effort.Errors
	u.tokens += r.Consensus.Effort.UnreadTokens
	u.seconds.Add(r.Timing.UnreadS)
	u.ofSeconds.Add(r.Timing.VerifierS)
}

func (u *unread) addJudges(r store.Record) {
	u.seconds.Add(r.Timing.JudgeUnreadS)
	u.ofSeconds.Add(r.Timing.JudgeS)
	add := func(e judge.Effort, v judge.Verdict) {
		u.replies += e.Unread
		u.of += e.Calls
		u.tokens += e.UnreadTokens
		if v.By == judge.ByInfra && e.Calls > 0 {
			u.of-- // the last call has no reply
		}
	}
	if r.Judgements == nil {
		return
	}
	if c := r.Judgements.Correctness; c != nil {
		add(c.Effort, c.Verdict)
	}
	for _, q := range r.Judgements.Quality {
		add(q.Effort, q.Verdict)
	}
}

func (u *unread) figures(all store.Usage) Unread {
	return Unread{Replies: u.replies, Of: u.of, Tokens: share(u.tokens, all.InputTokens+all.OutputTokens)}
}

// mostly reports whether more than half of the replies could not be parsed.
func (u Unread) mostly() bool { return 2*u.Replies > u.Of }
