package anthropic_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/anthropic"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

// sse writes events as the API does, with their types as names.
func sse(data ...string) string {
	var out strings.Builder
	for _, d := range data {
		var e struct{ Type string }
		_ = json.Unmarshal([]byte(d), &e) // some events are not JSON
		fmt.Fprintf(&out, "event: %s\ndata: %s\n\n", e.Type, d)
	}
	return out.String()
}

func quoted(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func starts(index int, block string) string {
	return fmt.Sprintf(`{"type": "content_block_start", "index": %d, "content_block": %s}`, index, block)
}

func grows(index int, delta string) string {
	return fmt.Sprintf(`{"type": "content_block_delta", "index": %d, "delta": %s}`, index, delta)
}

func stops(index int) string {
	return fmt.Sprintf(`{"type": "content_block_stop", "index": %d}`, index)
}

func writes(index int, piece string) string {
	return grows(index, `{"type": "text_delta", "text": `+quoted(piece)+`}`)
}

func input(index int, piece string) string {
	return grows(index, `{"type": "input_json_delta", "partial_json": `+quoted(piece)+`}`)
}

func ends(reason string) string {
	return `{"type": "message_delta", "delta": {"stop_reason": "` + reason + `", "stop_sequence": null}, "usage": {"output_tokens": 9}}`
}

const (
	begins = `{"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": "m-1", "stop_reason": null, "usage": {"input_tokens": 10, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 1000, "output_tokens": 1}}}`
	noText = `{"type": "text", "text": ""}`
	noCall = `{"type": "tool_use", "id": "c1", "name": "calc", "input": {}}`
	ping   = `{"type": "ping"}`
	over   = `{"type": "message_stop"}`
)

// counted is a reply with the usage in the events above.
func counted(content string, finish model.FinishReason, calls ...model.ToolCall) model.Response {
	r := reply(content, finish, calls...)
	r.Usage = model.Usage{InputTokens: 1110, OutputTokens: 9, CachedTokens: 100, CacheWriteTokens: 1000}
	return r
}

// streamed asks a model, and also returns the streamed text.
func streamed(t testing.TB, m *anthropic.Model, req model.Request) (string, model.Response, error) {
	t.Helper()
	var text strings.Builder
	r, err := m.Stream(t.Context(), req, func(piece string) { text.WriteString(piece) })
	if err == nil && text.String() != r.Message.Content {
		t.Errorf("told %q of %q", text.String(), r.Message.Content)
	}
	return text.String(), r, err
}

// replay returns a model whose endpoint answers every request with this stream, read through a reader.
func replay(t *testing.T, through func(io.Reader) io.Reader, body string) *anthropic.Model {
	t.Helper()
	return newModel(t, anthropic.Options{Transport: wiretest.Transport(func(r *http.Request) (*http.Response, error) {
		raw, err := io.ReadAll(r.Body)
		if err != nil || !strings.Contains(string(raw), `"stream":true`) || r.Header.Get("Accept") != "text/event-stream" {
			t.Errorf("%s does not ask for a stream: %v", raw, err)
		}
		return &http.Response{
			StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream; charset=utf-8"}},
			Body: io.NopCloser(through(strings.NewReader(body))),
		}, nil
	})})
}

func asIs(r io.Reader) io.Reader { return r }

func TestStreams(t *testing.T) {
	a := []string{begins, starts(0, noText), ping, writes(0, "a"), writes(0, "b"), stops(0), ends("end_turn"), over}
	ab := counted("ab", model.FinishStop)
	calling := func(pieces ...string) []string {
		out := []string{begins, starts(0, noCall)}
		for _, p := range pieces {
			out = append(out, input(0, p))
		}
		return append(out, stops(0), ends("tool_use"), over)
	}
	two := counted("I look.", model.FinishToolCalls, calc(`{"e": 1.50}`), model.ToolCall{ID: "c2", Name: "now", Arguments: `{}`})
	late := reply("a", model.FinishStop)
	late.Usage = model.Usage{InputTokens: 7, OutputTokens: 3}
	for _, c := range []struct {
		name, body string
		want       model.Response
	}{
		{"text", sse(a...), ab},
		{"no empty line at the end", strings.TrimRight(sse(a...), "\n"), ab},
		{"no empty lines at all", strings.ReplaceAll(sse(a...), "\n\n", "\n"), ab},
		{"data alone", strings.ReplaceAll(sse(a...), "event: ", ": "), ab},
		{"what follows the end", sse(a...) + "junk", ab},
		{"events of other kinds", sse(`{}`, begins, `{"type": "new_thing", "delta": 3, "index": "x"}`, `{"type": 4}`) + sse(a[1:]...), ab},
		{"a mark of another wire", strings.Replace(sse(a...), sse(over), "data: [DONE]\n\n"+sse(over), 1), ab},
		{"texts", sse(begins, starts(0, noText), writes(0, "a"), stops(0), starts(1, `{"type": "text", "text": "b"}`), writes(1, "c"), stops(1), ends("end_turn"), over), counted("abc", model.FinishStop)},
		{"citations", sse(begins, starts(0, noText), writes(0, "a"), grows(0, `{"type": "citations_delta", "citation": {}}`), stops(0), ends("end_turn"), over), counted("a", model.FinishStop)},
		{"nothing", sse(begins, ends("end_turn"), over), counted("", model.FinishStop)},
		{"a refusal", sse(begins, ends("refusal"), over), counted("", model.FinishContentFilter)},
		{"text and calls", sse(begins, starts(0, noText), writes(0, "I look."), stops(0), starts(1, noCall), input(1, ""), input(1, `{"e": `), input(1, `1.50}`), stops(1),
			starts(2, `{"type": "tool_use", "id": "c2", "name": "now", "input": {}}`), stops(2), ends("tool_use"), over), two},
		{"calls by turns", sse(begins, starts(0, noText), writes(0, "I look."), starts(1, noCall), starts(2, `{"type": "tool_use", "id": "c2", "name": "now", "input": {}}`),
			input(2, "{"), input(1, `{"e": `), input(2, "}"), input(1, `1.50}`), ends("tool_use"), over), two},
		{"the index 0 for all", sse(begins, starts(0, noText), writes(0, "I look."), stops(0), starts(0, noCall), input(0, `{"e": 1.50}`), stops(0),
			starts(0, `{"type": "tool_use", "id": "c2", "name": "now", "input": {}}`), stops(0), ends("tool_use"), over), two},
		{"an input at the start", sse(begins, starts(0, strings.Replace(noCall, "{}", `{"e":2}`, 1)), stops(0), ends("tool_use"), over), counted("", model.FinishToolCalls, calc(`{"e":2}`))},
		{"an input that is not JSON", sse(calling(`{"e": `)...), counted("", model.FinishToolCalls, calc(`{"e": `))},
		{"an input of a text", sse(calling(`"{\"e\"`, `: "`)...), counted("", model.FinishToolCalls, calc(`{"e": `))},
		{"a null input", sse(calling(`null`)...), counted("", model.FinishToolCalls, calc(``))},
		{"a deep input", sse(calling(strings.Repeat("[", 20_000))...), counted("", model.FinishToolCalls, calc(strings.Repeat("[", 20_000)))},
		{"usage at the end", sse(`{"type": "message_start", "message": {"model": "m-1", "usage": {"input_tokens": 0, "output_tokens": 0}}}`, starts(0, noText), writes(0, "a"),
			`{"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"input_tokens": 7, "output_tokens": 3, "cache_read_input_tokens": null}}`, over), late},
		{"no usage, and no reason", sse(`{"type": "message_start", "message": {"model": "m-1"}}`, starts(0, noText), writes(0, "a"), over), reply("a", "")},
		{"no UTF-8", strings.Replace(sse(a...), `"b"`, "\"\xff\"", 1), counted("a\uFFFD", model.FinishStop)},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, through := range []func(io.Reader) io.Reader{asIs, iotest.OneByteReader, iotest.DataErrReader} {
				_, got, err := streamed(t, replay(t, through, c.body), question)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestBrokenStreams(t *testing.T) {
	start := []string{begins, starts(0, noText), writes(0, "a")}
	with := func(more ...string) string {
		return sse(append(start[:len(start):len(start)], append(more, ends("end_turn"), over)...)...)
	}
	failed := func(kind, message string) string {
		return with(`{"type": "error", "error": {"type": "` + kind + `", "message": "` + message + `"}}`)
	}
	for _, c := range []struct {
		name, body string
		kind       model.ErrorKind
		says       string
	}{
		{"nothing", "", model.ErrUnavailable, "broke off"},
		{"pings alone", sse(ping, ping), model.ErrUnavailable, "broke off"},
		{"no end of a block", sse(start...), model.ErrUnavailable, "broke off"},
		{"no end of the message", sse(append(start[:3:3], stops(0), ends("end_turn"))...), model.ErrUnavailable, "broke off"},
		{"cut amid an event", sse(start...) + `data: {"type": "content_bl`, model.ErrUnavailable, "broke off"},
		{"overloaded", failed("overloaded_error", "Overloaded"), model.ErrUnavailable, "(overloaded_error): Overloaded"},
		{"too fast", failed("rate_limit_error", "slow down"), model.ErrRateLimited, "slow down"},
		{"a failure that quotes the key", failed("api_error", testKey), model.ErrUnavailable, "[API key]"},
		{"a failure without a type", with(`{"error": {"message": "upstream"}}`), model.ErrUnavailable, "upstream"},
		{"a block before the message", sse(starts(0, noText), begins, over), model.ErrMalformed, "before any message_start"},
		{"the end alone", sse(over), model.ErrMalformed, "before any message_start"},
		{"another wire", "data: {\"choices\": []}\n\ndata: [DONE]\n\n", model.ErrMalformed, "no message_start"},
		{"a delta without a block", with(writes(7, "a")), model.ErrMalformed, "block 7"},
		{"a text that goes on too late", with(starts(1, noText), writes(0, "b")), model.ErrMalformed, "block 0"},
		{"a block of a text", with(starts(1, `"a"`)), model.ErrMalformed, "not an object"},
		{"no block", with(starts(1, `null`)), model.ErrMalformed, "not an object"},
		{"a delta of a text", with(grows(0, `"a"`)), model.ErrMalformed, "unknown form"},
		{"a piece of a number", with(grows(0, `{"type": "text_delta", "text": 3}`)), model.ErrMalformed, "not a text"},
		{"a block that begins with a number", with(starts(1, `{"type": "text", "text": 3}`)), model.ErrMalformed, "not a text"},
		{"an index of a text", with(`{"type": "content_block_start", "index": "a", "content_block": {}}`), model.ErrMalformed, `index "a"`},
		{"a message of a text", sse(`{"type": "message_start", "message": "a"}`), model.ErrMalformed, "message_start"},
		{"a message_delta of a text", with(`{"type": "message_delta", "delta": "a"}`), model.ErrMalformed, "message_delta"},
		{"usage of a text", with(`{"type": "message_delta", "usage": "much"}`), model.ErrMalformed, "usage"},
		{"an event of garbage", with("hello"), model.ErrMalformed, "not JSON: hello"},
		{"an event of a list", with("[1]"), model.ErrMalformed, "not an object: [1]"},
		{"garbage between events", sse(start...) + "<h1>502</h1>\n\n" + sse(over), model.ErrMalformed, "<h1>502</h1>"},
		{"a log line", sse(start...) + "ERROR: " + testKey + "\n" + sse(over), model.ErrMalformed, "ERROR: [API key]"},
		{"too many blocks", sse(begins) + strings.Repeat(sse(starts(0, noText)), 10_001), model.ErrMalformed, "10000 blocks"},
		{"a deep block", with(starts(1, `{"type": "x", "y": `+strings.Repeat("[", 9_990)+strings.Repeat("]", 9_990)+`}`)), "", ""},
		{"a page", "<!doctype html>\n<h1>Welcome</h1>", model.ErrMalformed, "doctype"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, r, err := streamed(t, replay(t, iotest.HalfReader, c.body), question)
			if c.kind == "" {
				if err != nil || len(r.Message.Opaque) > 0 {
					t.Errorf("%s, %v", r.Message.Opaque, err)
				}
				return
			}
			checkError(t, err, c.kind)
			if !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("%v\nlacks %q", err, c.says)
			}
			if c.says == "broke off" && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%v is no unexpected end", err)
			}
		})
	}
}

// The call may be repeated wherever a stream breaks off.
func TestStreamsCutAnywhere(t *testing.T) {
	body := sse(begins, ping, starts(0, noText), writes(0, "é a"), stops(0), starts(1, noCall), input(1, `{"e": 1}`), stops(1), ends("tool_use"), over)
	whole := strings.LastIndex(body, "}") + 1
	for at := range body[:whole] {
		_, _, err := streamed(t, replay(t, asIs, body[:at]), question)
		if model.KindOf(err) != model.ErrUnavailable || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("cut at %d, after %q: %v", at, body[max(0, at-20):at], err)
		}
	}
}

// Replies of gateways that do not support streams.
func TestNoStream(t *testing.T) {
	whole := replyOf(text("a"), "end_turn")
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		kind    model.ErrorKind // "" is a reply
		says    string
	}{
		{"a reply in one piece", wiretest.Respond(200, "application/json", whole), "", ""},
		{"one without a type", wiretest.Respond(200, "", whole), "", ""},
		{"a stream without a type", wiretest.Respond(200, "application/octet-stream", sse(begins, starts(0, noText), writes(0, "a"), stops(0), ends("end_turn"), over)), "", ""},
		{"a web page", wiretest.Respond(200, "text/html", "<html>"), model.ErrMalformed, "(text/html)"},
		{"a page that says it is a stream", wiretest.Respond(200, "text/event-stream", "<html>"), model.ErrMalformed, "<html>"},
		{"nothing", wiretest.Respond(200, "", ""), model.ErrMalformed, "empty reply"},
		{"a failure", wiretest.Respond(429, "text/event-stream", `{"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}}`), model.ErrRateLimited, "slow down"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, r, err := streamed(t, at(t, c.handler), question)
			if c.kind == "" {
				if err != nil || r.Message.Content != "a" {
					t.Errorf("%+v, %v", r, err)
				}
				return
			}
			checkError(t, err, c.kind)
			if !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("%v\nlacks %q", err, c.says)
			}
		})
	}
}

// A key that an endpoint quotes in parts, or in two blocks, is not shown.
func TestAQuotedKeyIsNotTold(t *testing.T) {
	content := "it is " + testKey + ", " + testKey[:9] + " " + testKey + testKey[:3]
	want := strings.ReplaceAll(content, testKey, "[API key]")
	for _, size := range []int{1, 7} {
		events := []string{begins, starts(0, noText)}
		block := 0
		for rest := content; rest != ""; {
			n := min(size, len(rest))
			events = append(events, writes(block, rest[:n]))
			if rest = rest[n:]; block == 0 && len(rest) < len(content)-12 {
				block = 1
				events = append(events, stops(0), starts(1, noText))
			}
		}
		text, _, err := streamed(t, replay(t, iotest.HalfReader, sse(append(events, ends("end_turn"), over)...)), question)
		if err != nil || text != want {
			t.Errorf("in pieces of %d: told %q, %v", size, text, err)
		}
	}
}

// A body without end is read only up to the limit, and a slow one only until the deadline.
func TestHostileStreams(t *testing.T) {
	endless := replay(t, func(io.Reader) io.Reader {
		return io.MultiReader(strings.NewReader(sse(begins, starts(0, noText))), &repeats{unit: sse(writes(0, strings.Repeat("a", 4000)))})
	}, "")
	_, _, err := streamed(t, endless, question)
	if checkError(t, err, model.ErrMalformed); !strings.Contains(fmt.Sprint(err), "longer than 16777216 bytes") {
		t.Error(err)
	}
	drip := wiretest.Transport(func(r *http.Request) (*http.Response, error) {
		resp := wiretest.OK("")
		resp.Header.Set("Content-Type", "text/event-stream")
		resp.Body = io.NopCloser(drips{r.Context()})
		return resp, nil
	})
	_, err = newModel(t, anthropic.Options{Timeout: 20 * time.Millisecond, Transport: drip}).Stream(t.Context(), question, func(string) {})
	checkError(t, err, model.ErrTimeout)
}

// repeats is a text without end.
type repeats struct {
	unit string
	at   int
}

func (r *repeats) Read(p []byte) (int, error) {
	n := copy(p, r.unit[r.at:])
	r.at = (r.at + n) % len(r.unit)
	return n, nil
}

func TestCancelAmidAStream(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := at(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		wiretest.Respond(200, "text/event-stream", sse(begins, starts(0, noText), writes(0, "It is a word")))(w, r)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	_, err := m.Stream(ctx, question, func(string) { cancel() })
	checkError(t, err, model.ErrCancelled)
}

func FuzzStream(f *testing.F) {
	f.Add(sse(begins, starts(0, noText), writes(0, "a"), stops(0), starts(1, noCall), input(1, `{"e"`), ends("tool_use"), over))
	f.Add(sse(begins, starts(0, `{"type": "thinking", "thinking": "", "signature": ""}`), grows(0, `{"type": "thinking_delta", "thinking": "hm"}`), grows(0, `{"type": "signature_delta", "signature": "s"}`), ends("end_turn"), over))
	f.Add(sse(begins, starts(0, unknown), grows(0, `{"type": "x_delta"}`), `{"type": "error", "error": {"type": "api_error"}}`))
	f.Add("\uFEFF: c\r\revent: x\rdata\ndata: " + testKey + "\n\n")
	f.Fuzz(func(t *testing.T, body string) {
		text, r, err := streamed(t, replay(t, iotest.HalfReader, body), question)
		if err != nil {
			checkError(t, err, model.KindOf(err))
		} else if r.Message.Role != model.Assistant || strings.Contains(fmt.Sprintf("%+v %s", r, r.Message.Opaque), testKey) {
			t.Errorf("%+v", r)
		}
		if strings.Contains(text, testKey) {
			t.Errorf("told %q", text)
		}
	})
}
