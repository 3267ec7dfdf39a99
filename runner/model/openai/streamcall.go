package openai

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
)

type callPiece struct {
	Index *int `json:"index"`
	call
}

// streamedCall is a tool call as far as its pieces have come.
type streamedCall struct {
	index     int
	id, name  string
	arguments strings.Builder
	kept      growingMembers
}

// call adds a piece of a tool call. A new call begins with a name and an id of its own;
// the index alone does not tell, since some endpoints leave it out or give 0 to all.
func (s *stream) call(raw json.RawMessage) error {
	var p callPiece
	if err := json.Unmarshal(raw, &p); err != nil {
		return fmt.Errorf("it holds a piece of a tool call of no known form: %w", err)
	}
	index := len(s.calls) - 1
	switch {
	case p.Index != nil:
		index = *p.Index
	case len(s.calls) > 0:
		index = s.calls[len(s.calls)-1].index
	}
	c := s.latest[index]
	if c == nil || p.ID != "" && p.ID != c.id && c.id != "" && p.Function.Name != "" {
		if len(s.calls) == maxCalls {
			return fmt.Errorf("it has more than %d tool calls", maxCalls)
		}
		c = &streamedCall{index: index, kept: growingMembers{}}
		s.calls, s.latest[index] = append(s.calls, c), c
	}
	if c.id == "" {
		c.id = p.ID
	}
	if name := p.Function.Name; name != c.name { // some repeat it in every piece
		c.name += name
	}
	arguments, err := argumentsOf(p.Function.Arguments)
	if err != nil {
		return err
	}
	c.arguments.WriteString(arguments)
	c.kept.add(pick(raw, s.ofCall))
	return nil
}

// wholeCalls are the calls in the order of their indexes, and what is kept of each.
func (s *stream) wholeCalls() (calls []model.ToolCall, kept []members, err error) {
	slices.SortStableFunc(s.calls, func(a, b *streamedCall) int { return cmp.Compare(a.index, b.index) })
	for _, c := range s.calls {
		m, err := c.kept.members()
		if err != nil {
			return nil, nil, err
		}
		calls = append(calls, model.ToolCall{ID: c.id, Name: c.name, Arguments: c.arguments.String()})
		kept = append(kept, m)
	}
	return calls, kept, nil
}
