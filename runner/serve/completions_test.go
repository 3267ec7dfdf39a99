package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	goopenai "github.com/sashabaranov/go-openai"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/scoring"
	"github.com/seed-5817661a/concur/runner/serve"
)

const completionsPath = "/v1/completions"

// halves scores a text as two tokens, divided before its last space.
type halves struct{}

func (halves) Score(_ context.Context, req model.ScoreRequest) (model.Scores, error) {
	at := strings.LastIndex(req.Text, " ")
	if at < 1 {
		return model.Scores{}, &model.Error{Kind: model.ErrContextOverflow, Model: "halves", Err: errors.New("too long")}
	}
	return model.Scores{Model: "other", Usage: model.Usage{InputTokens: 2}, Tokens: []model.TokenScore{
		{Token: req.Text[:at], Offset: 0, LogProb: -1.5}, {Token: req.Text[at:], Offset: at, LogProb: -0.25},
	}}, nil
}

// scored returns a server with a model and a scorer.
func scored() *serve.Server {
	return &serve.Server{Model: fake(parrot), Name: "m", Scores: scoring.Model(halves{}, "halves")}
}

// client returns the client of another project for a server.
func client(t *testing.T, h http.Handler) *goopenai.Client {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	conf := goopenai.DefaultConfig("none")
	conf.BaseURL = server.URL + "/v1"
	return goopenai.NewClientWithConfig(conf)
}

func TestCompletionsScore(t *testing.T) {
	got, err := client(t, scored()).CreateCompletion(t.Context(), goopenai.CompletionRequest{
		Model: "m", Prompt: "Genève 日本", Echo: true, LogProbs: 1, MaxTokens: 1,
	})
	if err != nil || len(got.Choices) != 1 {
		t.Fatalf("%+v: %v", got, err)
	}
	c := got.Choices[0]
	want := goopenai.LogprobResult{
		Tokens: []string{"Genève", " 日本"}, TokenLogprobs: []float32{-1.5, -0.25}, TopLogprobs: []map[string]float32{nil, nil},
		TextOffset: []int{0, 6}, // in characters
	}
	if diff := cmp.Diff(want, c.LogProbs); diff != "" || c.Text != "Genève 日本" || got.Model != "m" || got.Object != "text_completion" {
		t.Errorf("%+v\n%s", got, diff)
	}
	if got.Usage.PromptTokens != 2 || got.Usage.CompletionTokens != 0 {
		t.Errorf("the usage is %+v", got.Usage)
	}
}

func TestCompletionsText(t *testing.T) {
	var seen model.Request
	s := &serve.Server{Name: "m", Model: fake(func(ctx context.Context, req model.Request) (model.Response, error) {
		seen = req
		resp, err := parrot(ctx, req)
		resp.Message.Content = "reply to " + resp.Message.Content
		resp.Usage = model.Usage{InputTokens: 3, OutputTokens: 4}
		return resp, err
	})}
	seed := 7
	req := goopenai.CompletionRequest{Model: "m", Prompt: []string{"Once"}, MaxTokens: 9, Stop: []string{"\n"}, Seed: &seed, Temperature: 0.5}
	got, err := client(t, s).CreateCompletion(t.Context(), req)
	if err != nil || got.Choices[0].Text != "reply to Once" || got.Choices[0].FinishReason != "stop" || got.Usage.CompletionTokens != 4 {
		t.Errorf("%+v: %v", got, err)
	}
	want := model.Request{Messages: []model.Message{{Role: model.User, Content: "Once"}}, Temperature: 0.5, Seed: 7, Stop: []string{"\n"}, MaxTokens: 9}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("the model got\n%s", diff)
	}
	req.Echo = true
	stream, err := client(t, s).CreateCompletionStream(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	text := ""
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text += chunk.Choices[0].Text
	}
	if text != "Oncereply to Once" {
		t.Errorf("the stream has %q", text)
	}
}

func TestCompletionsRefused(t *testing.T) {
	for _, c := range []struct{ name, body, param, want string }{
		{"no prompt", `{"model":"m"}`, "prompt", "one text"},
		{"null", `{"model":"m","prompt":null}`, "prompt", "one text"},
		{"empty", `{"model":"m","prompt":""}`, "prompt", "no prompt"},
		{"two prompts", `{"model":"m","prompt":["a","b"]}`, "prompt", "one text"},
		{"tokens", `{"model":"m","prompt":[1,2]}`, "prompt", "one text"},
		{"another model", `{"model":"x","prompt":"a"}`, "model", "no model"},
		{"no model", `{"prompt":"a"}`, "model", "names no model"},
		{"no tokens", `{"model":"m","prompt":"a","max_tokens":0}`, "max_tokens", "must be 1 or more"},
		{"no tokens with echo", `{"model":"m","prompt":"a","max_tokens":0,"echo":true}`, "max_tokens", "send logprobs too"},
		{"negative", `{"model":"m","prompt":"a","max_tokens":-1,"echo":true}`, "max_tokens", "must be 1 or more"},
		{"suffix", `{"model":"m","prompt":"a","suffix":"b"}`, "suffix", "not supported"},
		{"two choices", `{"model":"m","prompt":"a","n":2}`, "n", "not supported"},
		{"tools", `{"model":"m","prompt":"a","tools":[]}`, "tools", "not supported"},
		{"logprobs without echo", `{"model":"m","prompt":"a b","logprobs":1}`, "echo", "send echo true"},
		{"logprobs of a reply", `{"model":"m","prompt":"a b","logprobs":1,"echo":true}`, "max_tokens", "send max_tokens 0"},
		{"more logprobs", `{"model":"m","prompt":"a b","logprobs":5,"echo":true,"max_tokens":0}`, "logprobs", "send 1"},
		{"stream", `{"model":"m","prompt":"a b","logprobs":1,"echo":true,"max_tokens":0,"stream":true}`, "stream", "leave stream out"},
	} {
		w := send(scored(), http.MethodPost, completionsPath, c.body)
		e := readError(t, w).Error
		if w.Code/100 != 4 || e.Param == nil || *e.Param != c.param || !strings.Contains(e.Message, c.want) {
			t.Errorf("%s: %d %+v, want %q", c.name, w.Code, e, c.want)
		}
	}
	long := `{"model":"m","prompt":"` + strings.Repeat("a ", 3<<20) + `","logprobs":1,"echo":true,"max_tokens":0}`
	w := send(scored(), http.MethodPost, completionsPath, long)
	if e := readError(t, w).Error; e.Code != "context_length_exceeded" || !strings.Contains(e.Message, "at most 4194304") {
		t.Errorf("a long prompt: %+v", e)
	}
	body := `{"model":"m","prompt":"ab","logprobs":1,"echo":true,"max_tokens":0}`
	for name, c := range map[string]struct {
		server *serve.Server
		code   string
	}{
		"no scorer":     {&serve.Server{Model: fake(parrot)}, "invalid_request"},
		"proxy":         {&serve.Server{Resolve: func(*http.Request, string, string) (model.Model, error) { return fake(parrot), nil }}, "unknown_url"},
		"scorer fails":  {scored(), "context_length_exceeded"},
		"scorer panics": {&serve.Server{Model: fake(parrot), Scores: fake(nil)}, "internal_error"},
	} {
		if c.server.Log == nil {
			c.server.Log = slog.New(slog.DiscardHandler)
		}
		w := send(c.server, http.MethodPost, completionsPath, body)
		if e := readError(t, w).Error; e.Code != c.code {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func TestCompletionsGet(t *testing.T) {
	w := send(scored(), http.MethodGet, completionsPath, "")
	var e map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || w.Code != http.StatusMethodNotAllowed {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
