package ranking

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/runner/agent/session"
)

var schema = &model.ResponseSchema{
	Name: "concur_ranking_v1",
	Schema: []byte(`{"type":"object","properties":{"ranks":{"type":"array","items":{"type":"integer"}}},` +
		`"required":["ranks"],"additionalProperties":false}`),
}

// Bounds of the data, in bytes.
const (
	maxQuestion = 8 << 10
	maxTexts    = 32 << 10
)

// Request is a list of texts that the model is to rank.
type Request struct {
	Task string // names the side request (session.Aside)
	// Instructions ask for a JSON object with the list ranks: the numbers of texts, from 1, the most useful first.
	Instructions string
	Label        string // of the texts, as the instructions name them
	Texts        []string
}

// Ask returns the indices, from 0, of the texts that the model names. The most useful text comes first, and the
// model may leave texts out. If the reply cannot be read, ranked is nil and unread is the reason. err is a
// failure of the model, or the error of ctx.
func Ask(ctx context.Context, s *session.Session, r Request) (ranked []int, unread, err error) {
	lines := make([]string, len(r.Texts))
	for i, text := range r.Texts {
		lines[i] = fmt.Sprintf("%d. %s", i+1, strings.Join(strings.Fields(text), " "))
	}
	ranks, unread, err := session.Ask(ctx, s, session.Aside{
		Task: r.Task, Schema: schema,
		Messages: asking.Messages(r.Instructions, s.Task().Seed, asking.Data("question", s.Question(), maxQuestion),
			asking.Data(r.Label, strings.Join(lines, "\n"), maxTexts)),
	}, func(reply string) ([]int, error) { return read(reply, len(r.Texts)) })
	if err != nil || ranks == nil {
		return nil, unread, err
	}
	ranked = make([]int, len(*ranks))
	for i, n := range *ranks {
		ranked[i] = n - 1
	}
	return ranked, nil, nil
}

// read reads distinct numbers from 1 to n.
func read(reply string, n int) ([]int, error) {
	var ranks []int
	if err := asking.ReadInto(reply, map[string]any{"ranks": &ranks}); err != nil {
		return nil, err
	}
	seen := map[int]bool{}
	for _, r := range ranks {
		switch {
		case r < 1 || r > n:
			return nil, fmt.Errorf("the reply ranks number %d, but the numbers are 1 to %d", r, n)
		case seen[r]:
			return nil, errors.New("the reply ranks a number twice")
		}
		seen[r] = true
	}
	return ranks, nil
}
