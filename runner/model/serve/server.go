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

// maxBody is the longest request that is read, in bytes.
const maxBody = 16 << 20

// Server answers POST /v1/chat/completions, POST /v1/messages, GET /v1/models and GET
// /healthz with one model. It is safe for concurrent use if its fields are left alone while
// it serves. A panic of the model is answered with status 500 and logged; the server lives
// on.
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

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == messagesPath || strings.HasPrefix(r.URL.Path, messagesPath+"/") { // it tells its failures in another form
		s.messages(w, r)
		return
	}
	w.Header().Set("X-Request-Id", "req_"+rand.Text())
	var answer func(http.ResponseWriter, *http.Request)
	method, open := http.MethodGet, false
	switch r.URL.Path {
	case "/healthz":
		answer, open = health, true
	case "/v1/models":
		answer = s.models
	case "/v1/chat/completions":
		answer, method = s.chat, http.MethodPost
	}
	switch {
	case !open && !s.admits(r):
		w.Header().Set("WWW-Authenticate", "Bearer")
		writeError(w, apiError{Status: http.StatusUnauthorized, Code: "invalid_api_key", Message: "the API key is missing or wrong; send the server's key as Authorization: Bearer <key>"})
	case answer == nil:
		writeError(w, apiError{Status: http.StatusNotFound, Code: "unknown_url", Message: fmt.Sprintf("there is no %s; there are /v1/chat/completions, /v1/messages, /v1/models and /healthz", r.URL.Path)})
	case r.Method != method:
		w.Header().Set("Allow", method)
		writeError(w, apiError{Status: http.StatusMethodNotAllowed, Code: "method_not_allowed", Message: fmt.Sprintf("%s takes %s, not %s", r.URL.Path, method, r.Method)})
	default:
		answer(w, r)
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

func health(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	type entry struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Created int64  `json:"created"`
		OwnedBy string `json:"owned_by"`
	}
	data := []entry{}
	if s.Name != "" {
		data = append(data, entry{s.Name, "model", s.now(), "concur"})
	}
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": data})
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
