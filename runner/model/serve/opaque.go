package serve

import (
	"encoding/base64"
	"encoding/json"
)

// seal writes Message.Opaque as a text that clients carry back, for conversations that a
// provider refuses to go on with unless it gets what it sent, such as signed thinking.
func seal(opaque json.RawMessage) string { return base64.StdEncoding.EncodeToString(opaque) }

// unseal reads such a text; a text of another origin is nil.
func unseal(text string) json.RawMessage {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) == 0 || raw[0] != '{' || !json.Valid(raw) {
		return nil
	}
	return raw
}
