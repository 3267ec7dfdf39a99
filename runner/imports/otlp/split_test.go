package otlp_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/seed-5817661a/concur/runner/imports/otlp"
	"github.com/seed-5817661a/concur/trace"
)

// pairs are the question and the final message of each conversation.
func pairs(t testing.TB, s *otlp.Store) (out []string) {
	t.Helper()
	for ref := range s.Conversations() {
		c, err := ref.Read()
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%s=%s", c.Question, c.Message)
		for _, e := range c.Events {
			if o, is := e.Body.(trace.Observation); is {
				line += fmt.Sprintf(" after %s", o.Output)
			}
		}
		out = append(out, line)
	}
	return out
}

// The calls of an agent in a loop below one span are conversations of their own, in each convention; what belongs
// together stays one.
func TestLoops(t *testing.T) {
	cities := []string{"Oslo", "Lima", "Accra", "Hanoi", "Quito"}
	// loop returns a root and, below it, spans of each city: those that make returns, with ids from 10, 20, …
	loop := func(root []string, each func(city string, id byte) []made) []made {
		out := []made{{id: 1, attributes: root}}
		for n, city := range cities {
			out = append(out, each(city, byte(10*(n+1)))...)
		}
		return out
	}
	var all, repeated, stepped []string
	for _, city := range cities {
		all = append(all, "Where is "+city+"?=Near "+city)
		stepped = append(stepped, "Where is "+city+"?=Near "+city+fmt.Sprintf(" after %q", city))
		repeated = append(repeated, "Where is it?=Near "+city)
	}
	chat := func(id, parent byte, question, answer string) made {
		return made{id: id, parent: parent, at: uint64(id), attributes: []string{"gen_ai.operation.name", "chat", "gen_ai.request.model", "m",
			"gen_ai.input.messages", fmt.Sprintf(`[{"role":"user","content":%q}]`, question), "gen_ai.output.messages", fmt.Sprintf(`[{"role":"assistant","content":%q}]`, answer)}}
	}
	genai := func(city string, id byte) []made {
		return []made{{id: id, parent: 1, at: uint64(id), attributes: []string{"gen_ai.operation.name", "invoke_agent", "gen_ai.agent.name", "guide"}},
			chat(id+1, id, "Where is "+city+"?", "Near "+city)}
	}
	inference := func(city string, id byte) []made {
		return []made{{id: id, parent: 1, at: uint64(id), attributes: []string{"openinference.span.kind", "AGENT", "agent.name", "guide", "input.value", "Where is " + city + "?", "output.value", "Near " + city}}}
	}
	traceloop := func(city string, id byte) []made {
		return []made{{id: id, parent: 1, at: uint64(id), attributes: []string{"traceloop.span.kind", "agent", "traceloop.entity.name", "guide", "traceloop.entity.input", `{"args": [], "kwargs": {}}`}},
			{id: id + 1, parent: id, at: uint64(id) + 1, attributes: []string{"llm.request.type", "chat", "gen_ai.prompt.0.role", "user", "gen_ai.prompt.0.content", "Where is " + city + "?", "gen_ai.completion.0.role", "assistant", "gen_ai.completion.0.content", "Near " + city}}}
	}
	plain := func(city string, id byte) []made { return []made{chat(id, 1, "Where is "+city+"?", "Near "+city)} }
	same := func(city string, id byte) []made { return []made{chat(id, 1, "Where is it?", "Near "+city)} }
	custom := []string{"app.job", "nightly"}
	const called = `[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"map","arguments":"{}"}}]}]`
	steps := func(city string, id byte) []made { // an agent's loop: a request, a call, and a request with its result
		asked := fmt.Sprintf(`{"role":"user","content":"Where is %s?"}`, city)
		return []made{{id: id, parent: 1, at: uint64(id), attributes: []string{"gen_ai.operation.name", "chat", "gen_ai.input.messages", "[" + asked + "]", "gen_ai.output.messages", called}},
			{id: id + 1, parent: 1, at: uint64(id) + 1, attributes: []string{"gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", "map", "gen_ai.tool.call.id", "c", "gen_ai.tool.call.result", city}},
			{id: id + 2, parent: 1, at: uint64(id) + 2, attributes: []string{"gen_ai.operation.name", "chat", "gen_ai.input.messages", "[" + asked + "," + called[1:len(called)-1] + `,{"role":"tool","tool_call_id":"c","content":"` + city + `"}]`,
				"gen_ai.output.messages", "Near " + city}}}
	}
	for name, c := range map[string]struct {
		spans []made
		want  []string
	}{
		"GenAI, custom parent":            {loop(custom, genai), all},
		"GenAI, workflow":                 {loop([]string{"gen_ai.operation.name", "invoke_workflow", "gen_ai.workflow.name", "batch"}, genai), all},
		"OpenInference, custom parent":    {loop(custom, inference), all},
		"OpenInference, chain":            {loop([]string{"openinference.span.kind", "CHAIN", "input.value", `{"questions": ["a", "b"]}`}, inference), all},
		"Traceloop, custom parent":        {loop(custom, traceloop), all},
		"Traceloop, workflow":             {loop([]string{"traceloop.span.kind", "workflow", "traceloop.entity.name", "batch", "traceloop.entity.input", `{"args": [["a"]], "kwargs": {}}`}, traceloop), all},
		"a file, and no answer":           {loop([]string{"traceloop.span.kind", "workflow", "traceloop.entity.input", `{"args": ["questions.csv"]}`}, traceloop), all},
		"requests below a custom parent":  {loop(custom, plain), all},
		"the same request again":          {loop(custom, same), repeated},
		"several steps below a parent":    {loop(custom, steps), stepped},
		"requests whose parent is lost":   {loop(custom, plain)[1:], all},
		"workflows below a workflow":      {append(loop([]string{"gen_ai.operation.name", "invoke_workflow"}, genai), made{id: 99, attributes: []string{"gen_ai.operation.name", "invoke_workflow"}}), all},
		"requests below a server's span":  {func() []made { s := loop(custom, plain); s[0].server = true; return s }(), []string{"Where is Oslo?=Near Quito"}},
		"a workflow with a question":      {loop([]string{"openinference.span.kind", "CHAIN", "input.value", "Which is nearest?", "output.value", "Quito"}, inference), []string{"Which is nearest?=Quito"}},
		"a parent with a question":        {loop([]string{"input.value", "Which is nearest?"}, plain), []string{"Which is nearest?=Near Quito"}},
		"one request, recorded two times": {[]made{{id: 1}, chat(2, 1, "Where?", "There"), chat(3, 2, "Where?", "There")}, []string{"Where?=There"}},
		"a request that was tried again": {[]made{{id: 1}, {id: 2, parent: 1, at: 1, failed: "429", attributes: []string{"gen_ai.operation.name", "chat", "gen_ai.input.messages", `[{"role":"user","content":"Where?"}]`}},
			chat(3, 1, "Where?", "There")}, []string{"Where?=There"}},
		"two agents of a team": {[]made{{id: 1, attributes: []string{"gen_ai.operation.name", "invoke_workflow"}},
			{id: 2, parent: 1, at: 2, attributes: []string{"gen_ai.operation.name", "invoke_agent", "gen_ai.agent.name", "finder"}}, chat(3, 2, "Where?", "A note"),
			{id: 4, parent: 1, at: 4, attributes: []string{"gen_ai.operation.name", "invoke_agent", "gen_ai.agent.name", "writer"}}, chat(5, 4, "Write: where?", "There")},
			[]string{"Where?=There"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := pairs(t, store(t, marshal(t, requestOf(c.spans...))))
			slices.Sort(got)
			want := slices.Sorted(slices.Values(c.want))
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// A trace may have many requests below one span, and as many workflows below one another.
func TestManyLoops(t *testing.T) {
	const many = 30_000
	id := func(n int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n+1)) }
	for name, c := range map[string]struct {
		parent func(i int) int
		of     func(i int) []string
		want   int
	}{
		"requests": {func(int) int { return 0 }, func(i int) []string {
			return []string{"gen_ai.operation.name", "chat", "gen_ai.input.messages", fmt.Sprint("What is ", i), "gen_ai.output.messages", "1"}
		}, many - 1},
		"workflows in workflows": {func(i int) int { return (i - 1) / 2 }, func(i int) []string {
			return []string{"gen_ai.operation.name", "invoke_workflow", "gen_ai.workflow.name", "w"}
		}, 0},
		"agents": {func(int) int { return 0 }, func(i int) []string {
			return []string{"gen_ai.operation.name", "invoke_agent", "gen_ai.agent.name", "a", "gen_ai.input.messages", fmt.Sprint("What is ", i), "gen_ai.output.messages", "1"}
		}, many - 1},
	} {
		t.Run(name, func(t *testing.T) {
			spans := make([]*tracepb.Span, many)
			for i := range spans {
				spans[i] = &tracepb.Span{TraceId: bytes.Repeat([]byte{1}, 16), SpanId: id(i), StartTimeUnixNano: uint64(i + 1), EndTimeUnixNano: many + 1, Attributes: texts(c.of(i)...)}
				if i > 0 {
					spans[i].ParentSpanId = id(c.parent(i))
				}
			}
			spans[0].Attributes = texts("gen_ai.operation.name", "invoke_workflow")
			if name == "requests" {
				spans[0].Attributes = nil
			}
			n := 0
			for range store(t, marshal(t, request(spans...))).Conversations() {
				n++
			}
			if n != c.want {
				t.Errorf("%d conversations, want %d", n, c.want)
			}
		})
	}
}

// A question that a mapping names at the parent is that of one conversation.
func TestLoopWithMappedQuestion(t *testing.T) {
	s, err := otlp.Read(bytesOf(t, made{id: 1, attributes: []string{"app.question", "Which?"}},
		made{id: 2, parent: 1, at: 2, attributes: []string{"gen_ai.operation.name", "chat", "gen_ai.input.messages", "One?", "gen_ai.output.messages", "1"}},
		made{id: 3, parent: 1, at: 3, attributes: []string{"gen_ai.operation.name", "chat", "gen_ai.input.messages", "Two?", "gen_ai.output.messages", "2"}}),
		otlp.Options{Fields: map[string]string{"query": "app.question"}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if d := cmp.Diff([]string{"Which?=2"}, pairs(t, s)); d != "" {
		t.Error(d)
	}
}

func bytesOf(t testing.TB, all ...made) io.Reader {
	return bytes.NewReader(marshal(t, requestOf(all...)))
}
