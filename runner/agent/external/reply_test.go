package external_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/agent/external"
	"github.com/seed-5817661a/concur/trace"
)

// A sentence gives the same answer as message, as answer, and under the names of other frameworks.
func TestAReplyUnderAnyNameIsRead(t *testing.T) {
	const sentence = "The answer is 30 days."
	for _, c := range []struct {
		output string
		field  string // the field in the warning; "" for no warning
	}{
		{`{"message": "` + sentence + `"}`, ""},
		{`{"answer": "` + sentence + `"}`, ""},
		{`{"answer": "Our handbook has a page on it.\n` + sentence + `"}`, ""},
		{`{"answer": "30 days"}`, ""},
		{`{"response": "` + sentence + `"}`, "response"},
		{`{"output": "` + sentence + `", "latency": 3}`, "output"},
		{`{"result": "` + sentence + `"}`, "result"},
		{`{"text": "` + sentence + `"}`, "text"},
		{`{"content": "` + sentence + `"}`, "content"},
		{`{"level": "info", "text": "loading"}` + "\n" + `{"message": "` + sentence + `"}`, ""},
		{`{"message": "` + sentence + `"}` + "\n" + `{"level": "info", "text": "done"}`, ""},
	} {
		var r recorder
		var warnings []string
		a := &external.Agent{
			Config:    configuration(nil),
			Transport: &external.Command{Argv: []string{os.Args[0]}, Env: []string{"BEHAVIOUR=prints", "OUTPUT=" + c.output}},
			Warn:      func(text string) { warnings = append(warnings, text) },
		}
		got := a.Run(t.Context(), task("How long?", answer.Quantity, nil, &r))
		if again := a.Run(t.Context(), task("How long?", answer.Quantity, nil, &r)); again.Answer != got.Answer {
			t.Errorf("%s: %q, then %q", c.output, got.Answer, again.Answer)
		}
		if got.Outcome != trace.Answered || got.Answer != "30 days" {
			t.Errorf("%s: %s, %q, cause %q", c.output, got.Outcome, got.Answer, got.Cause)
		}
		switch {
		case c.field == "" && len(warnings) > 0, c.field != "" && len(warnings) != 1:
			t.Errorf("%s: warnings %q", c.output, warnings)
		case c.field != "" && !strings.Contains(warnings[0], `"`+c.field+`" in place of "message"`):
			t.Errorf("%s: warning %q", c.output, warnings[0])
		}
	}
}

// The error for an object without a known field lists the fields that it has.
func TestUnknownRepliesNameTheirFields(t *testing.T) {
	for output, want := range map[string]string{
		`{'answer': 42}`:                       "which has Python's quotes: print json.dumps(reply)",
		`{"respons": "30 days"}`:               `the reply has "respons", and no answer, message, outcome or error: print {"message"`,
		"log\n{\"b\": 1, \"a\": {}}":           `the reply has "a", "b", and no answer`,
		`{"output": {"answer": "30 days"}}`:    `the reply has "output", and no answer`,
		`{}`:                                   "the reply has no field, and no answer",
		`[1, 2]`:                               "the output has no JSON object",
		"The answer is 30 days, as everybody.": "set agent.output: text",
	} {
		var r recorder
		a := &external.Agent{
			Config:    configuration(nil),
			Transport: &external.Command{Argv: []string{os.Args[0]}, Env: []string{"BEHAVIOUR=prints", "OUTPUT=" + output}},
		}
		got := a.Run(t.Context(), task("How long?", answer.Quantity, nil, &r))
		if got.StopReason != trace.FormatError || !strings.Contains(got.Cause, want) {
			t.Errorf("%s: %s, cause %q, want %q", output, got.StopReason, got.Cause, want)
		}
	}
}

// A query whose gold is keywords has no short answer. Any message that is not empty is the answer.
func TestAMessageAnswersAKeywordGold(t *testing.T) {
	for output, want := range map[string]trace.Outcome{
		`{"message": "You have time until the end of the month, and we remind you of it before."}`: trace.Answered,
		`{"message": "I cannot help with that."}`:                                                  trace.Refused,
		`{"message": " "}`: trace.NoAnswer,
	} {
		var r recorder
		a := &external.Agent{
			Config:    configuration(nil),
			Transport: &external.Command{Argv: []string{os.Args[0]}, Env: []string{"BEHAVIOUR=prints", "OUTPUT=" + output}},
		}
		if got := a.Run(t.Context(), task("How long?", answer.Text, nil, &r)); got.Outcome != want {
			t.Errorf("%s: %s (%s), want %s", output, got.Outcome, got.Cause, want)
		}
	}
}

// A message with markup of a call that was not run is not an answer, even if it contains a number. An example
// in a code block, a message with an answer line, and a reply with an answer are answers.
func TestUnreadCallIsNoAnswer(t *testing.T) {
	for _, c := range []struct{ output, answer string }{
		{`{"message": "<tool_call>calc <arg_key>expression</arg_key><arg_value>7*8</arg_value></tool_call>"}`, ""},
		{`{"message": "I compute it. <|tool_call_begin|>functions.calc:0<|tool_call_argument_begin|>{\"expression\": \"7*8\"}"}`, ""},
		{`{"message": "<invoke name=\"calc\"><parameter name=\"expression\">7*8</parameter></invoke>"}`, ""},
		{`{"answer": "[TOOL_CALLS]calc{\"expression\": \"7*8\"} [/TOOL_CALLS]"}`, ""},
		{`{"message": "Models write calls so:\n` + "```" + `\n<tool_call>{\"name\": \"calc\"}</tool_call>\n` + "```" + `\nThe result is 56."}`, "56"},
		{`{"message": "It wrote ` + "`<tool_call>`" + ` first. The result is 56."}`, "56"},
		{`{"message": "<tool_call>{}</tool_call>\nAnswer: 56"}`, "56"},
		{`{"message": "<tool_call>{}</tool_call>", "answer": "56"}`, "56"},
	} {
		var r recorder
		a := &external.Agent{
			Config:    configuration(nil),
			Transport: &external.Command{Argv: []string{os.Args[0]}, Env: []string{"BEHAVIOUR=prints", "OUTPUT=" + c.output}},
		}
		got := a.Run(t.Context(), task("What is 7 times 8?", answer.Integer, nil, &r))
		switch {
		case c.answer != "" && (got.Outcome != trace.Answered || got.Answer != c.answer):
			t.Errorf("%s: %s, %q, cause %q", c.output, got.Outcome, got.Answer, got.Cause)
		case c.answer == "" && (got.Outcome != trace.NoAnswer || got.Answer != "" || !strings.Contains(got.Cause, "of a tool call, which was not run")):
			t.Errorf("%s: %s, %q, cause %q", c.output, got.Outcome, got.Answer, got.Cause)
		}
	}
}

// A reply is read correctly whatever text precedes it, and whatever its side fields contain.
func TestDressedReplies(t *testing.T) {
	for name, c := range map[string]struct {
		output string
		drops  string // the side field that is ignored
	}{
		"a byte order mark":     {"\uFEFF" + `{"answer": "56"}`, ""},
		"colours":               {"\x1b[32m" + `{"answer": "56"}` + "\x1b[0m\n", ""},
		"a progress bar":        {"loading 10%\rloading 100%\r" + `{"answer": "56"}` + "\n", ""},
		"NaN":                   {`{"answer": "56", "usage": {"input_tokens": NaN, "output_tokens": -Infinity}}`, ""},
		"NaN in a text":         {`{"answer": "56", "message": "It is 56: NaN, "}`, ""},
		"a number as id":        {`{"answer": "56", "evidence": [{"id": 1, "text": null, "score": "0.5"}]}`, ""},
		"a list as id":          {`{"answer": "56", "evidence": [{"id": [1]}]}`, "evidence"},
		"a text as usage":       {`{"answer": "56", "usage": "12 tokens"}`, "usage"},
		"a text as steps":       {`{"answer": "56", "steps": "three"}`, "steps"},
		"printed over lines":    {"{\n \"answer\": \"56\"\n}\n", ""},
		"a reply that hangs on": {`{"answer": "56"}` + "\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var r recorder
			behaviour := "prints"
			conf := configuration(nil)
			if name == "a reply that hangs on" {
				behaviour, conf.Agent.External.Timeout = "prints and hangs", 20*time.Second // it must print before
			}
			a := &external.Agent{
				Config:    conf,
				Transport: &external.Command{Argv: []string{os.Args[0]}, Env: []string{"BEHAVIOUR=" + behaviour, "OUTPUT=" + c.output}},
			}
			got := a.Run(t.Context(), task("What is 7 times 8?", answer.Integer, nil, &r))
			if got.Outcome != trace.Answered || got.Answer != "56" {
				t.Errorf("%s: %s, %q, cause %q", name, got.Outcome, got.Answer, got.Cause)
			}
			notes := fmt.Sprint(r.events)
			if c.drops != "" && !strings.Contains(notes, `"`+c.drops+`" does not follow the contract`) {
				t.Errorf("%s: nothing says that %s was left out: %s", name, c.drops, notes)
			}
			if behaviour == "prints and hangs" && !strings.Contains(notes, "did not end") {
				t.Errorf("%s: nothing says that it hung: %s", name, notes)
			}
		})
	}
}
