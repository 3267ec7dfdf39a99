package anthropic_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/anthropic"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

// Blocks as a thinking model interleaves them, with spellings that must survive.
const (
	thought  = `{"type":"thinking","thinking":"<hm> & \u00e9 1.50","signature":"EqQB/+=="}`
	redacted = `{"type":"redacted_thinking","data":"b2s="}`
	unknown  = `{"type":"server_thing","text":{"n":12345678901234567890}}`
	call     = `{"type":"tool_use","id":"c1","name":"calc","input":{"e":"1+1"}}`
)

func text(s string) string { return `{"type":"text","text":"` + s + `"}` }

// received returns the message of a reply with some blocks, as a recording contains it.
func received(t *testing.T, blocks ...string) model.Message {
	t.Helper()
	m := newModel(t, anthropic.Options{Transport: wiretest.Transport(func(*http.Request) (*http.Response, error) {
		return wiretest.OK(replyOf(strings.Join(blocks, ","), "tool_use")), nil
	})})
	r, err := m.Complete(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	return r.Message
}

// sentBack returns the assistant's blocks in the request after a message.
func sentBack(t *testing.T, m model.Message) []string {
	t.Helper()
	messages := []model.Message{{Role: model.User, Content: "q"}, m}
	for _, c := range m.ToolCalls {
		messages = append(messages, model.Message{Role: model.ToolRole, ToolCallID: c.ID, Content: "2"})
	}
	var body struct {
		Messages []struct {
			Role    string
			Content []json.RawMessage
		}
	}
	raw := wire(t, anthropic.Options{}, model.Request{Messages: append(messages, model.Message{Role: model.User, Content: "on"})})
	if err := json.Unmarshal([]byte(raw), &body); err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, turn := range body.Messages {
		for _, b := range turn.Content {
			if turn.Role == "assistant" {
				blocks = append(blocks, string(b))
			}
		}
	}
	return blocks
}

func TestThinkingIsSentBackUnchanged(t *testing.T) {
	for _, blocks := range [][]string{
		{thought, call},
		{thought, text("I look."), call},
		{thought, redacted, text("I "), thought, text("look — é."), unknown, call},
		{text("a"), thought, call},
		{unknown, text("a")},
		{thought, text("Answer: 2")},
	} {
		m := received(t, blocks...)
		if m.Opaque == nil || !json.Valid(m.Opaque) {
			t.Errorf("%v: kept %q", blocks, m.Opaque)
		}
		if diff := cmp.Diff(blocks, sentBack(t, m)); diff != "" {
			t.Error(diff)
		}
		var recorded model.Message
		raw, err := json.Marshal(m)
		if err == nil {
			err = json.Unmarshal(raw, &recorded)
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range sentBack(t, recorded) { // a recording writes the same values in another form
			if diff := cmp.Diff(parse(t, blocks[i]), parse(t, b)); diff != "" {
				t.Error(diff)
			}
		}
	}
}

func TestPlainRepliesKeepNothing(t *testing.T) {
	if m := received(t, text("a"), call); m.Opaque != nil {
		t.Errorf("kept %s", m.Opaque)
	}
}

// A value that is nested as deeply as JSON allows would be too deep inside a recording and a request.
func TestDeepRepliesCanBeSentBack(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 9_990) + "1" + strings.Repeat("}", 9_990)
	m := received(t, `{"type":"thing","x":`+deep+`}`, thought, strings.Replace(call, `{"e":"1+1"}`, deep, 1))
	if _, err := json.Marshal(map[string]any{"response": m}); err != nil {
		t.Error(err)
	}
	got := sentBack(t, m)
	if len(got) != 2 || got[0] != thought || !strings.Contains(got[1], `"input":{"arguments":"{\"a\":{`) {
		t.Errorf("sent %d blocks", len(got))
	}
}

// If an agent changed a message, the changed text is sent after the kept blocks.
func TestChangedMessages(t *testing.T) {
	whole := received(t, thought, text("I look."), redacted, call)
	renamed, cut, longer, empty, foreign := whole, whole, whole, whole, whole
	renamed.ToolCalls = []model.ToolCall{{ID: "call_9", Name: "calc", Arguments: `{"e":"1+1"}`}}
	cut.ToolCalls = nil
	longer.Content = "I look, then."
	empty.Content, empty.ToolCalls = "", nil
	foreign.Opaque = json.RawMessage(`["another provider's"]`)
	for _, c := range []struct {
		name string
		m    model.Message
		want []string
	}{
		{"renamed", renamed, []string{thought, text("I look."), redacted, strings.Replace(call, "c1", "call_9", 1)}},
		{"cut", cut, []string{thought, redacted, text("I look.")}},
		{"longer", longer, []string{thought, redacted, text("I look, then."), call}},
		{"empty", empty, nil},
		{"foreign", foreign, []string{text("I look."), call}},
	} {
		if diff := cmp.Diff(c.want, sentBack(t, c.m)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	if got := sentBack(t, received(t, text("a"), thought)); !cmp.Equal(got, []string{text("a")}) {
		t.Errorf("a turn ends in thinking: %v", got)
	}
}

// A hostile recording must not break a request.
func FuzzOpaque(f *testing.F) {
	f.Add([]byte(`{"anthropic":[{"type":"thinking"},3,"call"]}`), "I é look", true)
	f.Add([]byte(`{"anthropic":[1,1,-1,9e9,null,"x",{}]}`), "é", false)
	f.Add([]byte(`null`), "", true)
	f.Fuzz(func(t *testing.T, kept []byte, content string, calls bool) {
		m := model.Message{Role: model.Assistant, Content: content, Opaque: kept}
		if calls {
			m.ToolCalls = []model.ToolCall{{ID: "c1", Name: "calc", Arguments: content}}
		}
		uses := 0
		for _, b := range sentBack(t, m) {
			if strings.HasPrefix(b, `{"type":"tool_use","id":"c1"`) {
				uses++
			}
		}
		if calls != (uses == 1) && !strings.Contains(string(kept), "tool_use") {
			t.Errorf("%d calls were sent", uses)
		}
	})
}
