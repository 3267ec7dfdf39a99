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
		return io.EOF
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

func (s *stream) begin(raw json.RawMessage) error {
	var m struct {
		Model string          `json:"model"`
		Usage json.RawMessage `json:"usage"`
	}
	if wire.Present(raw) && json.Unmarshal(raw, &m) != nil {
		return fmt.Errorf("it holds a message_start of no known form: %s", raw)
	}
	s.begun, s.message.Model = true, m.Model
	return s.count(m.Usage)
}

func (s *stream) finish(delta, usage json.RawMessage) error {
	var d struct {
		Stop string `json:"stop_reason"`
	}
	if wire.Present(delta) && json.Unmarshal(delta, &d) != nil {
		return fmt.Errorf("it holds a message_delta of no known form: %s", delta)
	}
	s.message.Stop = cmp.Or(d.Stop, s.message.Stop)
	return s.count(usage)
}

// count takes a usage. Its figures are totals of the whole reply; some gateways give 0 for
// unknown.
func (s *stream) count(raw json.RawMessage) error {
	var u usage
	if wire.Present(raw) {
		if err := json.Unmarshal(raw, &u); err != nil {
			return fmt.Errorf("it holds a usage of no known form: %w", err)
		}
	}
	total := &s.message.Usage
	*total = usage{cmp.Or(u.Input, total.Input), cmp.Or(u.Output, total.Output), cmp.Or(u.CacheRead, total.CacheRead), cmp.Or(u.CacheWrite, total.CacheWrite)}
	return nil
}
