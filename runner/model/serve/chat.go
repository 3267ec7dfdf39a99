package serve

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// chat answers POST /v1/chat/completions in the form of OpenAI's API.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLong, ok := errors.AsType[*http.MaxBytesError](err); ok {
		writeError(w, apiError{Status: http.StatusRequestEntityTooLarge, Code: "request_too_large", Message: fmt.Sprintf("the body is longer than %d bytes", tooLong.Limit)})
		return
	}
	if err != nil {
		writeError(w, bad("", "the body did not arrive whole: %v", err))
		return
	}
	in, req, err := parse(body)
	if err == nil && s.Name != "" && in.Model != s.Name {
		err = apiError{Status: http.StatusNotFound, Code: "model_not_found", Param: "model", Message: fmt.Sprintf("there is no model %q here; there is %q", in.Model, s.Name)}
	}
	if err != nil {
		writeError(w, err)
		return
	}
	resp, err := s.complete(r, req)
	if err != nil {
		writeError(w, err)
		return
	}
	if resp.Model == "" {
		resp.Model = in.Model
	}
	out := completionOf(resp, "chatcmpl-"+rand.Text(), s.now())
	if in.Stream {
		streamChat(w, out, in.StreamOptions.Usage)
		return
	}
	writeJSON(w, http.StatusOK, out)
}
