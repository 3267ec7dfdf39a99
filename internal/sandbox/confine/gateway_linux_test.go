package confine_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/confine"
)

const asks = `
import json, os, socket, ssl, urllib.request, urllib.error
seen = {}
trusting = ssl._create_unverified_context()
def ask(name, url, **options):
    try:
        seen[name] = urllib.request.urlopen(url, timeout=60, **options).read().decode()
    except urllib.error.HTTPError as e:
        seen[name] = str(e.code) + " " + e.read().decode()
    except OSError as e:
        seen[name] = str(e)
ask("proxy", "http://PROXY/v1", data=b"x")
os.environ["NO_PROXY"] = os.environ["no_proxy"] = ""
ask("proxy through the gateway", "http://PROXY/v1", data=b"x")
for i in range(30):
    ask("plain", "http://PLAIN/a?b=c", data=b"y" * 100000)
ask("encrypted", "https://ENCRYPTED/d", context=trusting)
ask("encrypted in the clear", "http://ENCRYPTED/d")
ask("other plain", "http://CLOSED/")
ask("other encrypted", "https://evil.example.org/", context=trusting)
ask("metadata", "http://169.254.169.254/latest")
ask("file", "http://PLAIN@evil.example.org/")
try:
    socket.create_connection(("PLAIN".split(":")[0], int("PLAIN".split(":")[1])), timeout=5)
    seen["direct"] = "reached"
except OSError:
    seen["direct"] = "refused"
print(json.dumps(seen))
`

// A program reaches the hosts that are allowed, through the proxy of its variables, and no other.
func TestHosts(t *testing.T) {
	checkRemains(t)
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprintf(w, "%s %s %d", r.Host, r.URL, n)
	})
	proxy, plain, closed, encrypted := httptest.NewServer(answer), httptest.NewServer(answer), httptest.NewServer(answer),
		httptest.NewTLSServer(answer)
	script := asks
	addresses := map[string]string{}
	for name, server := range map[string]*httptest.Server{"PROXY": proxy, "PLAIN": plain, "CLOSED": closed, "ENCRYPTED": encrypted} {
		defer server.Close()
		addresses[name] = server.Listener.Addr().String()
		script = strings.ReplaceAll(script, name, addresses[name])
	}
	p := program(t, script, addresses["PROXY"])
	for _, entry := range []string{"http://" + addresses["PLAIN"], "https://" + addresses["ENCRYPTED"]} {
		host, _, err := sandbox.ReadHost(entry)
		if err != nil {
			t.Fatal(err)
		}
		p.Hosts = append(p.Hosts, host)
	}
	out, stderr, code := start(t, context.Background(), p, "")
	for _, want := range []string{
		fmt.Sprintf(`"proxy": "%s /v1 1"`, addresses["PROXY"]),
		fmt.Sprintf(`"proxy through the gateway": "%s /v1 1"`, addresses["PROXY"]),
		fmt.Sprintf(`"plain": "%s /a?b=c 100000"`, addresses["PLAIN"]), fmt.Sprintf(`"encrypted": "%s /d 0"`, addresses["ENCRYPTED"]),
		fmt.Sprintf(`"encrypted in the clear": "403 the sandbox does not allow http://%s: add it to sandbox_allow`, addresses["ENCRYPTED"]),
		fmt.Sprintf(`"other plain": "403 the sandbox does not allow http://%s`, addresses["CLOSED"]),
		`"other encrypted": "<urlopen error Tunnel connection failed: 403 Forbidden>"`, `"metadata": "403 `, `"direct": "refused"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("lacks %s", want)
		}
	}
	if want := `refused a connection to "https://evil.example.org": add it to sandbox_allow`; !strings.Contains(stderr, want) {
		t.Errorf("standard error lacks %s", want)
	}
	if strings.Contains(out, `"file": "127`) || code != 0 {
		t.Errorf("exit code %d", code)
	}
	if t.Failed() {
		t.Logf("%s\n%s", out, stderr)
	}
}

// The entries of sandbox_allow are paths and hosts.
func TestHostsOfAllow(t *testing.T) {
	p, err := confine.New(t.Context(), confine.Command{Argv: []string{"true"}, Allow: []string{"https://api.example.org", "ftp://a"}}, func(string) string { return "" })
	if err == nil || !strings.Contains(err.Error(), `"ftp://a": write a host as https://`) {
		t.Errorf("%+v, %v", p, err)
	}
}
