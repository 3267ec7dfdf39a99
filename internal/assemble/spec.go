package assemble

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// spec is provider:model[?option=value], taken apart.
type spec struct {
	text           string // as written
	provider, name string
	options        url.Values // without those that were read
}

func parseSpec(text string) (spec, error) {
	provider, rest, _ := strings.Cut(text, ":")
	name, query, _ := strings.Cut(rest, "?")
	options, err := url.ParseQuery(query)
	if err != nil {
		return spec{}, fmt.Errorf("model %q: read options: %w", text, err)
	}
	return spec{text, provider, name, options}, nil
}

// option takes an option out of the list and reads it; it is zero where it is not given. want
// completes the sentence "x is no …".
func option[T any](s spec, key, want string, read func(string) (T, bool)) (T, error) {
	var zero T
	text := s.options.Get(key)
	s.options.Del(key)
	if text == "" {
		return zero, nil
	}
	v, ok := read(text)
	if !ok {
		return zero, fmt.Errorf("%s %q is %s", key, text, want)
	}
	return v, nil
}

func (s spec) duration(key string) (time.Duration, error) {
	return option(s, key, "no duration such as 90s", func(text string) (time.Duration, bool) {
		d, err := time.ParseDuration(text)
		return d, err == nil && d >= 0
	})
}

func (s spec) number(key string) (int, error) {
	return option(s, key, "no number above 0", func(text string) (int, bool) {
		n, err := strconv.Atoi(text)
		return n, err == nil && n >= 1
	})
}

func (s spec) probability(key string) (float64, error) {
	return option(s, key, "no probability from 0 to 1", func(text string) (float64, bool) {
		p, err := strconv.ParseFloat(text, 64)
		return p, err == nil && p >= 0 && p <= 1
	})
}

func (s spec) flag(key string) (bool, error) {
	return option(s, key, "neither true nor false", func(text string) (bool, bool) {
		on, err := strconv.ParseBool(text)
		return on, err == nil
	})
}

// onlyKnown refuses options that nobody has read.
func (s spec) onlyKnown(known ...string) error {
	for key := range s.options {
		return fmt.Errorf("there is no option %q; known: %s", key, strings.Join(known, ", "))
	}
	return nil
}
