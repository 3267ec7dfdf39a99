package fetch_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/seed-5817661a/concur/internal/fetch"
)

// serveAt serves on another loopback address, which stands for another host.
func serveAt(t *testing.T, ip string, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	l, err := net.Listen("tcp", ip+":0")
	if err != nil {
		t.Skipf("this system has no %s: %v", ip, err)
	}
	s := httptest.NewUnstartedServer(h)
	s.Listener.Close()
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
	return s
}

var only1 = fetch.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Retries: -1}

func TestRedirectToAPrivateHostIsRefused(t *testing.T) {
	private := serveAt(t, "127.0.0.2", func(http.ResponseWriter, *http.Request) { t.Error("the private host was reached") })
	public := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, private.URL+"/metadata", http.StatusFound)
	})
	c, _ := client(t, only1)
	_, err := get(c, public.URL)
	if wantKind(t, err, fetch.Upstream); !errors.Is(err, fetch.ErrPrivateAddress) {
		t.Errorf("%v", err)
	}
	_, err = get(c, private.URL)
	if wantKind(t, err, fetch.BadRequest); !errors.Is(err, fetch.ErrPrivateAddress) {
		t.Errorf("%v", err)
	}
}

func TestNamesAndSpellingsOfPrivateHostsAreRefused(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the server was reached") })
	port := s.Listener.Addr().(*net.TCPAddr).Port
	c, _ := client(t, fetch.Options{Retries: -1})
	for _, host := range []string{"localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0", "[::]"} {
		u := url.URL{Scheme: "http", Host: host + ":" + strconv.Itoa(port)}
		_, err := get(c, u.String())
		noIPv6 := errors.Is(err, syscall.EAFNOSUPPORT) || errors.Is(err, syscall.EADDRNOTAVAIL)
		if !errors.Is(err, fetch.ErrPrivateAddress) && !noIPv6 {
			t.Errorf("%s: %v", u.String(), err)
		}
	}
}

func TestRedirects(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/endless":
			http.Redirect(w, r, "/endless", http.StatusFound)
		case "/once":
			http.Redirect(w, r, "/end?x=1", http.StatusMovedPermanently)
		case "/ftp":
			http.Redirect(w, r, "ftp://example.org/", http.StatusFound)
		case "/user":
			http.Redirect(w, r, "http://a:b@"+r.Host+"/end", http.StatusFound)
		case "/bad":
			w.Header().Set("Location", "http://[::1")
			w.WriteHeader(http.StatusFound)
		case "/end":
			if r.Header.Get("Referer") != "" || r.Header.Get("X-Api-Key") != "k" {
				t.Errorf("header %v", r.Header)
			}
			io.WriteString(w, "end")
		}
	})
	c, _ := client(t, fetch.Options{AllowPrivate: true})
	resp, err := c.Do(context.Background(), fetch.Request{URL: s.URL + "/once", Header: http.Header{"X-Api-Key": {"k"}}})
	if err != nil || string(resp.Body) != "end" || resp.URL.RequestURI() != "/end?x=1" {
		t.Errorf("%+v, %v", resp, err)
	}
	for _, path := range []string{"/endless", "/ftp", "/user", "/bad"} {
		_, err := get(c, s.URL+path)
		wantKind(t, err, fetch.Upstream)
	}
	resp, err = c.Do(context.Background(), fetch.Request{URL: s.URL + "/once", NoRedirect: true})
	if err != nil || resp.Status != 301 || resp.Header.Get("Location") != "/end?x=1" || resp.URL.Path != "/once" {
		t.Errorf("%+v, %v", resp, err)
	}
}

func TestRedirectFromHTTPSToHTTPIsRefused(t *testing.T) {
	plain := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the plain server was reached") })
	first := httptest.NewTLSServer(http.RedirectHandler(plain.URL, http.StatusFound))
	defer first.Close()
	c, _ := client(t, fetch.Options{AllowPrivate: true, Retries: -1})
	c.Trust(first.Certificate())
	_, err := get(c, first.URL)
	if e := wantKind(t, err, fetch.Upstream); !strings.Contains(e.Error(), "https to http") {
		t.Errorf("%v", err)
	}
}

func TestAnotherHostGetsNoSecrets(t *testing.T) {
	other := serveAt(t, "127.0.0.2", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/clean" {
			t.Errorf("%s was reached", r.URL)
		}
		for _, name := range []string{"X-Api-Key", "Cookie", "Authorization", "Referer"} {
			if v := r.Header.Get(name); v != "" {
				t.Errorf("the other host got %s: %s", name, v)
			}
		}
		if r.UserAgent() != "concur/1" || r.Header.Get("Accept-Language") != "en" {
			t.Errorf("header %v", r.Header)
		}
	})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/header":
			http.Redirect(w, r, other.URL+"/clean", http.StatusFound)
		case "/query":
			http.Redirect(w, r, other.URL+"/?u="+url.QueryEscape(r.URL.String()), http.StatusFound)
		case "/body":
			http.Redirect(w, r, other.URL+"/body", http.StatusTemporaryRedirect)
		}
	})
	c, _ := client(t, fetch.Options{AllowPrivate: true, UserAgent: "concur/1"})
	header := http.Header{"X-API-KEY": {"k3y/k3y/1"}, "Cookie": {"a=b"}, "Authorization": {"Bearer k3y/k3y/1"}, "Referer": {"http://h/"}, "Accept-Language": {"en"}}
	if _, err := c.Do(context.Background(), fetch.Request{URL: s.URL + "/header?key=k3y%2Fk3y%2F1", Header: header, Secrets: []string{"k3y/k3y/1"}}); err != nil {
		t.Error(err)
	}
	_, err := c.Do(context.Background(), fetch.Request{URL: s.URL + "/query?key=k3y%2Fk3y%2F1", Header: header, Secrets: []string{"k3y/k3y/1"}})
	wantKind(t, err, fetch.Upstream)
	_, err = c.Do(context.Background(), fetch.Request{Method: http.MethodPost, URL: s.URL + "/body", Body: []byte("{}")})
	wantKind(t, err, fetch.Upstream)
}
