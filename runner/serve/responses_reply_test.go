package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/serve"
)

// responseItem is an item of an output.
type responseItem struct {
	ID, Type, Role, Status, Name, Arguments string
	CallID                                  string `json:"call_id"`
	Content                                 []struct{ Type, Text string }
}

type response struct {
	ID, Object, Status, Model string
	Output                    []responseItem
	Incomplete                *struct{ Reason string } `json:"incomplete_details"`
	Usage                     json.RawMessage
}

// joinResponse joins the events of a stream like a client, compares the result with the response in the last
// event, and returns that.
func joinResponse(t failer, body string) response {
	t.Helper()
	var items []responseItem
	var last response
	ended := ""
	n := 0
	for block := range strings.SplitSeq(strings.TrimSuffix(body, "\n\n"), "\n\n") {
		name, data, ok := strings.Cut(strings.TrimPrefix(block, "event: "), "\ndata: ")
		var e struct {
			Type        string
			Number      int    `json:"sequence_number"`
			Index       int    `json:"output_index"`
			Part        int    `json:"content_index"`
			ItemID      string `json:"item_id"`
			Item        responseItem
			Response    response
			Delta, Text string
			Arguments   string
			AddedPart   struct{ Type, Text string } `json:"part"`
		}
		if err := json.Unmarshal([]byte(data), &e); !ok || err != nil || e.Type != name || e.Number != n || ended != "" {
			t.Fatalf("event %d is %q: %v", n, block, err)
		}
		n++
		if e.ItemID != "" && items[e.Index].ID != e.ItemID {
			t.Errorf("%s names the item %s", data, e.ItemID)
		}
		switch name {
		case "response.output_item.added":
			if e.Index != len(items) {
				t.Fatalf("item %d comes after %d", e.Index, len(items))
			}
			items = append(items, e.Item)
		case "response.content_part.added":
			items[e.Index].Content = append(items[e.Index].Content, e.AddedPart)
		case "response.output_text.delta":
			items[e.Index].Content[e.Part].Text += e.Delta
		case "response.output_text.done":
			if got := items[e.Index].Content[e.Part].Text; got != e.Text {
				t.Errorf("pieces %q make %q", got, e.Text)
			}
		case "response.function_call_arguments.delta":
			items[e.Index].Arguments += e.Delta
		case "response.function_call_arguments.done":
			if got := items[e.Index].Arguments; got != e.Arguments {
				t.Errorf("pieces %q make %q", got, e.Arguments)
			}
		case "response.output_item.done":
			items[e.Index].Status = e.Item.Status
			if diff := cmp.Diff(e.Item, items[e.Index]); diff != "" {
				t.Errorf("item %d: %s", e.Index, diff)
			}
		case "response.completed", "response.incomplete":
			ended, last = strings.TrimPrefix(name, "response."), e.Response
		case "response.created", "response.in_progress", "response.content_part.done":
		default:
			t.Errorf("unknown event %s", name)
		}
	}
	if ended == "" || ended != last.Status {
		t.Fatalf("the stream ends as %q, the response is %q", ended, last.Status)
	}
	if diff := cmp.Diff(last.Output, items); diff != "" {
		t.Errorf("the items differ from the response: %s", diff)
	}
	return last
}

var ids = regexp.MustCompile(`\b(resp|msg|fc|rs|call)_[A-Z2-7]{26}`)

// TestResponsesReply sends a reply with all kinds of items, as one piece and as a stream.
func TestResponsesReply(t *testing.T) {
	s := &serve.Server{Name: "m", Now: func() time.Time { return time.Unix(1700000000, 0) }, Model: fake(func(context.Context, model.Request) (model.Response, error) {
		return model.Response{
			Message: model.Message{
				Role: model.Assistant, Content: "I look <for> it now, please wait.", Thought: "Is it <1>?", Opaque: json.RawMessage(`{"x":1}`),
				ToolCalls: []model.ToolCall{{ID: "c1", Name: "calc", Arguments: `{"expression":"<1> + 2 + 3"}`}, {Name: "now"}},
			},
			Finish: model.FinishToolCalls, Usage: model.Usage{InputTokens: 5, OutputTokens: 7, CachedTokens: 2, CacheWriteTokens: 1, ReasoningTokens: 3}, Model: "m-1",
		}, nil
	})}
	for _, c := range []struct{ file, more string }{
		{"response.json", `, "temperature": 0.5, "metadata": {"a": "b"}`}, {"response_stream.txt", `, "stream": true`},
	} {
		w := send(s, http.MethodPost, responsesPath, `{"model": "m", "input": "q", "tools": [{"type": "function", "name": "calc"}]`+c.more+`}`)
		if w.Code != http.StatusOK {
			t.Fatalf("status %d: %s", w.Code, w.Body)
		}
		golden.Check(t, "testdata/"+c.file, ids.ReplaceAllString(w.Body.String(), "${1}_ID"))
	}
}

func TestResponsesEnds(t *testing.T) {
	for _, c := range []struct {
		reply          model.Response
		status, reason string
		items          int
	}{
		{model.Response{Finish: model.FinishStop}, "completed", "", 1},
		{model.Response{Message: model.Message{Content: "a"}}, "completed", "", 1},
		{model.Response{Message: model.Message{Content: "a"}, Finish: model.FinishLength}, "incomplete", "max_output_tokens", 1},
		{model.Response{Finish: model.FinishContentFilter}, "incomplete", "content_filter", 1},
		{model.Response{Message: model.Message{ToolCalls: []model.ToolCall{{ID: "c", Name: "f"}}}, Finish: model.FinishToolCalls}, "completed", "", 1},
		{model.Response{Message: model.Message{Content: "a", ToolCalls: []model.ToolCall{{ID: "c", Name: "f"}, {ID: "d", Name: "f"}}}}, "completed", "", 3},
	} {
		h := serve.Handler(fake(func(context.Context, model.Request) (model.Response, error) { return c.reply, nil }), "m")
		for _, stream := range []bool{false, true} {
			w := send(h, http.MethodPost, responsesPath, fmt.Sprintf(`{"model": "m", "input": "q", "stream": %t}`, stream))
			var got response
			if stream {
				got = joinResponse(t, w.Body.String())
			} else if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			reason := ""
			if got.Incomplete != nil {
				reason = got.Incomplete.Reason
			}
			if got.Status != c.status || reason != c.reason || len(got.Output) != c.items || got.Model != "m" || got.Object != "response" {
				t.Errorf("%+v: %+v, reason %q", c.reply, got, reason)
			}
		}
	}
}

// TestResponsesStreamsAnything streams any texts and calls.
func TestResponsesStreamsAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reply := model.Response{Message: model.Message{Content: rapid.String().Draw(t, "content")}}
		for range rapid.IntRange(0, 3).Draw(t, "calls") {
			reply.Message.ToolCalls = append(reply.Message.ToolCalls, model.ToolCall{ID: "c", Name: rapid.String().Draw(t, "name"), Arguments: rapid.String().Draw(t, "arguments")})
		}
		h := serve.Handler(fake(func(context.Context, model.Request) (model.Response, error) { return reply, nil }), "m")
		got := joinResponse(t, send(h, http.MethodPost, responsesPath, `{"model": "m", "input": "q", "stream": true}`).Body.String())
		var calls []model.ToolCall
		content := ""
		for _, it := range got.Output {
			if it.Type == "function_call" {
				calls = append(calls, model.ToolCall{ID: it.CallID, Name: it.Name, Arguments: it.Arguments})
			} else {
				content += it.Content[0].Text
			}
		}
		if diff := cmp.Diff(reply.Message.ToolCalls, calls); diff != "" || content != reply.Message.Content {
			t.Errorf("content %q, calls %s", content, diff)
		}
	})
}
