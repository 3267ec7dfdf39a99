package assemble

import (
	"encoding/json"
	"testing"

	"github.com/seed-5817661a/concur/judge/program"
)

// The program is the last complete block in the language, else the code of the last call.
func TestProgramOfATrace(t *testing.T) {
	step := func(input string) program.Step {
		return program.Step{Action: &program.Call{Name: "code", Input: json.RawMessage(input)}}
	}
	calls := []program.Step{step(`{"language": "python", "code": "first"}`), step(`{"language": "python", "code": "second"}`),
		step(`{"expression": "1+1"}`), step(`{"language": "javascript", "code": "third"}`), {Thought: "done"}}
	for _, c := range []struct {
		message string
		steps   []program.Step
		want    string
	}{
		{"Here:\n```python\na = 1\n```\nand then\n``` py\nb = 2\n```\nDone.", calls, "b = 2\n"},
		{"```\nplain\n```", nil, "plain\n"},
		{"```python\na\n```\n```javascript\nb\n```", nil, "a\n"},
		{"````markdown\n```python\na\n```\n````", nil, ""},
		{"~~~python\nx = '```'\n~~~", nil, "x = '```'\n"},
		{"```python\nnot closed", calls, "second"},
		{"no block", calls, "second"},
		{"no block", calls[2:3], ""},
		{"```python\n\n```", calls[:1], "first"},
		{"1. ```python\n   a\n   ```", nil, ""},
		{"", []program.Step{step(`{"code": "unnamed"}`)}, "unnamed"},
	} {
		if got := programOf(program.Question{Message: c.message, Steps: c.steps}, "python"); got != c.want {
			t.Errorf("%q: %q, want %q", c.message, got, c.want)
		}
	}
}
