package view

import (
	_ "embed"
	"errors"
	"html/template"
	"io/fs"
	"net/http"
	"strconv"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/page"
)

var (
	//go:embed view.html.tmpl
	source string
	//go:embed view.css
	style string
	//go:embed view.js
	script string
	//go:embed label.js
	labelScript string
)

// layouts returns the templates, which are parsed at the first page.
var layouts = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"counted": text.Counted}).Parse(source))
})

// layout holds the parts that all pages of the server share.
type layout struct {
	Title  string
	Root   string // root of all addresses
	Events string // address of the live figures; "" for a page without them
	Body   any
}

// show sends a page. events is the address of its live figures; "" if it has none.
func (s *server) show(w http.ResponseWriter, status int, name, title, events string, body any) {
	text, err := page.Render(layouts(), name, layout{title, s.root, events, body})
	if err != nil { // a mistake in the template, which tests would find
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	send(w, status, "text/html; charset=utf-8", []byte(text))
}

func send(w http.ResponseWriter, status int, kind string, text []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // an error means that the browser has disconnected
}

// asset returns a handler that serves a style sheet or a script.
func asset(kind, text string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, _ *http.Request) error {
		send(w, http.StatusOK, kind+"; charset=utf-8", []byte(text))
		return nil
	}
}

// problem is the reason why a page cannot be shown.
type problem struct {
	status int
	text   string
}

func (p problem) Error() string { return p.text }

// explain sends an error as a page. If a file cannot be read, the status is 409 Conflict: the folder conflicts
// with the recorded state of the run.
func (s *server) explain(w http.ResponseWriter, err error) {
	p, ok := errors.AsType[problem](err)
	switch {
	case ok:
	case errors.Is(err, fs.ErrNotExist):
		p = problem{http.StatusGone, err.Error() + ". The run was deleted, moved or truncated while it was shown."}
	default:
		p = problem{http.StatusConflict, err.Error()}
	}
	s.show(w, p.status, "problem", "Not shown", "", p.text)
}
