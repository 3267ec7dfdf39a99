package responses

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model/wire"
)

// stream assembles the events of one reply.
type stream struct {
	live  *wire.Live // gets the texts of answers; may be nil
	known bool       // an event of this API has arrived
	ended bool       // the event with the whole response has arrived
	reply response
	items map[index]*growingItem // by the index in the events
}

// growingItem is an item of a stream that is still arriving.
type growingItem struct {
	raw   json.RawMessage // the item in its start or end event
	whole bool            // the item is complete
	phase words
	text  strings.Builder // text of the message, or of the arguments
	// refused means that the text is a refusal.
	refused bool
}

// streamed is one event of the stream.
type streamed struct {
	Type     string          `json:"type"`
	Error    json.RawMessage `json:"error"`
	Response json.RawMessage `json:"response"`
	Index    index           `json:"output_index"`
	Item     json.RawMessage `json:"item"`
	Delta    string          `json:"delta"`
}

// index is the position of an item, sent as a number or a text.
type index int

// UnmarshalJSON reads the index; null is 0.
func (x *index) UnmarshalJSON(raw []byte) error {
	if !wire.Present(raw) {
		return nil
	}
	n, err := strconv.Atoi(wire.Words(raw))
	*x = index(n)
	return err
}

// readStream reads events up to the event with the whole response.
func readStream(body io.Reader, live *wire.Live) (response, error) {
	s := &stream{live: live, items: map[index]*growingItem{}}
	switch err := wire.NewEvents(body).Each(s.event); {
	case err != nil:
		return response{}, err
	case !s.known:
		return response{}, wire.BadStream("it has no events of a response")
	case !s.ended:
		return response{}, wire.ErrCut
	}
	if len(s.reply.Output) == 0 { // some servers omit the output in the last event
		s.reply.Output = s.assembled()
	}
	s.reply.Output = s.reply.items()
	return s.reply, nil
}

// event handles one event. It ignores unknown events, as the API requires.
func (s *stream) event(raw json.RawMessage) error {
	var e streamed
	if err := json.Unmarshal(raw, &e); err != nil {
		var kind struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(raw, &kind) == nil && kind.Type != "" && !s.reads(kind.Type) {
			return nil
		}
		return fmt.Errorf("it holds an event of unknown form: %s", raw)
	}
	s.known = s.known || strings.HasPrefix(e.Type, "response.")
	switch e.Type {
	case "error":
		return wire.Failed{Body: raw}
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		return s.end(e)
	case "response.output_item.added", "response.output_item.done":
		return s.item(e)
	case "response.output_text.delta", "response.refusal.delta", "response.function_call_arguments.delta":
		g := s.at(e.Index)
		g.text.WriteString(e.Delta)
		g.refused = g.refused || e.Type == "response.refusal.delta"
		if e.Type == "response.output_text.delta" && g.phase != commentary {
			s.live.Add(e.Delta)
		}
	default:
		if !strings.HasPrefix(e.Type, "response.") && wire.Present(e.Error) { // vLLM reports failures in this form
			return wire.Failed{Body: raw}
		}
	}
	return nil
}

// reads reports whether the content of events of this type is read.
func (*stream) reads(kind string) bool {
	return slices.Contains([]string{
		"error", "response.completed", "response.incomplete", "response.failed", "response.cancelled",
		"response.output_item.added", "response.output_item.done",
		"response.output_text.delta", "response.refusal.delta", "response.function_call_arguments.delta",
	}, kind)
}

// end reads the event with the whole response.
func (s *stream) end(e streamed) error {
	if !wire.Present(e.Response) || json.Unmarshal(e.Response, &s.reply) != nil {
		return fmt.Errorf("its %s has a response of unknown form: %s", e.Type, e.Response)
	}
	s.ended = true
	if wire.Present(s.reply.Error) {
		return wire.Failed{Body: e.Response}
	}
	s.reply.Status = cmp.Or(s.reply.Status, words(strings.TrimPrefix(e.Type, "response.")))
	return io.EOF
}

func (s *stream) at(at index) *growingItem {
	g := s.items[at]
	if g == nil {
		g = &growingItem{}
		s.items[at] = g
	}
	return g
}

// item handles the start or the end of an item.
func (s *stream) item(e streamed) error {
	if len(s.items) > maxItems {
		return fmt.Errorf("it has more than %d items", maxItems)
	}
	g := s.at(e.Index)
	if g.whole && e.Type == "response.output_item.added" {
		return nil
	}
	var it item
	if json.Unmarshal(e.Item, &it) == nil {
		g.phase = it.Phase
	}
	g.raw, g.whole = e.Item, e.Type == "response.output_item.done"
	return nil
}

// assembled returns the items in order, for a response that has no items in its last event. Complete items
// are as in their end event, others are built from their pieces.
func (s *stream) assembled() []json.RawMessage {
	out := []json.RawMessage{}
	for _, at := range slices.Sorted(maps.Keys(s.items)) {
		if raw := s.items[at].completed(); raw != nil {
			out = append(out, raw)
		}
	}
	return out
}

// completed returns the item with its pieces; nil for an item without a start event.
func (g *growingItem) completed() json.RawMessage {
	if g.whole || g.text.Len() == 0 && wire.Present(g.raw) {
		return g.raw
	}
	members := map[string]any{}
	if wire.Present(g.raw) {
		if json.Unmarshal(g.raw, &members) != nil {
			return g.raw
		}
	}
	switch kind, _ := members["type"].(string); cmp.Or(kind, messageItem) {
	case messageItem:
		members["type"], members["role"] = messageItem, "assistant"
		said := fields{"type": "output_text", "text": g.text.String(), "annotations": []any{}}
		if g.refused {
			said = fields{"type": "refusal", "refusal": g.text.String()}
		}
		members["content"] = []fields{said}
	case callItem:
		members["arguments"] = g.text.String()
	}
	raw, err := lines.Encode(members)
	if err != nil || g.text.Len() == 0 {
		return nil
	}
	return raw
}
