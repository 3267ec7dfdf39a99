package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/scoring"
	"github.com/seed-5817661a/concur/model/wire"
)

// ScoreForm is a form in which the endpoint's /completions gives the log-probabilities of a prompt.
type ScoreForm string

const (
	// Echo repeats the prompt in the reply, with logprobs.tokens and logprobs.token_logprobs.
	Echo ScoreForm = "echo"
	// PromptLogProbs is vLLM's own form.
	PromptLogProbs ScoreForm = "prompt_logprobs"
)

// ScoreForms lists the forms in the order in which they are tried.
func ScoreForms() []ScoreForm { return []ScoreForm{Echo, PromptLogProbs} }

// Scores returns a model that answers requests of package scoring with the log-probabilities of a form. It returns
// the same errors as Complete. A reply whose tokens do not join to the text is a *model.Error of kind bad_request: the
// same request would fail again.
func (m *Model) Scores(form ScoreForm) model.Model { return &scores{of: m, form: form} }

type scores struct {
	of   *Model
	form ScoreForm
	// without is set if the endpoint refuses to generate a token. Usually one token is generated, and dropped: some
	// servers refuse max_tokens 0, and others take it for no limit.
	without, known atomic.Bool
}

// Complete requests the log-probabilities of a request's text.
func (s *scores) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	in, err := scoring.RequestOf(req)
	if err == nil && !utf8.ValidString(in.Prefix+in.Text) {
		err = errors.New("prefix and text must be valid UTF-8: JSON has no other texts")
	}
	if err != nil {
		return model.Response{}, s.of.peer.Fail(model.ErrBadRequest, "encode request: "+err.Error(), nil)
	}
	resp, err := s.ask(ctx, in, s.without.Load())
	_, read := errors.AsType[wrongScores](err)
	if s.form == Echo && !s.known.Load() && !read && err != nil && model.KindOf(err) == model.ErrBadRequest {
		if other, otherErr := s.ask(ctx, in, true); otherErr == nil {
			resp, err = other, nil
			s.without.Store(true)
		}
	}
	if err == nil {
		s.known.Store(true)
	}
	return resp, err
}

func (s *scores) ask(ctx context.Context, in model.ScoreRequest, without bool) (model.Response, error) {
	body := map[string]any{"model": s.of.name, "prompt": in.Prefix + in.Text, "max_tokens": 1, "temperature": 0}
	if without {
		body["max_tokens"] = 0
	}
	switch s.form {
	case PromptLogProbs:
		body["prompt_logprobs"] = 0 // only those of the prompt's own tokens
	default:
		body["echo"], body["logprobs"] = true, 1
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return model.Response{}, s.of.peer.Fail(model.ErrBadRequest, "encode request: "+err.Error(), nil)
	}
	return wire.Exchange(ctx, s.of.peer, []string{"completions"}, raw, wire.Reader[model.Response]{
		Whole: func(r wire.Reply) (model.Response, error) {
			out, err := s.read(r, in)
			if _, read := errors.AsType[wrongScores](err); read {
				err = s.of.peer.Fail(model.ErrBadRequest, s.of.peer.Quote(err.Error()), err)
			}
			if err != nil {
				return model.Response{}, err
			}
			return scoring.Response(out), nil
		},
		Rejected: s.of.rejection,
	})
}

// scoreReply is a reply of /completions, as far as it is read.
type scoreReply struct {
	Model   string          `json:"model"`
	Usage   json.RawMessage `json:"usage"`
	Choices []struct {
		Text     string `json:"text"`
		LogProbs *struct {
			Tokens   []string        `json:"tokens"`
			LogProbs json.RawMessage `json:"token_logprobs"`
			Offsets  json.RawMessage `json:"text_offset"`
		} `json:"logprobs"`
		Prompt []map[string]struct {
			LogProb *float64 `json:"logprob"`
			Text    *string  `json:"decoded_token"`
		} `json:"prompt_logprobs"`
	} `json:"choices"`
}

// wrongScores is the error of a reply in the right form that does not have the log-probabilities of the text.
type wrongScores struct{ error }

// notNumbers matches numbers that JSON does not have, as some servers write them.
var notNumbers = lazy.Compile(`[\[,:]\s*-?(NaN|Infinity)\b`)

// read reads a reply.
func (s *scores) read(r wire.Reply, in model.ScoreRequest) (out model.Scores, err error) {
	var reply scoreReply
	if err := json.Unmarshal(r.Body, &reply); err != nil {
		if found := notNumbers.FindSubmatch(r.Body); found != nil {
			return out, wrongScores{fmt.Errorf("a log-probability is %s: the model calculates with too few bits", found[1])}
		}
		return out, s.of.peer.Malformed(fmt.Sprintf("%s is not JSON of the form %s", s.of.peer.Describe(r), s.form))
	}
	if len(reply.Choices) != 1 {
		return out, wrongScores{fmt.Errorf("the reply has %d choices, not 1", len(reply.Choices))}
	}
	out.Model = s.of.peer.Key.Hide(reply.Model)
	if u := usageIn(reply.Usage); u != nil {
		out.Usage = u.tokens()
	}
	if s.form == PromptLogProbs {
		out.Tokens, err = reply.prompt(in)
	} else {
		out.Tokens, err = reply.echoed(in)
	}
	if err != nil {
		return out, wrongScores{err}
	}
	return out, nil
}

// echoed returns the tokens of the form Echo.
func (c scoreReply) echoed(in model.ScoreRequest) ([]model.TokenScore, error) {
	choice := c.Choices[0]
	l := choice.LogProbs
	switch {
	case l == nil:
		return nil, errors.New("logprobs is missing or null: it ignores logprobs")
	case len(l.Tokens) == 0 && !strings.HasPrefix(choice.Text, in.Prefix+in.Text):
		return nil, errors.New("logprobs has no tokens, and the reply does not begin with the prompt: it ignores echo")
	}
	values, missing, err := numbers(l.LogProbs)
	if err != nil {
		return nil, fmt.Errorf("token_logprobs: %w", err)
	}
	if len(values) != len(l.Tokens) {
		return nil, fmt.Errorf("there are %d tokens, but %d token_logprobs", len(l.Tokens), len(values))
	}
	pieces, split := make([]scoring.Piece, len(l.Tokens)), false
	for i, text := range l.Tokens {
		if pieces[i].Text = text; !missing[i] {
			pieces[i].LogProb = &values[i]
		}
		split = split || scoring.IsSplit(text)
	}
	var offsets []int
	if split && json.Unmarshal(l.Offsets, &offsets) == nil && len(offsets) == len(pieces) {
		for i := range pieces {
			pieces[i].Offset = &offsets[i]
		}
	}
	tokens, err := scoring.Join(in, pieces)
	if err != nil && !strings.HasPrefix(choice.Text, in.Prefix) {
		return nil, fmt.Errorf("it ignores echo, its reply does not begin with the prompt: %w", err)
	}
	return tokens, err
}

// numbers reads a list of numbers and nulls. It is several times as fast as package json, which allocates each of them.
func numbers(raw json.RawMessage) (values []float64, missing []bool, err error) {
	list, isList := bytes.CutPrefix(bytes.TrimSpace(raw), []byte("["))
	if !isList {
		return nil, nil, errors.New("it is not a list")
	}
	if list = bytes.TrimSuffix(list, []byte("]")); len(bytes.TrimSpace(list)) == 0 {
		return nil, nil, nil
	}
	n := bytes.Count(list, []byte(",")) + 1
	values, missing = make([]float64, 0, n), make([]bool, 0, n)
	for text := range bytes.SplitSeq(list, []byte(",")) {
		text = bytes.TrimSpace(text)
		v, null := 0.0, string(text) == "null"
		if !null {
			if v, err = strconv.ParseFloat(string(text), 64); err != nil {
				return nil, nil, fmt.Errorf("%.20q is not a number", text)
			}
		}
		values, missing = append(values, v), append(missing, null)
	}
	return values, missing, nil
}

// maxFirst is the maximum length of a prompt's first token in bytes.
const maxFirst = 128

// prompt returns the tokens of the form PromptLogProbs. The first one is null, so its text is not known: it is a mark
// before the prompt, or what the others leave over of it.
func (c scoreReply) prompt(in model.ScoreRequest) ([]model.TokenScore, error) {
	list := c.Choices[0].Prompt
	if len(list) == 0 {
		return nil, errors.New("prompt_logprobs is missing or null")
	}
	pieces := make([]scoring.Piece, len(list))
	for i, token := range list {
		if len(token) > 1 || len(token) == 0 && i > 0 {
			return nil, fmt.Errorf("token %d of prompt_logprobs has %d entries, not 1", i, len(token))
		}
		for id, t := range token {
			if t.Text == nil {
				return nil, fmt.Errorf("token %d of prompt_logprobs, %s, has no decoded_token", i, id)
			}
			pieces[i] = scoring.Piece{Text: *t.Text, LogProb: t.LogProb}
		}
	}
	tokens, err := scoring.Join(in, pieces)
	if len(list[0]) > 0 {
		return tokens, err
	}
	full := in.Prefix + in.Text
	for n := 1; errors.Is(err, scoring.ErrNotJoined) && n <= min(maxFirst, len(in.Prefix)); n++ {
		pieces[0].Text = full[:n]
		if found, other := scoring.Join(in, pieces); !errors.Is(other, scoring.ErrNotJoined) {
			return found, other
		}
	}
	if err != nil && in.Prefix == "" {
		err = fmt.Errorf("%w; servers give the first token no log-probability, so the prefix must not be empty", err)
	}
	return tokens, err
}
