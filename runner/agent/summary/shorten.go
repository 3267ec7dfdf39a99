package summary

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/internal/rank"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/ranking"
)

// taskRanking is the task of the side request in which the model chooses results.
const taskRanking = "summary_ranking"

// bytesOfToken is the number of bytes that count as one token.
const bytesOfToken = 4

// shorten replaces results before the last turn by their summaries, one after the other, until the conversation has at
// most Tokens. A replaced result stays replaced, so that requests keep a common beginning.
func (w *working) shorten(ctx context.Context, messages []model.Message) (map[int]string, error) {
	over := w.size(messages) - w.Tokens*bytesOfToken
	if over <= 0 {
		return w.replaced, nil
	}
	last := lastTurn(messages)
	var left []note
	saved := 0 // if all of them are replaced
	for _, n := range w.notes {
		_, done := w.replaced[n.at]
		if saves := n.saves(messages); !done && n.at < last && n.text != "" && saves > 0 {
			left, saved = append(left, n), saved+saves
		}
	}
	if saved > over { // otherwise there is nothing to choose
		best, err := w.best(ctx, left)
		if err != nil {
			return nil, err
		}
		left = slices.DeleteFunc(left, func(n note) bool { return slices.Contains(best, n) })
		slices.Reverse(best)
		left = append(left, best...)
	}
	for _, n := range left {
		if over <= 0 {
			break
		}
		w.replaced[n.at] = n.shown
		over -= n.saves(messages)
	}
	return w.replaced, nil
}

// saves returns the number of bytes by which a summary is shorter than its result.
func (n note) saves(messages []model.Message) int { return len(messages[n.at].Content) - len(n.shown) }

// size returns the bytes of a conversation with the texts that replace results.
func (w *working) size(messages []model.Message) int {
	size := 0
	for i, m := range messages {
		if text, done := w.replaced[i]; done {
			size += len(text)
		} else {
			size += len(m.Content)
		}
		for _, c := range m.ToolCalls {
			size += len(c.Arguments)
		}
	}
	return size
}

// lastTurn returns the index of the model's last reply; the number of messages if there is no reply.
func lastTurn(messages []model.Message) int {
	for i, m := range slices.Backward(messages) {
		if m.Role == model.Assistant {
			return i
		}
	}
	return len(messages)
}

// best returns at most K of the results, the best first: those that the model names or, if its reply cannot be read or
// is not asked for, those that are best by age and words.
func (w *working) best(ctx context.Context, notes []note) ([]note, error) {
	texts := make([]string, len(notes))
	for i, n := range notes {
		texts[i] = n.text
	}
	var order []int
	if w.Ranked {
		w.rankings++
		ranked, unread, err := ranking.Ask(ctx, w.session, ranking.Request{
			Task: fmt.Sprintf("%s#%d", taskRanking, w.rankings), Instructions: prompt("rank"), Label: "results", Texts: texts,
		})
		if err != nil {
			return nil, err
		}
		if unread != nil {
			w.session.Guard(task, "fallback", "the results could not be ranked, and age and words decide: "+unread.Error())
		}
		order = ranked
	}
	if order == nil {
		order = byAgeAndWords(w.session.Question(), texts)
	}
	out := make([]note, 0, w.K)
	for _, at := range order[:min(len(order), w.K)] {
		out = append(out, notes[at])
	}
	return out, nil
}

// byAgeAndWords orders texts, given oldest first, by the sum of two scores between 0 and 1: 1 for the newest
// text and 0 for the oldest, and BM25 for the question divided by that of the best text. If texts are equal,
// the newest comes first. Park et al. 2023 (arXiv 2304.03442) add recency and relevance in this way to select
// memories.
func byAgeAndWords(question string, texts []string) []int {
	scores := make([]float64, len(texts))
	order := make([]int, len(texts))
	hits := rank.NewIndex(texts).Search(question, len(texts), nil)
	for _, h := range hits {
		scores[h.Document] = h.Score / hits[0].Score
	}
	for i := range texts {
		scores[i] += float64(i) / float64(max(1, len(texts)-1))
		order[len(texts)-1-i] = i // the newest first
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order
}
