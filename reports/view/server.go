package view

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/internal/serving"
	"github.com/seed-5817661a/concur/reports/page"
)

// Options configure a server.
type Options struct {
	RunsDir string
	Token   string        // part of every page's address; see NewToken
	Poll    time.Duration // time between two polls of an active run's files; half a second if 0
	Label   *Labelling    // nil for a server that only reads
}

// NewToken returns a random token of at least 128 bits.
func NewToken() string { return rand.Text() }

// Address returns the URL at which a server shows a run, or the list of runs if the name is "".
func Address(at net.Addr, token, run string) string {
	return "http://" + at.String() + runAddress("/"+token, run)
}

// LabelAddress returns the URL at which a server with a Labelling shows the next answer to label.
func LabelAddress(at net.Addr, token string, l *Labelling) string {
	return Address(at, token, l.Run) + "label"
}

// server holds the data that the handlers share. Its caches can be emptied at any time.
type server struct {
	Options
	root  string // path of the list
	hosts []string
	runs  sync.Map // entries by the names of their folders
}

// Serve shows the runs of a folder until ctx ends, and then closes open connections.
func Serve(ctx context.Context, l net.Listener, o Options) error {
	if o.Token == "" {
		return errors.New("serve runs: the token is missing")
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return fmt.Errorf("serve runs: %w", err)
	}
	o.Poll = cmp.Or(o.Poll, 500*time.Millisecond)
	s := &server{Options: o, root: "/" + o.Token, hosts: []string{"127.0.0.1:" + port, "localhost:" + port}}
	if err := serving.Serve(ctx, l, s.guard(s.pages()), serving.Limits{Grace: -1}); err != nil {
		return fmt.Errorf("serve runs: %w", err)
	}
	return nil
}

// policy is the content security policy of pages: a page may use only the server's own resources.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'"

// guard refuses requests that are not from the person who started the server.
func (s *server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		token, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		switch {
		case !s.local(r.Host):
			http.Error(w, "The host of the address is not this machine: open the address that concur view printed.",
				http.StatusForbidden)
		case !s.sameOrigin(r.Header):
			http.Error(w, "Another site asks for this page: open the address that concur view printed.",
				http.StatusForbidden)
		case subtle.ConstantTimeCompare([]byte(token), []byte(s.Token)) == 0:
			http.Error(w, "The address has no token: open the address that concur view printed.",
				http.StatusForbidden)
		case r.Method == http.MethodPost && s.labelPath(r.URL.EscapedPath()) && !s.mayPost(r):
			http.Error(w, "The form is not from a page of this server: open the address that concur view printed.",
				http.StatusForbidden)
		case r.Method == http.MethodPost && s.labelPath(r.URL.EscapedPath()):
			serving.Know(r)
			next.ServeHTTP(w, r)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "This page is only read: use GET or HEAD.", http.StatusMethodNotAllowed)
		default:
			serving.Know(r)
			next.ServeHTTP(w, r)
		}
	})
}

func (s *server) local(host string) bool {
	return slices.ContainsFunc(s.hosts, func(own string) bool { return strings.EqualFold(host, own) })
}

// sameOrigin reports whether all origins that a request's headers name are the server's own.
func (s *server) sameOrigin(h http.Header) bool {
	return !slices.ContainsFunc(h.Values("Origin"), func(origin string) bool {
		host, plain := strings.CutPrefix(origin, "http://")
		return !plain || !s.local(host)
	})
}

// pages returns the handlers by path.
func (s *server) pages() http.Handler {
	mux := http.NewServeMux()
	for path, show := range map[string]func(http.ResponseWriter, *http.Request) error{
		"/{$}": s.list, "/events": s.listEvents, "/compare": s.compare,
		"/run/{run}/{$}": s.ofRun(s.report), "/run/{run}/queries": s.ofRun(s.queries),
		"/run/{run}/trace": s.ofRun(s.trace), "/run/{run}/events": s.ofRun(s.runEvents),
		"/run/{run}/label": s.ofRun(s.label), "/label.js": asset("text/javascript", labelScript),
		"/style.css": asset("text/css", page.Style()+style), "/page.js": asset("text/javascript", page.Script()),
		"/view.js": asset("text/javascript", script),
		"/": func(http.ResponseWriter, *http.Request) error {
			return problem{http.StatusNotFound, "There is no such page here."}
		},
	} {
		mux.HandleFunc(s.root+path, func(w http.ResponseWriter, r *http.Request) {
			if err := show(w, r); err != nil && r.Context().Err() == nil {
				s.explain(w, err)
			}
		})
	}
	return mux
}

// ofRun returns a handler that finds the run named in the path and calls show with it.
func (s *server) ofRun(show func(http.ResponseWriter, *http.Request, *entry) error) func(http.ResponseWriter,
	*http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		e, err := s.entry(r.PathValue("run"))
		if err != nil {
			return err
		}
		return show(w, r, e)
	}
}

// runAddress returns the path of a run's page, or of the list if the name is "".
func runAddress(root, name string) string {
	if name == "" {
		return root + "/"
	}
	return root + "/run/" + url.PathEscape(name) + "/"
}
