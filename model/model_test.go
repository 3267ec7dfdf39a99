package model_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/seed-5817661a/concur/model"
)

// parrot is a fake model that replies with the last message.
type parrot struct{}

func (parrot) Complete(_ context.Context, req model.Request) (model.Response, error) {
	last := req.Messages[len(req.Messages)-1]
	return model.Response{
		Message: model.Message{Role: model.Assistant, Content: last.Content},
		Finish:  model.FinishStop,
		Model:   "test:parrot",
	}, nil
}

func ExampleModel() {
	var m model.Model = parrot{}
	r, err := m.Complete(context.Background(), model.Request{
		Messages: []model.Message{{Role: model.User, Content: "Answer: 42"}},
	})
	fmt.Println(r.Message.Content, r.Finish, err)
	// Output: Answer: 42 stop <nil>
}

func TestKindOf(t *testing.T) {
	wrapped := fmt.Errorf("run agent: %w", &model.Error{Kind: model.ErrAuth, Model: "openai:x", Err: errors.New("401")})
	for _, c := range []struct {
		err  error
		want model.ErrorKind
	}{
		{wrapped, model.ErrAuth},
		{fmt.Errorf("post: %w", context.Canceled), model.ErrCancelled},
		{context.DeadlineExceeded, model.ErrTimeout},
		{errors.New("connection reset"), model.ErrUnavailable},
		{&model.Error{Kind: model.ErrContextOverflow, Err: context.Canceled}, model.ErrContextOverflow},
	} {
		if got := model.KindOf(c.err); got != c.want {
			t.Errorf("KindOf(%v) = %s, want %s", c.err, got, c.want)
		}
	}
}

func TestBareName(t *testing.T) {
	for spec, want := range map[string]string{
		"openai:gpt-4o": "gpt-4o", "ollama:qwen3:8b?timeout=90s": "qwen3:8b", "own:a/b?x=1?2": "a/b", "gpt-4o": "", "": "",
	} {
		if got := model.BareName(spec); got != want {
			t.Errorf("%q: %q, want %q", spec, got, want)
		}
	}
}
