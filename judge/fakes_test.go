package judge_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/runner/model"
)

// fake is a model that answers by a function and keeps what it was asked.
type fake struct {
	answer func(ctx context.Context, req model.Request) (string, error)

	mu   sync.Mutex
	seen []model.Request
}

func (f *fake) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	f.mu.Lock()
	f.seen = append(f.seen, req)
	f.mu.Unlock()
	text, err := f.answer(ctx, req)
	return model.Response{
		Message: model.Message{Role: model.Assistant, Content: text},
		Usage:   model.Usage{InputTokens: 10, OutputTokens: 1},
	}, err
}

func (f *fake) requests() []model.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]model.Request(nil), f.seen...)
}

// script answers with these texts, one after the other; "!" stands for a failure.
func script(replies ...string) *fake {
	next := 0
	var mu sync.Mutex
	return &fake{answer: func(context.Context, model.Request) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(replies) {
			return "", fmt.Errorf("asked more than the %d times expected", len(replies))
		}
		next++
		if reply := replies[next-1]; reply != "!" {
			return reply, nil
		}
		return "", &model.Error{Kind: model.ErrUnavailable, Model: "test:fake", Err: fmt.Errorf("down")}
	}}
}

var border = regexp.MustCompile(`(?m)^\[([a-z A-Z0-9]+) ([0-9a-f]{32})\]\n((?:\|.*\n)+)\[end `)

// blocks reads the data of a request as the documentation of its form allows.
func blocks(req model.Request) map[string]string {
	out := map[string]string{}
	for _, m := range border.FindAllStringSubmatch(req.Messages[1].Content, -1) {
		lines := strings.Split(strings.TrimSuffix(m[3], "\n"), "\n")
		for i := range lines {
			lines[i] = strings.TrimPrefix(lines[i], "| ")
		}
		out[m[1]] = strings.Join(lines, "\n")
	}
	return out
}
