package tool

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// Func returns a tool that calls a Go function. Arguments are decoded into In, a struct.
//
// If the spec has no schema, Func derives it from In: a property for each field, named by its json tag and
// described by its jsonschema tag. A property is required unless its json tag has omitempty. Func panics if
// In has a field that JSON Schema cannot describe, such as a channel, because that is a mistake in the
// program.
func Func[In any](spec Spec, call func(ctx context.Context, in In) (Output, error)) Tool {
	if spec.Parameters == nil {
		schema, err := jsonschema.For[In](nil)
		if err == nil {
			spec.Parameters, err = json.Marshal(schema)
		}
		if err != nil {
			panic(fmt.Sprintf("tool %s: %v", spec.Name, err))
		}
	}
	return function[In]{spec, call}
}

type function[In any] struct {
	spec Spec
	call func(context.Context, In) (Output, error)
}

func (f function[In]) Spec() Spec { return f.spec }

func (f function[In]) Call(ctx context.Context, arguments json.RawMessage) (Output, error) {
	var in In
	if err := json.Unmarshal(arguments, &in); err != nil {
		return Output{}, fmt.Errorf("read arguments: %w", err)
	}
	return f.call(ctx, in)
}
