package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-5817661a/concur/internal/wire"
)

// chunk is a piece of a completion.
type chunk struct {
	completion
	Groq struct {
		Usage json.RawMessage `json:"usage"`
	} `json:"x_groq"`
}

type choicePiece struct {
	Index  int             `json:"index"`
	Delta  json.RawMessage `json:"delta"`
	Finish json.RawMessage `json:"finish_reason"`
}

// doneMark is what the last event says.
const doneMark = "[DONE]"

// stream puts the pieces of one reply together.
type stream struct {
	told            *wire.Live
	ofCall, ofWhole []string // members that are kept

	model, usage, finish json.RawMessage
	content, refusal     strings.Builder
	thought              strings.Builder
	calls                []*streamedCall
	latest               map[int]*streamedCall // by the index that pieces name
	kept                 growingMembers
	choice               bool // one was there
}

func newStream(keep []string, told *wire.Live) *stream {
	s := &stream{told: told, latest: map[int]*streamedCall{}, kept: growingMembers{}}
	s.ofWhole, s.ofCall = keptNames(keep)
	return s
}

// read reads all events. What is wrong is a wire.Failed, wire.ErrCut, a wire.BadStream, or
// the body's own error.
func (s *stream) read(body io.Reader) error {
	e := wire.NewEvents(body, wire.Dialect{Done: doneMark})
	for {
		data, err := e.Next()
		switch {
		case errors.Is(err, io.EOF) && !e.Done() && !wire.Present(s.finish):
			return wire.ErrCut
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := e.Fault(data, s.event(data)); err != nil {
			return err
		}
	}
}

// event reads the data of one event: one chunk, or several where the empty lines between
// events are missing.
func (s *stream) event(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		var raw json.RawMessage
		switch err := dec.Decode(&raw); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("it holds an event that is no JSON: %s", data)
		}
		if err := s.chunk(raw); err != nil {
			return err
		}
	}
}

func (s *stream) chunk(raw json.RawMessage) error {
	var c chunk
	if err := json.Unmarshal(raw, &c); err != nil {
		return fmt.Errorf("it holds an event that is no part of a chat completion: %w", err)
	}
	if wire.Present(c.Error) {
		return wire.Failed{Body: raw}
	}
	keepLast(&s.model, c.Model)
	keepLast(&s.usage, c.Groq.Usage)
	keepLast(&s.usage, c.Usage)
	choices, err := elements[choicePiece](c.Choices, maxChoices)
	if err != nil {
		return fmt.Errorf("choices: %w", err)
	}
	for _, choice := range choices {
		if choice.Index != 0 {
			continue // one was asked for
		}
		s.choice = true
		keepLast(&s.finish, choice.Finish)
		if err := s.message(choice.Delta); err != nil {
			return err
		}
	}
	return nil
}

func keepLast(to *json.RawMessage, value json.RawMessage) {
	if wire.Present(value) {
		*to = value
	}
}

func (s *stream) message(delta json.RawMessage) error {
	if !wire.Present(delta) {
		return nil
	}
	var m message
	if err := json.Unmarshal(delta, &m); err != nil {
		return fmt.Errorf("it holds an event whose delta is of no known form: %w", err)
	}
	text, refusal, thought, err := m.texts()
	if err != nil {
		return err
	}
	s.content.WriteString(text)
	s.told.Add(text)
	s.refusal.WriteString(refusal)
	s.thought.WriteString(thought)
	s.kept.add(pick(delta, s.ofWhole))
	calls, err := elements[json.RawMessage](m.ToolCalls, maxCalls)
	if err != nil {
		return fmt.Errorf("tool calls: %w", err)
	}
	for _, raw := range calls {
		if err := s.call(raw); err != nil {
			return err
		}
	}
	return nil
}

// whole is the reply that the pieces make, in the form of one that came in one piece.
func (s *stream) whole() (said, error) {
	out := said{
		Model: s.model, Usage: s.usage, Finish: s.finish,
		Content: s.content.String(), Refusal: s.refusal.String(), Thought: s.thought.String(),
	}
	var err error
	if out.kept.Message, err = s.kept.members(); err != nil {
		return out, err
	}
	out.Calls, out.kept.Calls, err = s.wholeCalls()
	return out, err
}
