package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
)

// maxEmbedded bounds the texts of one request for embeddings.
const maxEmbedded = 256

// Embed asks the endpoint's /embeddings for the vectors of texts, one for each, in their order.
// Its errors are those of Complete.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		some := texts[:min(len(texts), maxEmbedded)]
		texts = texts[len(some):]
		vectors, err := m.embed(ctx, some)
		if err != nil {
			return nil, err
		}
		out = append(out, vectors...)
	}
	return out, nil
}

func (m *Model) embed(ctx context.Context, texts []string) ([][]float32, error) {
	body, err := json.Marshal(goopenai.EmbeddingRequest{Input: texts, Model: goopenai.EmbeddingModel(m.name), EncodingFormat: goopenai.EmbeddingEncodingFormatFloat})
	if err != nil {
		return nil, m.peer.Fail(model.ErrBadRequest, "encode request: "+err.Error(), nil)
	}
	ctx, cancel := context.WithTimeout(ctx, m.peer.Timeout)
	defer cancel()
	return wire.Exchange(ctx, m.peer, wire.Request{Client: m.http, Path: []string{"embeddings"}, Header: m.header(), Body: body}, wire.Reader[[][]float32]{
		Whole:    func(r wire.Reply) ([][]float32, error) { return m.vectors(r, len(texts)) },
		Rejected: m.rejection,
	})
}

// vectors reads a reply with n vectors of one length.
func (m *Model) vectors(r wire.Reply, n int) ([][]float32, error) {
	var reply goopenai.EmbeddingResponse
	if err := json.Unmarshal(r.Body, &reply); err != nil || len(reply.Data) != n {
		return nil, m.peer.Malformed(fmt.Sprintf("%s does not hold %d embeddings", m.peer.Describe(r), n))
	}
	out := make([][]float32, n)
	for _, e := range reply.Data {
		if e.Index < 0 || e.Index >= n || out[e.Index] != nil || len(e.Embedding) == 0 || len(e.Embedding) != len(reply.Data[0].Embedding) {
			return nil, m.peer.Malformed(fmt.Sprintf("embedding %d of %d is repeated, empty, or has another length than the first", e.Index, n))
		}
		out[e.Index] = e.Embedding
	}
	return out, nil
}

// header has the endpoint's own fields, and the key.
func (m *Model) header() map[string]string {
	header := maps.Clone(m.endpoint.Headers)
	if key, _ := m.peer.Key(); key != "" {
		if header == nil {
			header = map[string]string{}
		}
		header["Authorization"] = "Bearer " + key
	}
	return header
}
