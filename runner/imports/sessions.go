package imports

import (
	"cmp"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/imports/otlp"
)

// turn is a conversation of a session: a question and its answer. Its content is read again when the others are known.
type turn struct {
	session    digest // with the agent
	start, end int64  // in nanoseconds
	ref        otlp.Ref
}

// The most that earlier turns add to a question: their number, and the bytes of their texts.
const (
	mostEarlier = 20
	mostBytes   = 1 << 20
)

// isTurn reports whether what was said before the question of a conversation may be in others of its session. That is
// not so if its own messages have it, or if the program recorded which query it is.
func isTurn(c otlp.Conversation) bool {
	return c.Session != "" && c.ID == "" && c.Index < 0 && len(c.History) == 0 && c.Question != "" && !c.Step &&
		c.Start.UnixNano() > 0
}

// addTurn keeps a conversation until those before it in its session are known.
func (r *spans) addTurn(ref otlp.Ref, c otlp.Conversation) {
	start := c.Start.UnixNano()
	r.turns = append(r.turns, turn{digestOf(c.Session, nameOf(c)), start, start + int64(c.Seconds*1e9), ref})
}

// exchange is an earlier turn of a session.
type exchange struct {
	end              int64
	question, answer string
}

// takeTurns takes the conversations of sessions. The turns that had ended when a conversation began are what was said
// before its question, so that turns of one session are not traces of one query, and equal questions of several
// sessions are. Conversations at the same time are not turns of each other.
func (r *spans) takeTurns(yield func(datasets.Query, error) bool) bool {
	slices.SortStableFunc(r.turns, func(a, b turn) int {
		return cmp.Or(slices.Compare(a.session[:], b.session[:]), cmp.Compare(a.start, b.start))
	})
	var before []exchange
	for i, t := range r.turns {
		if i == 0 || r.turns[i-1].session != t.session {
			before = nil
		}
		c, err := t.ref.Read()
		if err != nil {
			yield(datasets.Query{}, err)
			return false
		}
		for _, b := range before {
			if b.end <= t.start {
				c.History = append(c.History, datasets.Turn{Role: datasets.UserRole, Content: b.question},
					datasets.Turn{Role: datasets.AssistantRole, Content: b.answer})
			}
		}
		if len(c.History) > 0 {
			r.later++
		}
		if c.Message != "" && c.Failure == "" {
			before = append(before, exchange{t.end, c.Question, c.Message})
			before = bounded(before)
		}
		if q, fresh := r.take(t.ref, c); fresh && !yield(q, nil) {
			return false
		}
	}
	return true
}

// bounded leaves out the oldest turns after the most that a question has.
func bounded(all []exchange) []exchange {
	all = all[max(0, len(all)-mostEarlier):]
	size := 0
	for i := len(all) - 1; i >= 0; i-- {
		if size += len(all[i].question) + len(all[i].answer); size > mostBytes {
			return all[i+1:]
		}
	}
	return all
}
