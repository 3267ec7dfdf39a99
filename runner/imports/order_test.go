package imports_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/imports"
)

// treeSpan is a line with a span of a trace.
func treeSpan(trace, id, parent, at int, pairs ...string) string {
	var list []string
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, fmt.Sprintf(`{"key": %q, "value": {"stringValue": %q}}`, pairs[i], pairs[i+1]))
	}
	above := ""
	if parent > 0 {
		above = fmt.Sprintf(`"parentSpanId": "%016x", `, trace*100+parent)
	}
	return fmt.Sprintf(`{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "%032x", "spanId": "%016x", %s`+
		`"startTimeUnixNano": "%d", "endTimeUnixNano": "%d", "attributes": [%s]}]}]}]}`+"\n",
		trace, trace*100+id, above, at, at+5, strings.Join(list, ","))
}

// treeSpans are the lines of n traces: an agent, two requests to a model, and a call of a tool. A question is asked
// three times; a quarter of the traces have another agent.
func treeSpans(n int) (lines []string) {
	for i := 1; i <= n; i++ {
		name, at := []string{"sums", "sums", "sums", "other"}[i%4], 1000*((i*7)%n+1)
		asked := fmt.Sprintf(`{"role":"user","content":"How much is %d?"}`, i/3)
		called := `{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}`
		said := fmt.Sprintf(`[{"role":"assistant","content":"Answer: %d"}]`, i/3+i%2)
		lines = append(lines, treeSpan(i, 1, 0, at, "gen_ai.operation.name", "invoke_agent", "gen_ai.agent.name", name),
			treeSpan(i, 2, 1, at+10, "gen_ai.operation.name", "chat", "gen_ai.input.messages", "["+asked+"]",
				"gen_ai.output.messages", "["+called+"]"),
			treeSpan(i, 3, 1, at+20, "gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", "f",
				"gen_ai.tool.call.id", "c", "gen_ai.tool.call.result", "r"),
			treeSpan(i, 4, 1, at+30, "gen_ai.operation.name", "chat", "gen_ai.input.messages",
				"["+asked+","+called+`,{"role":"tool","tool_call_id":"c","content":"r"}]`, "gen_ai.output.messages", said))
	}
	return lines
}

// readAll imports spans, and returns everything that the run has of them.
func readAll(t *testing.T, path string) (out []string) {
	t.Helper()
	l, err := imports.OpenSpans(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for id := range l.IDs() {
		for _, r := range l.Rows {
			for place := range r.Len(id) {
				of, err := r.Trace(id, place)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, fmt.Sprintf("%s %s %d: %q %d calls %g s %v %+v", r.Name, id, place, of.Message, of.ToolCalls,
					of.Seconds, of.Extras, of.Events))
			}
		}
	}
	return append(out, lines(t, saved(t, l))...)
}

// Spans out of order, and split over files, give the same run as spans in order.
func TestSpanOrder(t *testing.T) {
	const traces = 60
	lines := treeSpans(traces)
	dir := t.TempDir()
	write := func(name string, lines []string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	want := readAll(t, write("in-order.jsonl", lines))
	if len(want) <= traces || strings.Contains(want[traces-1], "unscored by") {
		t.Fatalf("%d traces and queries, more than %d were expected:\n%s", len(want), traces, strings.Join(want, "\n"))
	}
	for _, record := range want[traces:] { // these answers have no verdict yet
		if !strings.Contains(record, "unscored by") {
			t.Error(record)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for name, paths := range map[string]func([]string) string{
		"shuffled": func(mixed []string) string { return write("shuffled.jsonl", mixed) },
		"split": func(mixed []string) string {
			for i := range 4 {
				write(fmt.Sprintf("split/%d.jsonl", i), mixed[i*len(mixed)/4:(i+1)*len(mixed)/4])
			}
			return filepath.Join(dir, "split")
		},
		"backward": func([]string) string {
			turned := slices.Clone(lines)
			slices.Reverse(turned)
			return write("backward.jsonl", turned)
		},
	} {
		mixed := slices.Clone(lines)
		random.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		if d := cmp.Diff(want, readAll(t, paths(mixed))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
