package dialect_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/agent/dialect"
)

// templates are calls of echo with the text five, in the tokens of the models' templates.
var templates = map[string]string{
	"GLM":       "<tool_call>echo\n<arg_key>text</arg_key>\n<arg_value>five</arg_value>\n</tool_call>",
	"Hermes":    "<tool_call>\n{\"name\": \"echo\", \"arguments\": {\"text\": \"five\"}}\n</tool_call>",
	"MiniMax":   "<minimax:tool_call>\n<invoke name=\"echo\">\n<parameter name=\"text\">five</parameter>\n</invoke>\n</minimax:tool_call>",
	"DSML":      "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"echo\">\n<｜DSML｜parameter name=\"text\" string=\"true\">five</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
	"DeepSeek":  "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>echo<｜tool▁sep｜>{\"text\":\"five\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
	"Kimi":      "<|tool_calls_section_begin|><|tool_call_begin|>functions.echo:0<|tool_call_argument_begin|>{\"text\":\"five\"}<|tool_call_end|><|tool_calls_section_end|>",
	"Llama":     "<|python_start|>[echo(text=\"five\")]<|python_end|>",
	"Gemma":     "<start_function_call>call:echo{text:<escape>five<escape>}<end_function_call>",
	"Nemotron":  "<TOOLCALL>[{\"name\": \"echo\", \"arguments\": {\"text\":\"five\"}}]</TOOLCALL>",
	"Mistral":   "[TOOL_CALLS]echo{\"text\": \"five\"}",
	"QwenAgent": "✿FUNCTION✿: echo\n✿ARGS✿: {\"text\":\"five\"}\n✿RESULT✿: ",
	"Coder":     "<function=echo>\n<parameter=text>\nfive\n</parameter>\n</function>",
}

// token matches the tokens of templates.
var token = regexp.MustCompile(`<[^<>\n]*>|\[TOOL_CALLS\]|✿[A-Z]+✿`)

// mutants returns a call cut at each byte; with a token doubled, removed or added at the end; and with texts
// in other languages around it.
func mutants(call string) (out []string) {
	for end := range len(call) {
		out = append(out, call[:end], call[end:])
	}
	places := token.FindAllStringIndex(call, -1)
	for _, at := range places {
		head, it, tail := call[:at[0]], call[at[0]:at[1]], call[at[1]:]
		out = append(out, head+it+it+tail, head+tail, head+tail+it, it+head+it+tail, head+it+"\n\n"+tail, strings.ToUpper(it)+head+tail)
	}
	for _, around := range []string{"Ich rechne das aus:\n", "我来计算一下：\n", "سأحسب ذلك:\n", "🧮\n", "\u202e\n", "Thought: hm\n"} {
		out = append(out, around+call, call+"\n"+around, around+call+"\n"+around)
	}
	return append(out, call+call, call+"\n"+call, strings.ReplaceAll(call, "\n", "\r\n"), strings.ReplaceAll(call, "\n", ""))
}

// Of a mutant, either the original call is read, or its markup is recognised, so that nothing in it counts as
// an answer. No call may have a name or an argument that is not in the text.
func TestMutants(t *testing.T) {
	tools := offered()
	for name, call := range templates {
		read := 0
		for _, reply := range mutants(call) {
			reply = strings.ToValidUTF8(reply, "\uFFFD") // replies are valid UTF-8 before they are read
			hold(t, reply, tools)
			got := dialect.Parse(reply, tools)
			if got.Name == "" {
				if got.Final != "" {
					t.Errorf("%s: %q has the final message %q", name, reply, got.Final)
				}
				if strings.Contains(reply, "five") && token.MatchString(reply[:strings.Index(reply, "five")]) && got.Problem == nil && dialect.Markup(reply, tools) == "" {
					t.Errorf("%s: %q is neither a call nor seen as one", name, reply)
				}
				continue
			}
			read++
			if !strings.Contains(strings.ToLower(reply), got.Name) {
				t.Errorf("%s: %q is a call of %q", name, reply, got.Name)
			}
			var arguments map[string]any
			if err := json.Unmarshal([]byte(got.Arguments), &arguments); err != nil {
				t.Errorf("%s: %q has the arguments %q", name, reply, got.Arguments)
			}
			for _, value := range arguments {
				if text, is := value.(string); is && !strings.Contains(reply, text) {
					t.Errorf("%s: %q is a call with %q, which was not written", name, reply, fmt.Sprint(value))
				}
			}
		}
		if read == 0 {
			t.Errorf("%s: no mutant is read as a call, so that this proves nothing", name)
		}
	}
}
