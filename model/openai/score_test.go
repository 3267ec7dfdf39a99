package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/model/scoring"
)

// scoreRequest is what the tests send.
var scoreRequest = model.ScoreRequest{Prefix: "The capital is", Text: " Genève 日."}

// completionServer is a server of text completions with words as tokens.
type completionServer struct {
	t            *testing.T
	refuses      int  // a max_tokens that it refuses; -1 for none
	mark         bool // a mark before the prompt
	inCharacters bool // offsets in characters, not in bytes
	bodies       []map[string]any
}

// words divides a text before each space. The character 日 is divided into bytes.
func words(text string) (out []string) {
	for _, word := range strings.SplitAfter(strings.ReplaceAll(text, " ", "\x00 "), "\x00") {
		word = strings.TrimSuffix(word, "\x00")
		if before, after, split := strings.Cut(word, "日"); split {
			out = append(out, `bytes:`+before+`\xe6`, `bytes:\x97\xa5`, after)
		} else if word != "" {
			out = append(out, word)
		}
	}
	return out
}

func (c *completionServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in map[string]any
	raw, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(raw, &in); err != nil || r.URL.Path != "/v1/completions" || r.Header.Get("Authorization") != "Bearer "+testKey {
		c.t.Errorf("%s %s: %v", r.URL.Path, raw, err)
	}
	c.bodies = append(c.bodies, in)
	if int(in["max_tokens"].(float64)) == c.refuses {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"error":{"message":"max_tokens must not be %d"}}`, c.refuses)
		return
	}
	prompt := in["prompt"].(string)
	tokens := words(prompt)
	if c.mark {
		tokens = append([]string{"<s>"}, tokens...)
	}
	if in["max_tokens"].(float64) == 1 {
		tokens = append(tokens, " generated")
	}
	choice := map[string]any{"text": prompt + " generated", "index": 0, "finish_reason": "length"}
	if in["echo"] == true {
		choice["logprobs"] = c.echoed(tokens)
	} else {
		var list []any
		for i, token := range tokens[:len(tokens)-1] {
			entry := any(map[string]any{fmt.Sprint(100 + i): map[string]any{"logprob": -float64(i), "rank": 1, "decoded_token": token}})
			if i == 0 {
				entry = nil
			}
			list = append(list, entry)
		}
		choice["text"], choice["prompt_logprobs"] = " generated", list
	}
	reply := map[string]any{"model": "real-name", "choices": []any{choice}, "usage": map[string]any{"prompt_tokens": 7, "completion_tokens": 1}}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(reply)
}

func (c *completionServer) echoed(tokens []string) map[string]any {
	values, offsets, at := []any{}, []int{}, 0
	for i, token := range tokens {
		values, offsets = append(values, any(-float64(i))), append(offsets, at)
		if i == 0 {
			values[0] = nil
		}
		size := len(strings.NewReplacer("bytes:", "", `\xe6`, "1", `\x97\xa5`, "23").Replace(token))
		if c.inCharacters && token == `bytes:\x97\xa5` {
			size = 0 // the letter was counted at its first byte
		} else if c.inCharacters && size == len(token) {
			size = utf8.RuneCountInString(token)
		}
		at += size
	}
	return map[string]any{"tokens": tokens, "token_logprobs": values, "text_offset": offsets, "top_logprobs": nil}
}

func TestScore(t *testing.T) {
	want := func(first float64) model.Scores {
		return model.Scores{Model: "real-name", Usage: model.Usage{InputTokens: 7, OutputTokens: 1}, Tokens: []model.TokenScore{
			{Token: " Genève", Offset: 0, LogProb: first}, {Token: " 日", Offset: 8, LogProb: 2*first - 3}, {Token: ".", Offset: 12, LogProb: first - 3},
		}}
	}
	for _, c := range []struct {
		name   string
		form   openai.ScoreForm
		server completionServer
		want   model.Scores
		limits []float64 // max_tokens of the requests
	}{
		{"echo", openai.Echo, completionServer{refuses: -1}, want(-3), []float64{1, 1}},
		{"echo, max_tokens 1 refused", openai.Echo, completionServer{refuses: 1}, want(-3), []float64{1, 0, 0}},
		{"echo with a mark", openai.Echo, completionServer{refuses: -1, mark: true}, want(-4), []float64{1, 1}},
		{"echo with offsets in characters", openai.Echo, completionServer{refuses: -1, inCharacters: true}, want(-3), []float64{1, 1}},
		{"vLLM", openai.PromptLogProbs, completionServer{refuses: 0}, want(-3), []float64{1, 1}},
		{"vLLM with a mark", openai.PromptLogProbs, completionServer{refuses: 0, mark: true}, want(-4), []float64{1, 1}},
	} {
		c.server.t = t
		s := scoring.Scorer(at(t, c.server.ServeHTTP).Scores(c.form), "openai:m")
		for range 2 {
			got, err := s.Score(t.Context(), scoreRequest)
			if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
				t.Errorf("%s: %v\n%s", c.name, err, diff)
			}
		}
		var most []float64
		for _, in := range c.server.bodies {
			most = append(most, in["max_tokens"].(float64))
			if in["model"] != "m" || in["temperature"] != 0.0 || (in["echo"] == true) != (c.form == openai.Echo) {
				t.Errorf("%s: the request is %v", c.name, in)
			}
		}
		if !cmp.Equal(most, c.limits) {
			t.Errorf("%s: max_tokens were %v, want %v", c.name, most, c.limits)
		}
	}
}

func TestScoreErrors(t *testing.T) {
	echoed := func(tokens, values string) string {
		return `{"choices":[{"text":"The capital is Genève","logprobs":{"tokens":[` + tokens + `],"token_logprobs":[` + values + `]}}]}`
	}
	const tokens = `"The capital is"," Genève 日."`
	vllm := func(list string) string { return `{"choices":[{"text":" x","prompt_logprobs":` + list + `}]}` }
	for _, c := range []struct {
		name, body, want string
		form             openai.ScoreForm
		kind             model.ErrorKind
	}{
		{"no JSON", `<html>`, "that begins <html> is not JSON", openai.Echo, model.ErrMalformed},
		{"another JSON", `{"choices":{}}`, "is not JSON of the form echo", openai.Echo, model.ErrMalformed},
		{"no choices", `{}`, "has 0 choices", openai.Echo, model.ErrBadRequest},
		{"no logprobs", `{"choices":[{"text":"The capital is"}]}`, "ignores logprobs", openai.Echo, model.ErrBadRequest},
		{"null", `{"choices":[{"text":"The capital is","logprobs":null}]}`, "ignores logprobs", openai.Echo, model.ErrBadRequest},
		{"llama-server", `{"choices":[{"text":" x","logprobs":{"content":[{"token":" x","logprob":-1}]}}]}`, "ignores echo", openai.Echo, model.ErrBadRequest},
		{"echo ignored", `{"choices":[{"text":" x","logprobs":{"tokens":[" x"],"token_logprobs":[-1]}}]}`, "ignores echo", openai.Echo, model.ErrBadRequest},
		{"fewer", echoed(tokens, "null"), "2 tokens, but 1 token_logprobs", openai.Echo, model.ErrBadRequest},
		{"missing", echoed(tokens, "null,null"), "there is no log-probability", openai.Echo, model.ErrBadRequest},
		{"positive", echoed(tokens, "null,0.5"), "0.5, above 0", openai.Echo, model.ErrBadRequest},
		{"vLLM's -inf", echoed(tokens, "null,-9999.0"), "stands for -∞", openai.Echo, model.ErrBadRequest},
		{"NaN", echoed(tokens, "null,NaN"), "is NaN", openai.Echo, model.ErrBadRequest},
		{"-Infinity", echoed(tokens, "null, -Infinity"), "is Infinity", openai.Echo, model.ErrBadRequest},
		{"texts as numbers", echoed(tokens, `null,"-1"`), "is not a number", openai.Echo, model.ErrBadRequest},
		{"numbers that are null", `{"choices":[{"text":"The capital is","logprobs":{"tokens":["a"],"token_logprobs":null}}]}`, "it is not a list", openai.Echo, model.ErrBadRequest},
		{"other tokens", echoed(`"The capital is"," Geneva"`, "null,-1"), "do not join", openai.Echo, model.ErrBadRequest},
		{"hidden key", echoed(`"The capital is"," `+testKey+`"`, "null,-1"), "do not join", openai.Echo, model.ErrBadRequest},
		{"no prompt_logprobs", vllm("null"), "prompt_logprobs is missing or null", openai.PromptLogProbs, model.ErrBadRequest},
		{"two entries", vllm(`[null,{"1":{"logprob":-1,"decoded_token":"a"},"2":{"logprob":-1,"decoded_token":"b"}}]`), "has 2 entries", openai.PromptLogProbs, model.ErrBadRequest},
		{"no entry", vllm(`[null,{}]`), "has 0 entries", openai.PromptLogProbs, model.ErrBadRequest},
		{"no text", vllm(`[null,{"1":{"logprob":-1,"decoded_token":null}}]`), "has no decoded_token", openai.PromptLogProbs, model.ErrBadRequest},
		{"no number", vllm(`[null,{"1":{"decoded_token":" Genève 日."}}]`), "there is no log-probability", openai.PromptLogProbs, model.ErrBadRequest},
		{"too short", vllm(`[null,{"1":{"logprob":-1,"decoded_token":" is"}}]`), "the tokens", openai.PromptLogProbs, model.ErrBadRequest},
	} {
		m := at(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, c.body)
		})
		_, err := scoring.Scorer(m.Scores(c.form), "openai:m").Score(t.Context(), scoreRequest)
		checkError(t, err, c.kind)
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestScoreRefused(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		kind   model.ErrorKind
	}{
		{http.StatusNotFound, `{"error":{"message":"no /v1/completions here"}}`, model.ErrBadRequest},
		{http.StatusBadRequest, `{"error":{"message":"Setting 'echo' and 'logprobs' at the same time is not supported for this model."}}`, model.ErrBadRequest},
		{http.StatusUnauthorized, `{}`, model.ErrAuth},
		{http.StatusServiceUnavailable, `{}`, model.ErrUnavailable},
	} {
		requests := 0
		m := at(t, func(w http.ResponseWriter, _ *http.Request) {
			requests++
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		})
		_, err := scoring.Scorer(m.Scores(openai.Echo), "openai:m").Score(t.Context(), scoreRequest)
		checkError(t, err, c.kind)
		if want := map[bool]int{true: 2, false: 1}[c.kind == model.ErrBadRequest]; requests != want {
			t.Errorf("%d: %d requests, want %d", c.status, requests, want)
		}
	}
}

func TestScoreRequestsThatCannotBeSent(t *testing.T) {
	m := at(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") }).Scores(openai.Echo)
	for _, req := range []model.Request{scoring.Request(model.ScoreRequest{Prefix: "\xff", Text: "a"}), question} {
		_, err := m.Complete(t.Context(), req)
		checkError(t, err, model.ErrBadRequest)
	}
}

// canned replies to every request with the same bytes.
type canned []byte

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(string(c))), Request: r}, nil
}

// BenchmarkScore measures one scoring behind a prefix of 1,000 words without a network: encoding, reading, joining.
func BenchmarkScore(b *testing.B) {
	req := model.ScoreRequest{Prefix: strings.Repeat("The Danube is a river", 200), Text: " in Europe."}
	server := completionServer{}
	tokens := append(words(req.Prefix+req.Text), " x")
	raw, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"text": req.Prefix + req.Text + " x", "logprobs": server.echoed(tokens)}}})
	if err != nil {
		b.Fatal(err)
	}
	m, err := openai.New(openai.Options{BaseURL: "http://127.0.0.1/v1", Model: "m", Transport: canned(raw)})
	if err != nil {
		b.Fatal(err)
	}
	s := scoring.Scorer(m.Scores(openai.Echo), "openai:m")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Score(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
}
