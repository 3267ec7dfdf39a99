package serve

import (
	"encoding/json"
	"net/http"

	"github.com/seed-5817661a/concur/model/embed"
)

const embeddingsPath = "/v1/embeddings"

// embeddingsRequest has the fields that are read from a request for embeddings.
type embeddingsRequest struct {
	Model  string          `json:"model"`
	Input  json.RawMessage `json:"input"`
	Format string          `json:"encoding_format"`
}

// parseEmbeddings reads a body into the input and the encoding of the vectors.
func parseEmbeddings(body []byte) (in embeddingsRequest, asked embed.Input, err error) {
	all, err := readBody(body, &in)
	switch {
	case err != nil:
		return in, asked, err
	case in.Model == "":
		return in, asked, badRequest("model", "the request names no model; name a model for embeddings of the provider")
	case in.Format != "" && in.Format != "float" && in.Format != "base64":
		const text = "encoding_format %q is not supported; send \"float\" or \"base64\""
		return in, asked, badRequest("encoding_format", text, in.Format)
	case !present(in.Input):
		return in, asked, badRequest("input", "the request has no input; send a text or a list of texts")
	}
	extra, err := extrasOf("embeddings", all)
	asked = embed.Input{Values: in.Input, Extra: extra}
	if _, wrong := asked.Count(); err == nil && wrong != nil {
		err = badRequest("input", "input cannot be read: %v", wrong)
	}
	return in, asked, err
}

// embed replies to a request for embeddings; key is the key in the request.
func (s *Server) embed(w http.ResponseWriter, r *http.Request, key string) {
	document, err := s.embedded(w, r, key)
	if err != nil {
		failChat(w, err)
		return
	}
	write(w, http.StatusOK, document)
}

func (s *Server) embedded(w http.ResponseWriter, r *http.Request, key string) (fields, error) {
	if s.Embeddings == nil {
		const text = "no embeddings are served here: " + embeddingsPath + " is part of the proxy of external agents"
		return nil, apiError{Status: http.StatusNotFound, Code: "unknown_url", Message: text}
	}
	body, err := bodyOf(w, r)
	if err != nil {
		return nil, err
	}
	in, asked, err := parseEmbeddings(body)
	if err != nil {
		return nil, err
	}
	m, err := s.Embeddings(r, key, in.Model)
	if err != nil {
		return nil, err
	}
	resp, err := s.complete(r, m, asked.Request())
	if err != nil {
		return nil, err
	}
	vectors, err := embed.Vectors(resp)
	if err != nil {
		return nil, apiError{Status: http.StatusBadGateway, Code: "malformed_reply", Message: err.Error()}
	}
	data := []fields{}
	for i, v := range vectors {
		item := fields{"object": "embedding", "index": i, "embedding": v}
		if in.Format == "base64" {
			item["embedding"] = embed.Encode(v)
		}
		data = append(data, item)
	}
	used := resp.Usage.InputTokens
	usage := fields{"prompt_tokens": used, "total_tokens": used}
	return fields{"object": "list", "data": data, "model": in.Model, "usage": usage}, nil
}
