package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestEchoedKeyReachesNoFile: an endpoint that quotes what it was sent, in its replies and in
// its errors, in whatever spelling.
func TestEchoedKeyReachesNoFile(t *testing.T) {
	const key = "sk-echo-0123456789abcdef"
	spellings := map[string]string{
		"raw": key, "hex": fmt.Sprintf("%x", key), "HEX": fmt.Sprintf("%X", key),
		"base64": base64.StdEncoding.EncodeToString([]byte("Bearer " + key)), "base64, other": base64.URLEncoding.EncodeToString([]byte(key)),
		"percent": "sk%2Decho%2d0123456789abcdef", "unicode": `\u0073\u006b\u002decho-0123456789abcdef`,
	}
	// What is left of them in a file: enough of the key to be worth something.
	traces := []string{"echo-0123", fmt.Sprintf("%x", "0123456789"), fmt.Sprintf("%X", "abcdef"), "LWVjaG8tMDEyMzQ1Njc4OWFiY2R", "1lY2hvLTAxMjM0NTY3ODlhYmNkZ", "ZWNoby0wMTIzNDU2Nzg5YWJj", "echo%2d0123", "%2Decho"}
	names := slices.Sorted(maps.Keys(spellings))
	var lock sync.Mutex
	calls := map[string]int{} // by request; each query gets a spelling
	var order []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		lock.Lock()
		defer lock.Unlock()
		request := string(body)
		if calls[request]++; calls[request] == 1 {
			order = append(order, request)
		}
		spelling := spellings[names[slices.Index(order, request)%len(names)]]
		if calls[request] == 1 {
			w.WriteHeader(http.StatusBadGateway)
			_, _ = fmt.Fprintf(w, "refused %s here", spelling)
			return
		}
		content, _ := json.Marshal("I was sent " + spelling + ".\nAnswer: " + spelling)
		_, _ = fmt.Fprintf(w, `{"model": %[1]s, "choices": [{"message": {"role": "assistant", "content": %[1]s}, "finish_reason": "stop"}]}`, content)
	}))
	defer server.Close()
	t.Setenv("OPENAI_BASE_URL", server.URL+"/v1")
	t.Setenv("OPENAI_API_KEY", key)
	dir := t.TempDir()
	_, out, errs := invoke("run", "--runs-dir", dir, "--model", "openai:echo", "--strategy", "direct", "-k", "1", "--limit", fmt.Sprint(len(names)))
	if len(order) < len(names) || len(slices.DeleteFunc(slices.Collect(maps.Values(calls)), func(n int) bool { return n < 2 })) < len(names) {
		t.Fatalf("%d requests: %s", len(order), errs)
	}
	shown := map[string]string{"standard output": out, "standard error": errs}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var raw []byte
			raw, err = os.ReadFile(path)
			shown[path] = string(raw)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	marks := 0
	for where, text := range shown {
		marks += strings.Count(text, "[API key]")
		for _, trace := range traces {
			if strings.Contains(text, trace) {
				t.Errorf("%s holds %q", where, trace)
			}
		}
	}
	if marks < 3*len(names) {
		t.Errorf("the key's place is marked %d times", marks)
	}
}
