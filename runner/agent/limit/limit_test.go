package limit_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/limit"
)

func call(arguments string) model.ToolCall {
	return model.ToolCall{Name: "calc", Arguments: arguments}
}

func ExampleCalls() {
	c := limit.Calls{Max: new(8), Repeats: 2}
	for range 3 {
		fmt.Println(c.Admit(call(`{"expression":"1+1"}`)))
	}
	// Output:
	// run
	// run
	// repeat
}

func TestRepeatsCountOverTheWholeTrace(t *testing.T) {
	c := limit.Calls{Repeats: 2}
	for i, step := range []struct {
		arguments string
		want      limit.Decision
	}{
		{`{"a":1,"b":2}`, limit.Run},
		{`{"c":1}`, limit.Run},
		{`{ "b":2, "a":1 }`, limit.Run},
		{`{"c":2}`, limit.Run},
		{`{"a":1,"b":2}`, limit.Repeated},
		{`{"a":1,"b":3}`, limit.Run},
	} {
		if got := c.Admit(call(step.arguments)); got != step.want {
			t.Errorf("call %d: %s, want %s", i, got, step.want)
		}
	}
	if c.Admitted() != 5 {
		t.Errorf("admitted %d, want 5", c.Admitted())
	}
}

func TestMaxCalls(t *testing.T) {
	c := limit.Calls{Max: new(2), Repeats: 1}
	want := []limit.Decision{limit.Run, limit.Repeated, limit.Run, limit.TooMany}
	for i, arguments := range []string{`{"a":1}`, `{"a":1}`, `{"a":2}`, `{"a":3}`} {
		if got := c.Admit(call(arguments)); got != want[i] {
			t.Errorf("call %d: %s, want %s", i, got, want[i])
		}
	}
	var free limit.Calls
	for range 100 {
		if free.Admit(call(`{}`)) != limit.Run {
			t.Fatal("no limit was set, and a call was blocked")
		}
	}
}

func TestObservations(t *testing.T) {
	for d, want := range map[limit.Decision]string{
		limit.Run:      "",
		limit.Repeated: "ERROR: repeated_same_tool_call_too_many_times",
		limit.TooMany:  "ERROR: exceeded_max_tool_calls",
	} {
		if got := d.Observation(); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}

func TestOutput(t *testing.T) {
	if got, cut := limit.Output("short", 5); got != "short" || cut {
		t.Errorf("%q %v", got, cut)
	}
	got, cut := limit.Output(strings.Repeat("é", 10), 5)
	if !cut || !utf8.ValidString(got) || got != "éé\n[output cut after 5 of 20 bytes]" {
		t.Errorf("%q %v", got, cut)
	}
}
