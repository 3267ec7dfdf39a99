package result

import (
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// unread sums the cost of replies of the verifier, or of judges, that could not be parsed.
type unread struct {
	replies, of, tokens int
	seconds, ofSeconds  float64
}

func (u *unread) addVerifier(r store.Record) {
	u.replies += r.Consensus.VerifierUnread
	u.of += r.Consensus.VerifierCalls - r.Consensus.VerifierErrors
	u.tokens += r.Consensus.VerifierUnreadTokens
	u.seconds += r.Timing.UnreadS
	u.ofSeconds += r.Timing.VerifierS
}

func (u *unread) addJudges(r store.Record) {
	u.seconds += r.Timing.JudgeUnreadS
	u.ofSeconds += r.Timing.JudgeS
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

// timeShare is the share of unparseable replies in a time; nil if it is 0.
func (u *unread) timeShare(all float64) *float64 {
	if all <= 0 {
		return nil
	}
	share := u.seconds / all
	return &share
}

// mostly reports whether more than half of the replies could not be parsed.
func (u Unread) mostly() bool { return 2*u.Replies > u.Of }
