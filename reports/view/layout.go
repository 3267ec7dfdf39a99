package view

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"strconv"

	"github.com/seed-5817661a/concur/reports/page"
)

//go:embed view.html.tmpl view.css view.js
var files embed.FS

// layout is what every page of the server has.
type layout struct {
	Title  string
	Root   string // that of all addresses
	Events string // address of the figures that change; "" of a page without
	Body   any
}

// show lays out a page. Where the figures in it change, events is their address.
func (s *server) show(w http.ResponseWriter, status int, name, title, events string, body any) {
	text, err := lay(name, layout{title, s.root, events, body})
	if err != nil { // of the template, which tests lay out
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	send(w, status, "text/html; charset=utf-8", []byte(text))
}

// lay lays out one template.
func lay(name string, v any) (template.HTML, error) {
	t, err := template.ParseFS(files, "view.html.tmpl")
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, name, v); err != nil {
		return "", err
	}
	return template.HTML(page.Visible(b.Bytes())), nil
}

func send(w http.ResponseWriter, status int, kind string, text []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // a browser that has gone needs nothing
}

// asset serves what the pages need beside themselves.
func asset(kind string, parts ...func() ([]byte, error)) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, _ *http.Request) error {
		var all []byte
		for _, part := range parts {
			text, err := part()
			if err != nil {
				return err
			}
			all = append(all, text...)
		}
		send(w, http.StatusOK, kind+"; charset=utf-8", all)
		return nil
	}
}

func own(name string) func() ([]byte, error) {
	return func() ([]byte, error) { return files.ReadFile(name) }
}
