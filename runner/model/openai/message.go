package openai

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"math/big"
	"regexp"
	"slices"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

type wireMessage struct {
	Role       model.Role `json:"role"`
	Content    *string    `json:"content"`
	ToolCalls  []wireCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`

	kept members
}

type wireCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function wireFunction `json:"function"`

	kept members
}

type wireFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// members are parts of a JSON object as they came.
type members map[string]json.RawMessage

func (m wireMessage) MarshalJSON() ([]byte, error) {
	type plain wireMessage
	return m.kept.beside(plain(m))
}

func (c wireCall) MarshalJSON() ([]byte, error) {
	type plain wireCall
	return c.kept.beside(plain(c))
}

// beside writes an object that has members of its own, with these after them.
func (f members) beside(object any) ([]byte, error) {
	raw, err := json.Marshal(object)
	if err != nil || len(f) == 0 {
		return raw, err
	}
	out := bytes.NewBuffer(raw[:len(raw)-1])
	for _, name := range slices.Sorted(maps.Keys(f)) {
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		out.WriteByte(',')
		out.Write(key)
		out.WriteByte(':')
		out.Write(f[name])
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func (w writer) message(msg model.Message) wireMessage {
	kept := readOpaque(msg.Opaque, w.endpoint.Keep)
	out := wireMessage{Role: msg.Role, Content: &msg.Content, ToolCallID: w.callID(msg.ToolCallID), kept: kept.Message}
	for i, c := range msg.ToolCalls {
		call := wireCall{w.callID(c.ID), "function", wireFunction{c.Name, c.Arguments}, nil}
		if i < len(kept.Calls) {
			call.kept = kept.Calls[i]
		}
		out.ToolCalls = append(out.ToolCalls, call)
	}
	switch {
	case msg.Content != "":
	case msg.Role == model.ToolRole:
		placeholder := wire.NoOutput
		out.Content = &placeholder
	case len(msg.ToolCalls) > 0:
		out.Content = nil // null, as endpoints themselves write it
	}
	return out
}

var alnumNine = regexp.MustCompile(`^[A-Za-z0-9]{9}$`)

// callID is an id in the form that the endpoint takes: another one becomes the same nine
// digits wherever it stands.
func (w writer) callID(id string) string {
	if w.endpoint.CallIDs != endpoints.AlnumNine || id == "" || alnumNine.MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	digits := new(big.Int).SetBytes(sum[:]).Text(62)
	return (digits + "000000000")[:9]
}
