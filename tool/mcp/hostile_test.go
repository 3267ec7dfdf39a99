package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/mcp"
	"github.com/seed-5817661a/concur/trace"
)

// hostileServer returns a server over HTTP with the given replies: each text is the result of a method or,
// with { "error", the whole reply except its id. Other methods have valid results.
func hostileServer(t *testing.T, replies map[string]string) mcp.Server {
	t.Helper()
	answers := map[string]string{
		"initialize": `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}`,
		"tools/list": `{"tools":[{"name":"ask","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}`,
		"tools/call": `{"content":[{"type":"text","text":"fine"}]}`,
	}
	for method, text := range replies {
		answers[method] = text
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		raw, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || json.Unmarshal(raw, &in) != nil {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if in.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		result := answers[in.Method]
		switch {
		case result == "hang":
			<-r.Context().Done()
			return
		case strings.HasPrefix(result, "raw:"):
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, strings.ReplaceAll(strings.TrimPrefix(result, "raw:"), "ID", string(in.ID)))
			return
		case strings.HasPrefix(result, "page:"):
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, strings.TrimPrefix(result, "page:"))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, in.ID, result)
	}))
	t.Cleanup(server.Close)
	return mcp.Server{Name: "peer", URL: server.URL, AllowPrivate: true}
}

// Any fault at the opening of a server gives an error that names the server, at once or within the time
// limit. Two faults do no harm.
func TestHostileBeginnings(t *testing.T) {
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	for name, replies := range map[string]map[string]string{
		"hangs at once":                {"initialize": "hang"},
		"hangs at its list":            {"tools/list": "hang"},
		"a web page":                   {"initialize": "page:<html>log in</html>"},
		"no JSON":                      {"initialize": "raw:{"},
		"nothing":                      {"initialize": "raw:"},
		"another id":                   {"initialize": `raw:{"jsonrpc":"2.0","id":9999,"result":{}}`},
		"no id":                        {"initialize": `raw:{"jsonrpc":"2.0","result":{}}`},
		"a list of replies":            {"initialize": `raw:[{"jsonrpc":"2.0","id":ID,"result":{}}]`},
		"a text as result":             {"initialize": `"fine"`},
		"null as result":               {"initialize": `null`},
		"a protocol of the future":     {"initialize": `{"protocolVersion":"9999-01-01","capabilities":{"tools":{}},"serverInfo":{"name":"p","version":"1"}}`},
		"a number as protocol":         {"initialize": `{"protocolVersion":7,"capabilities":{"tools":{}},"serverInfo":{"name":"p","version":"1"}}`},
		"an error":                     {"initialize": `raw:{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"broken"}}`},
		"both a result and an error":   {"initialize": `raw:{"jsonrpc":"2.0","id":ID,"result":{},"error":{"code":1,"message":"both"}}`},
		"tools that are a text":        {"tools/list": `{"tools":"all"}`},
		"tools that are no objects":    {"tools/list": `{"tools":[1,2]}`},
		"no tools":                     {"tools/list": `{"tools":[]}`},
		"one page again and again":     {"tools/list": `{"tools":[{"name":"ask","inputSchema":{"type":"object"}}],"nextCursor":"again"}`},
		"nothing but depth":            {"tools/list": `{"tools":` + deep + `}`},
		"a list of an error":           {"tools/list": `raw:{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"no such method"}}`},
		"a web page in place of tools": {"tools/list": "page:<html></html>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			harmless := name == "no tools" || name == "one page again and again"
			limit := 2 * time.Second
			if harmless {
				limit = 5 * time.Minute // it must come to an end, also on a busy machine
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			c, err := mcp.Open(ctx, hostileServer(t, replies))
			if err == nil {
				c.Close()
			}
			if harmless {
				if err != nil || len(c.About.Tools) > 1 {
					t.Errorf("it cannot be used: %v", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), "the MCP server peer") || len(err.Error()) > 2000 {
				t.Errorf("got %.300v", err)
			}
		})
	}
}

// For any reply to a call, the agent gets a result or an error of the tool, of limited length.
func TestHostileResults(t *testing.T) {
	for name, c := range map[string]struct{ reply, want string }{
		"fine":                     {`{"content":[{"type":"text","text":"fine"}]}`, `{"text":"fine"}`},
		"hangs":                    {"hang", "ERROR: "},
		"no content":               {`{}`, ""},
		"null":                     {`null`, ""},
		"a text":                   {`"fine"`, "ERROR: "},
		"content that is a text":   {`{"content":"fine"}`, "ERROR: "},
		"an unknown type":          {`{"content":[{"type":"hologram","data":"x"}]}`, "ERROR: "},
		"no type":                  {`{"content":[{"text":"x"}]}`, "ERROR: "},
		"bytes that are none":      {`{"content":[{"type":"image","data":"***","mimeType":"image/png"}]}`, "ERROR: "},
		"a web page":               {"page:<html>log in</html>", "ERROR: "},
		"no JSON":                  {"raw:{", "ERROR: "},
		"another id":               {`raw:{"jsonrpc":"2.0","id":77777,"result":{}}`, "ERROR: "},
		"an error without words":   {`raw:{"jsonrpc":"2.0","id":ID,"error":{"code":0,"message":""}}`, "ERROR: "},
		"an error of its own":      {`{"content":[{"type":"text","text":"it is closed"}],"isError":true}`, "it is closed"},
		"an error without text":    {`{"content":[],"isError":true}`, "ERROR: "},
		"structure that is a list": {`{"content":[],"structuredContent":[1]}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := open(t, hostileServer(t, map[string]string{"tools/call": c.reply}))
			r := registry(t, client)
			ctx := tool.WithTrace(t.Context(), trace.ID{Query: name})
			limit := time.Second // after which there is an error, too
			if c.want != "ERROR: " {
				limit = 5 * time.Minute
			}
			_, got := call(ctx, t, r, "peer__ask", `{}`, limit)
			if !strings.Contains(got, c.want) || got == "" || len(got) > 4000 {
				t.Errorf("the agent reads %.300q, want %q", got, c.want)
			}
		})
	}
}
