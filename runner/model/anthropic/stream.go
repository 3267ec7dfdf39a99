package anthropic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"github.com/seed-5817661a/concur/internal/wire"
)

// stream assembles the events of one reply.
type stream struct {
	live *wire.Live // gets the texts; may be nil

	begun, ended bool // message_start and message_stop have come
	foreign      bool // an event of an unknown kind has come, perhaps of another wire
	message      message
	blocks       []*growingBlock
	latest       map[int]*growingBlock // by the index that events name
	text         *growingBlock         // the latest text
}

// readStream reads events up to message_stop into the message that they make.
func readStream(body io.Reader, live *wire.Live) (message, error) {
	s := &stream{live: live, latest: map[int]*growingBlock{}}
	e := wire.NewEvents(body)
	err := e.Each(s.event)
	s.ended = s.ended || e.Done() && s.message.Stop != "" // by the mark of another wire
	switch {
	case err != nil:
		return message{}, err
	case !s.ended && s.foreign && !s.begun:
		return message{}, wire.BadStream("it has no message_start")
	case !s.ended:
		return message{}, wire.ErrCut
	}
	for _, b := range s.blocks {
		raw, err := b.whole()
		if err != nil {
			return message{}, wire.BadStream(err.Error())
		}
		if raw != nil {
			s.message.Content = append(s.message.Content, raw)
		}
	}
	return s.message, nil
}

// event handles one event. Unknown ones are ignored, as the API requires.
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
	case kind == "ping":
		return nil
	case kind == "message_start":
		s.begun = true
		return s.describe(kind, e.Message, nil)
	case kind != "content_block_start" && kind != "content_block_delta" && kind != "message_delta" && kind != "message_stop":
		s.foreign = true
		return nil
	case !s.begun:
		return fmt.Errorf("its %s comes before any message_start", kind)
	case kind == "message_stop":
		s.ended = true
		return io.EOF
	case kind == "message_delta":
		return s.describe(kind, e.Delta, e.Usage)
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

// describe takes what an event says of the whole message. Its figures of usage are totals of the
// whole reply; some gateways give 0 for unknown.
func (s *stream) describe(kind string, raw, usageOf json.RawMessage) error {
	var m struct {
		Model string          `json:"model"`
		Stop  string          `json:"stop_reason"`
		Usage json.RawMessage `json:"usage"`
	}
	if wire.Present(raw) && json.Unmarshal(raw, &m) != nil {
		return fmt.Errorf("it holds a %s of no known form: %s", kind, raw)
	}
	s.message.Model, s.message.Stop = cmp.Or(m.Model, s.message.Model), cmp.Or(m.Stop, s.message.Stop)
	if usageOf == nil {
		usageOf = m.Usage
	}
	var u usage
	if wire.Present(usageOf) {
		if err := json.Unmarshal(usageOf, &u); err != nil {
			return fmt.Errorf("it holds a usage of no known form: %w", err)
		}
	}
	total := &s.message.Usage
	*total = usage{cmp.Or(u.Input, total.Input), cmp.Or(u.Output, total.Output), cmp.Or(u.CacheRead, total.CacheRead), cmp.Or(u.CacheWrite, total.CacheWrite)}
	return nil
}
