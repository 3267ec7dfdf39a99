package mcp_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/mcp"
	"github.com/seed-5817661a/concur/trace"
)

// BenchmarkCall calls a tool that replies at once, over standard streams. It measures the time that the
// protocol and both processes take. p50 is the median.
func BenchmarkCall(b *testing.B) {
	c, err := mcp.Open(b.Context(), command("sdk"))
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	r, err := tool.New(mcp.Tool{Client: c, Described: c.About.Tools[slices.IndexFunc(c.About.Tools, func(d mcp.Described) bool { return d.Remote == "texts" })]})
	if err != nil {
		b.Fatal(err)
	}
	ctx := tool.WithTrace(b.Context(), trace.ID{Query: "q"})
	var took []time.Duration
	for b.Loop() {
		res := r.Invoke(ctx, model.ToolCall{ID: "call_1", Name: "peer__texts"}, time.Minute)
		if res.Error != "" {
			b.Fatal(res.Error)
		}
		took = append(took, res.Duration)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
}

// BenchmarkManyTools registers 500 tools of a server, with ten arguments each.
func BenchmarkManyTools(b *testing.B) {
	schema := `{"type":"object","properties":{`
	for i := range 10 {
		schema += fmt.Sprintf(`"argument%d":{"type":"string","description":"what it is for"},`, i)
	}
	schema = schema[:len(schema)-1] + `}}`
	var tools []tool.Tool
	for i := range 500 {
		tools = append(tools, mcp.Tool{Described: mcp.Described{Name: fmt.Sprintf("peer__tool%d", i), Description: "Does something.", Schema: []byte(schema)}})
	}
	for b.Loop() {
		if _, err := tool.New(tools...); err != nil {
			b.Fatal(err)
		}
	}
}
