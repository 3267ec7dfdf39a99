package serve

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/serving"
	"github.com/seed-5817661a/concur/model"
)

// maxBody is the maximum length of a request, in bytes.
const maxBody = 16 << 20

// Server answers POST /v1/chat/completions, POST /v1/completions, POST /v1/responses, POST /v1/messages, POST
// /v1/embeddings, GET /v1/models, GET /v1/models/{id} and GET /healthz with one model, or with the models that Resolve
// chooses; with Resolve, POST /v1/completions is refused.
// It is safe for concurrent use if its fields do not change while it serves. If the model panics, it replies
// with status 500, logs the panic, and continues.
type Server struct {
	Model model.Model
	// Name is the model's name in requests; a request for a different name is refused. If it is empty, every
	// name is accepted. GET /v1/models lists it.
	Name string
	// Key is the token that every request except /healthz must have, as a bearer token or as x-api-key. If it is
	// empty, no token is required.
	Key string
	// Resolve, if set, chooses the model of each request and replaces Model, Name and Key. It is called with the
	// key of the request ("" without a key) and with the model's name in the request. Before the body is read,
	// it is called with an empty name to refuse an unknown key; the model that it then returns is not used. If a
	// request has two keys, the first that is not refused is used. The server reports an error in the form of
	// the client's API: an error of Refuse with its status, a *model.Error by its kind.
	Resolve func(r *http.Request, key, name string) (model.Model, error)
	// Embeddings, if set, chooses the model of each request for embeddings; the model answers in the form of
	// package embed. It is called like Resolve, with the client's name for the model. If it is nil, POST
	// /v1/embeddings is refused.
	Embeddings func(r *http.Request, key, name string) (model.Model, error)
	// Scores, if set, gives the log-probabilities of the prompts of POST /v1/completions, in the form of package
	// scoring. If it is nil, requests for log-probabilities are refused.
	Scores model.Model

	Log *slog.Logger     // for panics; default slog.Default()
	Now func() time.Time // for the time in responses; default time.Now
}

// Handler serves m under a name, without a key.
func Handler(m model.Model, name string) http.Handler { return &Server{Model: m, Name: name} }

const (
	healthPath   = "/healthz"
	messagesPath = "/v1/messages"
	modelsPath   = "/v1/models"
	paths        = "POST /v1/chat/completions, POST /v1/completions, POST /v1/responses, POST /v1/messages, POST " +
		"/v1/embeddings, GET /v1/models, GET /v1/models/{id} and GET /healthz"
)

// ServeHTTP answers one request. Failures have Anthropic's form under /v1/messages, such as count_tokens, and
// for requests with an Anthropic-Version header; all others have OpenAI's form.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, method := r.URL.Path, http.MethodPost
	fail, id := failChat, "X-Request-Id"
	var answer func(key string)
	switch {
	case path == healthPath:
		method = http.MethodGet
		answer = func(string) { write(w, http.StatusOK, map[string]string{"status": "ok"}) }
	case path == modelsPath:
		method, answer = http.MethodGet, func(string) { s.models(w) }
	case strings.HasPrefix(path, modelsPath+"/") && path != modelsPath+"/":
		method, answer = http.MethodGet, func(key string) {
			s.model(w, r, key,
				strings.TrimPrefix(path, modelsPath+"/"), fail)
		}
	case path == "/v1/chat/completions":
		answer = func(key string) { s.answer(w, r, key, chat) }
	case path == completionsPath:
		answer = func(key string) { s.completions(w, r, key) }
	case path == "/v1/responses":
		answer = func(key string) { s.answer(w, r, key, responses) }
	case path == embeddingsPath:
		answer = func(key string) { s.embed(w, r, key) }
	case path == messagesPath:
		answer = func(key string) { s.answer(w, r, key, messages) }
	}
	if path == messagesPath || strings.HasPrefix(path, messagesPath+"/") || r.Header.Get("Anthropic-Version") != "" {
		fail, id = failMessages, "Request-Id"
	}
	w.Header().Set(id, "req_"+rand.Text())
	var key string
	var refused error
	if path != healthPath {
		if key, refused = s.admit(r); refused == nil {
			serving.Know(r)
		}
	}
	switch {
	case refused != nil:
		if e, ok := errors.AsType[apiError](refused); ok && e.Status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", "Bearer")
		}
		fail(w, refused)
	case answer == nil:
		fail(w, apiError{Status: http.StatusNotFound, Code: "unknown_url",
			Message: fmt.Sprintf("there is no %s here; there are %s", path, paths)})
	case r.Method != method:
		w.Header().Set("Allow", method)
		fail(w, apiError{Status: http.StatusMethodNotAllowed, Code: "method_not_allowed",
			Message: fmt.Sprintf("%s takes %s, not %s", path, method, r.Method)})
	default:
		answer(key)
	}
}

// admit returns the first key of the request that is not refused, or an error.
func (s *Server) admit(r *http.Request) (string, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		token = ""
	}
	own, token := r.Header.Get("X-Api-Key"), strings.TrimSpace(token)
	key := cmp.Or(own, token)
	_, err := s.resolve(r, key, "")
	if err != nil && own != "" && token != "" {
		if _, again := s.resolve(r, token, ""); again == nil {
			return token, nil
		}
	}
	return key, err
}

// resolve returns the model for a key and a name; the name is "" before the body is read.
func (s *Server) resolve(r *http.Request, key, name string) (model.Model, error) {
	switch {
	case s.Resolve != nil:
		return s.Resolve(r, key, name)
	case s.Key != "" && !s.isKey(key):
		return nil, Refuse(http.StatusUnauthorized,
			"the API key is missing or wrong; send the server's key as Authorization: Bearer <key> or as x-api-key")
	case name != "" && s.Name != "" && name != s.Name:
		return nil, Refuse(http.StatusNotFound, fmt.Sprintf("there is no model %q here; there is %q", name, s.Name))
	}
	return s.Model, nil
}

// isKey reports whether the token is the key. It compares digests, so that its time does not depend on the
// key.
func (s *Server) isKey(token string) bool {
	got, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(s.Key))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// complete asks a model in the request's context, so that a client that disconnects cancels the call.
func (s *Server) complete(r *http.Request, m model.Model, req model.Request) (resp model.Response, err error) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		cmp.Or(s.Log, slog.Default()).Error("the model panicked", "cause", fmt.Sprint(cause), "stack",
			string(debug.Stack()))
		err = apiError{Status: http.StatusInternalServerError, Code: "internal_error",
			Message: "the model panicked; see the server's log"}
	}()
	resp, err = m.Complete(model.Verbatim(r.Context()), req)
	resp.Message.ToolCalls = model.NameCalls(resp.Message.ToolCalls, len(req.Messages))
	return resp, err
}

func (s *Server) now() int64 {
	if s.Now == nil {
		return time.Now().Unix()
	}
	return s.Now().Unix()
}

// models lists the model under the server's name for it, if it has one. The list and the model have the
// fields of both APIs.
func (s *Server) models(w http.ResponseWriter) {
	data := []any{}
	var id *string
	if s.Name != "" {
		data, id = append(data, s.modelObject(s.Name)), &s.Name
	}
	write(w, http.StatusOK, map[string]any{"object": "list", "data": data, "has_more": false, "first_id": id,
		"last_id": id})
}

// model describes the model that requests with this name get.
func (s *Server) model(w http.ResponseWriter, r *http.Request, key, name string,
	fail func(http.ResponseWriter, error)) {
	if _, err := s.resolve(r, key, name); err != nil {
		fail(w, err)
		return
	}
	write(w, http.StatusOK, s.modelObject(name))
}

func (s *Server) modelObject(name string) map[string]any {
	created := s.now()
	return map[string]any{
		"id": name, "object": "model", "created": created, "owned_by": "concur",
		"type": "model", "display_name": name, "created_at": time.Unix(created, 0).UTC().Format(time.RFC3339),
	}
}
