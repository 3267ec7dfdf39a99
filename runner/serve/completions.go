package serve

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/scoring"
)

const completionsPath = "/v1/completions"

// completionsRequest has the fields that are read from a request for a text completion.
type completionsRequest struct {
	chatRequest
	Prompt   json.RawMessage `json:"prompt"`
	Echo     bool            `json:"echo"`
	LogProbs *int            `json:"logprobs"`

	prompt string
	extra  map[string]json.RawMessage
}

// parseCompletions reads the body of a request for a text completion.
func parseCompletions(body []byte) (in completionsRequest, err error) {
	all, err := readBody(body, &in)
	if err != nil {
		return in, err
	}
	limit := in.MaxTokens
	if in.Echo && limit != nil && *limit == 0 { // scores a prompt
		in.MaxTokens = nil
	}
	err = in.check("max_tokens")
	in.MaxTokens = limit
	if err != nil {
		return in, err
	}
	var list []string
	switch {
	case json.Unmarshal(in.Prompt, &in.prompt) == nil && present(in.Prompt):
	case json.Unmarshal(in.Prompt, &list) == nil && len(list) == 1:
		in.prompt = list[0]
	default:
		return in, badRequest("prompt", "prompt must be one text; tokens and several prompts are not supported here")
	}
	if in.prompt == "" {
		return in, badRequest("prompt", "the request has no prompt; send a text")
	}
	in.extra, err = extrasOf("completions", all)
	return in, err
}

// completions replies to a request for a text completion; key is the key in the request.
func (s *Server) completions(w http.ResponseWriter, r *http.Request, key string) {
	if s.Resolve != nil {
		failChat(w, apiError{Status: http.StatusNotFound, Code: "unknown_url",
			Message: "no text completions are served here: send POST /v1/chat/completions"})
		return
	}
	body, err := bodyOf(w, r)
	var in completionsRequest
	if err == nil {
		in, err = parseCompletions(body)
	}
	var m model.Model
	if err == nil {
		m, err = s.resolve(r, key, in.Model)
	}
	if err != nil {
		failChat(w, err)
		return
	}
	if in.LogProbs != nil {
		s.score(w, r, in)
		return
	}
	if in.MaxTokens != nil && *in.MaxTokens == 0 {
		failChat(w, badRequest("max_tokens", "max_tokens is 0: send logprobs too, or max_tokens 1 or more"))
		return
	}
	req, _ := in.request([]model.Message{{Role: model.User, Content: in.prompt}}, in.extra) // without tools and formats
	resp, err := s.complete(r, m, req)
	if err != nil {
		failChat(w, err)
		return
	}
	if resp.Model == "" {
		resp.Model = in.Model
	}
	text := resp.Message.Content
	if in.Echo {
		text = in.prompt + text
	}
	document := s.textCompletion(resp, text, nil)
	if in.Stream {
		writeEvents(w, textEvents(document, text, in.StreamOptions.Usage), chat.end)
		return
	}
	write(w, http.StatusOK, document)
}

// textCompletion returns a completion with one choice.
func (s *Server) textCompletion(r model.Response, text string, logprobs any) fields {
	return fields{
		"id": "cmpl-" + rand.Text(), "created": s.now(), "model": r.Model, "object": "text_completion",
		"usage":   chatUsage(r.Usage),
		"choices": []fields{{"index": 0, "text": text, "logprobs": logprobs, "finish_reason": r.Finish}},
	}
}

// textEvents divides a completion into events. If usage was requested, the last event has it.
func textEvents(whole fields, text string, usage bool) (out []event) {
	last := whole["choices"].([]fields)[0]
	add := func(choices []fields, usage any) {
		out = append(out, event{data: overlay(whole, fields{"choices": choices, "usage": usage})})
	}
	for _, piece := range piecesOf(text) {
		add([]fields{overlay(last, fields{"text": piece, "finish_reason": nil})}, nil)
	}
	add([]fields{overlay(last, fields{"text": ""})}, nil)
	if usage {
		add([]fields{}, whole["usage"])
	}
	return out
}

// maxScored is the maximum length in bytes of a prompt whose log-probabilities are sent. Clients could otherwise fill
// the memory: a token of one byte takes 50 times as much.
const maxScored = 4 << 20

// score replies with the log-probabilities of a prompt. The reply has no generated token: a text model may end after
// the prompt.
func (s *Server) score(w http.ResponseWriter, r *http.Request, in completionsRequest) {
	switch {
	case s.Scores == nil:
		failChat(w, badRequest("logprobs", "the model %s gives no log-probabilities: serve offline:ngram", in.Model))
		return
	case !in.Echo:
		failChat(w, badRequest("echo", "logprobs are those of the prompt here: send echo true and max_tokens 0"))
		return
	case in.MaxTokens == nil || *in.MaxTokens > 1:
		failChat(w, badRequest("max_tokens", "the model %s writes no text: send max_tokens 0", in.Model))
		return
	case *in.LogProbs < 0 || *in.LogProbs > 1:
		failChat(w, badRequest("logprobs", "logprobs %d: only those of the prompt's own tokens are known; send 1",
			*in.LogProbs))
		return
	case len(in.prompt) > maxScored:
		failChat(w, apiError{Status: http.StatusBadRequest, Code: "context_length_exceeded", Param: "prompt",
			Message: fmt.Sprintf("the prompt has %d bytes: send at most %d", len(in.prompt), maxScored)})
		return
	case in.Stream:
		failChat(w, badRequest("stream", "log-probabilities are not sent as a stream: leave stream out"))
		return
	}
	req := model.ScoreRequest{Text: in.prompt}
	resp, err := s.complete(r, s.Scores, scoring.Request(req))
	var scores model.Scores
	if err == nil {
		scores, err = scoring.Scores(req, resp)
	}
	if err != nil {
		failChat(w, err)
		return
	}
	n := len(scores.Tokens)
	tokens, values, offsets, at := make([]string, n), make([]float64, n), make([]int, n), 0
	for i, t := range scores.Tokens {
		tokens[i], values[i], offsets[i] = t.Token, t.LogProb, at
		at += utf8.RuneCountInString(t.Token)
	}
	resp.Model = in.Model
	write(w, http.StatusOK, s.textCompletion(resp, in.prompt, fields{
		"tokens": tokens, "token_logprobs": values, "top_logprobs": make([]any, n), "text_offset": offsets,
	}))
}
