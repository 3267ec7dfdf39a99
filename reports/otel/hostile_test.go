package otel_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/reports/otel/oteltest"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// wild describes a trace whose texts are all s: of the model, of a tool that the model invented, of its result and of
// the judge.
func wild(s string, hide func(string) string) otel.Spans {
	d := otel.New(manifest(), otel.Options{Content: true, Hide: hide})
	id := trace.ID{Agent: agent, Query: query}
	message := &model.Message{Role: model.Assistant, Content: s, ToolCalls: []model.ToolCall{{ID: s, Name: s, Arguments: s}}}
	kind := model.ErrorKind(s)
	out := d.Exchange(store.Exchange{Identity: model.Identity{Agent: agent, Query: query, Purpose: model.Agent}, Time: at(1),
		Messages: []model.Message{{Role: model.User, Content: s}}, Response: message, Finish: &s, Model: &s, Error: &s, ErrorKind: &kind})
	d.Event(trace.Event{ID: id, Time: at(1), Body: trace.Action{Name: s, CallID: s, Input: json.RawMessage(`{"a":1}`)}})
	out.Join(d.Event(trace.Event{ID: id, Time: at(2), Body: trace.Observation{CallID: s, Error: &s, ErrorKind: &s,
		Output: json.RawMessage(`"` + s + `"`), Documents: []trace.Document{{ID: s, Ref: s, Snippet: s, Backend: s}}}}))
	out.Join(d.Event(trace.Event{ID: id, Time: at(3), Body: trace.Conclusion{Message: s, Outcome: trace.Infra, StopReason: trace.AgentError, Cause: &s}}))
	out.Join(d.Record(store.Record{Configuration: "three", Query: query, Category: "c", Question: s, Expected: s, Agent: agent,
		Verdict: judge.Verdict{Verdict: judge.Incorrect, By: "gold", Reason: s}, Answers: []store.Answer{{}}}))
	return out
}

// Bytes that are not UTF-8, and texts without end, become spans that can be encoded, with texts of at most 8,192
// characters.
func TestHostileTexts(t *testing.T) {
	for name, s := range map[string]string{
		"not UTF-8": "a\xff\xfeb\xc3", "zero": "a\x00b", "ten megabytes": strings.Repeat("é", 5<<20), "surrogates": "\xed\xa0\x80",
	} {
		got := wild(s, nil)
		for _, m := range []otel.Message{otel.Source{More: []string{s, s}}.Traces(got.Spans), otel.Source{}.Logs(got.Logs)} {
			if _, err := oteltest.Request(m.Body, m.Logs); err != nil || len(m.Body) > 1<<20 {
				t.Errorf("%s: %d bytes, %v", name, len(m.Body), err)
			}
			if _, err := m.JSON(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, span := range oteltest.Decode(t, got).Spans {
			if !utf8.ValidString(span.Name) || utf8.RuneCountInString(span.Name) > 256 {
				t.Errorf("%s: a name of %d bytes", name, len(span.Name))
			}
			for _, a := range span.Attributes {
				if n := utf8.RuneCountInString(a.Value.GetStringValue()); n > 8192 {
					t.Errorf("%s: %s has %d characters", name, a.Key, n)
				}
			}
		}
	}
}

// Values at the ends of their ranges are written as the official messages write them.
func TestExtremeValues(t *testing.T) {
	settings := &store.RequestSettings{Temperature: math.Inf(-1), Stop: []string{"", strings.Repeat("é", 200)}, MaxTokens: math.MaxInt}
	x := store.Exchange{Identity: model.Identity{Agent: agent, Query: query, Purpose: model.Agent}, Seed: math.MinInt64,
		RequestSettings: settings, Attempts: -1, Usage: &model.Usage{InputTokens: 127, OutputTokens: 128, CachedTokens: 1 << 40}}
	got := words(oteltest.Decode(t, otel.New(manifest(), otel.Options{}).Exchange(x)).Spans[0])
	for _, want := range []string{
		"gen_ai.request.seed=int_value:-9223372036854775808", "gen_ai.request.max_tokens=int_value:9223372036854775807",
		"gen_ai.request.temperature=double_value:-inf", "concur.attempts=int_value:-1", "gen_ai.usage.input_tokens=int_value:127",
		"gen_ai.usage.output_tokens=int_value:128", "gen_ai.usage.cache_read.input_tokens=int_value:1099511627776",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s in %q", want, got)
		}
	}
	if list := strings.Join(got, " "); !strings.Contains(list, `string_value:""`) || !strings.Contains(list, strings.Repeat("é", 200)) {
		t.Errorf("the list of texts is not whole: %q", got)
	}
	m := otel.Source{More: []string{"", "", "", "x"}}.Traces([]otel.Span{{}, nil})
	if read, err := oteltest.Request(m.Body, false); err != nil || len(read.Spans) != 2 {
		t.Errorf("%d empty spans, %v", len(read.Spans), err)
	}
}

// Each conversation is sent with its own system message, without keys, also if there are more than a Describer keeps.
func TestPrompts(t *testing.T) {
	d := otel.New(manifest(), otel.Options{Content: true, Hide: func(s string) string { return strings.ReplaceAll(s, "sk-secret", "[API key]") }})
	for i := range 200 {
		n := i % 70
		x := store.Exchange{Identity: model.Identity{Agent: agent, Query: query, Purpose: model.Agent}, Messages: []model.Message{
			{Role: model.System, Content: fmt.Sprintf("Rule %d. Never show sk-secret.", n)},
			{Role: model.User, Content: "Why?"},
			{Role: model.System, Content: fmt.Sprintf("Rule %d.", n+100)},
		}}
		want := fmt.Sprintf(`[{"role":"system","parts":[{"type":"text","content":"Rule %d. Never show [API key]."}]},`+
			`{"role":"user","parts":[{"type":"text","content":"Why?"}]},{"role":"system","parts":[{"type":"text","content":"Rule %d."}]}]`, n, n+100)
		if got := words(oteltest.Decode(t, d.Exchange(x)).Spans[0]); !slices.Contains(got, fmt.Sprintf("gen_ai.input.messages=string_value:%q", want)) {
			t.Fatalf("exchange %d: %q, want %q", i, got, want)
		}
	}
}

// A key is not sent, wherever the text is cut: keys are hidden first.
func TestKeysAtTheCut(t *testing.T) {
	const key = "sk-0123456789abcdef0123456789abcdef"
	hide := func(s string) string { return strings.ReplaceAll(s, key, "[API key]") }
	for _, place := range []int{8192, 4096, 64 << 10, 32 << 10} {
		for _, before := range []int{place - len(key), place - len(key)/2, place - 1, place} {
			got := spanText(t, wild(strings.Repeat("x", before)+key+strings.Repeat("y", 10), hide))
			if at := strings.Index(got, key[:10]); at >= 0 {
				t.Errorf("after %d characters, a part of the key is sent: %.60s", before, got[at:])
			}
		}
	}
	// Many keys make the text shorter than what was searched, so that its end is sent.
	if got := spanText(t, wild(strings.Repeat(key, 64<<10/len(key)+9), hide)); strings.Contains(got, key[:10]) {
		t.Error("a part of a key at the end of the searched text is sent")
	}
}
