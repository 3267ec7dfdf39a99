package api_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api"
	"github.com/seed-5817661a/concur/tool/api/spec"
)

// stones is a file with one request; tests replace parts of it.
const stones = `description: Finds stones.
evidence: stone
parameters:
  query: {type: string, description: Words.}
settings: {host: null}
requests:
  - url: =$settings.host + "/find"
    query: {q: =$args.query}
    empty: .total == 0
documents: {each: '.items[]'}
`

const ruby = `{"items":[{"id":"1","title":"Ruby","source":"https://stones.example/1","snippet":"A red stone."}]}`

// service is a peer on the loopback.
func service(t testing.TB, handle http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return s
}

func reply(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, body)
	}
}

func open(t testing.TB, file string, settings map[string]any, run *api.Run) *api.Tool {
	t.Helper()
	f, err := spec.Read("stones.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	opened, err := api.New("stones", f, settings, run)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// quick are options without pauses.
func quick(o api.Options) api.Options {
	o.Pause = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return o
}

func call(t testing.TB, one tool.Tool, arguments string) tool.Result {
	t.Helper()
	r, err := tool.New(one)
	if err != nil {
		t.Fatal(err)
	}
	return r.Invoke(t.Context(), model.ToolCall{ID: "1", Name: "stones", Arguments: arguments}, 10*time.Minute)
}

func Example() {
	s := httptest.NewServer(reply(ruby))
	defer s.Close()
	f, err := spec.Read("stones.yaml", []byte(stones))
	if err != nil {
		fmt.Println(err)
		return
	}
	run := api.NewRun(api.Options{})
	defer run.Close()
	t, err := api.New("stones", f, map[string]any{"host": s.URL}, run)
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := t.Call(context.Background(), json.RawMessage(`{"query": "red stone"}`))
	fmt.Println(out.Documents[0].Title, out.Documents[0].Score, err)
	// Output: Ruby 1 <nil>
}

func TestKeyIsSentAndHidden(t *testing.T) {
	const key = "stones-key-4711"
	for way, want := range map[string]string{
		"bearer: true":                    "Authorization: Bearer " + key,
		"header: X-Key":                   "X-Key: " + key,
		"header: X-Key, prefix: 'Token '": "X-Key: Token " + key,
		"query: key":                      "key=" + key,
	} {
		var got string
		s := service(t, func(w http.ResponseWriter, r *http.Request) {
			got = r.URL.RawQuery
			for name, v := range r.Header {
				got += "\n" + name + ": " + v[0]
			}
			fmt.Fprintf(w, `{"items":[{"id":"1","title":"%s","snippet":"%x"}]}`, strings.ReplaceAll(got, "\n", " "), key)
		})
		var recorded []api.Exchange
		run := api.NewRun(api.Options{Environ: func(string) string { return key },
			Record: func(e api.Exchange) { recorded = append(recorded, e) }})
		file := strings.Replace(stones, "requests:", "auth: [{env: STONES_KEY, "+way+"}]\nrequests:", 1)
		res := call(t, open(t, file, map[string]any{"host": s.URL}, run), `{"query": "red"}`)
		if !strings.Contains(got, want) {
			t.Errorf("%s: sent %q, want %q", way, got, want)
		}
		all := fmt.Sprintf("%+v %+v", res, recorded)
		if res.Error != "" || len(recorded) != 1 || strings.Contains(all, key) || strings.Contains(all, fmt.Sprintf("%x", key)) {
			t.Errorf("%s: the key is in %s", way, all)
		}
	}
}

func TestKeyInBody(t *testing.T) {
	for body, want := range map[string]string{"form: {q: =$args.query}": "key=stones-key-4711&q=red",
		"json: {q: =$args.query}": `{"key":"stones-key-4711","q":"red"}`} {
		var got []byte
		s := service(t, func(w http.ResponseWriter, r *http.Request) {
			got, _ = io.ReadAll(r.Body)
			io.WriteString(w, ruby)
		})
		run := api.NewRun(api.Options{Environ: func(string) string { return "stones-key-4711" }})
		file := strings.NewReplacer("requests:", "auth: [{env: STONES_KEY, body: key}]\nrequests:", "query: {q: =$args.query}", body).Replace(stones)
		if res := call(t, open(t, file, map[string]any{"host": s.URL}, run), `{"query": "red"}`); res.Error != "" || string(got) != want {
			t.Errorf("%s: %q, %s", body, got, res.Error)
		}
	}
}

// The first way whose variable is set is used.
func TestWays(t *testing.T) {
	file := strings.Replace(stones, "requests:", "auth: [{env: A, header: X-A}, {env: B, header: X-B}, {value: guest, header: X-Mode}]\nrequests:", 1)
	for set, want := range map[string]string{"A": "X-A", "B": "X-B", "C": "X-Mode"} {
		var got http.Header
		s := service(t, func(w http.ResponseWriter, r *http.Request) { got = r.Header; io.WriteString(w, ruby) })
		run := api.NewRun(api.Options{Environ: func(name string) string {
			if name == set {
				return "a-key-of-" + name
			}
			return ""
		}})
		call(t, open(t, file, map[string]any{"host": s.URL}, run), `{"query": "red"}`)
		if got.Get(want) == "" {
			t.Errorf("%s: %v", set, got)
		}
	}
	f, _ := spec.Read("f", []byte(strings.Replace(file, ", {value: guest, header: X-Mode}", "", 1)))
	_, err := api.New("stones", f, map[string]any{"host": "https://stones.example"}, api.NewRun(api.Options{}))
	if err == nil || err.Error() != "no key is set: set A or B" {
		t.Errorf("%v", err)
	}
	_, err = api.New("stones", f, map[string]any{"host": "https://stones.example"}, api.NewRun(api.Options{
		Environ: func(string) string { return "with a blank" }}))
	if err == nil || !strings.Contains(err.Error(), "A has white space") || strings.Contains(err.Error(), "blank") {
		t.Errorf("%v", err)
	}
}

// testKey is an Ed25519 key made for this test (openssl genpkey -algorithm ed25519).
const testKey = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f\n-----END PRIVATE KEY-----\n"

func TestSignedToken(t *testing.T) {
	var got string
	s := service(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		fmt.Fprintf(w, `{"items":[{"id":"1","title":"%s"}]}`, got)
	})
	now := time.Unix(1_800_000_000, 0)
	file := strings.NewReplacer("{host: null}", "{host: null, id: K1}", "requests:",
		"auth: [{jwt: {alg: EdDSA, key_env: PEM, header: {kid: =$settings.id}, claims: {sub: me, iat: =clock - 30, exp: =clock + 870}}, bearer: true}]\nrequests:").Replace(stones)
	run := api.NewRun(api.Options{Environ: func(string) string { return testKey }, Now: func() time.Time { return now }})
	res := call(t, open(t, file, map[string]any{"host": s.URL}, run), `{"query": "red"}`)
	parts := strings.Split(strings.TrimPrefix(got, "Bearer "), ".")
	if len(parts) != 3 {
		t.Fatalf("%q, %s", got, res.Error)
	}
	seed := make([]byte, ed25519.SeedSize)
	for i := range seed {
		seed[i] = byte(i)
	}
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	header, _ := base64.RawURLEncoding.DecodeString(parts[0])
	claims, _ := base64.RawURLEncoding.DecodeString(parts[1])
	if !ed25519.Verify(public, []byte(parts[0]+"."+parts[1]), signature) || string(header) != `{"alg":"EdDSA","kid":"K1"}` ||
		string(claims) != `{"exp":1800000870,"iat":1799999970,"sub":"me"}` {
		t.Errorf("%s %s %x", header, claims, signature)
	}
	if said := fmt.Sprint(res.Output.Documents); strings.Contains(said, parts[2]) {
		t.Errorf("the token is in %s", said)
	}
}

// Cookies are kept for one call, or for all calls of a run.
func TestCookies(t *testing.T) {
	for cookies, want := range map[string]string{"": "- - - -", "cookies: call\n": "- n1 - n3", "cookies: run\n": "- n1 n2 n3"} {
		var got []string
		s := service(t, func(w http.ResponseWriter, r *http.Request) {
			said := "-"
			if c, err := r.Cookie("n"); err == nil {
				said = c.Value
			}
			got = append(got, said)
			http.SetCookie(w, &http.Cookie{Name: "n", Value: fmt.Sprintf("n%d", len(got))})
			io.WriteString(w, ruby)
		})
		file := cookies + strings.Replace(stones, "requests:\n", "requests:\n  - {url: =$settings.host + \"/first\"}\n", 1)
		one := open(t, file, map[string]any{"host": s.URL}, api.NewRun(api.Options{}))
		call(t, one, `{"query": "red"}`)
		call(t, one, `{"query": "red"}`)
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", cookies, got, want)
		}
	}
}

// token is a file whose first request gets a token that the second one sends.
var token = strings.NewReplacer("requests:\n", `requests:
  - {url: =$settings.host + "/token", read: text, keep: {for: 1h, renew: [auth, captcha_blocked], secret: .}}
`, "query: {q: =$args.query}", "query: {q: =$args.query, token: =.}").Replace(stones)

func TestKeptReplyIsRenewed(t *testing.T) {
	tokens, finds := 0, 0
	valid := "token-number-1"
	s := service(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" {
			tokens++
			io.WriteString(w, valid)
			return
		}
		if finds++; r.FormValue("token") != valid {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, "%s is over", r.FormValue("token"))
			return
		}
		fmt.Fprintf(w, `{"items":[{"id":"1","title":"%s"}]}`, valid)
	})
	now := time.Unix(1_800_000_000, 0)
	one := open(t, token, map[string]any{"host": s.URL}, api.NewRun(quick(api.Options{Now: func() time.Time { return now }})))
	find := func(wantTokens, wantFinds int) {
		t.Helper()
		res := call(t, one, `{"query": "red"}`)
		if res.Error != "" || tokens != wantTokens || finds != wantFinds || strings.Contains(fmt.Sprint(res), "token-number") {
			t.Errorf("%d tokens, %d finds, want %d and %d: %v", tokens, finds, wantTokens, wantFinds, res)
		}
	}
	find(1, 1)
	find(1, 2)
	valid = "token-number-2" // the kept one is refused, so the call is made again with a new one
	find(2, 4)
	now = now.Add(2 * time.Hour)
	find(3, 5)
	valid = "token-number-3"
	now = now.Add(time.Minute)
	find(4, 7)
}

// After a captcha nothing more is sent to the host in this run. Another run sends again.
func TestCaptchaBlocksTheHost(t *testing.T) {
	var sent atomic.Int32
	s := service(t, func(w http.ResponseWriter, _ *http.Request) { sent.Add(1); w.WriteHeader(http.StatusForbidden) })
	file := stones + "failures: [{status: 403, kind: captcha_blocked, retry: []}]\n"
	run := api.NewRun(api.Options{})
	one, other := open(t, file, map[string]any{"host": s.URL}, run), open(t, stones, map[string]any{"host": s.URL}, run)
	for _, x := range []*api.Tool{one, one, other} {
		if res := call(t, x, `{"query": "red"}`); res.Kind != "captcha_blocked" || res.Failure != tool.BackendFailure {
			t.Errorf("%+v", res)
		}
	}
	if sent.Load() != 1 {
		t.Errorf("%d requests, want 1", sent.Load())
	}
	call(t, open(t, file, map[string]any{"host": s.URL}, api.NewRun(api.Options{})), `{"query": "red"}`)
	if sent.Load() != 2 {
		t.Errorf("%d requests, want 2", sent.Load())
	}
}

// The pace holds over all traces of a run, which call at the same time.
func TestPace(t *testing.T) {
	var mu sync.Mutex
	busy, most := 0, 0
	s := service(t, func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		busy++
		most = max(most, busy)
		mu.Unlock()
		time.Sleep(5 * time.Millisecond)
		mu.Lock()
		busy--
		mu.Unlock()
		io.WriteString(w, ruby)
	})
	now := time.Unix(1_800_000_000, 0)
	var slept time.Duration
	run := api.NewRun(api.Options{
		Now: func() time.Time { mu.Lock(); defer mu.Unlock(); return now },
		Sleep: func(_ context.Context, d time.Duration) error {
			mu.Lock()
			defer mu.Unlock()
			now, slept = now.Add(d), slept+d
			return nil
		}})
	one := open(t, "pace: {every: 3s, at_once: 2}\n"+stones, map[string]any{"host": s.URL}, run)
	var calls sync.WaitGroup
	for range 6 {
		calls.Go(func() {
			if res := call(t, one, `{"query": "red"}`); res.Error != "" {
				t.Error(res.Error)
			}
		})
	}
	calls.Wait()
	if most > 2 || slept < 15*time.Second {
		t.Errorf("%d requests at once, %v waited", most, slept)
	}
}

// A server that cannot be reached, and a redirect to a private address, are failures of the backend.
func TestRedirectToPrivateAddress(t *testing.T) {
	inner := service(t, reply(ruby))
	s := service(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.Replace(inner.URL, "127.0.0.1", "127.0.0.2", 1), http.StatusFound)
	})
	run := api.NewRun(quick(api.Options{}))
	res := call(t, open(t, stones, map[string]any{"host": s.URL}, run), `{"query": "red"}`)
	if res.Kind != "upstream" || !strings.Contains(res.Error, "not of the public Internet") {
		t.Errorf("%+v", res)
	}
}

func TestDefaultTries(t *testing.T) {
	for _, c := range []struct {
		status int
		after  string
		kind   string
		sent   int32
	}{
		{500, "", "upstream", 1}, {502, "", "upstream", 3}, {503, "", "upstream", 3}, {504, "", "upstream", 3},
		{429, "", "rate_limited", 1}, {429, "1", "rate_limited", 3}, {429, "0", "rate_limited", 3}, {429, "100", "rate_limited", 1},
		{503, "100", "upstream", 1}, {400, "1", "bad_request", 1}, {401, "", "auth", 1}, {402, "", "quota", 1},
		{404, "", "not_found", 1}, {410, "", "not_found", 1}, {408, "", "timeout", 1}, {418, "", "bad_request", 1}, {304, "", "malformed", 1},
	} {
		var sent atomic.Int32
		s := service(t, func(w http.ResponseWriter, _ *http.Request) {
			sent.Add(1)
			if c.after != "" {
				w.Header().Set("Retry-After", c.after)
			}
			w.WriteHeader(c.status)
		})
		res := call(t, open(t, stones, map[string]any{"host": s.URL}, api.NewRun(quick(api.Options{}))), `{"query": "red"}`)
		agents := c.kind == "bad_request" || c.kind == "not_found"
		if res.Kind != c.kind || sent.Load() != c.sent || agents != (res.Failure == tool.AgentFailure) {
			t.Errorf("%d, %q: %s after %d requests, want %s after %d: %s", c.status, c.after, res.Kind, sent.Load(), c.kind, c.sent, res.Error)
		}
	}
}

func TestSettings(t *testing.T) {
	f, err := spec.Read("f", []byte(strings.Replace(stones, "{host: null}", "{host: null, size: 3}", 1)+"message: $settings.size\n"))
	if err != nil {
		t.Fatal(err)
	}
	for want, given := range map[string]map[string]any{
		"settings.host: the tool needs a value":                              {},
		"settings.size: expected a number, found a text":                     {"host": "https://a.example", "size": "x"},
		`settings.hots: the tool has no such setting (did you mean "host"?)`: {"host": "https://a.example", "hots": 1},
		"the path has two slashes in a row":                                  {"host": "https://a.example/"},
		"not of the form https://host/path":                                  {"host": "a.example"},
		"the address has a user name":                                        {"host": "https://u:p@a.example"},
	} {
		if _, err := api.New("stones", f, given, api.NewRun(api.Options{})); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", given, err, want)
		}
	}
}

// A caller that is cancelled gets the call back at once.
func TestCancelled(t *testing.T) {
	release := make(chan struct{})
	s := service(t, func(http.ResponseWriter, *http.Request) { <-release })
	defer close(release)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	one := open(t, stones, map[string]any{"host": s.URL}, api.NewRun(quick(api.Options{})))
	if _, err := one.Call(ctx, json.RawMessage(`{"query":"red"}`)); err == nil || !strings.Contains(err.Error(), "timeout") {
		t.Errorf("%v", err)
	}
}
