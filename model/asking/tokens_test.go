package asking_test

import (
	"context"
	"slices"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
)

// thinker uses its first tokens for a thought, which is in think blocks or not shown.
type thinker struct {
	tokens int
	shown  string
	limits []int
}

func (m *thinker) Complete(_ context.Context, req model.Request) (model.Response, error) {
	m.limits = append(m.limits, req.MaxTokens)
	if req.MaxTokens > 0 && req.MaxTokens < m.tokens {
		return model.Response{Message: model.Message{Content: m.shown}, Finish: model.FinishLength, Usage: model.Usage{OutputTokens: req.MaxTokens}}, nil
	}
	return model.Response{Message: model.Message{Content: "{}"}, Finish: model.FinishStop, Usage: model.Usage{OutputTokens: m.tokens}}, nil
}

func TestReasoningRoom(t *testing.T) {
	for _, c := range []struct {
		name   string
		known  bool
		tokens int
		shown  string
		limits []int
		asked  []int
		used   int
	}{
		{"short", false, 100, "", []int{256, 256}, []int{256, 256}, 200},
		{"found out once", false, 1000, "", []int{256, 600}, []int{256, 4096, 4096}, 2256},
		{"in its think block", false, 1000, "<think>Well", []int{256, 256}, []int{256, 4096, 4096}, 2256},
		{"known", true, 1000, "", []int{256}, []int{4096}, 1000},
		{"a long reply is no thought", false, 1000, `{"a": "`, []int{256, 256}, []int{256, 256}, 512},
		{"even more is too much", false, 9000, "", []int{256, 256}, []int{256, 4096, 4096}, 256 + 4096 + 4096},
		{"without a limit", true, 1000, "", []int{0}, []int{0}, 1000},
		{"a higher limit stays", true, 1000, "", []int{8000}, []int{8000}, 1000},
	} {
		m := &thinker{tokens: c.tokens, shown: c.shown}
		room := &asking.ReasoningRoom{Model: m, Known: c.known}
		used := 0
		for _, limit := range c.limits {
			r, err := room.Complete(t.Context(), model.Request{MaxTokens: limit})
			if err != nil {
				t.Fatal(err)
			}
			used += r.Usage.OutputTokens
		}
		if !slices.Equal(m.limits, c.asked) || used != c.used {
			t.Errorf("%s: asked with %v and used %d, want %v and %d", c.name, m.limits, used, c.asked, c.used)
		}
	}
}
