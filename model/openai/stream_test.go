package openai_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

// sse writes events in the form of most endpoints.
func sse(data ...string) string {
	var out strings.Builder
	for _, d := range data {
		fmt.Fprintf(&out, "data: %s\n\n", d)
	}
	return out.String()
}

func delta(message string) string { return `{"model": "m-1", "choices": [{"delta": ` + message + `}]}` }
func piece(call string) string    { return delta(`{"tool_calls": [` + call + `]}`) }

const (
	stopped    = `{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}`
	wantsTools = `{"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}`
	told       = `{"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 9, "total_tokens": 14, "prompt_tokens_details": {"cached_tokens": 2}, "completion_tokens_details": {"reasoning_tokens": 4}}}`
)

// streamed asks a model whose endpoint replies with a body, and also returns the streamed text.
func streamed(t testing.TB, m *openai.Model) (string, model.Response, error) {
	t.Helper()
	var text strings.Builder
	r, err := m.Stream(t.Context(), question, func(piece string) { text.WriteString(piece) })
	if err == nil && text.String() != r.Message.Content {
		t.Errorf("told %q of %q", text.String(), r.Message.Content)
	}
	return text.String(), r, err
}

// replay returns a model whose endpoint answers every request with this stream, read through a reader.
func replay(t *testing.T, through func(io.Reader) io.Reader, body string, keep ...string) *openai.Model {
	t.Helper()
	return newModel(t, openai.Options{Endpoint: endpoints.Endpoint{Keep: keep}, Transport: wiretest.Transport(func(*http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream; charset=utf-8"}},
			Body: io.NopCloser(through(strings.NewReader(body))),
		}, nil
	})})
}

func callsOf(calls ...model.ToolCall) model.Response {
	r := replyOf("", model.FinishToolCalls)
	r.Message.ToolCalls = calls
	return r
}

func TestStreams(t *testing.T) {
	two := callsOf(model.ToolCall{ID: "a", Name: "calc", Arguments: `{"e": "1"}`}, model.ToolCall{ID: "b", Name: "now", Arguments: `{}`})
	counted := replyOf("ab", model.FinishStop)
	counted.Usage = model.Usage{InputTokens: 5, OutputTokens: 9, CachedTokens: 2, ReasoningTokens: 4}
	groq := replyOf("a", model.FinishStop)
	groq.Usage = model.Usage{InputTokens: 3, OutputTokens: 1}
	a := delta(`{"role": "assistant", "content": "a"}`)
	for _, c := range []struct {
		name, body string
		want       model.Response
	}{
		{"text and usage", sse(a, delta(`{"content": "b"}`), stopped, told, "[DONE]"), counted},
		{"no [DONE]", sse(a, stopped), replyOf("a", model.FinishStop)},
		{"no empty line at the end", "data: " + a + "\n\ndata: " + stopped, replyOf("a", model.FinishStop)},
		{"no empty lines at all", "data: " + a + "\ndata: " + stopped + "\ndata: [DONE]\n", replyOf("a", model.FinishStop)},
		{"[DONE] without a reason", sse(a, "[DONE]"), replyOf("a", "")},
		{"what follows [DONE]", sse(a, stopped, "[DONE]", "junk") + "junk", replyOf("a", model.FinishStop)},
		{"events of other kinds", sse(`{"type": "ping"}`, a, `{"choices": null}`, `{"choices": [{"index": 1, "delta": {"content": "other"}}]}`, stopped), replyOf("a", model.FinishStop)},
		{"usage of Groq", sse(a, `{"choices": [{"delta": {}, "finish_reason": "stop"}], "x_groq": {"usage": {"prompt_tokens": 3, "completion_tokens": 1}}}`), groq},
		{"a refusal", sse(delta(`{"refusal": "I will "}`), delta(`{"refusal": "not."}`), stopped), replyOf("I will not.", model.FinishStop)},
		{"parts", sse(delta(`{"content": [{"type": "thinking"}, {"type": "text", "text": "a"}]}`), stopped), replyOf("a", model.FinishStop)},
		{"calls by turns", sse(piece(`{"index": 0, "id": "a", "function": {"name": "calc", "arguments": ""}}`), piece(`{"index": 1, "id": "b", "function": {"name": "now"}}`),
			piece(`{"index": 0, "function": {"arguments": "{\"e\": "}}, {"index": 1, "function": {"arguments": "{"}}`),
			piece(`{"index": 1, "function": {"arguments": "}"}}, {"index": 0, "function": {"arguments": "\"1\"}"}}`), wantsTools), two},
		{"calls in another order", sse(piece(`{"index": 7, "id": "b", "function": {"name": "now", "arguments": "{}"}}`),
			piece(`{"index": 2, "id": "a", "function": {"name": "calc", "arguments": "{\"e\": \"1\"}"}}`), wantsTools), two},
		{"the index 0 for all", sse(piece(`{"index": 0, "id": "a", "function": {"name": "calc", "arguments": "{\"e\": \"1\"}"}}`),
			piece(`{"index": 0, "id": "b", "function": {"name": "now", "arguments": "{}"}}`), wantsTools), two},
		{"no index", sse(piece(`{"id": "a", "function": {"name": "calc", "arguments": "{\"e\": "}}`), piece(`{"function": {"arguments": "\"1\"}"}}`),
			piece(`{"id": "b", "function": {"name": "now", "arguments": {}}}`), wantsTools), two},
		{"a new id with every piece", sse(piece(`{"index": 0, "id": "a", "function": {"name": "calc"}}`),
			piece(`{"index": 0, "id": "x", "function": {"arguments": "{}"}}`), wantsTools), callsOf(model.ToolCall{ID: "a", Name: "calc", Arguments: `{}`})},
		{"name and id in every piece", sse(piece(`{"index": 0, "id": "a", "function": {"name": "calc", "arguments": "{"}}`),
			piece(`{"index": 0, "id": "a", "function": {"name": "calc", "arguments": "}"}}`), piece(`{"index": 0, "id": "", "function": {"name": "", "arguments": null}}`), wantsTools),
			callsOf(model.ToolCall{ID: "a", Name: "calc", Arguments: `{}`})},
		{"a name in pieces", sse(piece(`{"index": 0, "id": "a", "function": {"name": "ca"}}`), piece(`{"index": 0, "function": {"name": "lc"}}`), wantsTools),
			callsOf(model.ToolCall{ID: "a", Name: "calc"})},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, through := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.DataErrReader} {
				_, got, err := streamed(t, replay(t, through, c.body))
				if err != nil {
					t.Fatal(err)
				}
				c.want.Model = got.Model // not all streams have the chunk that names the model
				if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// The reply is the same wherever the network divides a stream.
func TestStreamsAreDividedAnywhere(t *testing.T) {
	body := sse(delta(`{"content": "é \u2028 "}`), piece(`{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"é\":"}}`), piece(`{"index": 0, "function": {"arguments": "1}"}}`), wantsTools, told, "[DONE]")
	_, want, err := streamed(t, replay(t, func(r io.Reader) io.Reader { return r }, body))
	if err != nil {
		t.Fatal(err)
	}
	for at := range body {
		halves := func(io.Reader) io.Reader {
			return io.MultiReader(strings.NewReader(body[:at]), strings.NewReader(body[at:]))
		}
		if _, got, err := streamed(t, replay(t, halves, body)); err != nil || !cmp.Equal(want, got) {
			t.Fatalf("divided at %d: %+v, %v", at, got, err)
		}
	}
}

// The reply is the same wherever it is cut into pieces, and wherever events are cut into lines.
func TestPiecesMakeTheReply(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		want := response.Draw(rt, "response")
		want.Model = "m"
		var events []string
		cut := func(text string) []string {
			runes := []rune(strings.ToValidUTF8(text, "?"))
			at := rapid.IntRange(0, len(runes)).Draw(rt, "at")
			return []string{string(runes[:at]), string(runes[at:])}
		}
		want.Message.Content = strings.ToValidUTF8(want.Message.Content, "?")
		for _, part := range cut(want.Message.Content) {
			events = append(events, delta(`{"content": `+quoted(part)+`}`))
		}
		for i := range want.Message.ToolCalls {
			c := &want.Message.ToolCalls[i]
			c.Arguments = strings.ToValidUTF8(c.Arguments, "?")
			parts := cut(c.Arguments)
			events = append(events,
				piece(fmt.Sprintf(`{"index": %d, "id": %q, "function": {"name": %q, "arguments": %s}}`, i, c.ID, c.Name, quoted(parts[0]))),
				piece(fmt.Sprintf(`{"index": %d, "function": {"arguments": %s}}`, i, quoted(parts[1]))))
		}
		u := want.Usage
		events = append(events, fmt.Sprintf(`{"model": "m", "choices": [{"delta": {}, "finish_reason": %q}], "usage": {"prompt_tokens": %d, "completion_tokens": %d, "prompt_tokens_details": {"cached_tokens": %d}}}`,
			want.Finish, u.InputTokens, u.OutputTokens, u.CachedTokens))
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(rt, "end of line")
		body := strings.ReplaceAll(strings.ReplaceAll(sse(events...), "m-1", "m"), "\n", end)
		_, got, err := streamed(t, replay(t, iotest.HalfReader, body))
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			rt.Error(diff)
		}
	})
}

func TestBrokenStreams(t *testing.T) {
	a, call := delta(`{"content": "a"}`), piece(`{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}}`)
	for _, c := range []struct {
		name, body string
		kind       model.ErrorKind
		says       string
	}{
		{"nothing", "", model.ErrUnavailable, "broke off"},
		{"no end", sse(a), model.ErrUnavailable, "broke off"},
		{"no end of a call", sse(call), model.ErrUnavailable, "broke off"},
		{"cut amid an event", sse(a) + `data: {"choices": [{"del`, model.ErrUnavailable, "broke off"},
		{"cut amid the last event", sse(a) + "data: " + stopped[:len(stopped)-4], model.ErrUnavailable, "broke off"},
		{"cut amid a field", sse(a) + `dat`, model.ErrUnavailable, "broke off"},
		{"comments alone", ": a\n\n: b\n\n", model.ErrUnavailable, "broke off"},
		{"[DONE] alone", sse("[DONE]"), model.ErrMalformed, "no choices"},
		{"garbage between events", sse(a) + "<h1>502</h1>\n\n" + sse(stopped), model.ErrMalformed, "<h1>502</h1>"},
		{"a log line with a colon", sse(a) + "ERROR: " + testKey + "\n" + sse(stopped), model.ErrMalformed, "ERROR: [API key]"},
		{"an event of garbage", sse(a, "hello", stopped), model.ErrMalformed, "not JSON: hello"},
		{"an event of a list", sse(a, "[1]", stopped), model.ErrMalformed, "not part of a chat completion"},
		{"two events in one another", "data: " + a[:20] + "data: " + stopped + "\n\n" + sse(stopped), model.ErrMalformed, "not JSON"},
		{"choices of a text", sse(`{"choices": "a"}`, stopped), model.ErrMalformed, "not a list"},
		{"too many choices", sse(`{"choices": [` + strings.Repeat("{},", 20) + `{}]}`), model.ErrMalformed, "longer than the limit"},
		{"content of a number", sse(delta(`{"content": 3}`), stopped), model.ErrMalformed, "content"},
		{"a call of a text", sse(piece(`"f"`), stopped), model.ErrMalformed, "tool call"},
		{"too many calls in one event", sse(piece(strings.Repeat("{},", 1000)+"{}"), stopped), model.ErrMalformed, "longer than the limit"},
		{"too many calls", sse(many(1001)...), model.ErrMalformed, "1000 tool calls"},
		{"a failure", sse(a, `{"error": {"message": "upstream is slow", "code": 429}}`), model.ErrRateLimited, "upstream is slow"},
		{"a failure that quotes the key", "event: error\n" + sse(`{"error": "`+testKey+`"}`), model.ErrUnavailable, "[API key]"},
		{"a page", "<!doctype html>\n<h1>Welcome</h1>", model.ErrMalformed, "doctype"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := streamed(t, replay(t, iotest.HalfReader, c.body))
			checkError(t, err, c.kind)
			if !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("%v\nlacks %q", err, c.says)
			}
		})
	}
}

func many(calls int) []string {
	var out []string
	for i := range calls {
		out = append(out, piece(fmt.Sprintf(`{"index": %d, "id": "c%d", "function": {"name": "f"}}`, i, i)))
	}
	return append(out, wantsTools)
}

// Replies of endpoints that do not support streams.
func TestNoStream(t *testing.T) {
	whole := choose(`{"content": "a"}`, `"stop"`)
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		kind    model.ErrorKind // "" is a reply
		says    string
	}{
		{"a reply in one piece", wiretest.Respond(200, "application/json", whole), "", ""},
		{"one without a type", wiretest.Respond(200, "", whole), "", ""},
		{"a stream without a type", wiretest.Respond(200, "application/octet-stream", sse(delta(`{"content": "a"}`), stopped)), "", ""},
		{"a web page", wiretest.Respond(200, "text/html", "<html>"), model.ErrMalformed, "(text/html)"},
		{"a page that says it is a stream", wiretest.Respond(200, "text/event-stream", "<html>"), model.ErrMalformed, "<html>"},
		{"nothing", wiretest.Respond(200, "", ""), model.ErrMalformed, "empty reply"},
		{"a failure", wiretest.Respond(429, "text/event-stream", `{"error": {"message": "slow down"}}`), model.ErrRateLimited, "slow down"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, r, err := streamed(t, at(t, c.handler))
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

func TestNeverStreamed(t *testing.T) {
	m := peer(t, openai.Options{Endpoint: endpoints.Endpoint{Stream: endpoints.StreamNever}}, func(w http.ResponseWriter, r *http.Request) {
		if raw, _ := io.ReadAll(r.Body); strings.Contains(string(raw), `"stream":true`) {
			t.Error("a stream was asked for")
		}
		wiretest.Respond(200, "application/json", choose(`{"content": "a"}`, `"stop"`))(w, r)
	})
	if text, _, err := streamed(t, m); text != "a" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

// A key that an endpoint quotes in parts is not shown.
func TestAQuotedKeyIsNotTold(t *testing.T) {
	content := "it is " + testKey + ", " + testKey[:9] + " " + testKey + testKey[:3]
	want := strings.ReplaceAll(content, testKey, "[API key]")
	for _, size := range []int{1, 7} {
		var events []string
		for rest := content; rest != ""; {
			n := min(size, len(rest))
			events = append(events, delta(`{"content": `+quoted(rest[:n])+`}`))
			rest = rest[n:]
		}
		text, _, err := streamed(t, replay(t, iotest.HalfReader, sse(append(events, stopped)...)))
		if err != nil || text != want {
			t.Errorf("in pieces of %d: told %q, %v", size, text, err)
		}
	}
}

// A body without end is read only up to the limit, and a slow one only until the deadline.
func TestHostileBodies(t *testing.T) {
	const endless = 100 << 20
	flood := func(contentType, start, unit string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			_, _ = io.WriteString(w, start)
			block := strings.Repeat(unit, 1<<20/len(unit))
			for sent := 0; ; sent += len(block) {
				if sent >= endless {
					t.Errorf("%d bytes were read", sent)
					return
				}
				if _, err := io.WriteString(w, block); err != nil {
					return
				}
			}
		}
	}
	drip := func(contentType, unit string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", contentType)
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, unit)
				_ = http.NewResponseController(w).Flush()
				select {
				case <-r.Context().Done():
				case <-time.After(time.Millisecond):
				}
			}
		}
	}
	reset := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, sse(delta(`{"content": "a"}`)))
		_ = http.NewResponseController(w).Flush()
		wiretest.HangUp(t, 0)(w, r)
	}
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		timeout time.Duration
		kind    model.ErrorKind
		says    string
	}{
		{"100 MB of JSON", flood("application/json", `{"choices": [`, " "), 0, model.ErrMalformed, "longer than 16777216 bytes"},
		{"100 MB of content", flood("text/event-stream", "", sse(delta(`{"content": "`+strings.Repeat("a", 4000)+`"}`))), 0, model.ErrMalformed, "longer than 16777216 bytes"},
		{"100 MB of a page with status 404", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusNotFound)
			flood("text/html", "<html>", "x")(w, r)
		}, 0, model.ErrBadRequest, "a web page answers there"},
		{"slow JSON", drip("application/json", " "), 30 * time.Millisecond, model.ErrTimeout, "30ms"},
		{"slow content", drip("text/event-stream", sse(delta(`{"content": "a"}`))), 30 * time.Millisecond, model.ErrTimeout, "30ms"},
		{"reset", reset, 0, model.ErrUnavailable, "broke off"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := peer(t, openai.Options{Timeout: c.timeout}, c.handler)
			_, err := m.Stream(t.Context(), question, func(string) {})
			checkError(t, err, c.kind)
			if !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("%v\nlacks %q", err, c.says)
			}
		})
	}
}

// tokens streams one token per second, like a model on a slow machine, until the caller leaves.
type tokens struct {
	ctx  context.Context
	left int
	rest string
}

func (s *tokens) Read(p []byte) (int, error) {
	if s.rest == "" {
		if s.left < 0 {
			return 0, io.EOF
		}
		select {
		case <-time.After(time.Second):
		case <-s.ctx.Done():
			return 0, s.ctx.Err()
		}
		if s.rest = sse(delta(`{"content": "a "}`)); s.left == 0 {
			s.rest = sse(stopped, "[DONE]")
		}
		s.left--
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// A reply of one token per second is passed on as it arrives. It is complete if all of it comes within the
// timeout of the call; otherwise the error says that the call timed out.
func TestOneTokenASecond(t *testing.T) {
	for n, want := range map[int]model.ErrorKind{100: "", 200: model.ErrTimeout} {
		synctest.Test(t, func(t *testing.T) {
			m := newModel(t, openai.Options{Transport: wiretest.Transport(func(r *http.Request) (*http.Response, error) {
				return &http.Response{
					StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}},
					Body: io.NopCloser(&tokens{ctx: r.Context(), left: n}),
				}, nil
			})})
			start, heard := time.Now(), 0
			r, err := m.Stream(t.Context(), question, func(string) {
				if heard++; time.Since(start) > time.Duration(heard+1)*time.Second {
					t.Errorf("piece %d is told after %v", heard, time.Since(start))
				}
			})
			if want == "" {
				if err != nil || r.Message.Content != strings.Repeat("a ", n) || heard != n {
					t.Errorf("%q, %d pieces, %v", r.Message.Content, heard, err)
				}
				return
			}
			checkError(t, err, want)
			if took := time.Since(start); took != openai.DefaultTimeout || !strings.Contains(fmt.Sprint(err), "2m0s") {
				t.Errorf("after %v: %v", took, err)
			}
		})
	}
}

func TestCancelAmidAStream(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := at(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		wiretest.Respond(200, "text/event-stream", sse(delta(`{"content": "It is a word"}`)))(w, r)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	_, err := m.Stream(ctx, question, func(string) { cancel() })
	checkError(t, err, model.ErrCancelled)
}

func FuzzStream(f *testing.F) {
	f.Add(sse(delta(`{"content": "a"}`), stopped, told, "[DONE]"))
	f.Add(sse(piece(`{"index": 0, "id": "a", "function": {"name": "f", "arguments": {}}, "x": 1}`), wantsTools))
	f.Add(sse(delta(`{"r": "a", "content": [{"text": "a"}]}`), `{"error": {"code": 400}}`))
	f.Add("\uFEFF: c\r\revent: x\rdata\ndata: " + testKey + "\n\n")
	f.Fuzz(func(t *testing.T, body string) {
		m := replay(t, iotest.HalfReader, body, "r", "tool_calls.x")
		text, r, err := streamed(t, m)
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
