package provider

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/model/endpoints"
)

// spec is the parsed name of a model: provider:model[?option=value].
type spec struct {
	provider, name string
	options        url.Values
	read           *[]string // names of the options that were read
	wrong          *[]error  // errors in their values
}

func parseSpec(text string) (spec, error) {
	provider, rest, _ := strings.Cut(text, ":")
	name, query, _ := strings.Cut(rest, "?")
	options, err := url.ParseQuery(query)
	if err != nil {
		return spec{}, fmt.Errorf("model %q: read options: %w", text, err)
	}
	return spec{provider, name, options, new([]string), new([]error)}, nil
}

// option reads an option of a model's name. v is the zero value if the option is missing. If it is wrong, check
// returns an error later; want completes the sentence "x is …" in this error.
func option[T any](s spec, key, want string, parse func(string) (T, error), fits func(T) bool) (v T) {
	*s.read = append(*s.read, key)
	text := s.options.Get(key)
	if text == "" {
		return v
	}
	v, err := parse(text)
	if err != nil || !fits(v) {
		*s.wrong = append(*s.wrong, fmt.Errorf("%s %q is %s", key, text, want))
	}
	return v
}

func (s spec) duration(key string) time.Duration {
	return option(s, key, "not a duration such as 90s", time.ParseDuration, func(d time.Duration) bool { return d >= 0 })
}

func (s spec) number(key string) int {
	return option(s, key, "not a number above 0", strconv.Atoi, func(n int) bool { return n >= 1 })
}

func (s spec) probability(key string) float64 {
	parse := func(text string) (float64, error) { return strconv.ParseFloat(text, 64) }
	return option(s, key, "not a probability from 0 to 1", parse, func(p float64) bool { return p >= 0 && p <= 1 })
}

// effortForm matches a reasoning effort. Each provider has its own words, from none to max.
var effortForm = lazy.Compile(`^[a-z]{1,20}$`)

// reasoning returns the endpoint with the effort of the option, if the option is given.
func (s spec) reasoning(e endpoints.Endpoint) endpoints.Endpoint {
	parse := func(text string) (string, error) { return text, nil }
	effort := option(s, "effort", "not an effort such as low, medium or high", parse, effortForm.MatchString)
	e = e.For(s.name)
	if effort == "" {
		return e
	}
	nested, _ := e.ExtraBody["reasoning"].(map[string]any)
	e.ExtraBody = maps.Clone(e.ExtraBody)
	if e.ExtraBody == nil {
		e.ExtraBody = map[string]any{}
	}
	if _, own := nested["effort"]; own {
		nested = maps.Clone(nested)
		delete(nested, "effort")
		e.ExtraBody["reasoning"] = nested
	}
	e.ExtraBody[endpoints.Effort] = effort
	return e
}

func (s spec) flag(key string) bool {
	return option(s, key, "neither true nor false", strconv.ParseBool, func(bool) bool { return true })
}

// check returns an error for an option with a wrong value, or for an unknown option.
func (s spec) check() error {
	for key := range s.options {
		if len(*s.wrong) == 0 && !slices.Contains(*s.read, key) {
			return fmt.Errorf("there is no option %q; known: %s", key, strings.Join(*s.read, ", "))
		}
	}
	return errors.Join(*s.wrong...)
}
