package assemble

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
)

// characters is a server of text completions with characters as tokens. It fails the first times.
type characters struct {
	noEcho   bool // only prompt_logprobs
	failures atomic.Int32
	requests atomic.Int32
}

func (c *characters) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.requests.Add(1)
	if c.failures.Add(-1) >= 0 {
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	var in struct {
		Prompt string
		Echo   bool
	}
	_ = json.NewDecoder(r.Body).Decode(&in)
	var tokens []string
	var values, list []any
	for i, letter := range []rune(in.Prompt) {
		value, entry := any(-float64(i)/8), any(nil)
		if i == 0 {
			value = nil
		} else {
			entry = map[string]any{fmt.Sprint(i): map[string]any{"logprob": value, "decoded_token": string(letter)}}
		}
		tokens, values, list = append(tokens, string(letter)), append(values, value), append(list, entry)
	}
	choice := map[string]any{"text": "x"}
	switch {
	case !in.Echo:
		choice["prompt_logprobs"] = list
	case !c.noEcho:
		choice["text"] = in.Prompt + "x"
		choice["logprobs"] = map[string]any{"tokens": append(tokens, "x"), "token_logprobs": append(values, -1)}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{choice}, "usage": map[string]int{"prompt_tokens": len(tokens)}})
}

// served returns an assembler with a server as the provider openai.
func served(t *testing.T, h http.Handler) (a *Assembler, end func()) {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return New(environ(map[string]string{"OPENAI_BASE_URL": server.URL + "/v1", "OPENAI_API_KEY": "none"}), Build{}), server.Close
}

func TestScorerOfAnEndpoint(t *testing.T) {
	for _, noEcho := range []bool{false, true} {
		h := &characters{noEcho: noEcho}
		h.failures.Store(1) // the trial is sent again
		a, end := served(t, h)
		var recorded tape
		var first, again []model.Scores
		record := ScorerOptions{Record: func(x store.Exchange) { recorded = append(recorded, x) }}
		score := func(out *[]model.Scores) func(context.Context, model.Scorer) error {
			return func(ctx context.Context, s model.Scorer) error {
				scores, err := s.Score(ctx, model.ScoreRequest{Prefix: "The capital is", Text: " 巴黎."})
				*out = append(*out, scores)
				return err
			}
		}
		if err := a.WithScorer(t.Context(), config.New(), "openai:m", record, score(&first)); err != nil {
			t.Fatal(err)
		}
		if len(first[0].Tokens) != 4 || first[0].Tokens[1] != (model.TokenScore{Token: "巴", Offset: 1, LogProb: -15. / 8}) {
			t.Errorf("%+v", first)
		}
		if want := map[bool]int32{false: 3, true: 4}[noEcho]; h.requests.Load() != want || len(recorded) != 1 {
			t.Errorf("%d requests, want %d; %d recorded", h.requests.Load(), want, len(recorded))
		}
		end()
		replayed := ScorerOptions{Replay: &Replay{Recording: replay.New(recorded)}}
		if err := New(unset, Build{}).WithScorer(t.Context(), config.New(), "openai:m", replayed, score(&again)); err != nil {
			t.Fatal(err) // without network and key
		}
		if diff := cmp.Diff(first, again); diff != "" {
			t.Errorf("the replay differs:\n%s", diff)
		}
	}
}

func TestEndpointsThatCannotScore(t *testing.T) {
	chat := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"choices":[{"text":" Hello","logprobs":null}]}`)
	})
	a, _ := served(t, chat)
	for spec, want := range map[string]string{
		"openai:m":              "this endpoint cannot score: call openai:m: bad_request: ask 127.0.0.1:",
		"anthropic:m":           "it has no log-probabilities of a text: name a server of text completions",
		"openai:m?max_tokens=1": `no option "max_tokens"`,
		"nobody:m":              `there is no provider "nobody"`,
	} {
		err := a.WithScorer(t.Context(), config.New(), spec, ScorerOptions{},
			func(context.Context, model.Scorer) error { t.Errorf("%s was opened", spec); return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", spec, err, want)
		}
	}
}
