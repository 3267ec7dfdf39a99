package external_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/trace"
)

// TestToolResultsAreBounded sends large results of tools through the proxy. The model gets them completely;
// the trace keeps the parts within the limits, and names the rest.
func TestToolResultsAreBounded(t *testing.T) {
	document := func(n int) string {
		return fmt.Sprintf(`{"id": "wiki_%d", "text": "The heron lives at the river. %s"}`, n, strings.Repeat("x", 600))
	}
	several := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, document(i))
		}
		return `{"results": [` + strings.Join(all, ", ") + `]}`
	}
	for name, c := range map[string]struct {
		limits    config.ReplyLimits
		result    string
		documents int
		output    int // maximum bytes
		want      []string
	}{
		"within":    {config.ReplyLimits{Documents: 3, TextKB: 4, TotalKB: 4}, several(3), 3, 4 << 10, nil},
		"documents": {config.ReplyLimits{Documents: 3}, several(9), 3, 1 << 20, []string{"kept the first 3 of 9 documents (agent.reply.documents)"}},
		"texts": {config.ReplyLimits{TotalKB: 2}, several(9), 4, 1 << 20,
			[]string{"kept the first 4 of 9 documents: texts of 2 KiB (agent.reply.total_kb)", "1 text of tool results cut to 1024 KiB (agent.reply.text_kb)"}},
		"a long text":    {config.ReplyLimits{TextKB: 1}, strings.Repeat("river ", 500), 0, 1200, []string{"1 text of tool results cut to 1 KiB (agent.reply.text_kb)"}},
		"many megabytes": {config.ReplyLimits{}, strings.Repeat("z", 9<<20), 0, 2 << 20, []string{"1 text of tool results cut to 1024 KiB (agent.reply.text_kb)"}},
	} {
		t.Run(name, func(t *testing.T) {
			conf := configuration(func(e *config.External) { e.Exec, e.HTTP, e.Reply = nil, "http://set.below", c.limits })
			reached := 0
			m := modelFunc(func(ctx context.Context, r model.Request) (model.Response, error) {
				if last := r.Messages[len(r.Messages)-1]; last.Role == model.ToolRole {
					reached = len(last.Content)
				}
				return searcher(ctx, r)
			})
			var r recorder
			a := &external.Agent{Config: conf, Transport: &external.HTTP{URL: server(t, c.result).URL}, Proxy: openProxy(t)}
			a.Run(t.Context(), task("Where does the heron live?", answer.Text, m, &r))
			if reached != len(c.result) {
				t.Errorf("the model got %d bytes of %d", reached, len(c.result))
			}
			var cut []string
			observed := false
			for _, e := range r.events {
				switch e := e.(type) {
				case trace.Guard:
					if e.Decision == "cut" {
						cut = append(cut, e.Detail)
					}
				case trace.Observation:
					observed = true
					if len(e.Documents) != c.documents || len(e.Output) > c.output {
						t.Errorf("%d documents and %d bytes, want %d and at most %d", len(e.Documents), len(e.Output), c.documents, c.output)
					}
				}
			}
			if !observed || fmt.Sprint(cut) != fmt.Sprint(c.want) {
				t.Errorf("observed %v, cut %q, want %q", observed, cut, c.want)
			}
		})
	}
}
