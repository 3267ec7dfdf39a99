// Package askingtest helps to test closed questions. It has models with scripted replies, and a reader of
// fenced data.
package askingtest

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking"
)

// Fake is a model whose replies a function gives, and that keeps the requests. If a request has a token, Fake
// adds it to a reply that begins with an object, unless Forgets is set.
type Fake struct {
	Answer  func(ctx context.Context, req model.Request) (string, error)
	Forgets bool

	mu   sync.Mutex
	seen []model.Request
}

// Complete replies with the function's text.
func (f *Fake) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	f.mu.Lock()
	f.seen = append(f.seen, req)
	f.mu.Unlock()
	text, err := f.Answer(ctx, req)
	if !f.Forgets {
		text = Signed(req, text)
	}
	return model.Response{
		Message: model.Message{Role: model.Assistant, Content: text},
		Usage:   model.Usage{InputTokens: 10, OutputTokens: 1},
	}, err
}

// Requests returns the requests so far.
func (f *Fake) Requests() []model.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]model.Request(nil), f.seen...)
}

// Script returns a model that replies with these texts, one after another; "!" is a failure.
func Script(replies ...string) *Fake {
	next := 0
	var mu sync.Mutex
	return &Fake{Answer: func(context.Context, model.Request) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(replies) {
			return "", fmt.Errorf("asked more than the %d times expected", len(replies))
		}
		next++
		if reply := replies[next-1]; reply != "!" {
			return reply, nil
		}
		return "", &model.Error{Kind: model.ErrUnavailable, Model: "test:fake", Err: errors.New("down")}
	}}
}

// tokenLine matches the end of a system prompt with a token.
var tokenLine = regexp.MustCompile(strings.ReplaceAll(regexp.QuoteMeta(asking.TokenLine), "%q", `"([0-9a-f]+)"`) + "$")

// Token returns the token of a request; "" if it has none.
func Token(req model.Request) string {
	if m := tokenLine.FindStringSubmatch(req.Messages[0].Content); m != nil {
		return m[1]
	}
	return ""
}

// Signed adds the request's token to a reply that begins with an object.
func Signed(req model.Request, reply string) string {
	fields, object := strings.CutPrefix(reply, "{")
	if token := Token(req); token != "" && object && fields != "}" {
		return `{"token": "` + token + `", ` + fields
	}
	return reply
}

// Border matches a block: its label, its nonce and its barred lines.
var Border = regexp.MustCompile(`(?m)^\[([a-z A-Z0-9]+) ([0-9a-f]{32})\]\n((?:\|.*\n)+)\[end `)

// Blocks reads the fenced data of a request by label.
func Blocks(req model.Request) map[string]string {
	out := map[string]string{}
	for _, m := range Border.FindAllStringSubmatch(req.Messages[1].Content, -1) {
		lines := strings.Split(strings.TrimSuffix(m[3], "\n"), "\n")
		for i := range lines {
			lines[i] = strings.TrimPrefix(lines[i], "| ")
		}
		out[m[1]] = strings.Join(lines, "\n")
	}
	return out
}

// Cacheable returns an error if requests of one kind cannot share a cached beginning. Their instructions must
// be equal except for the token at the end, must not contain the nonce, and must come before the data.
func Cacheable(requests ...model.Request) error {
	instructions := func(r model.Request) string { return tokenLine.ReplaceAllString(r.Messages[0].Content, "") }
	for _, r := range requests {
		borders := Border.FindStringSubmatch(r.Messages[1].Content)
		switch {
		case instructions(r) != instructions(requests[0]) || r.Messages[0].Role != model.System:
			return errors.New("the instructions of two requests differ")
		case borders == nil || Border.FindStringIndex(r.Messages[1].Content)[0] != 0:
			return errors.New("the second message does not begin with the data")
		case strings.Contains(r.Messages[0].Content, borders[2]):
			return errors.New("the instructions contain the nonce")
		}
	}
	return nil
}
