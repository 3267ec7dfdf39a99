//go:build unix

package external_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/runner/agent/external"
)

// TestKeyOfATrace checks that the key of the endpoint is in the environment, or only on standard input, and
// that the log of standard error contains no key of the agent.
func TestKeyOfATrace(t *testing.T) {
	for noKey, want := range map[bool]string{false: "concur-key-1234 http://h concur-key-1234", true: " http://h concur-key-1234"} {
		var logged []string
		c := external.Command{
			Argv: []string{"sh", "-c", `read -r r; echo "$OPENAI_API_KEY $ANTHROPIC_BASE_URL $(echo "$r" | sed 's/.*api_key":"//; s/".*//')"; echo "has $GIVEN" >&2`},
			Env:  []string{"PATH=/bin:/usr/bin", "GIVEN=g1ven-to-the-agent"}, NoKey: noKey,
			Hider: secret.New("g1ven-to-the-agent"), Log: func(line string) { logged = append(logged, line) },
		}
		out, err := c.Send(t.Context(), external.Request{Endpoint: &external.Endpoint{Anthropic: "http://h", Key: "concur-key-1234"}})
		if got := strings.TrimSuffix(string(out), "\n"); err != nil || got != want {
			t.Errorf("NoKey %t: %q, %v, want %q", noKey, got, err, want)
		}
		if text := strings.Join(logged, "\n"); !strings.HasSuffix(text, "has [API key]") {
			t.Errorf("the log has %q", text)
		}
	}
}
