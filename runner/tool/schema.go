package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// compileSchema checks that every provider accepts a parameters schema: an object that
// forbids unnamed properties. An object without properties is a tool without arguments.
func compileSchema(name string, raw json.RawMessage) (*jsonschema.Schema, error) {
	var top struct {
		Type                 string `json:"type"`
		AdditionalProperties *bool  `json:"additionalProperties"`
	}
	if err := json.Unmarshal(raw, &top); err != nil {
		return nil, fmt.Errorf("read parameters schema: %w", err)
	}
	if top.Type != "object" {
		return nil, fmt.Errorf(`parameters schema has type %q: it must be "object"`, top.Type)
	}
	if top.AdditionalProperties == nil || *top.AdditionalProperties {
		return nil, errors.New(`parameters schema allows unknown arguments: set "additionalProperties": false, and name all properties at its top`)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("read parameters schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.AssertFormat()
	location := "tool:" + name
	if err := c.AddResource(location, doc); err != nil {
		return nil, fmt.Errorf("add parameters schema: %w", err)
	}
	s, err := c.Compile(location)
	if err != nil {
		return nil, fmt.Errorf("compile parameters schema: %w", err)
	}
	return s, nil
}

// noLoader prevents schemas from reading files or the network through $ref.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("a tool's schema cannot refer to %s: write it out", url)
}

// checkArguments describes the errors of arguments, in an order that does not depend on map
// iteration.
func checkArguments(s *jsonschema.Schema, arguments json.RawMessage) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
	if err != nil {
		return fmt.Errorf("not valid JSON: %w", err)
	}
	if _, ok := value.(map[string]any); !ok {
		return errors.New("not a JSON object")
	}
	err = s.Validate(value)
	if err == nil {
		return nil
	}
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return err
	}
	var problems []string
	collectProblems(invalid, &problems)
	sort.Strings(problems)
	return errors.New(strings.Join(problems, "; "))
}

func collectProblems(e *jsonschema.ValidationError, into *[]string) {
	if len(e.Causes) > 0 {
		for _, c := range e.Causes {
			collectProblems(c, into)
		}
		return
	}
	text := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	if len(e.InstanceLocation) > 0 {
		text = strings.Join(e.InstanceLocation, ".") + ": " + text
	}
	*into = append(*into, text)
}
