package responses_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
)

// calls are calls of calc and lookup.
var calls = []model.ToolCall{{ID: "call_1", Name: "calc", Arguments: `{"e": 1.50}`}, {ID: "call_2", Name: "now", Arguments: `{}`}}

// replies are responses and their meaning, as one piece and as a stream.
var replies = []struct {
	name, body       string
	content, thought string
	calls            []model.ToolCall
	finish           model.FinishReason
}{
	{"a text", replyOf(text("", "Answer: 5")), "Answer: 5", "", nil, model.FinishStop},
	{"two messages without a phase", replyOf(text("", "a"), text("", "b")), "ab", "", nil, model.FinishStop},
	{"a final answer", replyOf(text("final_answer", "Answer: 5")), "Answer: 5", "", nil, model.FinishStop},
	{"commentary before the answer", replyOf(text("commentary", "Answer: 4 perhaps"), text("final_answer", "Answer: 5")), "Answer: 5", "Answer: 4 perhaps", nil, model.FinishStop},
	{"commentary after the answer", replyOf(text("final_answer", "Answer: 5"), text("commentary", "Answer: 4")), "Answer: 5", "Answer: 4", nil, model.FinishStop},
	{"a message without a phase beside the answer", replyOf(text("", "Answer: 4"), text("final_answer", "Answer: 5")), "Answer: 5", "Answer: 4", nil, model.FinishStop},
	{"commentary alone", replyOf(text("commentary", "Answer: 4")), "", "Answer: 4", nil, model.FinishStop},
	{"commentary and calls", replyOf(text("commentary", "I look."), calc, lookup), "", "I look.", calls, model.FinishToolCalls},
	{"two items of reasoning", replyOf(thought, calc, again, lookup), "", "First I look.", calls, model.FinishToolCalls},
	{"open reasoning", replyOf(open, text("", "Answer: 5")), "Answer: 5", "Is it 4?", nil, model.FinishStop},
	{"unknown items", replyOf(searched, unheardOf, text("", "Answer: 5")), "Answer: 5", "", nil, model.FinishStop},
	{"a refusal", replyOf(refusal), "I cannot help with that.", "", nil, model.FinishContentFilter},
	{"filtered", ended("incomplete", `"incomplete_details": {"reason": "content_filter"}`, text("", "Answer: 5")), "Answer: 5", "", nil, model.FinishContentFilter},
	{"too long", ended("incomplete", `"incomplete_details": {"reason": "max_output_tokens"}`, text("", "Ans")), "Ans", "", nil, model.FinishLength},
	{"nothing but reasoning before the limit", ended("incomplete", `"incomplete_details": {"reason": "max_output_tokens"}`, again), "", "", nil, model.FinishLength},
	{"too many messages", ended("incomplete", `"incomplete_details": {"reason": "max_messages"}`, text("", "a")), "a", "", nil, model.FinishLength},
	{"incomplete without a reason", ended("incomplete", `"incomplete_details": null`, text("", "a")), "a", "", nil, model.FinishLength},
	{"nothing", replyOf(), "", "", nil, model.FinishStop},
	{"a content that is a text", replyOf(`{"type": "message", "role": "assistant", "content": "Answer: 5"}`), "Answer: 5", "", nil, model.FinishStop},
	{"arguments that are an object", replyOf(`{"type": "function_call", "id": "f", "name": "calc", "arguments": {"e": 1}}`), "", "",
		[]model.ToolCall{{ID: "f", Name: "calc", Arguments: `{"e": 1}`}}, model.FinishToolCalls},
}

func TestReplies(t *testing.T) {
	for _, c := range replies {
		got, err := saying(t, 200, c.body).Complete(t.Context(), question)
		checkReply(t, c.name, got, err, c.content, c.thought, c.calls, c.finish)
	}
}

func checkReply(t *testing.T, name string, got model.Response, err error, content, thought string, calls []model.ToolCall, finish model.FinishReason) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	got.Message.Opaque = nil // see TestItemsAreGivenBack
	want := model.Response{
		Message: model.Message{Role: model.Assistant, Content: content, Thought: thought, ToolCalls: calls}, Finish: finish, Model: "m-1",
		Usage: model.Usage{InputTokens: 75, OutputTokens: 12, CachedTokens: 32, CacheWriteTokens: 40, ReasoningTokens: 7},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestUsageOfAnyForm(t *testing.T) {
	for usage, want := range map[string]model.Usage{
		`null`:      {},
		`"unknown"`: {},
		`{"input_tokens": 5.0, "output_tokens": "3", "input_tokens_details": [], "output_tokens_details": null}`:                              {InputTokens: 5, OutputTokens: 3},
		`{"input_tokens": 5, "output_tokens": 3, "input_tokens_details": {"cached_tokens": 9, "cache_write_tokens": 9}}`:                      {InputTokens: 5, OutputTokens: 3, CachedTokens: 5},
		`{"input_tokens": 5, "output_tokens": 3, "output_tokens_details": {"reasoning_tokens": 9}}`:                                           {InputTokens: 5, OutputTokens: 3, ReasoningTokens: 3},
		`{"input_tokens": 5, "output_tokens": -3, "input_tokens_details": {"cache_write_tokens_details": {"ttl_30m_tokens": 2}}, "more": {}}`: {InputTokens: 5},
	} {
		got, err := saying(t, 200, `{"status": "completed", "output": [`+text("", "a")+`], "usage": `+usage+`}`).Complete(t.Context(), question)
		if err != nil || got.Usage != want || got.Model != "m" {
			t.Errorf("%s: %+v of %q, %v", usage, got.Usage, got.Model, err)
		}
	}
}

func TestStopSequencesCut(t *testing.T) {
	req := question
	req.Stop = []string{"\nObservation:", "never", ""}
	const words = "Action: calc\nObservation: 5\nFinal: 5"
	m := saying(t, 200, replyOf(text("", words)))
	got, err := m.Complete(t.Context(), req)
	if err != nil || got.Message.Content != "Action: calc" {
		t.Errorf("%q, %v", got.Message.Content, err)
	}
	var told strings.Builder
	m = streaming(t, `{"type": "response.output_text.delta", "output_index": 0, "delta": "Action: calc\nObser"}`,
		`{"type": "response.completed", "response": `+replyOf(text("", words))+`}`)
	got, err = m.Stream(t.Context(), req, func(piece string) { told.WriteString(piece) })
	if err != nil || got.Message.Content != "Action: calc" || told.String() != "Action: calc" {
		t.Errorf("streamed %q, told %q, %v", got.Message.Content, told.String(), err)
	}
}

func TestRejections(t *testing.T) {
	api := func(kind, code, message string) string {
		return `{"error": {"message": "` + message + `", "type": "` + kind + `", "param": null, "code": ` + code + `}}`
	}
	failed := func(code, message string) string {
		return ended("failed", `"error": {"code": "`+code+`", "message": "`+message+`"}`)
	}
	for _, c := range []struct {
		name   string
		status int
		body   string
		kind   model.ErrorKind
		says   string
	}{
		{"a field", 400, api("invalid_request_error", `"unsupported_parameter"`, "Unsupported parameter: 'temperature' is not supported with this model."), model.ErrBadRequest, "omit: [temperature]"},
		{"too long", 400, api("invalid_request_error", `"context_length_exceeded"`, "Your input exceeds the context window of this model."), model.ErrContextOverflow, "shorten"},
		{"too long, of a compatible server", 400, api("BadRequestError", "400", "This model's maximum context length is 4096 tokens."), model.ErrContextOverflow, "shorten"},
		{"the key", 401, api("invalid_request_error", `"invalid_api_key"`, "Incorrect API key: "+testKey), model.ErrAuth, "set OPENAI_API_KEY"},
		{"too fast", 429, api("tokens", `"rate_limit_exceeded"`, "Rate limit reached: too many tokens per minute"), model.ErrRateLimited, "lower --concurrency"},
		{"no money", 429, api("insufficient_quota", `"insufficient_quota"`, "You exceeded your current quota"), model.ErrQuota, "top up"},
		{"down", 503, "<html>", model.ErrUnavailable, "try again"},
		{"no such model", 404, api("invalid_request_error", `"model_not_found"`, "The model does not exist"), model.ErrBadRequest, ""},
		{"policy", 400, api("invalid_request_error", `"invalid_prompt"`, "Your prompt was flagged as potentially violating our usage policy."), model.ErrContentFilter, ""},
		{"failed", 200, failed("server_error", "The model failed"), model.ErrUnavailable, "try again"},
		{"failed by the rate", 200, failed("rate_limit_exceeded", "Slow down"), model.ErrRateLimited, ""},
		{"failed by the length", 200, failed("context_length_exceeded", "x"), model.ErrContextOverflow, ""},
		{"failed by the length in words", 200, failed("bad", "Your input exceeds the context window of this model."), model.ErrContextOverflow, ""},
		{"biology", 200, failed("bio_policy", "x"), model.ErrContentFilter, ""},
		{"misalignment", 200, failed("misalignment_policy_violation", "x"), model.ErrContentFilter, ""},
		{"residency", 200, failed("data_residency_mismatch", "x"), model.ErrBadRequest, ""},
		{"failed without a cause", 200, ended("failed", `"x": 1`), model.ErrUnavailable, `"failed"`},
		{"cancelled", 200, ended("cancelled", `"x": 1`, text("", "Answer: 5")), model.ErrUnavailable, `"cancelled"`},
		{"steered", 200, ended("incomplete", `"incomplete_details": {"reason": "steered"}`, text("", "Answer: 5")), model.ErrUnavailable, `"steered"`},
		{"in the background", 200, ended("queued", `"x": 1`), model.ErrUnavailable, `"queued"`},
	} {
		_, err := saying(t, c.status, c.body).Complete(t.Context(), question)
		if text := fails(t, err, c.kind); !strings.Contains(text, c.says) {
			t.Errorf("%s: %s\nlacks %q", c.name, text, c.says)
		}
	}
}

func TestMalformedReplies(t *testing.T) {
	for name, body := range map[string]string{
		"page": "<html>hello", "nothing": "", "null": "null", "text": `"hello"`, "another wire": `{"choices": []}`, "null output": `{"output": null}`,
		"an output that is a text": `{"output": "a"}`, "an item that is a text": `{"output": ["a"]}`, "a null item": `{"output": [null]}`,
		"a content that is a number": `{"output": [{"type": "message", "content": 3}]}`, "cut": `{"output": [{"type": "mess`,
		"many items": `{"output": [` + strings.Repeat("{},", 10_000) + `{}]}`, "deep": strings.Repeat("[", 1<<20),
	} {
		_, err := saying(t, 200, body).Complete(t.Context(), question)
		if text := fails(t, err, model.ErrMalformed); !strings.Contains(text, "OPENAI_BASE_URL") {
			t.Errorf("%s: %s", name, text)
		}
	}
}
