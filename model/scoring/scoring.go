package scoring

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seed-5817661a/concur/model"
)

// Request returns a request for log-probabilities as a request with two messages: the prefix, from the user, and the
// text to score as the assistant's. An identity without a purpose gets model.Scoring.
func Request(req model.ScoreRequest) model.Request {
	if req.Identity.Purpose == "" {
		req.Identity.Purpose = model.Scoring
	}
	return model.Request{
		Identity: req.Identity,
		Messages: []model.Message{{Role: model.User, Content: req.Prefix}, {Role: model.Assistant, Content: req.Text}},
		// no reply is written, so there is nothing to sample; budgets reserve one token
		NoTemperature: true, NoSeed: true, MaxTokens: 1,
	}
}

// RequestOf returns the request that Request was called with.
func RequestOf(req model.Request) (model.ScoreRequest, error) {
	m := req.Messages
	if len(m) != 2 || m[0].Role != model.User || m[1].Role != model.Assistant {
		return model.ScoreRequest{}, errors.New("a request for log-probabilities has a prefix and a text, and nothing else")
	}
	if m[1].Content == "" {
		return model.ScoreRequest{}, errors.New("there is no text to score")
	}
	return model.ScoreRequest{Identity: req.Identity, Prefix: m[0].Content, Text: m[1].Content}, nil
}

// content is the content of a reply. The tokens follow from their offsets.
type content struct {
	Offsets  []int     `json:"offsets"`
	LogProbs []float64 `json:"logprobs"`
}

// Response returns scores as a model's reply. Its content is JSON with the offsets and the log-probabilities.
func Response(s model.Scores) model.Response {
	out := content{make([]int, len(s.Tokens)), make([]float64, len(s.Tokens))}
	for i, t := range s.Tokens {
		out.Offsets[i], out.LogProbs[i] = t.Offset, t.LogProb
	}
	raw, _ := json.Marshal(out) // fails only for numbers that are not finite, which Check refuses
	return model.Response{
		Message: model.Message{Role: model.Assistant, Content: string(raw)}, Finish: model.FinishStop, Usage: s.Usage,
		Model: s.Model,
	}
}

// Scores returns the scores of a reply that Response made for a request.
func Scores(req model.ScoreRequest, r model.Response) (model.Scores, error) {
	var in content
	if err := json.Unmarshal([]byte(r.Message.Content), &in); err != nil {
		return model.Scores{}, fmt.Errorf("read log-probabilities: %w", err)
	}
	if len(in.Offsets) != len(in.LogProbs) {
		return model.Scores{}, fmt.Errorf("read log-probabilities: %d of them for %d tokens", len(in.LogProbs),
			len(in.Offsets))
	}
	out := model.Scores{Usage: r.Usage, Model: r.Model}
	for i, at := range in.Offsets {
		end := len(req.Text)
		if i+1 < len(in.Offsets) {
			end = in.Offsets[i+1]
		}
		token, ok := cut(req, at, end)
		if !ok {
			return model.Scores{}, fmt.Errorf("read log-probabilities: token %d is from %d to %d of a text of %d bytes", i,
				at, end, len(req.Text))
		}
		out.Tokens = append(out.Tokens, model.TokenScore{Token: token, Offset: at, LogProb: in.LogProbs[i]})
	}
	return out, Check(req, out)
}

// cut returns a part of a request's prefix and text; offsets count from the beginning of the text.
func cut(req model.ScoreRequest, from, to int) (string, bool) {
	if from < -len(req.Prefix) || from >= to || to > len(req.Text) {
		return "", false
	}
	switch {
	case from >= 0:
		return req.Text[from:to], true
	case to <= 0:
		return req.Prefix[len(req.Prefix)+from : len(req.Prefix)+to], true
	default:
		return req.Prefix[len(req.Prefix)+from:] + req.Text[:to], true
	}
}

// Model returns a scorer as a model. The name is that of the scorer in errors, such as offline:ngram.
func Model(s model.Scorer, name string) model.Model { return asModel{s, name} }

type asModel struct {
	scorer model.Scorer
	name   string
}

func (m asModel) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	in, err := RequestOf(req)
	if err != nil {
		return model.Response{}, &model.Error{Kind: model.ErrBadRequest, Model: m.name, Err: err}
	}
	out, err := m.scorer.Score(ctx, in)
	if err == nil {
		err = Check(in, out)
	}
	if _, typed := errors.AsType[*model.Error](err); err != nil && !typed {
		err = &model.Error{Kind: model.ErrMalformed, Model: m.name, Err: err}
	}
	if err != nil {
		return model.Response{}, err
	}
	return Response(out), nil
}

// Scorer returns a model that answers requests of this package as a scorer. The name is that of the model in errors.
func Scorer(m model.Model, name string) model.Scorer { return asScorer{m, name} }

type asScorer struct {
	model model.Model
	name  string
}

func (s asScorer) Score(ctx context.Context, req model.ScoreRequest) (model.Scores, error) {
	if req.Text == "" {
		return model.Scores{}, &model.Error{Kind: model.ErrBadRequest, Model: s.name,
			Err: errors.New("there is no text to score")}
	}
	resp, err := s.model.Complete(ctx, Request(req))
	if err != nil {
		return model.Scores{}, err
	}
	out, err := Scores(req, resp)
	if err != nil {
		return model.Scores{}, &model.Error{Kind: model.ErrMalformed, Model: s.name, Err: err}
	}
	return out, nil
}
