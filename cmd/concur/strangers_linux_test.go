package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestStrangersHoldUpNobody: with fewer files than there are clients with a wrong key, the right key is answered, and
// so is a client that sends a long body with a wrong one.
func TestStrangersHoldUpNobody(t *testing.T) {
	const key = "the-served-key-of-this-test"
	server := exec.Command("sh", "-c", "ulimit -n 128; exec concur serve --addr 127.0.0.1:0 --key "+key)
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		_ = server.Wait()
	})
	first, err := bufio.NewReader(out).ReadString('\n')
	address := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(first)
	if address == "" {
		t.Fatalf("%q, %v", first, err)
	}
	ask := func(method, path, key, body string) (*http.Response, error) {
		req, _ := http.NewRequest(method, "http://"+address+path, strings.NewReader(body))
		req.Header.Set("Authorization", "Bearer "+key)
		client := http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
		return client.Do(req)
	}
	for _, sent := range []string{
		"", "POST /v1/chat", // no header
		fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer wrong\r\nContent-Length: 100000\r\n\r\n{", address),
	} {
		for range 140 {
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			_, _ = io.WriteString(c, sent) // it may have been cut
		}
		start := time.Now()
		resp, err := ask(http.MethodGet, "/v1/models", key, "")
		if err != nil {
			t.Fatalf("after 140 strangers that sent %.20q: %v", sent, err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK || time.Since(start) > 10*time.Second { // a second, on a machine that does nothing else
			t.Errorf("after 140 strangers that sent %.20q: %s, after %v", sent, resp.Status, time.Since(start))
		}
	}
	resp, err := ask(http.MethodPost, "/v1/chat/completions", "wrong", strings.Repeat("x", 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if raw, err := io.ReadAll(resp.Body); resp.StatusCode != http.StatusUnauthorized || !strings.Contains(string(raw), "invalid_api_key") {
		t.Errorf("a megabyte with a wrong key: %s, %q, %v", resp.Status, raw, err)
	}
}
