package serve

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
)

const messagesPath = "/v1/messages"

// messages answers POST /v1/messages in the form of Anthropic's Messages API, and what
// stands below that path, such as count_tokens, with that form's 404. The key may come as
// x-api-key, as its clients send it.
func (s *Server) messages(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Request-Id", "req_"+rand.Text())
	if !s.admits(r) && !s.isKey(r.Header.Get("X-Api-Key")) {
		writeMessagesError(w, apiError{Status: http.StatusUnauthorized, Message: "the API key is missing or wrong; send the server's key as x-api-key"})
		return
	}
	if r.URL.Path != messagesPath {
		writeMessagesError(w, apiError{Status: http.StatusNotFound, Message: fmt.Sprintf("there is no %s here; there is %s", r.URL.Path, messagesPath)})
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		writeMessagesError(w, apiError{Status: http.StatusMethodNotAllowed, Message: fmt.Sprintf("%s takes POST, not %s", messagesPath, r.Method)})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLong, ok := errors.AsType[*http.MaxBytesError](err); ok {
		writeMessagesError(w, apiError{Status: http.StatusRequestEntityTooLarge, Message: fmt.Sprintf("the body is longer than %d bytes", tooLong.Limit)})
		return
	}
	if err != nil {
		writeMessagesError(w, bad("", "the body did not arrive whole: %v", err))
		return
	}
	in, req, err := parseMessages(body)
	if err == nil && s.Name != "" && in.Model != s.Name {
		err = apiError{Status: http.StatusNotFound, Message: fmt.Sprintf("model: there is no %q here; there is %q", in.Model, s.Name)}
	}
	if err != nil {
		writeMessagesError(w, err)
		return
	}
	resp, err := s.complete(r, req)
	if err != nil {
		writeMessagesError(w, err)
		return
	}
	if resp.Model == "" {
		resp.Model = in.Model
	}
	out := messageOf(resp, req.Schema)
	if in.Stream {
		stream(w, out)
		return
	}
	write(w, http.StatusOK, out)
}
