package otlp_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/runner/imports/otlp"
)

// made is a span of a test. parent 0 means a span without a parent; at is the second in which it begins.
type made struct {
	id, parent byte
	at         uint64
	attributes []string // names and values in turn
	failed     string
	server     bool
	trace      byte // 0 means 1
}

func (m made) span() *tracepb.Span {
	out := &tracepb.Span{TraceId: bytes.Repeat([]byte{max(m.trace, 1)}, 16), SpanId: bytes.Repeat([]byte{m.id}, 8), Name: fmt.Sprint("span ", m.id),
		StartTimeUnixNano: 1_800_000_000_000_000_000 + m.at*1e9, EndTimeUnixNano: 1_800_000_000_000_000_000 + m.at*1e9 + 5e8}
	if m.parent != 0 {
		out.ParentSpanId = bytes.Repeat([]byte{m.parent}, 8)
	}
	if m.server {
		out.Kind = tracepb.Span_SPAN_KIND_SERVER
	}
	if m.failed != "" {
		out.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: m.failed}
	}
	out.Attributes = texts(m.attributes...)
	return out
}

func texts(pairs ...string) (out []*commonpb.KeyValue) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, &commonpb.KeyValue{Key: pairs[i], Value: text(pairs[i+1])})
	}
	return out
}

func text(s string) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: s}}
}

func request(spans ...*tracepb.Span) *tracepb.TracesData {
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource:   &resourcepb.Resource{Attributes: texts("service.name", "shop")},
		ScopeSpans: []*tracepb.ScopeSpans{{Spans: spans}},
	}}}
}

func requestOf(all ...made) *tracepb.TracesData {
	var spans []*tracepb.Span
	for _, m := range all {
		spans = append(spans, m.span())
	}
	return request(spans...)
}

func marshal(t testing.TB, m proto.Message) []byte {
	t.Helper()
	raw, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// agentSpans are an agent with two requests to a model and a call of a tool, as the conventions of today write them.
func agentSpans() []made {
	const system = `{"role":"system","parts":[{"type":"text","content":"Be brief."}]}`
	const asked = `{"role":"user","parts":[{"type":"text","content":"What is 6 × 7?"}]}`
	const called = `{"role":"assistant","parts":[{"type":"reasoning","content":"I multiply."},{"type":"tool_call","id":"c1","name":"calc","arguments":{"x":"6*7"}}]}`
	const result = `{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","result":"42"}]}`
	const said = `{"role":"assistant","parts":[{"type":"text","content":"Answer: 42"}],"finish_reason":"stop"}`
	return []made{
		{id: 1, at: 1, attributes: []string{"gen_ai.operation.name", "invoke_agent", "gen_ai.agent.name", "sums", "app.gold", "42", "session.id", "s1"}},
		{id: 2, parent: 1, at: 2, attributes: []string{"gen_ai.operation.name", "chat", "gen_ai.provider.name", "openai", "gen_ai.request.model", "gpt",
			"gen_ai.input.messages", "[" + system + "," + asked + "]", "gen_ai.output.messages", "[" + called + "]", "gen_ai.usage.input_tokens", "10", "gen_ai.usage.output_tokens", "2"}},
		{id: 3, parent: 1, at: 3, attributes: []string{"gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", "calc", "gen_ai.tool.call.id", "c1", "gen_ai.tool.call.result", "42"}},
		{id: 4, parent: 1, at: 4, attributes: []string{"gen_ai.operation.name", "chat", "gen_ai.provider.name", "openai", "gen_ai.request.model", "gpt",
			"gen_ai.input.messages", "[" + system + "," + asked + "," + called + "," + result + "]", "gen_ai.output.messages", "[" + said + "]", "gen_ai.usage.input_tokens", "20", "gen_ai.usage.output_tokens", "3"}},
	}
}

// shown describes conversations in a form that is easy to compare.
func shown(t testing.TB, s *otlp.Store) (out []string) {
	t.Helper()
	for ref := range s.Conversations() {
		c, err := ref.Read()
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%s/%s %s q=%q", c.Agent, c.Service, c.Model, c.Question)
		for _, turn := range c.History {
			line += fmt.Sprintf(" before=%s:%q", turn.Role, turn.Content)
		}
		for _, e := range c.Events {
			line += fmt.Sprintf(" %d:%+v", e.Step, e.Body)
		}
		line += fmt.Sprintf(" m=%q missing=%q failure=%q steps=%d calls=%d/%d tokens=%d+%d", c.Message, c.Missing, c.Failure, c.Steps, c.ModelCalls, c.ToolCalls, c.Usage.InputTokens, c.Usage.OutputTokens)
		if c.Step {
			line += " step"
		}
		out = append(out, line)
	}
	return out
}

func store(t testing.TB, raw []byte) *otlp.Store {
	t.Helper()
	s, err := otlp.Read(bytes.NewReader(raw), otlp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

const wholeAgent = `sums/shop openai:gpt q="What is 6 × 7?" 0:{Content:I multiply. Kind: Tool:} 0:{Name:calc Input:[123 34 120 34 58 34 54 42 55 34 125] CallID:c1}` +
	` 0:{CallID:c1 Output:[52 50] Documents:[] Error:<nil> ErrorKind:<nil> DurationMS:500} m="Answer: 42" missing="" failure="" steps=2 calls=2/1 tokens=30+5`

// Each form of a file gives the same conversation: encodings, compressions, ids, orders, several files.
func TestForms(t *testing.T) {
	whole := requestOf(agentSpans()...)
	raw := marshal(t, whole)
	asJSON, err := otel.JSON(whole)
	if err != nil {
		t.Fatal(err)
	}
	withBase64, err := protojson.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	var lines, framed, reversed []byte
	all := agentSpans()
	for i := range all {
		one := requestOf(all[len(all)-1-i])
		line, err := otel.JSON(one)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(append(lines, line...), '\n')
		part := marshal(t, one)
		framed = append(binary.BigEndian.AppendUint32(framed, uint32(len(part))), part...)
		reversed = append(reversed, part...) // messages one after another are one message
	}
	squeezed := zstdOf(t, asJSON)
	for name, form := range map[string][]byte{
		"protobuf": raw, "JSON": asJSON, "JSON with base64": withBase64, "JSON lines": lines, "framed": framed, "one after another": reversed,
		"a list": []byte("[" + string(asJSON) + "]"), "after a line feed": []byte("\n " + string(asJSON)), "gzip": gzipOf(t, raw), "zstd": zstdOf(t, lines),
		"zstd in frames": append(binary.BigEndian.AppendUint32(nil, uint32(len(squeezed))), squeezed...), "a mark": append([]byte("\uFEFF"), asJSON...),
		"indented": []byte(protojson.Format(whole)), "twice": append(slices.Clone(lines), lines...),
		"other names": bytes.ReplaceAll(bytes.ReplaceAll(asJSON, []byte("resourceSpans"), []byte("batches")), []byte("scopeSpans"), []byte("instrumentationLibrarySpans")),
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff([]string{wholeAgent}, shown(t, store(t, form))); d != "" {
				t.Error(d)
			}
		})
	}
	dir := t.TempDir()
	for i, m := range agentSpans() {
		write(t, filepath.Join(dir, fmt.Sprint("sub", i%2), fmt.Sprintf("%d.pb.gz", 9-i)), gzipOf(t, marshal(t, requestOf(m))))
	}
	write(t, filepath.Join(dir, "README.md"), []byte("hello"))
	s, err := otlp.Open(dir, otlp.Options{Fields: map[string]string{"gold": "app.gold"}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if d := cmp.Diff([]string{wholeAgent}, shown(t, s)); d != "" {
		t.Error("a folder: ", d)
	}
	for ref := range s.Conversations() {
		if c, err := ref.Read(); err != nil || c.Gold != "42" || c.Session != "s1" || c.Seconds != 0.5 || c.SpanID != strings.Repeat("01", 8) {
			t.Errorf("%+v, %v", c, err)
		}
	}
	if notes := strings.Join(s.Notes(), "\n"); !strings.Contains(notes, "read 4 spans and 0 log records in 4 files") || !strings.Contains(notes, "1 other file of the folder is left out") {
		t.Error(notes)
	}
}

func write(t testing.TB, path string, raw []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

func gzipOf(t testing.TB, raw []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zstdOf(t testing.TB, raw []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(raw, nil)
}

// Log records and span events of older conventions have the messages.
func TestEvents(t *testing.T) {
	record := func(name, body string, at uint64) *logspb.LogRecord {
		var of commonpb.AnyValue
		if err := protojson.Unmarshal([]byte(body), &of); err != nil {
			t.Fatal(err)
		}
		return &logspb.LogRecord{TraceId: bytes.Repeat([]byte{1}, 16), SpanId: bytes.Repeat([]byte{1}, 8), TimeUnixNano: at, Body: &of, Attributes: texts("event.name", name)}
	}
	object := func(fields string) string { return `{"kvlistValue":{"values":[` + fields + `]}}` }
	logs := marshal(t, &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{ScopeLogs: []*logspb.ScopeLogs{{LogRecords: []*logspb.LogRecord{
		record("gen_ai.user.message", object(`{"key":"content","value":{"stringValue":"How far?"}}`), 1),
		record("gen_ai.choice", object(`{"key":"index","value":{"intValue":"0"}},{"key":"message","value":`+object(`{"key":"content","value":{"stringValue":"Answer: 5 km"}}`)+`}`), 2),
		record("something.else", `{"stringValue":"x"}`, 3),
	}}}}}})
	chat := made{id: 1, at: 1, attributes: []string{"gen_ai.operation.name", "chat", "gen_ai.system", "openai", "gen_ai.request.model", "m"}}
	plain := marshal(t, requestOf(chat))
	framed := func(parts ...[]byte) (out []byte) {
		for _, p := range parts {
			out = append(binary.BigEndian.AppendUint32(out, uint32(len(p))), p...)
		}
		return out
	}
	oldest := requestOf(chat)
	oldest.ResourceSpans[0].ScopeSpans[0].Spans[0].Events = []*tracepb.Span_Event{
		{Name: "gen_ai.content.prompt", Attributes: texts("gen_ai.prompt", `[{"role":"user","content":"How far?"}]`)},
		{Name: "gen_ai.content.completion", Attributes: texts("gen_ai.completion", `[{"role":"assistant","content":"Answer: 5 km"}]`)},
	}
	structured := requestOf(chat)
	list := `{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"role","value":{"stringValue":%q}},{"key":"parts","value":{"arrayValue":{"values":[` +
		`{"kvlistValue":{"values":[{"key":"type","value":{"stringValue":"text"}},{"key":"content","value":{"stringValue":%q}}]}}]}}}]}}]}}`
	for name, value := range map[string]string{"gen_ai.input.messages": fmt.Sprintf(list, "user", "How far?"), "gen_ai.output.messages": fmt.Sprintf(list, "assistant", "Answer: 5 km")} {
		var of commonpb.AnyValue
		if err := protojson.Unmarshal([]byte(value), &of); err != nil {
			t.Fatal(err)
		}
		of2 := &structured.ResourceSpans[0].ScopeSpans[0].Spans[0].Attributes
		*of2 = append(*of2, &commonpb.KeyValue{Key: name, Value: &of})
	}
	for name, raw := range map[string][]byte{"records after": framed(plain, logs), "records before": framed(logs, plain), "span events": marshal(t, oldest), "structured": marshal(t, structured)} {
		want := `/shop openai:m q="How far?" m="Answer: 5 km" missing="" failure="" steps=1 calls=1/0 tokens=0+0`
		if d := cmp.Diff([]string{want}, shown(t, store(t, raw))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Other conventions, and what is not a whole conversation.
func TestConversations(t *testing.T) {
	inference := func(prefix, role, content string) []string {
		return []string{prefix + ".message.role", role, prefix + ".message.content", content}
	}
	cat := func(parts ...[]string) []string { return slices.Concat(parts...) }
	for name, c := range map[string]struct {
		spans []made
		want  []string
	}{
		"OpenInference": {[]made{
			{id: 1, at: 1, attributes: []string{"openinference.span.kind", "AGENT", "agent.name", "reader", "input.value", "Who wrote it?", "output.value", "Answer: Austen"}},
			{id: 2, parent: 1, at: 2, attributes: []string{"openinference.span.kind", "RETRIEVER", "input.value", "it", "retrieval.documents.0.document.id", "d1", "retrieval.documents.0.document.content", "Austen wrote it."}},
			{id: 3, parent: 1, at: 3, attributes: cat([]string{"openinference.span.kind", "LLM", "llm.model_name", "m", "llm.token_count.prompt", "7"},
				inference("llm.input_messages.0", "system", "s"), inference("llm.input_messages.1", "user", "Rewritten: who wrote it?"), inference("llm.output_messages.0", "assistant", "Answer: Austen"))},
		}, []string{`reader/shop m q="Who wrote it?" 0:{Name:span 2 Input:[123 34 113 117 101 114 121 34 58 34 105 116 34 125] CallID:} 0:{CallID: Output:[110 117 108 108] Documents:[{ID:retrieval_1 Ref:d1 Title: Source:` +
			` Snippet:Austen wrote it. Score:1 Unscored:true BackendScore:<nil> BackendScoreShown:false Backend:retrieval Time:}] Error:<nil> ErrorKind:<nil> DurationMS:500} m="Answer: Austen" missing="" failure="" steps=1 calls=1/1 tokens=7+0`}},
		"Traceloop": {[]made{
			{id: 1, at: 1, attributes: []string{"traceloop.span.kind", "workflow", "traceloop.entity.name", "ask"}},
			{id: 2, parent: 1, at: 2, attributes: []string{"llm.request.type", "chat", "gen_ai.system", "OpenAI", "gen_ai.request.model", "m", "gen_ai.prompt.0.role", "user", "gen_ai.prompt.0.content", "First?",
				"gen_ai.prompt.1.role", "assistant", "gen_ai.prompt.1.content", "Answer: 1", "gen_ai.prompt.2.role", "user", "gen_ai.prompt.2.content", "Second?",
				"gen_ai.completion.0.role", "assistant", "gen_ai.completion.0.tool_calls.0.id", "c", "gen_ai.completion.0.tool_calls.0.name", "look", "gen_ai.completion.0.tool_calls.0.arguments", "{}", "gen_ai.usage.prompt_tokens", "5"}},
		}, []string{`ask/shop OpenAI:m q="Second?" before=user:"First?" before=assistant:"Answer: 1" 0:{Name:look Input:[123 125] CallID:c} m="" missing="the last recorded reply calls tools, and no final message follows" failure="" steps=1 calls=1/0 tokens=5+0`}},
		"an agent that failed": {[]made{{id: 1, failed: "out of memory", attributes: []string{"gen_ai.operation.name", "invoke_agent", "gen_ai.input.messages", `[{"role":"user","content":"Why?"}]`}}},
			[]string{`span 1/shop  q="Why?" m="" missing="" failure="out of memory" steps=0 calls=0/0 tokens=0+0`}},
		"an agent without content": {[]made{{id: 1, attributes: []string{"gen_ai.operation.name", "invoke_agent"}}},
			[]string{`span 1/shop  q="" m="" missing="the spans have no final message: let the program record the content of messages" failure="" steps=0 calls=0/0 tokens=0+0`}},
		"two agents in one trace": {[]made{
			{id: 9, at: 1, server: true},
			{id: 1, parent: 9, at: 1, attributes: []string{"gen_ai.operation.name", "invoke_agent", "gen_ai.agent.name", "a", "gen_ai.input.messages", "One?", "gen_ai.output.messages", "1"}},
			{id: 2, parent: 9, at: 2, attributes: []string{"gen_ai.operation.name", "invoke_agent", "gen_ai.agent.name", "b", "gen_ai.input.messages", "Two?", "gen_ai.output.messages", "2"}},
			{id: 3, parent: 2, at: 3, attributes: []string{"gen_ai.operation.name", "invoke_agent", "gen_ai.agent.name", "c", "gen_ai.input.messages", "Inner?", "gen_ai.output.messages", "3"}},
		}, []string{`a/shop  q="One?" m="1" missing="" failure="" steps=0 calls=0/0 tokens=0+0`,
			`b/shop  q="Two?" 0:{Name:c Input:[123 125] CallID:} 0:{CallID: Output:[51] Documents:[] Error:<nil> ErrorKind:<nil> DurationMS:500} m="2" missing="" failure="" steps=0 calls=0/1 tokens=0+0`}},
		"a cycle": {[]made{
			{id: 1, parent: 2, at: 1, attributes: []string{"gen_ai.operation.name", "invoke_agent", "gen_ai.input.messages", "One?", "gen_ai.output.messages", "1"}},
			{id: 2, parent: 1, at: 2},
		}, []string{`span 1/shop  q="One?" m="1" missing="" failure="" steps=0 calls=0/0 tokens=0+0`}},
		"a parent that is lost": {[]made{
			{id: 1, parent: 8, at: 1, attributes: []string{"gen_ai.operation.name", "chat", "gen_ai.input.messages", "One?", "gen_ai.output.messages", `[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}]`}},
			{id: 2, parent: 8, at: 2, attributes: []string{"gen_ai.operation.name", "chat", "gen_ai.input.messages", "One?", "gen_ai.output.messages", "1"}},
		}, []string{`/shop  q="One?" 0:{Name:f Input:[123 125] CallID:c} m="1" missing="" failure="" steps=2 calls=2/0 tokens=0+0`}},
		"a step": {[]made{{id: 1, attributes: []string{"gen_ai.operation.name", "chat", "gen_ai.input.messages", "One?", "gen_ai.output.messages",
			`[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}]`}}},
			[]string{`/shop  q="One?" 0:{Name:f Input:[123 125] CallID:c} m="" missing="the last recorded reply calls tools, and no final message follows" failure="" steps=1 calls=1/0 tokens=0+0 step`}},
		"other services": {[]made{{id: 1, server: true}, {id: 2, parent: 1, attributes: []string{"db.system", "postgresql"}}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, shown(t, store(t, marshal(t, requestOf(c.spans...))))); d != "" {
				t.Error(d)
			}
		})
	}
}

// The K agents below a workflow with an index each are conversations, and the workflow is none.
func TestIndexedAgents(t *testing.T) {
	spans := []made{{id: 1, attributes: []string{"gen_ai.operation.name", "invoke_workflow"}}}
	for i := range byte(3) {
		spans = append(spans, made{id: 2 + i, parent: 1, at: 9 - uint64(i), attributes: []string{"gen_ai.operation.name", "invoke_agent", "concur.trace.index", fmt.Sprint(i),
			"concur.query", "q1", "gen_ai.input.messages", "One?", "gen_ai.output.messages", fmt.Sprint(i)}})
	}
	spans = append(spans, made{id: 7, parent: 1, attributes: []string{"gen_ai.operation.name", "chat", "concur.purpose", "judge", "gen_ai.input.messages", "Right?", "gen_ai.output.messages", "yes"}})
	s := store(t, marshal(t, requestOf(spans...)))
	var got []string
	for ref := range s.Conversations() {
		c, err := ref.Read()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %d %s", c.ID, c.Index, c.Message))
	}
	if d := cmp.Diff([]string{"q1 2 2", "q1 1 1", "q1 0 0"}, got); d != "" {
		t.Error(d)
	}
}

// Files that are broken, hostile or of another form are refused or counted.
func TestBadInput(t *testing.T) {
	agent := marshal(t, requestOf(agentSpans()...))
	asJSON, err := otel.JSON(requestOf(agentSpans()...))
	if err != nil {
		t.Fatal(err)
	}
	invalid := requestOf(agentSpans()...)
	raw := bytes.ReplaceAll(marshal(t, invalid), []byte("sums"), []byte("su\xff\xfe"))
	skewed := requestOf(agentSpans()[0])
	skewed.ResourceSpans[0].ScopeSpans[0].Spans[0].EndTimeUnixNano = 1
	for name, c := range map[string]struct {
		raw        []byte
		note, fail string
	}{
		"cut protobuf":           {append(slices.Clone(agent), agent[:len(agent)/2]...), "1 file ends within a message", ""},
		"cut JSON":               {append(slices.Clone(asJSON), asJSON[:len(asJSON)/2]...), "1 file ends within a message", ""},
		"cut from the beginning": {agent[:12], "", "ends within a message"},
		"invalid UTF-8":          {raw, "1 record could not be read", ""},
		"duplicates":             {append(slices.Clone(agent), agent...), "4 spans were there twice", ""},
		"clock skew":             {marshal(t, skewed), "1 span ends before it begins", ""},
		"another program's JSON": {[]byte(`{"messages": []}`), "", "request 1 has no resourceSpans and no resourceLogs"},
		"a number":               {[]byte(`[1]`), "", "request 1 is not an object"},
		"broken JSON":            {[]byte(`{"resourceSpans": [}`), "", "request 1, byte 19"},
		"a picture":              {[]byte("\x89PNG\r\n\x1a\n"), "", "neither JSON nor protobuf"},
		"a lying length":         {[]byte{0, 0, 9, 9, 10, 1}, "", "ends within a message"},
		"a long value":           {append([]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"`), bytes.Repeat([]byte("x"), 65<<20)...), "", "more than 64 MiB"},
		"a gzip bomb":            {gzipOf(t, bytes.Repeat([]byte(" "), 70<<20)), "", "neither JSON nor protobuf"},
		"an id of 4 bytes":       {[]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"01020304"}]}]}]}`), `the id "01020304" has not 16 bytes`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := otlp.Read(bytes.NewReader(c.raw), otlp.Options{})
			if c.fail != "" {
				if err == nil || !strings.Contains(err.Error(), c.fail) {
					t.Errorf("the error is %v, not %q", err, c.fail)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			shown(t, s)
			if notes := strings.Join(s.Notes(), "\n"); !strings.Contains(notes, c.note) {
				t.Errorf("%q is not in the notes:\n%s", c.note, notes)
			}
		})
	}
	if _, err := otlp.Open(t.TempDir(), otlp.Options{}); err == nil || !strings.Contains(err.Error(), "has no file that ends with") {
		t.Error(err)
	}
	if _, err := otlp.Read(strings.NewReader(""), otlp.Options{Fields: map[string]string{"glod": "x"}}); err == nil || !strings.Contains(err.Error(), "gold") {
		t.Error(err)
	}
}

// A trace may have 100,000 spans, and a chain of them is as deep.
func TestManySpans(t *testing.T) {
	const many = 100_000
	spans := make([]*tracepb.Span, many)
	for i := range spans {
		id := func(n int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n+1)) }
		spans[i] = &tracepb.Span{TraceId: bytes.Repeat([]byte{1}, 16), SpanId: id(i), StartTimeUnixNano: uint64(i + 1), EndTimeUnixNano: many + 1}
		if i > 0 {
			spans[i].ParentSpanId = id(i - 1)
		}
	}
	spans[0].Attributes = texts("gen_ai.operation.name", "invoke_agent", "gen_ai.agent.name", "deep", "gen_ai.input.messages", "One?")
	spans[many-1].Attributes = texts("gen_ai.operation.name", "chat", "gen_ai.output.messages", "1")
	slices.Reverse(spans)
	want := `deep/shop  q="One?" m="1" missing="" failure="" steps=1 calls=1/0 tokens=0+0`
	if d := cmp.Diff([]string{want}, shown(t, store(t, marshal(t, request(spans...))))); d != "" {
		t.Error(d)
	}
}

func FuzzRead(f *testing.F) {
	whole := requestOf(agentSpans()...)
	raw := marshal(f, whole)
	asJSON, err := otel.JSON(whole)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add(asJSON)
	f.Add(append(binary.BigEndian.AppendUint32(nil, uint32(len(raw))), raw...))
	f.Add(gzipOf(f, asJSON))
	f.Add([]byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"traceId":"` + hex.EncodeToString(make([]byte, 16)) + `","spanId":"` + base64.StdEncoding.EncodeToString(make([]byte, 8)) + `","eventName":"gen_ai.choice","body":{"stringValue":"x"}}]}]}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := otlp.Read(bytes.NewReader(raw), otlp.Options{})
		if err != nil {
			return
		}
		defer s.Close()
		for ref := range s.Conversations() {
			if _, err := ref.Read(); err != nil {
				t.Error(err)
			}
		}
		s.Notes()
	})
}

func Example() {
	const spans = `{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331",
		"name": "invoke_agent", "attributes": [{"key": "gen_ai.operation.name", "value": {"stringValue": "invoke_agent"}},
		{"key": "gen_ai.input.messages", "value": {"stringValue": "[{\"role\": \"user\", \"parts\": [{\"type\": \"text\", \"content\": \"How far?\"}]}]"}},
		{"key": "gen_ai.output.messages", "value": {"stringValue": "[{\"role\": \"assistant\", \"parts\": [{\"type\": \"text\", \"content\": \"Answer: 5 km\"}]}]"}}]}]}]}]}`
	s, err := otlp.Read(strings.NewReader(spans), otlp.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	for ref := range s.Conversations() {
		c, err := ref.Read()
		fmt.Printf("%s %s: %q %q %v\n", c.TraceID, c.SpanID, c.Question, c.Message, err)
	}
	// Output:
	// 0af7651916cd43dd8448eb211c80319c b7ad6b7169203331: "How far?" "Answer: 5 km" <nil>
}
