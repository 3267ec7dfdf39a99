package mcp_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/serving"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/calc"
	"github.com/seed-5817661a/concur/tool/mcp"
)

// Connections of a session are not closed in favour of others; connections that only tried to join one are.
func TestSessionsAreNoStrangers(t *testing.T) {
	tools, err := tool.New(calc.Tool)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	handler := mcp.Offer{Tools: tools, Version: "test", Timeout: time.Minute}.Handler()
	go func() { ended <- serving.Serve(ctx, listener, handler, serving.Limits{Strangers: 1, Grace: -1}) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	dial := func() net.Conn {
		c, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		return c
	}
	send := func(c net.Conn, session, body string) (*http.Response, string) {
		req, _ := http.NewRequest(http.MethodPost, "http://"+listener.Addr().String()+"/mcp", strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
		}
		if err := req.Write(c); err != nil {
			return nil, err.Error()
		}
		resp, err := http.ReadResponse(bufio.NewReader(c), req)
		if err != nil {
			return nil, err.Error()
		}
		raw, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		return resp, string(raw)
	}
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	const list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	first := dial()
	resp, text := send(first, "", hello)
	if resp == nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("initialize: %v %s", resp, text)
	}
	session := resp.Header.Get("Mcp-Session-Id")
	send(first, session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	guess := dial()
	if resp, text := send(guess, "GUESSED", list); resp == nil || resp.StatusCode < 400 || !resp.Close {
		t.Errorf("a guessed session: %v %s", resp, text)
	}
	silent, second := dial(), dial()
	if _, err := silent.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a connection without a session is not cut: %v", err)
	}
	for name, c := range map[string]net.Conn{"the connection that began the session": first, "another of the session": second} {
		if resp, text := send(c, session, list); resp == nil || !strings.Contains(text, `"calc`) {
			t.Errorf("%s: %v %s", name, resp, text)
		}
	}
	last := dial()
	_ = dial()
	if _, err := last.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the next stranger is not cut: %v", err)
	}
	if resp, text := send(second, session, list); resp == nil || resp.StatusCode != http.StatusOK {
		t.Errorf("a connection of the session was cut: %s", text)
	}
}
