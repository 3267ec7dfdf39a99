package main

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	closed "github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/runner/offline"
	"github.com/seed-5817661a/concur/runner/serve"
	"github.com/seed-5817661a/concur/runner/store"
)

// TestGoldSetOverTheWire takes the gold set through OpenAI's protocol against a real
// server on loopback, in both of the agent's protocols: everything but the model's name
// and the agent's hash must be what it is without the wire.
func TestGoldSetOverTheWire(t *testing.T) {
	m, err := offline.New("reader", offline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(serve.Handler(m, "offline:reader"))
	defer server.Close()
	t.Setenv("OPENAI_BASE_URL", server.URL+"/v1")
	t.Setenv("OPENAI_API_KEY", "sk-never-in-a-file")

	for protocol, k := range map[string]string{"native": "2", "text": "1"} {
		t.Run(protocol, func(t *testing.T) {
			args := []string{"--quiet", "--protocol", protocol, "-k", k, "--seed", "1", "--sample", "9"}
			_, direct := concur(t, args...)
			_, wired := concur(t, append(args, "--model", "openai:offline:reader", "--corpus", "offline", "--judge", "same")...)
			if diff := cmp.Diff(anonymous(records(t, direct)), anonymous(records(t, wired))); diff != "" {
				t.Errorf("the wire changed results (-direct +wired):\n%s", diff)
			}
			for x, err := range wired.Exchanges() {
				if err != nil {
					t.Fatal(err)
				}
				if x.Error != nil {
					t.Fatalf("%s/%d: %s", x.Query, x.Trace, *x.Error)
				}
				if s := x.RequestSettings; s != nil && s.MaxTokens != wanted(x) {
					t.Errorf("%s of %s: at most %d tokens, want %d", x.Purpose, x.Query, s.MaxTokens, wanted(x))
				}
			}
		})
	}
}

// wanted is the token limit of a request.
func wanted(x store.Exchange) int {
	switch {
	case x.Purpose == model.Agent:
		return 0
	case strings.HasPrefix(x.Agent, "quality:"):
		return closed.LongReply
	}
	return closed.ShortReply
}

// anonymous leaves out the names that the two runs cannot share.
func anonymous(all []store.Record) []store.Record {
	for i := range all {
		all[i].Agent = ""
		if j := all[i].Judgements; j != nil {
			if j.Correctness != nil {
				j.Correctness.Judge = ""
			}
			for k := range j.Quality {
				j.Quality[k].Judge = ""
			}
		}
	}
	return all
}

// TestDeadEndpointIsNotTheAgentsFault: traces end as infra, queries are unscored, and the
// command says so with its exit code.
func TestDeadEndpointIsNotTheAgentsFault(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	t.Setenv("OPENAI_BASE_URL", server.URL+"/v1")
	code, out, errs := invoke("run", "--runs-dir", t.TempDir(), "--quiet", "--limit", "2", "--tries", "1", "--model", "openai:gone", "--corpus", "offline")
	if code != exitInvalid || !strings.Contains(out, "2 of 2 queries have no valid trace") || !strings.Contains(errs, "no query got an answer because every model call failed") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}
