package endpoints

import (
	"fmt"
	"maps"
	"net/url"
	"slices"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/secret"
)

// filled matches ${NAME}, which Fill replaces.
var filled = lazy.Compile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// Fill replaces ${NAME} in base_url, headers and extra_body by the value of the variable. It adds these
// values, and parts of the address that look like a key, to Secrets, because errors and replies must not show
// them. A variable that is not set is an error.
func (e Endpoint) Fill(getenv func(string) string) (Endpoint, error) {
	f := filler{getenv: getenv, secrets: append(secret.Likely(e.BaseURL), secret.Random(e.BaseURL)...)}
	e.BaseURL = f.text(e.BaseURL, url.PathEscape)
	e.Headers = maps.Clone(e.Headers)
	for name, value := range e.Headers {
		e.Headers[name] = f.text(value, nil)
	}
	e.ExtraBody = f.body(e.ExtraBody)
	e.Models = slices.Clone(e.Models)
	for i := range e.Models {
		e.Models[i].ExtraBody = f.body(e.Models[i].ExtraBody)
	}
	if len(f.missing) > 0 {
		name := f.missing[0]
		return e, fmt.Errorf("providers.%s names ${%s}, which is not set: export %s, or leave it out", e.Name, name,
			name)
	}
	e.Filled, e.Secrets = true, f.secrets
	return e, nil
}

type filler struct {
	getenv           func(string) string
	secrets, missing []string
}

// text replaces the variables in a text by their values. escape converts each value; it may be nil.
func (f *filler) text(text string, escape func(string) string) string {
	return filled.ReplaceAllStringFunc(text, func(found string) string {
		name := filled.FindStringSubmatch(found)[1]
		value := f.getenv(name)
		if value == "" {
			f.missing = append(f.missing, name)
			return found
		}
		f.secrets = append(f.secrets, value)
		if escape != nil {
			value = escape(value)
		}
		return value
	})
}

func (f *filler) body(body map[string]any) map[string]any {
	if body == nil {
		return nil
	}
	return f.value(body).(map[string]any)
}

func (f *filler) value(v any) any {
	switch v := v.(type) {
	case string:
		return f.text(v, nil)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = f.value(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, one := range v {
			out[name] = f.value(one)
		}
		return out
	}
	return v
}
