package sandbox

import (
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// Host is a host that a program in a sandbox may reach.
type Host struct {
	// Address is the name or IP address and the port, in lower case, such as api.example.org:443.
	Address string
	// Encrypted means that the program itself encrypts what it sends (https).
	Encrypted bool
}

// ReadHost reads an entry of sandbox_allow. is is false if the entry is a path; then it has no "://". A host is written
// as https://api.example.org or http://10.0.0.7:8080: a scheme, a host, and a port if it is not the usual one.
func ReadHost(entry string) (h Host, is bool, err error) {
	if !strings.Contains(entry, "://") {
		return h, false, nil
	}
	wrong := errors.New("write a host as https://api.example.org, without a user, a path or a query")
	u, err := url.Parse(entry)
	if err != nil || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" ||
		u.Fragment != "" || strings.ContainsAny(u.Hostname(), "*%\x00 ") {
		return h, true, wrong
	}
	port := map[string]string{"https": "443", "http": "80"}[u.Scheme]
	if port == "" {
		return h, true, wrong
	}
	if u.Port() != "" {
		port = u.Port()
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return h, true, wrong
	}
	return Host{net.JoinHostPort(strings.ToLower(u.Hostname()), port), u.Scheme == "https"}, true, nil
}
