package assemble

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// spec is provider:model[?option=value], taken apart.
type spec struct {
	provider, name string
	options        url.Values
	read           *[]string // the options that were asked for
	wrong          *[]error  // in those
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

// option reads an option; it is zero where it is not given. want completes the sentence "x is …", for check.
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
	return option(s, key, "no duration such as 90s", time.ParseDuration, func(d time.Duration) bool { return d >= 0 })
}

func (s spec) number(key string) int {
	return option(s, key, "no number above 0", strconv.Atoi, func(n int) bool { return n >= 1 })
}

func (s spec) probability(key string) float64 {
	parse := func(text string) (float64, error) { return strconv.ParseFloat(text, 64) }
	return option(s, key, "no probability from 0 to 1", parse, func(p float64) bool { return p >= 0 && p <= 1 })
}

func (s spec) flag(key string) bool {
	return option(s, key, "neither true nor false", strconv.ParseBool, func(bool) bool { return true })
}

// check refuses options that were read with a wrong value, else those that nobody has read.
func (s spec) check() error {
	for key := range s.options {
		if len(*s.wrong) == 0 && !slices.Contains(*s.read, key) {
			return fmt.Errorf("there is no option %q; known: %s", key, strings.Join(*s.read, ", "))
		}
	}
	return errors.Join(*s.wrong...)
}
