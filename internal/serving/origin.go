package serving

import (
	"net"
	"net/http"
	"strings"
)

// OwnOrigin returns a handler that refuses requests from pages of other sites.
func OwnOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !ownOrigin(r) {
			origin := r.Header.Get("Origin")
			http.Error(w, "the origin "+origin+" is another site: its pages are not served", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ownOrigin reports whether a request comes from a program, or from a page of this server. A browser states
// the origin of a page; the page cannot change that
// (https://developer.mozilla.org/docs/Web/HTTP/Headers/Origin).
func ownOrigin(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 || r.Header.Get("Sec-Fetch-Site") == "same-origin" {
		return true // a proxy before the server may have changed the host
	}
	for _, origin := range origins {
		scheme, host, found := strings.Cut(origin, "://")
		if !found || scheme != "http" && scheme != "https" || !strings.EqualFold(host, r.Host) {
			return false
		}
	}
	return true
}

// Loopback reports whether a host, with or without a port, is a name or address of this machine itself.
func Loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
