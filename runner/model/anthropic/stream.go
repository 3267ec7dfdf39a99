package anthropic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-5817661a/concur/internal/wire"
)

// stream puts the events of one reply together.
type stream struct {
	told *wire.Live // hears the texts; nil where nobody listens

	begun, ended bool // message_start and message_stop have come
	foreign      bool // an event of an unknown kind has come, perhaps of another wire
	model, stop  json.RawMessage
	usage        map[string]json.RawMessage
	blocks       []*growingBlock
	latest       map[int]*growingBlock // by the index that events name
	text         *growingBlock         // the text that began last
}

func newStream(told *wire.Live) *stream {
	return &stream{told: told, usage: map[string]json.RawMessage{}, latest: map[int]*growingBlock{}}
}

// read reads events up to message_stop. What is wrong is a wire.Failed, wire.ErrCut, a
// wire.BadStream, or the body's own error.
func (s *stream) read(body io.Reader) error {
	e := wire.NewEvents(body, wire.Dialect{CutNames: true})
	for !s.ended {
		data, err := e.Next()
		switch {
		case errors.Is(err, io.EOF) && s.foreign && !s.begun:
			return wire.BadStream("it has no message_start")
		case errors.Is(err, io.EOF):
			return wire.ErrCut
		case err != nil:
			return err
		}
		if err := e.Fault(data, s.events(data)); err != nil {
			return err
		}
	}
	return nil
}

// events reads the data of one event, or of several where the empty lines between them are
// missing.
func (s *stream) events(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(bytes.ToValidUTF8(data, []byte("\uFFFD"))))
	for {
		var raw json.RawMessage
		switch err := dec.Decode(&raw); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && strings.TrimSpace(string(data)) == "[DONE]": // some gateways end every stream so
			return nil
		case err != nil:
			return fmt.Errorf("it holds an event that is no JSON: %s", data)
		}
		if err := s.event(raw); err != nil {
			return err
		}
	}
}

// event takes one event. Unknown ones are passed over, as the API asks of its clients.
func (s *stream) event(raw json.RawMessage) error {
	var e struct {
		Error   json.RawMessage `json:"error"`
		Index   json.RawMessage `json:"index"`
		Message json.RawMessage `json:"message"`
		Block   json.RawMessage `json:"content_block"`
		Delta   json.RawMessage `json:"delta"`
		Usage   json.RawMessage `json:"usage"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return fmt.Errorf("it holds an event that is no object: %s", raw)
	}
	kind := typeOf(raw)
	switch {
	case kind == "error", wire.Present(e.Error):
		return wire.Failed{Body: raw}
	case kind == "message_start":
		return s.begin(e.Message)
	case kind == "ping":
		return nil
	case kind != "content_block_start" && kind != "content_block_delta" && kind != "message_delta" && kind != "message_stop":
		s.foreign = true
		return nil
	case !s.begun:
		return fmt.Errorf("its %s comes before any message_start", kind)
	}
	switch kind {
	case "message_stop":
		s.ended = true
		return nil
	case "message_delta":
		return s.finish(e.Delta, e.Usage)
	}
	var index int
	if wire.Present(e.Index) && json.Unmarshal(e.Index, &index) != nil {
		return fmt.Errorf("it holds a block with the index %s", e.Index)
	}
	if kind == "content_block_start" {
		return s.start(index, e.Block)
	}
	return s.grow(index, e.Delta)
}

func (s *stream) begin(message json.RawMessage) error {
	var m struct {
		Model json.RawMessage `json:"model"`
		Usage json.RawMessage `json:"usage"`
	}
	if wire.Present(message) && json.Unmarshal(message, &m) != nil {
		return fmt.Errorf("it holds a message_start of no known form: %s", message)
	}
	s.begun, s.model = true, m.Model
	return s.count(m.Usage)
}

func (s *stream) finish(delta, usage json.RawMessage) error {
	var d struct {
		Stop json.RawMessage `json:"stop_reason"`
	}
	if wire.Present(delta) && json.Unmarshal(delta, &d) != nil {
		return fmt.Errorf("it holds a message_delta of no known form: %s", delta)
	}
	if wire.Present(d.Stop) {
		s.stop = d.Stop
	}
	return s.count(usage)
}

// count takes a usage. Its figures are totals of the whole reply, and some gateways give a
// zero where they mean that they do not know.
func (s *stream) count(usage json.RawMessage) error {
	if !wire.Present(usage) {
		return nil
	}
	var figures map[string]json.RawMessage
	if err := json.Unmarshal(usage, &figures); err != nil {
		return fmt.Errorf("it holds a usage of no known form: %w", err)
	}
	for name, figure := range figures {
		if wire.Present(figure) && string(figure) != "0" {
			s.usage[name] = figure
		}
	}
	return nil
}

// whole is the message that the events make, in the form of one that came in one piece.
func (s *stream) whole() ([]byte, error) {
	out := map[string]any{"type": "message", "model": s.model, "stop_reason": s.stop, "usage": s.usage}
	content := []json.RawMessage{}
	for _, b := range s.blocks {
		raw, err := b.whole()
		if err != nil {
			return nil, err
		}
		if raw != nil {
			content = append(content, raw)
		}
	}
	out["content"] = content
	return encodeJSON(out)
}

// encodeJSON writes a value in which texts stand as they came, and signed blocks too.
func encodeJSON(value any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return out.Bytes(), err
}
