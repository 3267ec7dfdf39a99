package wire

import (
	"encoding/json"
	"strings"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/runner/model"
)

// Key gives an API key, and what takes it out of texts. A function prints as an address
// whatever the verb, also as a field of something that is printed whole.
type Key func() (string, *secret.Hider)

// NewKey keeps a key; "" is none.
func NewKey(key string) Key {
	hider := secret.New(key)
	return func() (string, *secret.Hider) { return key, hider }
}

// Hide takes the key out of a text from elsewhere: some endpoints quote it.
func (k Key) Hide(text string) string {
	_, hider := k()
	return hider.Hide(text)
}

// HideIn keeps the key out of whatever an endpoint says: some quote it back. Opaque stays
// as it is; see Quoted.
func (k Key) HideIn(r *model.Response) {
	r.Message.Content, r.Message.Thought = k.Hide(r.Message.Content), k.Hide(r.Message.Thought)
	r.Model = k.Hide(r.Model)
	r.Finish = model.FinishReason(k.Hide(string(r.Finish)))
	for i := range r.Message.ToolCalls {
		c := &r.Message.ToolCalls[i]
		c.ID, c.Name, c.Arguments = k.Hide(c.ID), k.Hide(c.Name), k.Hide(c.Arguments)
	}
}

// Quoted tells JSON that quotes the key and so must not be kept for sending back: changed,
// it would not be taken. It is spelled anew first, in the one way in which the characters
// of a key stand for themselves. What is no JSON counts as quoting it.
func (k Key) Quoted(raw json.RawMessage) bool {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return true
	}
	var spelled strings.Builder
	enc := json.NewEncoder(&spelled)
	enc.SetEscapeHTML(false)
	return enc.Encode(value) != nil || k.Hide(spelled.String()) != spelled.String()
}

// Unfit tells a key with a character that a header cannot carry, or that would be spelled
// in another way when a reply quotes the key, so that hiding it could miss it.
func Unfit(key string) bool {
	return strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' })
}
