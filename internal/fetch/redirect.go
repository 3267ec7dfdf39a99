package fetch

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/seed-5817661a/concur/internal/secret"
)

const maxRedirects = 5

// redirects decides on the redirects of one attempt.
type redirects struct {
	none     bool
	hider    *secret.Hider
	followed bool
}

// check implements http.Client.CheckRedirect.
func (r *redirects) check(req *http.Request, via []*http.Request) error {
	if r.none {
		return http.ErrUseLastResponse
	}
	r.followed = true
	// net/http would send the previous address, including its query, to the next server.
	req.Header.Del("Referer")
	last := via[len(via)-1].URL
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("it redirects more than %d times", maxRedirects)
	case req.URL.Scheme != "https" && req.URL.Scheme != "http":
		return errors.New("it redirects to a URL that is not HTTP")
	case last.Scheme == "https" && req.URL.Scheme == "http":
		return errors.New("it redirects from https to http")
	case req.URL.User != nil:
		return errors.New("it redirects to a URL with a user name")
	}
	for _, v := range via {
		if v.URL.Host != req.URL.Host {
			return r.leaveHost(req)
		}
	}
	return nil
}

// leaveHost removes headers and refuses bodies and keys that were meant for the first host only.
func (r *redirects) leaveHost(req *http.Request) error {
	if req.ContentLength > 0 {
		return errors.New("it redirects the request's body to another host")
	}
	if u := req.URL.String(); r.hider.Hide(u) != u {
		return errors.New("it redirects a key to another host")
	}
	for name := range req.Header {
		switch name {
		case "User-Agent", "Accept", "Accept-Language":
		default:
			req.Header.Del(name)
		}
	}
	return nil
}
