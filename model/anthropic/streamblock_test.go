package anthropic_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

// Blocks that must be sent back unchanged are the same in a stream as in a reply in one piece.
func TestStreamedBlocksAreKept(t *testing.T) {
	const bare = `{"type": "thinking", "thinking": "", "signature": ""}`
	thinks := func(piece string) string {
		return grows(0, `{"type": "thinking_delta", "thinking": `+quoted(piece)+`}`)
	}
	signs := grows(0, `{"type": "signature_delta", "signature": "EqQB/+=="}`)
	const search = `{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}`
	for _, c := range []struct {
		name   string
		events []string
		want   string // "" if nothing is kept
	}{
		{"thinking", []string{starts(0, bare), thinks("<hm> & "), thinks("é 1.50"), signs, stops(0)}, thought},
		{"thinking that began with its start", []string{starts(0, `{"type": "thinking", "thinking": "<hm>"}`), thinks(" & é 1.50"), signs}, thought},
		{"a signature at the start too", []string{starts(0, `{"type": "thinking", "thinking": "", "signature": "EqQB/+=="}`), thinks("<hm> & é 1.50"), signs}, thought},
		{"redacted thinking", []string{starts(0, redacted), stops(0)}, redacted},
		{"an unknown block", []string{starts(0, unknown), stops(0)}, unknown},
		{"a server's call", []string{starts(0, search), input(0, `{"q":`), input(0, `1.50}`)}, strings.Replace(search, "{}", `{"q":1.50}`, 1)},
		{"a server's call that is not JSON", []string{starts(0, search), input(0, `{"q":`)}, ""},
		{"an unknown block with unknown pieces", []string{starts(0, unknown), grows(0, `{"type": "thing_delta", "thing": 3}`)}, ""},
		{"an unknown block with pieces of a text", []string{starts(0, unknown), writes(0, "a")}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			events := append([]string{begins}, c.events...)
			events = append(events, starts(1, noText), writes(1, "a"), stops(1), ends("end_turn"), over)
			_, r, err := streamed(t, replay(t, iotest.HalfReader, sse(events...)), question)
			if err != nil || r.Message.Content != "a" {
				t.Fatalf("%+v, %v", r, err)
			}
			var kept struct{ Anthropic []any }
			if len(r.Message.Opaque) > 0 {
				if err := json.Unmarshal(r.Message.Opaque, &kept); err != nil {
					t.Fatal(err)
				}
			}
			switch {
			case c.want == "" && kept.Anthropic != nil:
				t.Errorf("%s is kept", r.Message.Opaque)
			case c.want != "" && (len(kept.Anthropic) != 2 || !cmp.Equal(parse(t, c.want), kept.Anthropic[0])):
				t.Errorf("%s is kept, not %s", r.Message.Opaque, c.want)
			}
		})
	}
}

// A structured reply is passed on when it is complete, without the texts next to the call.
func TestStreamedStructuredReplies(t *testing.T) {
	req := question
	req.Schema = &model.ResponseSchema{Name: "calc", Schema: model.RawSchema(`{"type": "object"}`)}
	for _, c := range []struct {
		name   string
		events []string
		want   model.Response
	}{
		{"with words", []string{starts(0, noText), writes(0, "Well."), starts(1, noCall), input(1, `{"score": `), input(1, `1.50}`), ends("tool_use")}, counted(`{"score": 1.50}`, model.FinishStop)},
		{"prose", []string{starts(0, noText), writes(0, "I think "), writes(0, "so."), ends("end_turn")}, counted("I think so.", model.FinishStop)},
	} {
		events := append(append([]string{begins}, c.events...), over)
		_, got, err := streamed(t, replay(t, iotest.HalfReader, sse(events...)), req)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// A stream gives the same reply as one piece, wherever the reply is cut.
func TestPiecesMakeTheReply(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var blocks, events []string
		cut := func(text string) []string {
			runes := []rune(strings.ToValidUTF8(text, "?"))
			var out []string
			for len(runes) > 0 {
				n := rapid.IntRange(0, len(runes)).Draw(rt, "piece")
				out, runes = append(out, string(runes[:n])), runes[n:]
				if n == 0 && rapid.Bool().Draw(rt, "rest") {
					return append(out, string(runes))
				}
			}
			return out
		}
		for i := range rapid.IntRange(0, 4).Draw(rt, "blocks") {
			whole, start, grow := blockOf(rt)
			blocks, events = append(blocks, whole), append(events, starts(i, start))
			for _, g := range grow {
				for _, piece := range cut(g.text) {
					events = append(events, grows(i, `{"type": "`+g.delta+`", "`+g.member+`": `+quoted(piece)+`}`))
				}
			}
			if rapid.Bool().Draw(rt, "ping") {
				events = append(events, ping)
			}
			events = append(events, stops(i))
		}
		reason := rapid.SampledFrom([]string{"end_turn", "tool_use", "max_tokens", "made_up"}).Draw(rt, "reason")
		usage := `"usage": {"input_tokens": 10, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 1000, "output_tokens": 9}, "type"`
		one := strings.Replace(replyOf(strings.Join(blocks, ","), reason), `"type"`, usage, 1)
		m := at(t, wiretest.Respond(http.StatusOK, "application/json", one))
		want, err := m.Complete(t.Context(), question)
		if err != nil {
			rt.Fatal(err)
		}
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(rt, "end of line")
		body := strings.ReplaceAll(sse(append(append([]string{begins}, events...), ends(reason), over)...), "\n", end)
		_, got, err := streamed(t, replay(t, iotest.HalfReader, body), question)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(model.Message{}, "Opaque")); diff != "" {
			rt.Error(diff)
		}
		var kept, alike any
		for raw, v := range map[*json.RawMessage]*any{&want.Message.Opaque: &kept, &got.Message.Opaque: &alike} {
			if err := json.Unmarshal(*raw, v); err != nil && len(*raw) > 0 {
				rt.Fatal(err)
			}
		}
		if diff := cmp.Diff(kept, alike); diff != "" {
			rt.Error(diff)
		}
	})
}

// growth is a piece of text that is added to a block.
type growth struct{ delta, member, text string }

// blockOf draws a block: the whole block, its start event, and the pieces that are added.
func blockOf(t *rapid.T) (whole, start string, grow []growth) {
	text := strings.ToValidUTF8(words.Draw(t, "text"), "?")
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return `{"type": "text", "text": ` + quoted(text) + `}`, noText, []growth{{"text_delta", "text", text}}
	case 1:
		input := arguments.Draw(t, "input")
		if rapid.Bool().Draw(t, "an input of a text") {
			input = quoted(text)
		}
		return strings.Replace(noCall, "{}", input, 1), noCall, []growth{{"input_json_delta", "partial_json", input}}
	case 2:
		return `{"type": "thinking", "thinking": ` + quoted(text) + `, "signature": "s"}`, `{"type": "thinking", "thinking": ""}`,
			[]growth{{"thinking_delta", "thinking", text}, {"signature_delta", "signature", "s"}}
	default:
		return unknown, unknown, nil
	}
}
