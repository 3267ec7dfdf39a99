package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/embed"
	"github.com/seed-5817661a/concur/model/wire"
)

// maxEmbedded is the maximum number of texts of one request for embeddings.
const maxEmbedded = 256

// Embed requests the vectors of texts from the endpoint's /embeddings, one for each text, in order. It
// returns the same errors as Complete.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	for some := range slices.Chunk(texts, maxEmbedded) {
		values, _ := json.Marshal(some) // encoding texts never fails
		resp, err := m.embed(ctx, embed.Input{Values: values})
		if err != nil {
			return nil, err
		}
		vectors, err := embed.Vectors(resp)
		if err != nil {
			return nil, m.peer.Malformed(err.Error())
		}
		out = append(out, vectors...)
	}
	return out, nil
}

// Embeddings returns a model that sends requests of package embed to the endpoint's /embeddings. It returns
// the same errors as Complete.
func (m *Model) Embeddings() model.Model { return embeddings{m} }

type embeddings struct{ of *Model }

// Complete requests the vectors of a request's input.
func (e embeddings) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	in, err := embed.InputOf(req)
	if err != nil {
		return model.Response{}, e.of.peer.Fail(model.ErrBadRequest, "encode request: "+err.Error(), nil)
	}
	return e.of.embed(ctx, in)
}

func (m *Model) embed(ctx context.Context, in embed.Input) (model.Response, error) {
	n, err := in.Count()
	if err != nil {
		return model.Response{}, m.peer.Fail(model.ErrBadRequest, "encode request: the input: "+err.Error(), nil)
	}
	body := map[string]any{"model": m.name, "input": in.Values,
		"encoding_format": goopenai.EmbeddingEncodingFormatFloat}
	for name, value := range in.Extra {
		if _, set := body[name]; !set {
			body[name] = value
		}
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return model.Response{}, m.peer.Fail(model.ErrBadRequest, "encode request: "+err.Error(), nil)
	}
	return wire.Exchange(ctx, m.peer, []string{"embeddings"}, raw, wire.Reader[model.Response]{
		Whole:    func(r wire.Reply) (model.Response, error) { return m.vectors(r, n) },
		Rejected: m.rejection,
	})
}

// vectors reads a reply with n vectors of equal length.
func (m *Model) vectors(r wire.Reply, n int) (model.Response, error) {
	var reply struct {
		Data  []goopenai.Embedding `json:"data"`
		Usage json.RawMessage      `json:"usage"`
	}
	if err := json.Unmarshal(r.Body, &reply); err != nil || len(reply.Data) != n {
		return model.Response{}, m.peer.Malformed(fmt.Sprintf("%s does not have %d embeddings", m.peer.Describe(r), n))
	}
	out := make([][]float32, n)
	for _, e := range reply.Data {
		size := len(e.Embedding)
		if e.Index < 0 || e.Index >= n || out[e.Index] != nil || size == 0 || size != len(reply.Data[0].Embedding) {
			const fault = "embedding %d of %d is repeated, empty, or has another length than the first"
			return model.Response{}, m.peer.Malformed(fmt.Sprintf(fault, e.Index, n))
		}
		out[e.Index] = e.Embedding
	}
	var used model.Usage
	if u := usageIn(reply.Usage); u != nil {
		used = model.Usage{InputTokens: int(max(u.Prompt, u.Total))}
	}
	return embed.Response(out, used), nil
}
