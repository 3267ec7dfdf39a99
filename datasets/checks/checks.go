package checks

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
)

// Kind selects the condition of a check, and the text or figure that it reads. It is the key of the check in a
// file, without not_.
type Kind string

// The kinds.
const (
	Contains     Kind = "contains"      // the text contains Text
	ContainsAny  Kind = "contains_any"  // the text contains at least one of Texts
	ContainsAll  Kind = "contains_all"  // the text contains each of Texts
	IContains    Kind = "icontains"     // as Contains; case does not count
	IContainsAny Kind = "icontains_any" // as ContainsAny; case does not count
	IContainsAll Kind = "icontains_all" // as ContainsAll; case does not count
	StartsWith   Kind = "starts_with"   // the text begins with Text
	Regex        Kind = "regex"         // the text has a match of the regular expression Text (RE2)
	Equals       Kind = "equals"        // the text is Text, or is JSON with the value of Value
	IsJSON       Kind = "is_json"       // the text is JSON, and valid by the JSON Schema Value if there is one
	JSON         Kind = "json"          // the text is JSON, for which every result of the jq expression Text is true
	Similar      Kind = "similar"       // the cosine of the embeddings of the text and of Text is at least Threshold
	MaxSeconds   Kind = "max_seconds"   // the trace took at most Limit seconds
	MaxUSD       Kind = "max_usd"       // the trace cost at most Limit US dollars
	MaxTokens    Kind = "max_tokens"    // the trace used at most Limit tokens, in and out
	Exec         Kind = "exec"          // a program decides
	Tests        Kind = "tests"         // the program that the agent wrote passes tests: a file, or lines of text
	Any          Kind = "any"           // at least one of Parts holds
	All          Kind = "all"           // each of Parts holds, or the weighted mean of their scores reaches Threshold
)

// Kinds returns the kinds in the order of the documentation.
func Kinds() []Kind {
	return []Kind{Contains, ContainsAny, ContainsAll, IContains, IContainsAny, IContainsAll, StartsWith, Regex, Equals,
		IsJSON, JSON, Similar, MaxSeconds, MaxUSD, MaxTokens, Exec, Tests, Any, All}
}

// form describes the entries of a kind.
type form struct {
	value     string // text, texts, json, schema, number, command or parts
	text      bool   // the check is about a text: it may have on:, and not_ before it
	threshold bool   // it may have a threshold
}

var forms = map[Kind]form{
	Contains: {"text", true, false}, IContains: {"text", true, false}, StartsWith: {"text", true, false},
	Regex: {"text", true, false}, JSON: {"text", true, false}, Similar: {"text", true, true},
	ContainsAny: {"texts", true, false}, ContainsAll: {"texts", true, false},
	IContainsAny: {"texts", true, false}, IContainsAll: {"texts", true, false},
	Equals: {"json", true, false}, IsJSON: {"schema", true, false},
	MaxSeconds: {"number", false, false}, MaxUSD: {"number", false, false}, MaxTokens: {"number", false, false},
	Exec: {"command", false, true}, Tests: {"tests", false, false},
	Any: {"parts", false, false}, All: {"parts", false, true},
}

// Subject selects the text that a check reads.
type Subject string

// The subjects. The zero value is OnMessage.
const (
	OnMessage Subject = "message" // the whole final message
	OnAnswer  Subject = "answer"  // the short answer
)

// Check is one condition on a trace. Only the fields of its Kind are set. Its JSON is the form in which people
// write it; equal checks have equal JSON.
type Check struct {
	Kind  Kind
	Not   bool            // the check holds if the condition does not; only for kinds that read a text
	Text  string          // see the kinds
	Texts []string        // see the kinds; not empty
	Value json.RawMessage // a JSON value or a JSON Schema, with sorted keys; nil without one
	Limit float64         // at least 0
	On    Subject         // "" means OnMessage
	// Threshold is the smallest score with which the check holds, above 0 and at most 1; 0 if none is given.
	// For a Similar the default is DefaultSimilar.
	Threshold float64
	// Weight is the weight of the score in the mean of an All with a threshold. nil means 1; with 0, the check is
	// recorded and decides nothing.
	Weight *float64
	Parts  []Check
	Exec   Program
	Suite  Suite // of a Tests, whose Text has the name of a file, or several lines with the tests themselves
}

// DefaultSimilar is the threshold of a Similar that gives none.
const DefaultSimilar = 0.75

// Program is a program that decides a check.
type Program struct {
	Command []string // the program and its arguments
	Serve   bool     // one process answers many checks, one line each
	// Timeout limits the time for one check. 0 means DefaultTimeout.
	Timeout time.Duration
}

// DefaultTimeout and LongestTimeout are the default and the greatest Timeout of a Program.
const (
	DefaultTimeout = 30 * time.Second
	LongestTimeout = 10 * time.Minute
)

// Weighs returns the weight of the check: 1 unless it gives one.
func (c Check) Weighs() float64 {
	if c.Weight == nil {
		return 1
	}
	return *c.Weight
}

// Name returns the key of the check in a file, such as not_contains.
func (c Check) Name() string {
	if c.Not {
		return not + string(c.Kind)
	}
	return string(c.Kind)
}

// not is the prefix of the key of a check that must not hold.
const not = "not_"

// String returns the check in one line for people, such as not_contains "Rome".
func (c Check) String() string {
	var what string
	switch forms[c.Kind].value {
	case "parts":
		parts := make([]string, len(c.Parts))
		for i, p := range c.Parts {
			parts[i] = p.String()
		}
		return c.Name() + " of [" + strings.Join(parts, ", ") + "]"
	case "command":
		return c.Name() + " " + strings.Join(c.Exec.Command, " ")
	case "tests":
		if c.Suite.Inline(c.Text) {
			return c.Name() + " of the dataset"
		}
		return c.Name() + " " + c.Text
	case "schema":
		if c.Value == nil {
			return c.Name()
		}
		return c.Name() + " by its schema"
	case "texts":
		what = compact(c.Texts)
	case "number":
		what = compact(c.Limit)
	default:
		if what = string(c.Value); c.Value == nil {
			what = compact(c.Text)
		}
	}
	if c.On == OnAnswer {
		what += " on the answer"
	}
	return c.Name() + " " + what
}

// MarshalJSON returns the check as people write it, with its fields in a fixed order.
func (c Check) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	field := func(name string, value any) {
		separator := byte(',')
		if out.Len() == 0 {
			separator = '{'
		}
		out.WriteByte(separator)
		out.WriteString(compact(name))
		out.WriteByte(':')
		out.WriteString(compact(value))
	}
	field(c.Name(), c.value())
	if c.On == OnAnswer {
		field("on", c.On)
	}
	if c.Threshold != 0 {
		field("threshold", c.Threshold)
	}
	if c.Weight != nil {
		field("weight", *c.Weight)
	}
	if c.Exec.Serve {
		field("serve", true)
	}
	if c.Suite.Language != "" {
		field("language", c.Suite.Language)
	}
	if c.Suite.Beside {
		field("beside", true)
	}
	if limit := c.Exec.Timeout + c.Suite.Timeout; limit != 0 { // one of them is 0
		field("timeout", limit.String())
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// value returns the value of the check's key.
func (c Check) value() any {
	switch forms[c.Kind].value {
	case "texts":
		return c.Texts
	case "number":
		return c.Limit
	case "command":
		return c.Exec.Command
	case "parts":
		return c.Parts
	case "schema":
		if c.Value == nil {
			return true
		}
		return c.Value
	}
	if c.Value != nil {
		return c.Value
	}
	return c.Text
}

// compact returns a value as JSON on one line. It does not escape < and &.
func compact(value any) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil { // a Check has only values of JSON
		return `"` + err.Error() + `"`
	}
	return strings.TrimSuffix(out.String(), "\n")
}
