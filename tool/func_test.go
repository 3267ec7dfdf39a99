package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
)

type division struct {
	Divisor  int  `json:"divisor" jsonschema:"The number to divide by."`
	Dividend int  `json:"dividend" jsonschema:"The number to divide."`
	Rounded  bool `json:"rounded,omitempty"`
}

func divide(_ context.Context, in division) (tool.Output, error) {
	if in.Divisor == 0 {
		return tool.Output{}, &tool.RequestError{Kind: tool.BadRequest, Err: fmt.Errorf("the divisor is 0")}
	}
	return tool.Output{Object: map[string]any{"value": in.Dividend / in.Divisor}}, nil
}

func described(name string) tool.Spec {
	return tool.Spec{ToolSpec: model.ToolSpec{Name: name, Description: "Divides."}}
}

func ExampleFunc() {
	t := tool.Func(described("divide"), divide)
	fmt.Println(string(t.Spec().Parameters))
	out, err := t.Call(context.Background(), json.RawMessage(`{"dividend": 42, "divisor": 6}`))
	fmt.Println(out.Object["value"], err)
	// Output:
	// {"type":"object","properties":{"divisor":{"type":"integer","description":"The number to divide by."},"dividend":{"type":"integer","description":"The number to divide."},"rounded":{"type":"boolean"}},"required":["divisor","dividend"],"additionalProperties":false}
	// 7 <nil>
}

// A registry checks arguments by the schema of the type before it calls the function.
func TestFuncIsCheckedByItsSchema(t *testing.T) {
	all, err := tool.New(tool.Func(described("divide"), divide))
	if err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]string{
		`{"dividend": 6, "divisor": 2}`:               "",
		`{"dividend": 6}`:                             "divisor",
		`{"dividend": 6, "divisor": "two"}`:           "divisor",
		`{"dividend": 6, "divisor": 2, "modulus": 1}`: "modulus",
		`{"dividend": 6, "divisor": 0}`:               "the divisor is 0",
	} {
		got := all.Invoke(t.Context(), model.ToolCall{ID: "c", Name: "divide", Arguments: arguments}, time.Minute).Error
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: error %q, want one with %q", arguments, got, want)
		}
	}
}

// If the spec has a schema, it is unchanged, because agent hashes depend on it.
func TestFuncKeepsASchema(t *testing.T) {
	spec := described("divide")
	spec.Parameters = json.RawMessage(`{"type": "object", "properties": {"divisor": {"type": "integer"}}}`)
	if got := string(tool.Func(spec, divide).Spec().Parameters); got != string(spec.Parameters) {
		t.Errorf("%s", got)
	}
}

func TestFuncRefusesATypeWithoutASchema(t *testing.T) {
	defer func() {
		if recovered := recover(); !strings.Contains(fmt.Sprint(recovered), "tool wait") {
			t.Errorf("recovered %v", recovered)
		}
	}()
	tool.Func(described("wait"), func(context.Context, struct{ C chan int }) (tool.Output, error) { return tool.Output{}, nil })
}
