package checks

import (
	"fmt"
	"regexp"
	"regexp/syntax"

	"github.com/seed-5817661a/concur/internal/schema"
)

// Limits of the expressions of checks.
const (
	MaxExpression = 4096   // bytes of a regular expression or of a jq expression
	maxProgram    = 20_000 // instructions of a regular expression, by which the time for a text grows
	maxSchema     = 256 << 10
)

// compiles returns an error if the check's regular expression, JSON Schema or jq expression is wrong.
func (c Check) compiles() (err error) {
	switch c.Kind {
	case Regex:
		_, err = c.Regexp()
	case IsJSON:
		_, err = c.Schema()
	case JSON:
		_, err = c.Query()
	}
	return err
}

// Regexp compiles the regular expression of a Regex.
func (c Check) Regexp() (*regexp.Regexp, error) {
	if n := len(c.Text); n > MaxExpression {
		return nil, fmt.Errorf("the regular expression has %d bytes, and %d is the most: make it shorter", n, MaxExpression)
	}
	parsed, err := syntax.Parse(c.Text, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("is not a regular expression of RE2: %w", err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, fmt.Errorf("is not a regular expression of RE2: %w", err)
	}
	if n := len(program.Inst); n > maxProgram {
		return nil, fmt.Errorf("the regular expression has %d steps with its repetitions written out, and %d is the most: "+
			"repeat less", n, maxProgram)
	}
	return regexp.Compile(c.Text)
}

// Schema compiles the JSON Schema of an IsJSON; it returns nil if the check has no schema.
func (c Check) Schema() (*schema.Schema, error) {
	if c.Value == nil {
		return nil, nil
	}
	if n := len(c.Value); n > maxSchema {
		return nil, fmt.Errorf("the JSON Schema has %d bytes, and %d is the most: make it shorter", n, maxSchema)
	}
	document, err := schema.Decode(c.Value)
	if err != nil {
		return nil, err
	}
	s, err := schema.Compile(document)
	if err != nil {
		return nil, fmt.Errorf("is not a JSON Schema: %w", err)
	}
	return s, nil
}
