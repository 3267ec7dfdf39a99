package model_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
)

// typist streams its reply letter by letter.
type typist struct{ parrot }

func (p typist) Stream(ctx context.Context, req model.Request, onText func(string)) (model.Response, error) {
	r, err := p.Complete(ctx, req)
	for letter := range strings.SplitSeq(r.Message.Content, "") {
		onText(letter)
	}
	return r, err
}

type broken struct{}

func (broken) Complete(context.Context, model.Request) (model.Response, error) {
	return model.Response{Message: model.Message{Content: "half"}}, errors.New("it is down")
}

func TestWatch(t *testing.T) {
	req := model.Request{Messages: []model.Message{{Role: model.User, Content: "abc"}}}
	for _, c := range []struct {
		name   string
		m      model.Model
		pieces int
		fails  bool
	}{
		{"a model that streams", typist{}, 3, false},
		{"one that does not", parrot{}, 1, false},
		{"one that fails", broken{}, 0, true},
	} {
		var pieces []string
		r, err := model.Watch(c.m, func(text string) { pieces = append(pieces, text) }).Complete(t.Context(), req)
		if (err != nil) != c.fails || len(pieces) != c.pieces {
			t.Errorf("%s: told %q, %v", c.name, pieces, err)
		}
		if told := strings.Join(pieces, ""); !c.fails && told != r.Message.Content {
			t.Errorf("%s: told %q of %q", c.name, told, r.Message.Content)
		}
	}
}

func TestUsageAdds(t *testing.T) {
	a := model.Usage{InputTokens: 1, OutputTokens: 2, CachedTokens: 3, ReasoningTokens: 4}
	if got, want := a.Add(a), (model.Usage{InputTokens: 2, OutputTokens: 4, CachedTokens: 6, ReasoningTokens: 8}); got != want {
		t.Errorf("%+v", got)
	}
}

func ExampleWatch() {
	m := model.Watch(typist{}, func(text string) { fmt.Print(text, "·") })
	_, err := m.Complete(context.Background(), model.Request{Messages: []model.Message{{Role: model.User, Content: "42"}}})
	fmt.Println(err)
	// Output: 4·2·<nil>
}
