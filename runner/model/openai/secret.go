package openai

import "strings"

// secret gives a key. A function prints as an address whatever the verb, also as a field
// of something that is printed whole.
type secret func() string

func newSecret(key string) secret { return func() string { return key } }

// shortestKey is the length below which a key is a placeholder, such as local endpoints
// take: ordinary text holds it as well, and would be spoilt.
const shortestKey = 8

// hide takes the key out of a text from elsewhere: some endpoints quote it in errors.
func (s secret) hide(text string) string {
	if key := s(); len(key) >= shortestKey {
		return strings.ReplaceAll(text, key, "[API key]")
	}
	return text
}
