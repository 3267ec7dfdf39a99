package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/mcp"
	"github.com/seed-5817661a/concur/trace"
)

// TestKeysAreHidden uses a server that writes its key wherever it can. The agent, the log and the errors must
// have a mark instead of the key.
func TestKeysAreHidden(t *testing.T) {
	const key = "4fJ8sK2mQ9xT7vB3"
	spelled := map[string]string{"plain": key, "escaped": `\u0034fJ8sK2mQ9xT7vB3`, "base64": "NGZKOHNLMm1ROXhUN3ZCMw==", "hex": fmt.Sprintf("%x", key)}
	secretless := func(t *testing.T, where, said string) {
		t.Helper()
		if secret.New(key).Hide(said) != said || !strings.Contains(said, secret.Mark) {
			t.Errorf("%s: %.300q has the key, or no mark of it", where, said)
		}
	}
	for spelling, text := range spelled {
		for kind, reply := range map[string]string{
			"text":         `{"content":[{"type":"text","text":"K"}]}`,
			"structure":    `{"content":[],"structuredContent":{"a":{"b":["K",{"c":"K"}]}}}`,
			"name":         `{"content":[],"structuredContent":{"K":1}}`,
			"list":         `{"content":[],"structuredContent":["K"]}`,
			"media":        `{"content":[{"type":"text","text":"x"},{"type":"image","data":"QUJD","mimeType":"image/K"}]}`,
			"link":         `{"content":[{"type":"resource_link","uri":"demo://K","name":"K","description":"K"}]}`,
			"resource":     `{"content":[{"type":"resource","resource":{"uri":"demo://1/K","text":"it is K"}}]}`,
			"refusal":      `{"content":[{"type":"text","text":"no, K"}],"isError":true}`,
			"error":        `raw:{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"no, K"}}`,
			"bad argument": `raw:{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"no, K"}}`,
		} {
			t.Run(kind+" "+spelling, func(t *testing.T) {
				s := hostileServer(t, map[string]string{"tools/call": strings.ReplaceAll(reply, "K", text)})
				s.Hider = secret.New(key)
				r := registry(t, open(t, s))
				res, got := call(tool.WithTrace(t.Context(), trace.ID{Query: kind}), t, r, "peer__ask", `{}`, time.Minute)
				raw, err := json.Marshal(res)
				if err != nil {
					t.Fatal(err)
				}
				secretless(t, "what the agent reads", got)
				if secret.New(key).Hide(string(raw)) != string(raw) {
					t.Errorf("the record has the key: %s", raw)
				}
			})
		}
		t.Run("about "+spelling, func(t *testing.T) {
			about := `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"K","version":"K"},"instructions":"K"}`
			list := `{"tools":[{"name":"ask","description":"K","inputSchema":{"type":"object","description":"K"}}]}`
			s := hostileServer(t, map[string]string{"initialize": strings.ReplaceAll(about, "K", text), "tools/list": strings.ReplaceAll(list, "K", text)})
			s.Hider = secret.New(key)
			raw, err := json.Marshal(open(t, s).About)
			if err != nil {
				t.Fatal(err)
			}
			secretless(t, "what is known of the server", string(raw))
		})
		t.Run("opening "+spelling, func(t *testing.T) {
			s := hostileServer(t, map[string]string{"initialize": `raw:{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"no, ` + text + `"}}`})
			s.Hider = secret.New(key)
			_, err := mcp.Open(t.Context(), s)
			if err == nil {
				t.Fatal("it was opened")
			}
			secretless(t, "the error", err.Error())
		})
	}
	var lock sync.Mutex
	var logged []string
	s := command("tells")
	s.Env, s.Hider = append(s.Env, "MY_TOKEN="+key), secret.New(key)
	s.Log = func(line string) {
		lock.Lock()
		defer lock.Unlock()
		logged = append(logged, line)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := mcp.Open(ctx, s)
	if err == nil {
		t.Fatal("a server that ends at once was opened")
	}
	lock.Lock()
	defer lock.Unlock()
	secretless(t, "the error of a program", err.Error())
	secretless(t, "the log", strings.Join(logged, "\n"))
}
