package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

const noArguments = `{"type":"object","properties":{},"additionalProperties":false}`
const wantsText = `{"type":"object","properties":{"text":{"type":"string"},"n":{"type":"integer"}},"required":["text"],"additionalProperties":false}`

type fake struct {
	spec tool.Spec
	call func(ctx context.Context, arguments json.RawMessage) (tool.Output, error)
}

func (f fake) Spec() tool.Spec { return f.spec }
func (f fake) Call(ctx context.Context, a json.RawMessage) (tool.Output, error) {
	return f.call(ctx, a)
}

func named(name, schema string, call func(context.Context, json.RawMessage) (tool.Output, error)) fake {
	return fake{tool.Spec{ToolSpec: model.ToolSpec{Name: name, Description: "does " + name, Parameters: json.RawMessage(schema)}}, call}
}

func value(v string) func(context.Context, json.RawMessage) (tool.Output, error) {
	return func(context.Context, json.RawMessage) (tool.Output, error) {
		return tool.Output{Object: map[string]any{"value": v}}, nil
	}
}

func ExampleRegistry_Invoke() {
	r, err := tool.New(named("hello", noArguments, value("hi")))
	if err != nil {
		fmt.Println(err)
		return
	}
	res := r.Invoke(context.Background(), model.ToolCall{ID: "1", Name: "hello"}, time.Second)
	out, err := res.Output.Render(nil)
	fmt.Println(string(out), err)
	res = r.Invoke(context.Background(), model.ToolCall{ID: "2", Name: "bye"}, time.Second)
	fmt.Println(res.Error)
	// Output:
	// {"value":"hi"} <nil>
	// ERROR: unknown_tool(bye)
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		tool fake
		want string
	}{
		{"bad name", named("no spaces", noArguments, nil), "a name has"},
		{"no name", named("", noArguments, nil), "a name has"},
		{"no schema", named("a", ``, nil), "read parameters schema"},
		{"array", named("a", `{"type":"array","additionalProperties":false}`, nil), `type "array"`},
		{"combined", named("a", `{"type":"object","allOf":[{"properties":{"x":{}}}]}`, nil), "name all properties"},
		{"open true", named("a", `{"type":"object","additionalProperties":true}`, nil), "additionalProperties"},
		{"broken", named("a", `{"type":"object","additionalProperties":false,"properties":{"x":{"type":"strong"}}}`, nil), "compile parameters schema"},
		{"required, unknown", named("a", `{"type":"object","properties":{"x":{"type":"string"}},"required":["y"]}`, nil), `requires the property "y", which its properties do not have`},
		{"required, no properties", named("a", `{"type":"object","required":["y"]}`, nil), `requires the property "y"`},
		{"required, deeper", named("a", `{"type":"object","properties":{"x":{"type":"array","items":{"type":"object","properties":{"p":{}},"required":["p","q"]}}}}`, nil), `requires the property "q"`},
		{"remote ref", named("a", `{"type":"object","additionalProperties":false,"properties":{"x":{"$ref":"file:///etc/passwd"}}}`, nil), "cannot refer to"},
		{"no description", fake{spec: tool.Spec{ToolSpec: model.ToolSpec{Name: "a", Parameters: json.RawMessage(noArguments)}}}, "no description"},
	} {
		if _, err := tool.New(c.tool); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	if _, err := tool.New(named("a", noArguments, nil), named("a", noArguments, nil)); err == nil || !strings.Contains(err.Error(), "two tools have this name") {
		t.Errorf("two tools of one name: %v", err)
	}
}

func TestInvoke(t *testing.T) {
	broken := errors.New("the index is gone")
	r, err := tool.New(
		named("echo", wantsText, value("ok")),
		named("panics", noArguments, func(context.Context, json.RawMessage) (tool.Output, error) { panic("boom") }),
		named("backend", noArguments, func(context.Context, json.RawMessage) (tool.Output, error) {
			return tool.Output{}, &tool.BackendError{Kind: "unavailable", Err: broken}
		}),
		named("unencodable", noArguments, func(context.Context, json.RawMessage) (tool.Output, error) {
			return tool.Output{Object: map[string]any{"f": func() {}}}, nil
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, arguments string
		failure         tool.Failure
		want            string
	}{
		{"echo", `{"text":"a","n":2}`, tool.NoFailure, ""},
		{"echo", ``, tool.AgentFailure, "ERROR: bad_tool_arguments(echo): missing property 'text'"},
		{"echo", `{"text":"a"`, tool.AgentFailure, "ERROR: bad_tool_arguments(echo): not valid JSON"},
		{"echo", `{"text":"a"} {}`, tool.AgentFailure, "ERROR: bad_tool_arguments(echo): not valid JSON"},
		{"echo", `"text"`, tool.AgentFailure, "ERROR: bad_tool_arguments(echo): not a JSON object"},
		{"echo", `{"text":1,"n":"x","z":0}`, tool.AgentFailure, "ERROR: bad_tool_arguments(echo): additional properties 'z' not allowed; n: got string, want integer; text: got number, want string"},
		{"nope", `{}`, tool.AgentFailure, "ERROR: unknown_tool(nope)"},
		{"panics", ``, tool.PanicFailure, "ERROR: tool_panicked(panics): boom"},
		{"backend", `{}`, tool.BackendFailure, "ERROR: tool_failed(backend): unavailable: the index is gone"},
		{"unencodable", `{}`, tool.BackendFailure, "ERROR: tool_failed(unencodable): encode tool output"},
	} {
		res := r.Invoke(context.Background(), model.ToolCall{ID: "1", Name: c.name, Arguments: c.arguments}, time.Minute)
		if res.Failure != c.failure || !strings.HasPrefix(res.Error, c.want) || (c.want == "") != (res.Error == "") {
			t.Errorf("%s(%s): %q %q, want %q %q", c.name, c.arguments, res.Failure, res.Error, c.failure, c.want)
		}
		if (res.Stack != "") != (c.failure == tool.PanicFailure) {
			t.Errorf("%s: stack %q", c.name, res.Stack)
		}
	}
}

// TestFailuresHaveKinds checks the kind that a record of the call has as error_kind.
func TestFailuresHaveKinds(t *testing.T) {
	cause := errors.New("so it is")
	for _, c := range []struct {
		err     error
		failure tool.Failure
		kind    string
	}{
		{cause, tool.AgentFailure, tool.Refused},
		{&tool.RequestError{Kind: tool.BadRequest, Err: cause}, tool.AgentFailure, "bad_request"},
		{fmt.Errorf("search: %w", &tool.RequestError{Kind: tool.NotFound, Err: cause}), tool.AgentFailure, "not_found"},
		{&tool.RequestError{Kind: "quota", Err: cause}, tool.AgentFailure, tool.Refused},
		{&tool.BackendError{Kind: "quota", Err: cause}, tool.BackendFailure, "quota"},
	} {
		r, err := tool.New(named("x", noArguments, func(context.Context, json.RawMessage) (tool.Output, error) { return tool.Output{}, c.err }))
		if err != nil {
			t.Fatal(err)
		}
		res := r.Invoke(t.Context(), model.ToolCall{Name: "x"}, time.Minute)
		if res.Failure != c.failure || res.Kind != c.kind || res.Error != "ERROR: tool_failed(x): "+c.err.Error() || !errors.Is(c.err, cause) {
			t.Errorf("%v: %s %s %q, want %s %s", c.err, res.Failure, res.Kind, res.Error, c.failure, c.kind)
		}
		if reached := c.failure == tool.AgentFailure; tool.IsRefusal(res.Kind) != reached {
			t.Errorf("%v: refusal %t", c.err, !reached)
		}
	}
}

// TestInvokeReturnsUnderADeadline has a tool that always ignores its context.
func TestInvokeReturnsUnderADeadline(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	r, err := tool.New(named("stuck", noArguments, func(context.Context, json.RawMessage) (tool.Output, error) {
		<-release
		return tool.Output{}, nil
	}), named("polite", noArguments, func(ctx context.Context, _ json.RawMessage) (tool.Output, error) {
		<-ctx.Done()
		return tool.Output{}, ctx.Err()
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"stuck", "polite"} {
		res := r.Invoke(context.Background(), model.ToolCall{Name: name}, time.Millisecond)
		if want := "ERROR: timeout(" + name + ")"; res.Error != want || res.Failure != tool.BackendFailure {
			t.Errorf("%s: %q %q, want %q", name, res.Error, res.Failure, want)
		}
	}
}

func TestRenderGivesResults(t *testing.T) {
	out := tool.Output{Object: map[string]any{"source_used": "corpus"}}
	raw, err := out.Render([]trace.Document{{ID: "corpus_1", Ref: "hidden", Title: "AT&T <Nile>", Score: 0.5}})
	want := `{"results":[{"id":"corpus_1","title":"AT&T <Nile>","snippet":"","source":"","score":0.5}],"source_used":"corpus"}`
	if err != nil || string(raw) != want {
		t.Errorf("%s, %v; want %s", raw, err, want)
	}
	if raw, err := (tool.Output{}).Render(nil); err != nil || string(raw) != "{}" {
		t.Errorf("empty output: %s, %v", raw, err)
	}
}

func TestCanonical(t *testing.T) {
	same := [][2]string{{`{"a":1,"b":[2, 3]}`, "{ \"b\":[2,3],\n\"a\":1}"}, {` not json `, `not json`}}
	for _, p := range same {
		if tool.Canonical(p[0]) != tool.Canonical(p[1]) {
			t.Errorf("%q and %q differ", p[0], p[1])
		}
	}
	differ := [][2]string{{`{"a":1}`, `{"a":1.0}`}, {`{"a":9007199254740993}`, `{"a":9007199254740992}`}, {`{} {}`, `{}`}}
	for _, p := range differ {
		if tool.Canonical(p[0]) == tool.Canonical(p[1]) {
			t.Errorf("%q and %q are the same", p[0], p[1])
		}
	}
}
