package endpoints

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/secret"
)

// problems collects the mistakes in an endpoint. Their texts do not contain possible secrets.
type problems struct {
	found  []error
	filled bool // headers and extra_body contain keys from the environment
}

func (p *problems) add(format string, args ...any) {
	p.found = append(p.found, fmt.Errorf(format, args...))
}

// Validate checks a complete endpoint: a preset, or an entry after Over. The error lists all problems, and
// does not contain possible secrets.
func (e Endpoint) Validate() error {
	p := problems{filled: e.Filled}
	p.known("kind", string(e.Kind), string(OpenAI), string(Anthropic), string(Responses))
	p.known("max_tokens_field", e.MaxTokensField, "", MaxTokens, "max_completion_tokens")
	p.known("seed_field", e.SeedField, "", Seed, "random_seed")
	p.known("tool_call_ids", e.CallIDs, "", AnyID, AlnumNine)
	if _, err := e.Address(); err != nil && (e.BaseURL != "" || e.AddressEnv == "") { // Resolve reports a missing one
		p.add("%w", err)
	}
	p.path(e.Path)
	if name := e.KeyHeader; name != "" && (!header.MatchString(name) || slices.Contains(reservedHeaders,
		strings.ToLower(name))) {
		p.add("key_header cannot be that header: name one such as api-key")
	}
	if !e.Auth.set() {
		p.add("auth is missing: give none, or {env: NAME} with the variable that has the key")
	}
	if err := e.Auth.validate(); err != nil {
		p.add("%w", err)
	}
	p.headers(e.Headers)
	p.rule("", Rule{ExtraBody: e.ExtraBody, Format: e.Format, Stream: e.Stream, Omit: e.Omit,
		AssistantPrefix: e.AssistantPrefix})
	for _, name := range e.Keep {
		if !field.MatchString(strings.TrimPrefix(name, CallPrefix)) || slices.Contains(messageFields, name) {
			p.add("keep names %q, which is not an additional field of a message", name)
		}
	}
	switch e.Kind {
	case Anthropic:
		p.anthropic(e)
	case Responses:
		p.responses(e)
	}
	if e.MaxTools < 0 {
		p.add("max_tools is %d: give the largest number of tools of a request, or leave it out", e.MaxTools)
	}
	for i, r := range e.Models {
		at := fmt.Sprintf("models[%d].", i)
		if r.Match == "" {
			p.add("%smatch is missing: give a model's name; * matches any characters", at)
		}
		p.rule(at, r)
	}
	return errors.Join(p.found...)
}

// Omittable returns the request fields that Endpoint.Omit may name.
func Omittable() []string { return slices.Clone(omittable) }

// known adds a problem if a setting does not have one of the allowed values.
func (p *problems) known(at, got string, values ...string) {
	if !slices.Contains(values, got) {
		p.add("%s %q is not known: %s", at, got, strings.TrimPrefix(strings.Join(values, ", "), ", "))
	}
}

// rule checks the settings that an endpoint can have, and that a rule for some of its models can have, too.
func (p *problems) rule(at string, r Rule) {
	p.known(at+"response_format", r.Format, "", JSONSchema, JSONObject)
	p.known(at+"stream", r.Stream, "", StreamAuto, StreamAlways, StreamNever)
	p.known(at+"assistant_prefix", r.AssistantPrefix, "", PrefixNone, PrefixContinue, PrefixField, PrefixPartial,
		PrefixFinal)
	reserved := append([]string{"model", "messages", "tools", "stream", "n", "random_seed", "max_completion_tokens",
		"system", "stop_sequences"}, omittable...)
	for _, name := range slices.Sorted(maps.Keys(r.ExtraBody)) {
		if slices.Contains(reserved, name) {
			p.add("%sextra_body.%s cannot be set: every request sets it", at, name)
		}
		p.body(at+"extra_body."+name, name, r.ExtraBody[name])
	}
	if _, err := json.Marshal(r.ExtraBody); err != nil {
		p.add("%sextra_body cannot be written as JSON: %w", at, err)
	}
	for _, name := range r.Omit {
		if !slices.Contains(omittable, name) {
			p.add("%somit names %q, which is not known: %s", at, name, strings.Join(omittable, ", "))
		}
	}
}

// body adds a problem for each key in a value of extra_body, at any depth.
func (p *problems) body(at, name string, value any) {
	switch value := value.(type) {
	case string:
		if !p.filled && !filled.MatchString(value) && (value != "" && ownKey.MatchString(name) || LooksLikeKey(value)) {
			p.add("%s looks like a key, and settings are recorded: %s", at, fillAdvice)
		}
	case []any:
		for i, one := range value {
			p.body(fmt.Sprintf("%s[%d]", at, i), name, one)
		}
	case map[string]any:
		for _, inner := range slices.Sorted(maps.Keys(value)) {
			p.body(at+"."+inner, inner, value[inner])
		}
	}
}

// path adds problems for a path that is malformed, or that could put a secret into a log.
func (p *problems) path(path string) {
	u, err := url.Parse(strings.ReplaceAll(path, modelInPath, "model"))
	switch {
	case path == "":
	case err != nil, !strings.HasPrefix(path, "/"), strings.HasPrefix(path, "//"), u.Fragment != "",
		strings.ContainsAny(u.Path, "{}"):
		p.add("path is not a path such as /openai/deployments/{model}?api-version=2024-10-21: correct it")
	default:
		for name, values := range u.Query() {
			if namesSecret.MatchString(name) || slices.ContainsFunc(values, LooksLikeKey) {
				p.add("path has a secret in its query, and settings are recorded: %s", keyAdvice)
			}
		}
	}
}

// reservedHeaders are set by the client.
var reservedHeaders = []string{"content-type", "content-length", "content-encoding", "accept", "accept-encoding",
	"host", "connection", "transfer-encoding", "te", "trailer", "upgrade", "anthropic-version"}

// headers adds problems for reserved headers and for secrets.
func (p *problems) headers(headers map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		value := headers[name]
		switch {
		case !header.MatchString(name):
			p.add("headers has the invalid name %q", name)
		case !p.filled && namesSecret.MatchString(name) && !filled.MatchString(value):
			p.add("headers.%s is a secret, and headers are recorded: %s; for a second key %s", name, keyAdvice,
				fillAdvice)
		case slices.Contains(reservedHeaders, strings.ToLower(name)):
			p.add("headers.%s cannot be set: the client sets it", name)
		case !p.filled && LooksLikeKey(value):
			p.add("headers.%s looks like a key, and headers are recorded: %s", name, fillAdvice)
		case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }):
			p.add("headers.%s contains a character that headers cannot have", name)
		}
	}
}

// anthropic adds problems for settings that the Anthropic client does not support.
func (p *problems) anthropic(e Endpoint) {
	var unsupported []string
	for name, set := range map[string]bool{
		"headers": len(e.Headers) > 0, "max_tokens_field": e.MaxTokensField != "", "seed_field": e.SeedField != "",
		"response_format": e.Format != "", "tool_call_ids": e.CallIDs != "", "keep": len(e.Keep) > 0,
		"path": e.Path != "", "key_header": e.KeyHeader != "",
		"assistant_prefix: " + e.AssistantPrefix: e.Continues() && e.AssistantPrefix != PrefixContinue,
	} {
		if set {
			unsupported = append(unsupported, name)
		}
	}
	for name := range e.ExtraBody {
		if name != "thinking" {
			unsupported = append(unsupported, "extra_body."+name)
		}
	}
	for _, name := range e.Omit {
		if name != Temperature && name != ToolChoice {
			unsupported = append(unsupported, "omit: "+name)
		}
	}
	p.unsupported(e.Kind, unsupported)
}

func (p *problems) unsupported(kind Kind, names []string) {
	slices.Sort(names)
	for _, name := range names {
		p.add("%s is not supported for endpoints of kind %s: leave it out", name, kind)
	}
}

// responses adds problems for settings that the Responses client sets itself, or that its API does not have.
func (p *problems) responses(e Endpoint) {
	var unsupported []string
	for name, set := range map[string]bool{
		"max_tokens_field": e.MaxTokensField != "", "tool_call_ids": e.CallIDs != "", "keep": len(e.Keep) > 0,
		"assistant_prefix": e.Continues(),
	} {
		if set {
			unsupported = append(unsupported, name)
		}
	}
	for _, name := range []string{
		"input", "instructions", "max_output_tokens", "previous_response_id", "conversation", "background", "prompt",
	} {
		if _, set := e.ExtraBody[name]; set {
			unsupported = append(unsupported, "extra_body."+name)
		}
	}
	p.unsupported(e.Kind, unsupported)
}

// CallPrefix is the beginning of entries of Keep that name fields of a tool call.
const CallPrefix = "tool_calls."

const (
	keyAdvice  = "give the variable of the key as auth: {env: NAME}"
	fillAdvice = "write ${NAME}, and export the key as NAME"
)

var (
	field  = lazy.Compile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)
	header = lazy.Compile(`^[A-Za-z0-9-]{1,64}$`)
	// looksSecret matches the usual forms of keys; ownKey and namesSecret match the names of fields and
	// headers for them.
	looksSecret = lazy.Compile(`(?i)^(bearer|basic) |^(sk|pk|gsk|key)-[A-Za-z0-9_-]{8,}`)
	ownKey      = lazy.Compile(`(?i)api[_-]?key|secret|password|authorization|credential`)
	namesSecret = lazy.Compile(`(?i)auth|key|token|secret|cookie|password|credential`)

	// messageFields are the fields of a message that the request sets.
	messageFields = []string{"role", "content", "tool_calls", "tool_call_id", CallPrefix + "id", CallPrefix + "type",
		CallPrefix + "function"}
	omittable = []string{
		Temperature, Seed, Stop, ResponseFormat, ToolChoice, ParallelCalls, StreamOptions, MaxTokens, Include, Store,
	}
)

// LooksLikeKey reports whether a text has the usual form of a key.
func LooksLikeKey(text string) bool {
	return looksSecret.MatchString(text) || len(secret.Likely(text)) > 0
}

// Address returns the base URL. It returns an error if the URL is malformed, or could put a secret into a
// log.
func (e Endpoint) Address() (*url.URL, error) {
	raw := strings.TrimRight(strings.TrimSpace(e.BaseURL), "/")
	raw = strings.TrimSuffix(strings.TrimSuffix(raw, "/chat/completions"), "/responses")
	u, err := url.Parse(strings.TrimRight(raw, "/"))
	switch {
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("the base URL is not an address such as https://api.openai.com/v1; correct %s",
			e.AddressHint())
	case u.User != nil:
		return nil, fmt.Errorf("the base URL contains a user name or password; remove it from %s and name the key's "+
			"variable as auth", e.AddressHint())
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, fmt.Errorf("the base URL for %s contains a query or a fragment; remove everything after ? or # "+
			"in %s", u.Host, e.AddressHint())
	}
	return u, nil
}

// modelInPath is replaced in Path by the name of the model.
const modelInPath = "{model}"

// AddressOf returns the base URL of a model: the Address of the endpoint. If Address has no path, Path is added
// to it.
func (e Endpoint) AddressOf(model string) (*url.URL, error) {
	u, err := e.Address()
	if err != nil || e.Path == "" || strings.Trim(u.Path, "/") != "" {
		return u, err
	}
	added, err := url.Parse(strings.ReplaceAll(e.Path, modelInPath, url.PathEscape(model)))
	if err != nil {
		return nil, fmt.Errorf("path of %s: %w", e.Name, err)
	}
	u = u.JoinPath(added.EscapedPath())
	u.RawQuery = added.RawQuery
	return u, nil
}
