package wire

import (
	"encoding/json"
	"strings"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/runner/model"
)

// Key gives an API key, and a hider that removes it from texts. It is a function, which
// prints as an address with every verb, even as a field of a printed value.
type Key func() (string, *secret.Hider)

// NewKey makes a Key; "" means no key.
func NewKey(key string) Key {
	hider := secret.New(key)
	return func() (string, *secret.Hider) { return key, hider }
}

// Hide removes the key from a text: some endpoints quote it.
func (k Key) Hide(text string) string {
	_, hider := k()
	return hider.Hide(text)
}

// HideIn removes the key from an endpoint's reply, except Opaque; see Quoted.
func (k Key) HideIn(r *model.Response) {
	r.Message.Content, r.Message.Thought = k.Hide(r.Message.Content), k.Hide(r.Message.Thought)
	r.Model = k.Hide(r.Model)
	r.Finish = model.FinishReason(k.Hide(string(r.Finish)))
	for i := range r.Message.ToolCalls {
		c := &r.Message.ToolCalls[i]
		c.ID, c.Name, c.Arguments = k.Hide(c.ID), k.Hide(c.Name), k.Hide(c.Arguments)
	}
}

// Quoted reports JSON that contains the key. Such JSON cannot be kept, because the endpoint
// would refuse a changed version. The value is encoded again first, so that the key has
// only one spelling. Invalid JSON counts as containing it.
func (k Key) Quoted(raw json.RawMessage) bool {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return true
	}
	again, err := lines.Encode(value)
	return err != nil || k.Hide(string(again)) != string(again)
}

// Unfit reports a key with a character that headers cannot have, or that would be escaped
// in a reply, so that hiding it could miss it.
func Unfit(key string) bool {
	return strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' })
}
