package api_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/tool/api"
)

// The model sees the service's own score only if the file names it.
func TestServiceScore(t *testing.T) {
	s := service(t, reply(`{"items":[{"id":"1","title":"Ruby","score":7.5,"stars":41},{"id":"2","title":"Opal"}]}`))
	for mapping, want := range map[string]string{
		"{each: '.items[]'}":                  "",
		"{each: '.items[]', score: .score}":   `"backend_score":7.5`,
		"{each: '.items[]', score: '.stars'}": `"backend_score":41`,
	} {
		file := strings.Replace(stones, "{each: '.items[]'}", mapping, 1)
		one := open(t, file, map[string]any{"host": s.URL}, api.NewRun(quick(api.Options{})))
		res := call(t, one, `{"query": "red"}`)
		raw, err := res.Output.Render(res.Output.Documents)
		if err != nil || strings.Count(string(raw), "backend_score") != min(len(want), 1) || !strings.Contains(string(raw), want) {
			t.Errorf("%s: %s, %v", mapping, raw, err)
		}
		if strings.Contains(one.Spec().Description, "backend_score") != (want != "") {
			t.Errorf("%s: %s", mapping, one.Spec().Description)
		}
	}
}
