package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/tool/api"
)

// A short key is hidden unless it is like a word or a number; then the user is warned.
func TestShortKey(t *testing.T) {
	s := service(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"items":[{"id":"1","title":"the key is %s"}]}`, r.URL.Query().Get("key"))
	})
	for key, hidden := range map[string]bool{"k9zq": true, "s3cret": true, "4711": false, "guest": false} {
		run := api.NewRun(quick(api.Options{Environ: func(string) string { return key }}))
		one := open(t, paged, map[string]any{"host": s.URL}, run)
		if said := one.Warning(); (said == "") != hidden || strings.Contains(said, key) || !hidden && !strings.Contains(said, "STONES_KEY") {
			t.Errorf("%s: warning %q", key, said)
		}
		res := call(t, one, `{"query": "red"}`)
		if len(res.Output.Documents) != 1 || strings.Contains(res.Output.Documents[0].Title, key) == hidden {
			t.Errorf("%s: %+v", key, res)
		}
	}
	if said := open(t, stones, map[string]any{"host": s.URL}, api.NewRun(quick(api.Options{}))).Warning(); said != "" {
		t.Errorf("a tool without a key: %q", said)
	}
}
