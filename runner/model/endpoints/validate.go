package endpoints

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Validate checks a complete endpoint: a preset, or an entry after Over. The error has all
// problems, and does not repeat possible secrets.
func (e Endpoint) Validate() error {
	var problems []error
	bad := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	for _, f := range []struct {
		name, got string
		known     []string
	}{
		{"kind", string(e.Kind), []string{string(OpenAI), string(Anthropic)}},
		{"max_tokens_field", e.MaxTokensField, []string{"", "max_tokens", "max_completion_tokens"}},
		{"seed_field", e.SeedField, []string{"", "seed", "random_seed"}},
		{"response_format", e.Format, formats()},
		{"stream", e.Stream, streams()},
		{"tool_call_ids", e.CallIDs, []string{"", AnyID, AlnumNine}},
	} {
		if !slices.Contains(f.known, f.got) {
			bad("%s %q is not known: %s", f.name, f.got, join(f.known))
		}
	}
	if _, err := e.Address(); err != nil {
		problems = append(problems, err)
	}
	if !e.Auth.set() {
		bad("auth is missing: give none, or {env: NAME} with the variable that holds the key")
	}
	if err := e.Auth.validate(); err != nil {
		problems = append(problems, err)
	}
	problems = append(problems, checkHeaders(e.Headers)...)
	problems = append(problems, checkBody("extra_body", e.ExtraBody)...)
	problems = append(problems, checkOmit("omit", e.Omit)...)
	for _, name := range e.Keep {
		if !field.MatchString(strings.TrimPrefix(name, CallPrefix)) || slices.Contains(requestFields(), name) {
			bad("keep names %q, which is not an additional field of a message", name)
		}
	}
	if e.Kind == Anthropic {
		problems = append(problems, e.checkAnthropic()...)
	}
	for i, r := range e.Models {
		problems = append(problems, r.check(fmt.Sprintf("models[%d]", i))...)
	}
	return errors.Join(problems...)
}

// checkAnthropic refuses settings that the Anthropic client does not support.
func (e Endpoint) checkAnthropic() []error {
	var problems []error
	refuse := func(what string) {
		problems = append(problems, fmt.Errorf("%s is not supported for endpoints of kind %s: leave it out", what, Anthropic))
	}
	if len(e.Headers) > 0 {
		refuse("headers")
	}
	for _, name := range slices.Sorted(maps.Keys(e.ExtraBody)) {
		if name != "thinking" {
			refuse("extra_body." + name)
		}
	}
	for _, name := range e.Omit {
		if name != Temperature && name != ToolChoice {
			refuse("omit: " + name)
		}
	}
	for name, set := range map[string]bool{
		"max_tokens_field": e.MaxTokensField != "", "seed_field": e.SeedField != "", "response_format": e.Format != "",
		"stream": e.Stream != "", "tool_call_ids": e.CallIDs != "", "keep": len(e.Keep) > 0,
	} {
		if set {
			refuse(name)
		}
	}
	slices.SortFunc(problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return problems
}

// CallPrefix begins the entries of Keep that are fields of a tool call.
const CallPrefix = "tool_calls."

var (
	field  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)
	header = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)
	// looksSecret matches the usual forms of keys, ownKey the names of their fields.
	looksSecret = regexp.MustCompile(`(?i)^(bearer|basic) |^(sk|pk|gsk|key)-[A-Za-z0-9_-]{8,}`)
	ownKey      = regexp.MustCompile(`(?i)api[_-]?key|secret|password|authorization|credential`)

	secret = regexp.MustCompile(`(?i)auth|key|token|secret|cookie|password|credential`)
)

func formats() []string { return []string{"", JSONSchema, JSONObject} }
func streams() []string { return []string{"", StreamAuto, StreamAlways, StreamNever} }

// requestFields are the fields of a message that the request sets.
func requestFields() []string {
	return []string{"role", "content", "tool_calls", "tool_call_id", CallPrefix + "id", CallPrefix + "type", CallPrefix + "function"}
}

// LooksLikeKey reports whether a text has the usual form of a key.
func LooksLikeKey(text string) bool { return looksSecret.MatchString(text) }

func (r Rule) check(at string) []error {
	problems := slices.Concat(checkBody(at+".extra_body", r.ExtraBody), checkOmit(at+".omit", r.Omit))
	if r.Match == "" {
		problems = append(problems, fmt.Errorf("%s.match is missing: give a model's name; * matches any characters", at))
	}
	if !slices.Contains(formats(), r.Format) {
		problems = append(problems, fmt.Errorf("%s.response_format %q is not known: %s", at, r.Format, join(formats())))
	}
	if !slices.Contains(streams(), r.Stream) {
		problems = append(problems, fmt.Errorf("%s.stream %q is not known: %s", at, r.Stream, join(streams())))
	}
	return problems
}

// Address is the checked base URL: it must not misdirect requests or put a secret into a
// log.
func (e Endpoint) Address() (*url.URL, error) {
	raw := strings.TrimRight(strings.TrimSpace(e.BaseURL), "/")
	u, err := url.Parse(strings.TrimRight(strings.TrimSuffix(raw, "/chat/completions"), "/"))
	switch {
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("the base URL is not an address such as https://api.openai.com/v1; correct %s", e.AddressHint())
	case u.User != nil:
		return nil, fmt.Errorf("the base URL contains a user name or password; remove it from %s and name the key's variable as auth", e.AddressHint())
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, fmt.Errorf("the base URL for %s contains a query or a fragment; remove everything after ? or # in %s", u.Host, e.AddressHint())
	}
	return u, nil
}

// checkHeaders refuses reserved headers and secrets.
func checkHeaders(headers map[string]string) []error {
	reserved := []string{"content-type", "content-length", "content-encoding", "accept", "accept-encoding", "host", "connection", "transfer-encoding", "te", "trailer", "upgrade", "anthropic-version"}
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		value := headers[name]
		switch {
		case !header.MatchString(name):
			problems = append(problems, fmt.Errorf("headers has the invalid name %q", name))
		case secret.MatchString(name):
			problems = append(problems, fmt.Errorf("headers.%s is a secret, and headers are recorded: name the variable that holds a key as auth: {env: NAME}", name))
		case slices.Contains(reserved, strings.ToLower(name)):
			problems = append(problems, fmt.Errorf("headers.%s cannot be set: the client sets it", name))
		case looksSecret.MatchString(value):
			problems = append(problems, fmt.Errorf("headers.%s looks like a key, and headers are recorded: name the variable that holds a key as auth: {env: NAME}", name))
		case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }):
			problems = append(problems, fmt.Errorf("headers.%s contains a character that headers cannot have", name))
		}
	}
	return problems
}

// checkBody refuses fields that every request sets.
func checkBody(at string, body map[string]any) []error {
	reserved := append(omittable(), "model", "messages", "tools", "stream", "n", "random_seed", "max_completion_tokens", "system", "stop_sequences")
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(body)) {
		if slices.Contains(reserved, name) {
			problems = append(problems, fmt.Errorf("%s.%s cannot be set: every request sets it", at, name))
		}
		if text, _ := body[name].(string); ownKey.MatchString(name) || looksSecret.MatchString(text) {
			problems = append(problems, fmt.Errorf("%s.%s looks like a key, and settings are recorded: name the variable that holds a key as auth: {env: NAME}", at, name))
		}
	}
	if _, err := json.Marshal(body); err != nil {
		problems = append(problems, fmt.Errorf("%s cannot be written as JSON: %w", at, err))
	}
	return problems
}

func checkOmit(at string, names []string) []error {
	var problems []error
	for _, name := range names {
		if !slices.Contains(omittable(), name) {
			problems = append(problems, fmt.Errorf("%s names %q, which is not known: %s", at, name, join(omittable())))
		}
	}
	return problems
}

func join(names []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "" }), ", ")
}
