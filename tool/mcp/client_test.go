package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/mcp"
	"github.com/seed-5817661a/concur/trace"
)

func command(kind string) mcp.Server {
	return mcp.Server{Name: "peer", Command: []string{os.Args[0]}, Env: []string{"MCP_PEER=" + kind, "SHOWN=yes"}}
}

func open(t *testing.T, s mcp.Server) *mcp.Client {
	t.Helper()
	c, err := mcp.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func registry(t *testing.T, c *mcp.Client) *tool.Registry {
	t.Helper()
	var tools []tool.Tool
	for _, d := range c.About.Tools {
		tools = append(tools, mcp.Tool{Client: c, Described: d})
	}
	r, err := tool.New(tools...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// call calls a tool in a trace, and returns the text for the model.
func call(ctx context.Context, t *testing.T, r *tool.Registry, name, arguments string, timeout time.Duration) (tool.Result, string) {
	t.Helper()
	res := r.Invoke(ctx, model.ToolCall{ID: "call_1", Name: name, Arguments: arguments}, timeout)
	if res.Error != "" {
		return res, res.Error
	}
	documents := res.Output.Documents
	if documents != nil {
		documents = new(trace.Ledger).Enter(documents)
	}
	raw, err := res.Output.Render(documents)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(raw)
}

func inTrace(t *testing.T, query string) (ctx context.Context, end func()) {
	ctx, end = context.WithCancel(t.Context())
	t.Cleanup(end)
	return tool.WithTrace(ctx, trace.ID{Query: query}), end
}

// Both transports give the same observations.
func TestResults(t *testing.T) {
	server := overHTTP(t)
	for name, s := range map[string]mcp.Server{"stdio": command("sdk"), "http": {Name: "peer", URL: server.URL, AllowPrivate: true}} {
		t.Run(name, func(t *testing.T) {
			c := open(t, s)
			if a := c.About; a.Name != "peer" || a.Version != "1.2" || a.Protocol != "2025-11-25" || a.Instructions != "Call add for sums." {
				t.Errorf("about: %+v", a)
			}
			r := registry(t, c)
			ctx, _ := inTrace(t, "q")
			for _, c := range []struct{ name, arguments, want, kind string }{
				{"peer__add", `{"a":1,"b":2.5}`, `{"sum":3.5}`, ""},
				{"peer__texts", `{}`, `{"text":"one\ntwo"}`, ""},
				{"peer__media", `{}`, `{"content":["a picture",{"bytes":3,"media_type":"image/png","sha256":"8f8cbb7dcf46e0bc","type":"image"}]}`, ""},
				{"peer__links", `{}`, `{"results":[{"id":"peer_1","title":"First","snippet":"about one","source":"demo://1","score":1},{"id":"peer_2","title":"demo://2","snippet":"two in full","source":"demo://2","score":1}],"text":"found"}`, ""},
				{"peer__refuses", `{}`, `ERROR: tool_failed(peer__refuses): Access denied`, tool.Refused},
				{"peer__misused", `{}`, `ERROR: bad_tool_arguments(peer__misused): MCP error -32602: Input validation error: a`, tool.BadArguments},
				{"peer__add", `{"a":1,"b":2,"c":3}`, `ERROR: bad_tool_arguments(peer__add): additional properties 'c' not allowed`, tool.BadArguments},
				{"peer__a_b_c", `{}`, `{"text":"odd name"}`, ""},
				{"peer__x_y", `{}`, `{"text":"as it is"}`, ""},
			} {
				res, got := call(ctx, t, r, c.name, c.arguments, time.Minute)
				if diff := cmp.Diff(c.want, got); diff != "" || res.Kind != c.kind {
					t.Errorf("%s: kind %q (-want +got):\n%s", c.name, res.Kind, diff)
				}
			}
			res, _ := call(ctx, t, r, "peer__slow", `{}`, 50*time.Millisecond)
			if res.Failure != tool.BackendFailure || res.Kind != "timeout" {
				t.Errorf("slow: %+v", res)
			}
		})
	}
}

func TestNamesAndHints(t *testing.T) {
	c := open(t, command("sdk"))
	for _, d := range c.About.Tools {
		if d.Writes != (d.Remote == "count") {
			t.Errorf("%s: writes is %v", d.Remote, d.Writes)
		}
		if strings.HasPrefix(d.Remote, "long") && (len(d.Name) != 64 || !strings.HasPrefix(d.Name, "peer__longlong")) {
			t.Errorf("the long name is mapped to %q", d.Name)
		}
	}
}

// The process gets only its own list of variables, and never the environment of this process.
func TestEnvironment(t *testing.T) {
	t.Setenv("A_KEY", "secret")
	r := registry(t, open(t, command("sdk")))
	ctx, _ := inTrace(t, "q")
	if _, got := call(ctx, t, r, "peer__environment", `{}`, time.Minute); got != `{"text":"MCP_PEER=sdk\nSHOWN=yes"}` {
		t.Errorf("environment: %s", got)
	}
}

// A server that ended is restarted once per trace, and the error has its last lines.
func TestRestart(t *testing.T) {
	r := registry(t, open(t, command("sdk")))
	ctx, _ := inTrace(t, "q")
	res, got := call(ctx, t, r, "peer__crash", `{}`, time.Minute)
	if res.Failure != tool.BackendFailure || res.Kind != "upstream" || !strings.Contains(got, "its standard error ends: out of memory") {
		t.Errorf("crash: %s %s", res.Kind, got)
	}
	if _, got := call(ctx, t, r, "peer__texts", `{}`, time.Minute); got != `{"text":"one\ntwo"}` {
		t.Errorf("after the restart: %s", got)
	}
	call(ctx, t, r, "peer__crash", `{}`, time.Minute)
	if res, got := call(ctx, t, r, "peer__texts", `{}`, time.Minute); res.Kind != "upstream" || !strings.Contains(got, "once per trace") {
		t.Errorf("a second restart: %s %s", res.Kind, got)
	}
	other, _ := inTrace(t, "another")
	if _, got := call(other, t, r, "peer__texts", `{}`, time.Minute); got != `{"text":"one\ntwo"}` {
		t.Errorf("in another trace: %s", got)
	}
}

// Traces share a session, or each trace has its own session, which ends with it.
func TestSessions(t *testing.T) {
	counted := func(s mcp.Server, end func(func())) (got string) {
		c := open(t, s)
		r := registry(t, c)
		for _, query := range []string{"a", "a", "b"} {
			ctx, stop := inTrace(t, query)
			_, text := call(ctx, t, r, "peer__count", `{}`, time.Minute)
			got += text
			end(stop)
		}
		return got
	}
	shared := command("sdk")
	if got := counted(shared, func(func()) {}); got != `{"text":"1"}{"text":"2"}{"text":"3"}` {
		t.Errorf("one session: %s", got)
	}
	own := command("sdk")
	own.PerTrace = true
	if got := counted(own, func(func()) {}); got != `{"text":"1"}{"text":"2"}{"text":"1"}` {
		t.Errorf("a session a trace: %s", got)
	}
}

// 64 traces call concurrently over one session: each call waits until all have begun.
func TestCallsSideBySide(t *testing.T) {
	r := registry(t, open(t, command("sdk")))
	var calls sync.WaitGroup
	for range 64 {
		calls.Go(func() {
			ctx, _ := inTrace(t, "q")
			if _, got := call(ctx, t, r, "peer__add", `{"a":1,"b":1}`, time.Minute); got != `{"sum":2}` {
				t.Error(got)
			}
		})
	}
	calls.Wait()
}

func TestBadServers(t *testing.T) {
	for kind, want := range map[string]string{
		"silent":  "it was given a second",
		"ends":    "its standard error ends: no such database",
		"junk":    `is not MCP: "{\"not json"`,
		"huge":    "it sends more than 16 MiB",
		"pages":   "it was given a second",
		"noTools": "it has no tools",
	} {
		t.Run(kind, func(t *testing.T) {
			ctx := t.Context()
			if kind == "silent" || kind == "pages" {
				soon, cancel := context.WithTimeoutCause(ctx, time.Second, errors.New("it was given a second"))
				defer cancel()
				ctx = soon
			}
			_, err := mcp.Open(ctx, command(kind))
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "the MCP server peer") {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
	if _, err := mcp.Open(t.Context(), mcp.Server{Name: "peer", Command: []string{"/no/such/program"}}); err == nil || !strings.Contains(err.Error(), "/no/such/program") {
		t.Error(err)
	}
}

// A schema that refers to the network is refused, with the tool's name.
func TestRemoteSchema(t *testing.T) {
	c := open(t, command("remote"))
	_, err := tool.New(mcp.Tool{Client: c, Described: c.About.Tools[0]})
	if err == nil || !strings.Contains(err.Error(), "peer__remote") || !strings.Contains(err.Error(), "https://example.org/a.json") {
		t.Error(err)
	}
}

// Faults that do not prevent the use of the tools: log lines between messages, and a name that is listed
// twice.
func TestServersWithSmallFaults(t *testing.T) {
	for kind, tools := range map[string]int{"prose": 1, "twice": 1, "orphan": 1} {
		if c := open(t, command(kind)); len(c.About.Tools) != tools {
			t.Errorf("%s: %d tools", kind, len(c.About.Tools))
		}
	}
}

func TestManyNotifications(t *testing.T) {
	if c := open(t, command("notifies")); len(c.About.Tools) != 1 {
		t.Errorf("%d tools", len(c.About.Tools))
	}
}

// A server that ignores the end of its input and SIGTERM is killed.
func TestStubbornServer(t *testing.T) {
	c := open(t, command("stubborn"))
	began := time.Now()
	c.Close()
	t.Logf("closed after %v", time.Since(began))
}

func TestHTTP(t *testing.T) {
	handler := overHTTP(t).Config.Handler
	guarded := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer token-of-the-hub" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(guarded.Close)
	open(t, mcp.Server{Name: "hub", URL: guarded.URL, Token: "token-of-the-hub", AllowPrivate: true})

	redirects := httptest.NewServer(http.RedirectHandler(guarded.URL, http.StatusTemporaryRedirect))
	defer redirects.Close()
	large := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(json.RawMessage(`"` + strings.Repeat("x", 20<<20) + `"`)) // the client may have closed the connection
	}))
	defer large.Close()
	for name, c := range map[string]struct {
		server mcp.Server
		want   string
	}{
		"no token":  {mcp.Server{URL: guarded.URL, AllowPrivate: true}, "Unauthorized"},
		"private":   {mcp.Server{URL: guarded.URL}, "not of the public Internet: set allow_private: true"},
		"redirect":  {mcp.Server{URL: redirects.URL, Token: "token-of-the-hub", AllowPrivate: true}, "it redirects to " + guarded.URL},
		"too large": {mcp.Server{URL: large.URL, AllowPrivate: true}, "more than 16 MiB"},
	} {
		c.server.Name = "hub"
		if _, err := mcp.Open(t.Context(), c.server); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		} else if strings.Contains(err.Error(), "token-of-the-hub") {
			t.Errorf("%s: the token is shown: %v", name, err)
		}
	}
}

// A schema that is expensive to check or refers to itself is refused or works, without delay.
func TestBadSchemas(t *testing.T) {
	properties := 10_000
	if testing.Short() { // or with the race detector, with which they take half a minute
		properties = 1_000
	}
	var many []string
	for i := range properties {
		many = append(many, fmt.Sprintf(`"p%d":{"type":"string"}`, i))
	}
	for name, c := range map[string]struct{ schema, arguments, want string }{
		"a circle":           {`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/x"}}}`, `{"a":1}`, "reference cycle"},
		"a tree":             {`{"type":"object","properties":{"a":{"$ref":"#"}}}`, `{"a":{"a":{"b":1}}}`, "additional properties 'b' not allowed"},
		"many properties":    {`{"type":"object","properties":{` + strings.Join(many, ",") + `}}`, `{"p999":1}`, "p999: got number, want string"},
		"draft-07":           {`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"u":{"type":"string","format":"uri","default":"x:y"}}}`, `{"u":"not a uri"}`, "u: 'not a uri' is not valid uri"},
		"a file":             {`{"type":"object","properties":{"a":{"$ref":"file:///etc/passwd"}}}`, ``, "cannot refer to file:///etc/passwd"},
		"an unknown dialect": {`{"$schema":"https://example.org/mine","type":"object"}`, ``, "https://example.org/mine"},
		"no object":          {`{"type":"string"}`, ``, `type "string"`},
		"no schema":          {`null`, ``, "parameters schema"},
	} {
		r, err := tool.New(mcp.Tool{Described: mcp.Described{Name: "peer__bad", Description: "d", Schema: json.RawMessage(c.schema)}})
		got := ""
		if err != nil {
			got = err.Error()
			if !strings.Contains(got, "peer__bad") {
				t.Errorf("%s: the tool is not named: %s", name, got)
			}
		} else {
			got = r.Invoke(t.Context(), model.ToolCall{ID: "call_1", Name: "peer__bad", Arguments: c.arguments}, time.Minute).Error
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %.300s, want %s", name, got, c.want)
		}
	}
}
