package serve

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/runner/model"
)

// maxBody is the longest request that is read, in bytes, and bodyTimeout the time in which it
// has to come.
const (
	maxBody     = 16 << 20
	bodyTimeout = 30 * time.Second
)

// Server answers POST /v1/chat/completions, POST /v1/messages, GET /v1/models and GET
// /healthz with one model. It is safe for concurrent use if its fields are left alone while
// it serves. A panic of the model is answered with status 500 and logged; the server continues.
type Server struct {
	Model model.Model
	// Name is what requests call the model; a request for another is refused. Where it
	// is empty, every name is taken.
	Name string
	// Key is the bearer token that requests must bring, except to /healthz; /v1/messages
	// takes it as x-api-key too. Where it is empty, none is asked for.
	Key string
	Log *slog.Logger     // for panics; default slog.Default()
	Now func() time.Time // for the time in responses; default time.Now
}

// Handler serves m under a name, without a key.
func Handler(m model.Model, name string) http.Handler { return &Server{Model: m, Name: name} }

const (
	messagesPath = "/v1/messages"
	paths        = "/v1/chat/completions, /v1/messages, /v1/models and /healthz"
)

// ServeHTTP answers one request. What is below /v1/messages, such as count_tokens, has
// Anthropic's form of a failure, all else OpenAI's; the key may come to it as x-api-key, as
// its clients send it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, method, open, admitted := r.URL.Path, http.MethodPost, false, s.admits(r)
	fail, id, hint := failChat, "X-Request-Id", "Authorization: Bearer <key>"
	var answer func()
	switch {
	case path == "/healthz":
		method, open = http.MethodGet, true
		answer = func() { write(w, http.StatusOK, map[string]string{"status": "ok"}) }
	case path == "/v1/models":
		method, answer = http.MethodGet, func() { s.models(w) }
	case path == "/v1/chat/completions":
		answer = func() { s.answer(w, r, chat()) }
	case path == messagesPath:
		answer = func() { s.answer(w, r, messages()) }
	}
	if path == messagesPath || strings.HasPrefix(path, messagesPath+"/") {
		fail, id, hint = failMessages, "Request-Id", "x-api-key"
		admitted = admitted || s.isKey(r.Header.Get("X-Api-Key"))
	}
	w.Header().Set(id, "req_"+rand.Text())
	switch {
	case !open && !admitted:
		w.Header().Set("WWW-Authenticate", "Bearer")
		fail(w, apiError{Status: http.StatusUnauthorized, Code: "invalid_api_key", Message: "the API key is missing or wrong; send the server's key as " + hint})
	case answer == nil:
		fail(w, apiError{Status: http.StatusNotFound, Code: "unknown_url", Message: fmt.Sprintf("there is no %s here; there are %s", path, paths)})
	case r.Method != method:
		w.Header().Set("Allow", method)
		fail(w, apiError{Status: http.StatusMethodNotAllowed, Code: "method_not_allowed", Message: fmt.Sprintf("%s takes %s, not %s", path, method, r.Method)})
	default:
		answer()
	}
}

func (s *Server) admits(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return s.Key == "" || strings.EqualFold(scheme, "Bearer") && s.isKey(strings.TrimSpace(token))
}

// isKey compares digests, so that the time it takes tells nothing of the key.
func (s *Server) isKey(token string) bool {
	got, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(s.Key))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

func (s *Server) models(w http.ResponseWriter) {
	data := []any{}
	if s.Name != "" {
		data = append(data, map[string]any{"id": s.Name, "object": "model", "created": s.now(), "owned_by": "concur"})
	}
	write(w, http.StatusOK, map[string]any{"object": "list", "data": data})
}

// complete asks the model, under the request's context: a client that leaves cancels it.
func (s *Server) complete(r *http.Request, req model.Request) (resp model.Response, err error) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		log := s.Log
		if log == nil {
			log = slog.Default()
		}
		log.Error("the model panicked", "cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
		err = apiError{Status: http.StatusInternalServerError, Code: "internal_error", Message: "the model panicked; the server's log says where"}
	}()
	return s.Model.Complete(r.Context(), req)
}

func (s *Server) now() int64 {
	if s.Now == nil {
		return time.Now().Unix()
	}
	return s.Now().Unix()
}
