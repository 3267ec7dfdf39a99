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
	Root   string // address of the list
	Style  string
	Script string
	Events string // address of the figures that change; "" of a page without
	Body   any
}

func (s *server) layout(title, events string, body any) layout {
	return layout{Title: title, Root: s.root + "/", Style: s.root + "/style.css", Script: s.root + "/view.js", Events: events, Body: body}
}

// show lays out a page that does not change.
func (s *server) show(w http.ResponseWriter, status int, name, title string, body any) {
	s.showLive(w, status, name, s.layout(title, "", body))
}

func (s *server) showLive(w http.ResponseWriter, status int, name string, l layout) {
	text, err := lay(name, l)
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

// style is the style of pages with what the server's own pages add.
func (s *server) style(w http.ResponseWriter, _ *http.Request) error {
	text, err := page.Style()
	if err != nil {
		return err
	}
	own, err := files.ReadFile("view.css")
	send(w, http.StatusOK, "text/css; charset=utf-8", append(text, own...))
	return err
}

const javascript = "text/javascript; charset=utf-8"

func (s *server) pageScript(w http.ResponseWriter, _ *http.Request) error {
	text, err := page.Script()
	send(w, http.StatusOK, javascript, text)
	return err
}

func (s *server) script(w http.ResponseWriter, _ *http.Request) error {
	text, err := files.ReadFile("view.js")
	send(w, http.StatusOK, javascript, text)
	return err
}
