package dialect_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/agent/dialect"
)

// Forms of calls that the servers of this year's models leave in the text.
func TestForms(t *testing.T) {
	const five = `echo {"text":"five"}`
	const spaced = `echo {"text": "five"}`
	for _, c := range []struct{ name, reply, want string }{
		{"GLM", "<tool_call>echo\n<arg_key>text</arg_key>\n<arg_value>five</arg_value>\n</tool_call>", spaced},
		{"GLM without the end", "I look.\n<tool_call>echo\n<arg_key>text</arg_key>\n<arg_value>five", spaced},
		{"GLM with an object", "<tool_call>echo\n{\"text\":\"five\"}</tool_call>", five},
		{"MiniMax", "<minimax:tool_call>\n<invoke name=\"echo\">\n<parameter name=\"text\">five</parameter>\n</invoke>\n</minimax:tool_call>", spaced},
		{"Claude", "<function_calls>\n<invoke name=\"echo\">\n<parameter name=\"text\">five</parameter>\n</invoke>\n</function_calls>", spaced},
		{"DeepSeek", "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"echo\">\n<｜DSML｜parameter name=\"text\" string=\"true\">five</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>", spaced},
		{"Kimi", "<|tool_calls_section_begin|><|tool_call_begin|>functions.echo:0<|tool_call_argument_begin|>{\"text\":\"five\"}<|tool_call_end|><|tool_calls_section_end|>", five},
		{"Llama 4", "<|python_start|>[echo(text=\"five\")]<|python_end|>", spaced},
		{"LFM2", "<|tool_call_start|>[echo(text=\"five\")]<|tool_call_end|>Going on.", spaced},
		{"Gemma 4", "<|channel>thought\nA look.\n<channel|><|tool_call>call:echo{text:<|\"|>five<|\"|>}<tool_call|>", five},
		{"FunctionGemma", "<start_function_call>call:echo{text:<escape>five<escape>}<end_function_call>", five},
		{"Nemotron", "<TOOLCALL>[{\"name\": \"echo\", \"arguments\": {\"text\":\"five\"}}]</TOOLCALL>", five},
		{"Qwen-Agent", "✿FUNCTION✿: echo\n✿ARGS✿: {\"text\":\"five\"}\n✿RESULT✿: ", five},
		{"Groq's Llama", "<function=echo{\"text\":\"five\"}</function>", five},
		{"names in tags", "<tool_use>\n<tool_name>echo</tool_name>\n<parameters>{\"text\":\"five\"}</parameters>\n</tool_use>", five},
		{"arguments in tags", "<tool_use>\n<name>echo</name>\n<arguments><text>five</text></arguments>\n</tool_use>", spaced},
		{"an object in the value", "<tool_call>echo\n<arg_key>text</arg_key>\n<arg_value>a </b> c</arg_value>\n</tool_call>", `echo {"text": "a </b> c"}`},
	} {
		got := dialect.Parse(c.reply, offered())
		if call := got.Name + " " + got.Arguments; call != c.want || got.Problem != nil {
			t.Errorf("%s: read as %s (%v), want %s", c.name, call, got.Problem, c.want)
		}
		for end := range c.reply { // if it is cut off anywhere, there is no call with another name, and no panic
			if cut := dialect.Parse(c.reply[:end], offered()); cut.Name != "" && cut.Name != "echo" && !strings.HasPrefix("echo", cut.Name) {
				t.Errorf("%s cut at %d: a call of %q", c.name, end, cut.Name)
			}
		}
	}
}

// A call in a sentence is an example and not a call.
func TestMentionedCalls(t *testing.T) {
	for _, reply := range []string{
		"A model might write <tool_call>echo<arg_key>text</arg_key><arg_value>a</arg_value></tool_call>, but I know it.\nAnswer: 56",
		"Qwen writes <tool_call> and `<tool_call>{}`.\nAnswer: 5",
		"It printed <function=echo>{\"text\":\"a\"}</function> and stopped.\nAnswer: 5",
	} {
		if got := dialect.Parse(reply, offered()); got.Name != "" || got.Problem != nil {
			t.Errorf("%s: a call of %s (%v)", reply, got.Name, got.Problem)
		}
	}
}

// Several calls in one list are several calls.
func TestSeveralCallsInAForm(t *testing.T) {
	got := dialect.Parse("<|python_start|>[echo(text=\"a\"), echo(text=\"b\")]<|python_end|>", offered())
	if got.Arguments != `{"text": "a"}` || len(got.Further) != 1 || got.Further[0].Arguments != `{"text": "b"}` {
		t.Errorf("%+v", got)
	}
}

func TestArgumentsInOtherForms(t *testing.T) {
	const five = `{"text":"five"}`
	for raw, want := range map[string]string{
		"{}" + five:                                   five,
		five + five:                                   five,
		five + ` {"text": "five"}`:                    `{"text": "five"}`,
		`{"kwargs": ` + five + `}`:                    five,
		`{"arguments": ` + five + `}`:                 five,
		`{"name": "echo", "arguments": ` + five + `}`: five,
		"<text>five</text>":                           `{"text": "five"}`,
		`{"text": "a", "kwargs": {"x": 1}}`:           `{"text": "a", "kwargs": {"x": 1}}`,
		`{"other": ` + five + `}`:                     `{"other": ` + five + `}`,
	} {
		if got := dialect.ReadCall("echo", raw, offered()); got.Arguments != want || got.Problem != nil {
			t.Errorf("%s: %s (%v), want %s", raw, got.Arguments, got.Problem, want)
		}
	}
	if got := dialect.ReadCall("echo", five+`{"text":"six"}`, offered()); got.Problem == nil {
		t.Errorf("two different objects: %s", got.Arguments)
	}
}

func TestMarkup(t *testing.T) {
	for reply, want := range map[string]string{
		"The answer is 5.":                                  "",
		"a < b and <b>bold</b>, <i>x</i>":                   "",
		"56<|END_RESPONSE|>":                                "",
		"I call <tool_call>calc: 7*8":                       "<tool_call>calc: 7*8",
		"<|tool_call_begin|>x":                              "<|tool_call_begin|>x",
		"<｜tool▁calls▁begin｜>":                              "<｜tool▁calls▁begin｜>",
		"text <invoke name=\"a\">":                          "<invoke name=\"a\">",
		"✿FUNCTION✿ calc":                                   "✿FUNCTION✿ calc",
		"[TOOL_CALLS] calc":                                 "[TOOL_CALLS] calc",
		"echo({\"text\": \"five\"":                          "echo({\"text\": \"five\"",
		"other({\"text\": \"five\"":                         "",
		"Write it so:\n```\n<tool_call>{}</tool_call>\n```": "",
		"The tag `<tool_call>` begins a call.":              "",
		"<arg_value>5</arg_value>":                          "<arg_value>5</arg_value>",
		"the tool <function=calc> failed":                   "<function=calc> failed",
		"<think>no</think> 5":                               "",
		"The function <f> of <parameter>":                   "<parameter>",
	} {
		if got := dialect.Markup(reply, offered()); got != want {
			t.Errorf("%q: %q, want %q", reply, got, want)
		}
	}
}

// Reading takes time linear in the text, for any number of opening tags.
func TestManyOpeningTags(t *testing.T) {
	for _, tag := range []string{"<tool_call>a", "<invoke name=\"a\">", "<|tool_call_begin|>", "<arg_key>", "✿FUNCTION✿ a", "<function=a{", "<text>", "`"} {
		reply := strings.Repeat(tag, 1<<20/len(tag))
		dialect.Parse(reply, offered())
		dialect.Markup(reply, offered())
		dialect.ReadCall("echo", reply, offered())
	}
}
