package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

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
	for some := range slices.Chunk(texts, maxEmbedded) {
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
	return wire.Exchange(ctx, m.peer, []string{"embeddings"}, body, wire.Reader[[][]float32]{
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
