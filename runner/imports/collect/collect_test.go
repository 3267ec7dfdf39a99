package collect_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/imports/collect"
	"github.com/seed-5817661a/concur/runner/imports/otlp"
)

const asJSON = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"a",
"attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"invoke_agent"}},{"key":"gen_ai.input.messages","value":{"stringValue":"How far?"}}]}]}]}]}`

func collector(t *testing.T, o collect.Options) (*collect.Collector, *[]string) {
	t.Helper()
	var mu sync.Mutex
	var said []string
	o.Now = func() time.Time { return time.Unix(1_800_000_000, 0) }
	o.Log = func(line string) { mu.Lock(); said = append(said, line); mu.Unlock() }
	if o.Most == 0 {
		o.Most = 1 << 30
	}
	c, err := collect.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c, &said
}

func packed(t *testing.T, raw []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(raw)
	if err = errorsOf(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func errorsOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

// Requests are kept or refused, and the answer says why.
func TestRequests(t *testing.T) {
	proto := []byte{10, 2, 18, 0}
	for name, c := range map[string]struct {
		path, kind, encoding, host, authorization, token string
		body                                             []byte
		method                                           string
		status                                           int
		answer                                           string
	}{
		"JSON":              {body: []byte(asJSON), status: 200, answer: "{}"},
		"protobuf":          {kind: "application/x-protobuf", body: proto, status: 200},
		"gzip":              {encoding: "gzip", body: packed(t, []byte(asJSON)), status: 200},
		"logs":              {path: "/v1/logs", body: []byte(`{"resourceLogs":[]}`), status: 200},
		"empty":             {kind: "application/x-protobuf", status: 200},
		"metrics":           {path: "/v1/metrics", body: []byte(`{}`), status: 404, answer: "metrics are not kept"},
		"another path":      {path: "/", status: 404, answer: "/v1/traces or /v1/logs"},
		"GET":               {method: "GET", status: 405, answer: "POST"},
		"a form":            {kind: "text/plain", status: 415, answer: "application/x-protobuf or application/json"},
		"a type that lies":  {kind: "application/x-protobuf", body: []byte(asJSON), status: 400, answer: "not application/x-protobuf of OTLP"},
		"another that lies": {body: proto, status: 400, answer: "not application/json of OTLP"},
		"cut off":           {kind: "application/x-protobuf", body: []byte{10, 9}, status: 400, answer: "ends within a message"},
		"other JSON":        {body: []byte(`{"a":1}`), status: 400, answer: "no resourceSpans"},
		"zstd":              {encoding: "zstd", status: 415, answer: "send gzip"},
		"no gzip":           {encoding: "gzip", body: []byte(asJSON), status: 400, answer: "not gzip"},
		"a gzip bomb":       {encoding: "gzip", body: packed(t, bytes.Repeat([]byte(" "), 40<<20)), status: 413, answer: "more than 32 MiB"},
		"invalid UTF-8": {kind: "application/x-protobuf", body: append([]byte{10, 35, 18, 33, 18, 31, 10, 16}, append(bytes.Repeat([]byte{1}, 16),
			18, 8, 1, 1, 1, 1, 1, 1, 1, 1, 42, 1, 0xff)...), status: 200, answer: "cannot be read"},
		"another host":  {host: "evil.example", body: []byte(asJSON), status: 403, answer: "only senders on this machine"},
		"without token": {token: "t", body: []byte(asJSON), status: 401, answer: "the token is missing or wrong"},
		"wrong token":   {token: "t", authorization: "Bearer u", body: []byte(asJSON), status: 401, answer: "the token is missing or wrong"},
		"with token":    {token: "t", authorization: "Bearer t", host: "collector.example", body: []byte(asJSON), status: 200},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			to, _ := collector(t, collect.Options{Dir: dir, Token: c.token})
			r := httptest.NewRequest(or(c.method, "POST"), or(c.path, "/v1/traces"), bytes.NewReader(c.body))
			r.Host = or(c.host, "127.0.0.1:4318")
			r.Header.Set("Content-Type", or(c.kind, "application/json"))
			r.Header.Set("Content-Encoding", c.encoding)
			r.Header.Set("Authorization", c.authorization)
			w := httptest.NewRecorder()
			to.ServeHTTP(w, r)
			if got := w.Body.String(); w.Code != c.status || !strings.Contains(got, c.answer) {
				t.Errorf("%d %q, want %d %q", w.Code, got, c.status, c.answer)
			}
			files, err := filepath.Glob(filepath.Join(dir, "*.pb"))
			if kept := c.status == 200 && len(c.body) > 0; err != nil || (len(files) == 1) != kept {
				t.Errorf("files %v, %v", files, err)
			}
		})
	}
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// What a collector keeps can be imported, also by several senders at once; the folder has a limit.
func TestKeeps(t *testing.T) {
	dir := t.TempDir()
	to, said := collector(t, collect.Options{Dir: dir, Most: 20 * int64(len(asJSON)+4)})
	server := httptest.NewServer(to)
	defer server.Close()
	var wait sync.WaitGroup
	statuses := make([]int, 25)
	for i := range statuses {
		wait.Go(func() {
			body := strings.ReplaceAll(asJSON, "b7ad6b7169203331", fmt.Sprintf("%016x", i+1))
			resp, err := http.Post(server.URL+"/v1/traces", "application/json", strings.NewReader(body))
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
				err = errorsOf(err, resp.Body.Close())
				statuses[i] = resp.StatusCode
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	taken := 0
	for _, s := range statuses {
		if s == 200 {
			taken++
		} else if s != http.StatusInsufficientStorage {
			t.Errorf("status %d", s)
		}
	}
	if got := to.Counts(); taken != 20 || got.Spans != 20 || got.Refused != 5 || len(*said) != 1 {
		t.Errorf("%d taken, %+v, said %q", taken, got, *said)
	}
	s, err := otlp.Open(dir, otlp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n := 0
	for ref := range s.Conversations() {
		if c, err := ref.Read(); err != nil || c.Question != "How far?" {
			t.Errorf("%+v, %v", c, err)
		}
		n++
	}
	if n != 20 {
		t.Errorf("%d conversations", n)
	}
	again, err := collect.New(collect.Options{Dir: dir, Most: 1 << 30, Now: func() time.Time { return time.Unix(1_800_000_000, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "http://127.0.0.1/v1/traces", strings.NewReader(asJSON))
	r.Header.Set("Content-Type", "application/json")
	again.ServeHTTP(w, r)
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 || w.Code != 200 {
		t.Errorf("a second collector: %d, %v, %v", w.Code, files, err)
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	c, err := collect.New(collect.Options{Dir: dir, Most: 1 << 30, Now: time.Now})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	r := httptest.NewRequest("POST", "http://127.0.0.1:4318/v1/traces", strings.NewReader(asJSON))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	fmt.Println(w.Code, c.Counts())
	// Output:
	// 200 1 span and 0 log records with messages in 1 request
}
