package openai

import (
	"crypto/sha256"
	"encoding/json"
	"math/big"
	"regexp"

	"github.com/seed-5817661a/concur/internal/wire"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

// members are parts of a JSON object, unchanged.
type members map[string]json.RawMessage

// message is a message as it is sent, with its kept members.
func (m *Model) message(msg model.Message) map[string]any {
	kept := readOpaque(msg.Opaque, m.endpoint.Keep)
	out := map[string]any{"role": msg.Role, "content": msg.Content}
	switch {
	case msg.Content != "":
	case msg.Role == model.ToolRole:
		out["content"] = wire.NoOutput
	case len(msg.ToolCalls) > 0:
		out["content"] = nil // as endpoints themselves write it
	}
	if msg.Name != "" {
		out["name"] = msg.Name
	}
	if msg.ToolCallID != "" {
		out["tool_call_id"] = m.callID(msg.ToolCallID)
	}
	var calls []map[string]any
	for i, c := range msg.ToolCalls {
		call := map[string]any{"id": m.callID(c.ID), "type": "function", "function": map[string]string{"name": c.Name, "arguments": c.Arguments}}
		if i < len(kept.Calls) {
			kept.Calls[i].into(call)
		}
		calls = append(calls, call)
	}
	if calls != nil {
		out["tool_calls"] = calls
	}
	kept.Message.into(out)
	return out
}

func (f members) into(object map[string]any) {
	for name, value := range f {
		object[name] = value
	}
}

var alnumNine = regexp.MustCompile(`^[A-Za-z0-9]{9}$`)

// callID is an id in the endpoint's form: others are mapped to nine letters and digits.
func (m *Model) callID(id string) string {
	if m.endpoint.CallIDs != endpoints.AlnumNine || id == "" || alnumNine.MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	digits := new(big.Int).SetBytes(sum[:]).Text(62)
	return (digits + "000000000")[:9]
}
