package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// chunk is a piece of a completion.
type chunk struct {
	Error   json.RawMessage `json:"error"`
	Model   json.RawMessage `json:"model"`
	Choices json.RawMessage `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
	Groq    struct {
		Usage json.RawMessage `json:"usage"`
	} `json:"x_groq"`
}

type choicePiece struct {
	Index  int             `json:"index"`
	Delta  json.RawMessage `json:"delta"`
	Finish json.RawMessage `json:"finish_reason"`
}

type messagePiece struct {
	Content   json.RawMessage `json:"content"`
	Refusal   json.RawMessage `json:"refusal"`
	ToolCalls json.RawMessage `json:"tool_calls"`
}

// stream puts the pieces of one reply together.
type stream struct {
	told            *live
	ofCall, ofWhole []string // members that are kept

	model, usage, finish json.RawMessage
	content, refusal     strings.Builder
	calls                []*streamedCall
	latest               map[int]*streamedCall // by the index that pieces name
	kept                 growingMembers
	choice               bool // one was there
}

func newStream(keep []string, told *live) *stream {
	s := &stream{told: told, latest: map[int]*streamedCall{}, kept: growingMembers{}}
	s.ofWhole, s.ofCall = keptNames(keep)
	return s
}

// errFailed is a stream that reports a failure; body is what it says.
type errFailed struct{ body json.RawMessage }

func (e errFailed) Error() string { return "the stream reports a failure" }

// errCut is a stream that ended before the reply did.
var errCut = errors.New("the stream broke off before the reply was complete")

// read reads all events. What is wrong is an errFailed, errCut, a badStream, or the body's
// own error.
func (s *stream) read(body io.Reader) error {
	e := newEvents(body)
	for {
		data, err := e.next()
		switch {
		case errors.Is(err, io.EOF) && !e.done && !present(s.finish):
			return errCut
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		err = s.event(data)
		_, failed := errors.AsType[errFailed](err)
		switch {
		case err == nil:
		case failed:
			return err
		case e.cut && !json.Valid(data):
			return errCut // amid the last event
		default:
			return badStream(err.Error())
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
	if present(c.Error) {
		return errFailed{raw}
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
	if present(value) {
		*to = value
	}
}

func (s *stream) message(delta json.RawMessage) error {
	if !present(delta) {
		return nil
	}
	var m messagePiece
	if err := json.Unmarshal(delta, &m); err != nil {
		return fmt.Errorf("it holds an event whose delta is of no known form: %w", err)
	}
	text, err := contentOf(m.Content)
	if err != nil {
		return err
	}
	s.content.WriteString(text)
	s.told.add(text)
	if text, err = contentOf(m.Refusal); err != nil {
		return err
	}
	s.refusal.WriteString(text)
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
		Content: s.content.String(), Refusal: s.refusal.String(),
	}
	var err error
	if out.kept.Message, err = s.kept.members(); err != nil {
		return out, err
	}
	out.Calls, out.kept.Calls, err = s.wholeCalls()
	return out, err
}
