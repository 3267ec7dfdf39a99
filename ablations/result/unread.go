package result

import "github.com/seed-5817661a/concur/runner/store"

// unread sums what went to replies of the verifier that could not be read.
type unread struct {
	replies, of, tokens int
	seconds, ofSeconds  float64
}

func (u *unread) add(r store.Record) {
	u.replies += r.Consensus.VerifierUnread
	u.of += r.Consensus.VerifierCalls - r.Consensus.VerifierErrors
	u.tokens += r.Consensus.VerifierUnreadTokens
	u.seconds += r.Timing.UnreadS
	u.ofSeconds += r.Timing.VerifierS
}

func (u *unread) figures(all store.Usage) Unread {
	return Unread{Replies: u.replies, Of: u.of, Tokens: share(u.tokens, all.InputTokens+all.OutputTokens)}
}

// mostly reports whether more replies were lost than read.
func (u Unread) mostly() bool { return 2*u.Replies > u.Of }
