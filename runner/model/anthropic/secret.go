package anthropic

import "strings"

// secret gives a key. A function prints as an address whatever the verb, also as a field
// of something that is printed whole.
type secret func() string

func newSecret(key string) secret { return func() string { return key } }

// hide takes the key out of a text from elsewhere: some endpoints quote it in errors.
func (s secret) hide(text string) string {
	if key := s(); key != "" {
		return strings.ReplaceAll(text, key, "[API key]")
	}
	return text
}
