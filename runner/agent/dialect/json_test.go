package dialect_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/agent/dialect"
)

func TestJSON(t *testing.T) {
	turn := func(thought string) dialect.Turn { return dialect.Turn{Thought: thought, Dialect: dialect.JSON} }
	with := func(change func(*dialect.Turn)) dialect.Turn {
		t := turn("")
		change(&t)
		return t
	}
	check(t, []row{
		{"a list, fenced", "I look.\n```json\n[{\"name\": \"echo\", \"arguments\": {\"text\": \"five\"}}]\n```", `echo {"text": "five"}`, "", "", turn("I look.")},
		{"a list, bare", "[{\"name\": \"get_date\", \"arguments\": {}}]", "get_date {}", "", "", turn("")},
		{"several", "[{\"name\": \"get_date\", \"arguments\": {}}, {\"name\": \"calc\", \"arguments\": {}}]", "get_date {}", "", "", with(func(t *dialect.Turn) { t.Dropped = 1 })},
		{"one object a line", "{\"name\": \"get_date\", \"arguments\": {}}\n{\"name\": \"calc\", \"arguments\": {}}", "get_date {}", "", "", with(func(t *dialect.Turn) { t.Dropped = 1 })},
		{"an object behind a thought", "Thought: x\n{\"tool\": \"echo\", \"args\": {\"text\": \"five\"}}", `echo {"text": "five"}`, "", "", turn("x")},
		{"with a thought of its own", "{\"thought\": \"x\", \"action\": \"get_date\", \"action_input\": {}}", "get_date {}", "", "", turn("x")},
		{"a function", "{\"type\": \"function\", \"function\": {\"name\": \"get_date\", \"arguments\": \"{}\"}}", "get_date {}", "", "", turn("")},
		{"arguments within a string", "[{\"name\": \"echo\", \"arguments\": \"{\\\"text\\\": \\\"1\\\"}\"}]", `echo {"text": "1"}`, "", "", turn("")},
		{"a list under its key", "{\"tool_calls\": [{\"id\": \"c1\", \"type\": \"function\", \"function\": {\"name\": \"echo\", \"arguments\": \"{}\"}}, {\"name\": \"calc\"}]}", "echo {}", "", "", with(func(t *dialect.Turn) { t.Dropped = 1 })},
		{"no arguments, offered", "{\"name\": \"get_date\"}", "get_date {}", "", "", turn("")},
		{"null arguments", "{\"name\": \"get_date\", \"arguments\": null}", "get_date {}", "", "", turn("")},
		{"mended", "```json\n[{'name': 'echo', 'arguments': {'text': 'five',}}]\n```", `echo {"text": "five"}`, "", "", with(func(t *dialect.Turn) { t.Repaired = true })},
		{"unknown tool", "[{\"name\": \"radar\", \"arguments\": {}}]", "radar {}", "", "", turn("")},
		{"alias", "[{\"name\": \"search\", \"arguments\": {}}]", "corpus_search {}", "", "", with(func(t *dialect.Turn) { t.Alias = "search" })},
		{"complete_task", "[{\"name\": \"complete_task\", \"arguments\": {\"answer\": \"It is five.\"}}]", "", "Answer: It is five.", "", turn("")},
		{"complete_task with an answer line", "[{\"name\": \"complete_task\", \"arguments\": {\"answer\": \"Because.\\nAnswer: five\"}}]", "", "Because.\nAnswer: five", "", turn("")},
		{"complete_task, mended", "[{'name': 'complete_task', 'arguments': {'answer': 'five'}}]", "", "Answer: five", "", turn("")},
		{"complete_task with text", "[{\"name\": \"complete_task\", \"arguments\": \"five\"}]", "", "Answer: five", "", turn("")},
		{"a final message", "{\"final\": \"five\"}", "", "Answer: five", "", turn("")},
		{"arguments that are none", "[{\"name\": \"echo\", \"arguments\": [1]}]", "", "", "the value of arguments is not a JSON object", turn("")},
		{"broken beyond mending", "[{\"name\": \"echo\", \"arguments\": {" + strings.Repeat("[", 5000), "", "", "the JSON of the action cannot be read",
			turn("[{\"name\": \"echo\", \"arguments\": {" + strings.Repeat("[", 5000))},
		{"other JSON", "{\"name\": \"Paris\", \"country\": \"France\"}", "", "", "the turn has neither", dialect.Turn{Thought: "{\"name\": \"Paris\", \"country\": \"France\"}"}},
		{"in front of Final", "[{\"name\": \"get_date\", \"arguments\": {}}]\nFinal: x", "get_date {}", "", "", turn("")},
		{"behind Final", "Final: x\n[{\"name\": \"get_date\", \"arguments\": {}}]", "", "x\n[{\"name\": \"get_date\", \"arguments\": {}}]", "", dialect.Turn{Dialect: dialect.Labels}},
		{"in front of an action it is thought", "[{\"name\": \"get_date\", \"arguments\": {}}]\nAction: echo", "echo {}", "", "", dialect.Turn{Dialect: dialect.Labels, Thought: "[{\"name\": \"get_date\", \"arguments\": {}}]"}},
		{"of a tool that nobody offered, in front of Final", "{\"name\": \"x\", \"parameters\": {}}\nFinal: y", "", "y", "", dialect.Turn{Dialect: dialect.Labels, Thought: "{\"name\": \"x\", \"parameters\": {}}"}},
	})
}

func TestTags(t *testing.T) {
	turn := func(change func(*dialect.Turn)) dialect.Turn {
		t := dialect.Turn{Dialect: dialect.Tag}
		change(&t)
		return t
	}
	plain := turn(func(*dialect.Turn) {})
	check(t, []row{
		{"on a line", "<tool_call>{\"name\": \"echo\", \"arguments\": {\"text\": \"five\"}}</tool_call>", `echo {"text": "five"}`, "", "", plain},
		{"over lines", "I look.\n<tool_call>\n{\"name\": \"get_date\", \"arguments\": {}}\n</tool_call>", "get_date {}", "", "", turn(func(t *dialect.Turn) { t.Thought = "I look." })},
		{"within a line", "I look. <tool_call>{\"name\": \"get_date\", \"args\": {}}", "get_date {}", "", "", turn(func(t *dialect.Turn) { t.Thought = "I look." })},
		{"a function call", "<function_call>{\"name\": \"echo\", \"arguments\": {\"text\": \"five\"}}", `echo {"text": "five"}`, "", "", plain},
		{"Qwen-Coder's", "<tool_call>\n<function=corpus_search>\n<parameter=query>\nhow high\n</parameter>\n<parameter=top_k>\n3\n</parameter>\n</function>\n</tool_call>", `corpus_search {"query": "how high", "top_k": 3}`, "", "", turn(func(t *dialect.Turn) { t.Thought = "<tool_call>" })},
		{"Qwen-Coder's, without parameters", "<function=get_date></function>", "get_date {}", "", "", plain},
		{"Llama's", "<function=echo>{\"text\": \"five\"}</function>", `echo {"text": "five"}`, "", "", plain},
		{"Llama's as JSON", "<|python_tag|>{\"name\": \"echo\", \"parameters\": {\"text\": \"five\"}}<|eom_id|>", `echo {"text": "five"}`, "", "", plain},
		{"Llama's as Python", "<|python_tag|>echo.call(text=\"five\")<|eom_id|>", `echo {"text": "five"}`, "", "", turn(func(t *dialect.Turn) { t.Alias = "echo.call" })},
		{"DeepSeek's", "I look.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>echo\n```json\n{\"text\": \"five\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", `echo {"text": "five"}`, "", "", turn(func(t *dialect.Turn) { t.Thought = "I look.<｜tool▁calls▁begin｜>" })},
		{"DeepSeek's newer, twice", "<｜tool▁call▁begin｜>echo<｜tool▁sep｜>{\"text\": \"five\"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>calc<｜tool▁sep｜>{}<｜tool▁call▁end｜>", `echo {"text": "five"}`, "", "", turn(func(t *dialect.Turn) { t.Dropped = 1 })},
		{"Mistral's", "[TOOL_CALLS] [{\"name\": \"echo\", \"arguments\": {\"text\": \"five\"}}]", `echo {"text": "five"}`, "", "", plain},
		{"Mistral's newer", "[TOOL_CALLS]echo[ARGS]{\"text\": \"five\"}", `echo {"text": "five"}`, "", "", plain},
		{"harmony", "<|channel|>commentary to=functions.echo <|constrain|>json<|message|>{\"text\": \"five\"}<|call|>", `echo {"text": "five"}`, "", "", turn(func(t *dialect.Turn) { t.Thought = "<|channel|>commentary" })},
		{"in a line that is quoted", "The page says:\n> Ignore it. <tool_call>{\"name\": \"echo\"}</tool_call>\nAnswer: five", "", "The page says:\n> Ignore it. <tool_call>{\"name\": \"echo\"}</tool_call>\nAnswer: five", "", dialect.Turn{Dialect: dialect.Answer}},
		{"in a final message", "Final: It says <function=echo>{}</function>.\nAnswer: five", "", "It says <function=echo>{}</function>.\nAnswer: five", "", dialect.Turn{Dialect: dialect.Labels}},
		{"several", "<tool_call>\n{\"name\": \"get_date\", \"arguments\": {}}\n</tool_call>\n<tool_call>\n{\"name\": \"calc\", \"arguments\": {}}\n</tool_call>", "get_date {}", "", "", turn(func(t *dialect.Turn) { t.Dropped = 1 })},
		{"a tag within the arguments", "<tool_call>{\"name\": \"echo\", \"arguments\": {\"text\": \"<tool_call>{\"}}</tool_call>", `echo {"text": "<tool_call>{"}`, "", "", plain},
		{"mended", "<tool_call>{'name': 'echo', 'arguments': {'text': 'five'}}</tool_call>", `echo {"text": "five"}`, "", "", turn(func(t *dialect.Turn) { t.Repaired = true })},
		{"with a result", "<tool_call>{\"name\": \"echo\", \"args\": {\"text\": \"five\"}, \"result\": \"six\"}</tool_call> So six.", `echo {"text": "five"}`, "", "", turn(func(t *dialect.Turn) {
			t.Invented, t.Kept = true, "<tool_call>{\"name\": \"echo\", \"args\": {\"text\": \"five\"}"
		})},
		{"with a response", "<tool_call>{\"name\": \"get_date\"}</tool_call><tool_response>x</tool_response>Final: x", "get_date {}", "", "", turn(func(t *dialect.Turn) {
			t.Invented, t.Kept = true, "<tool_call>{\"name\": \"get_date\"}</tool_call>"
		})},
		{"finish", "<tool_call>{\"name\": \"finish\", \"arguments\": {\"answer\": \"five\"}}</tool_call>", "", "Answer: five", "", plain},
		{"in front of an action", "<tool_call>{\"name\": \"get_date\"}</tool_call>\nAction: calc", "get_date {}", "", "", turn(func(t *dialect.Turn) { t.Dropped = 1 })},
		{"behind Final", "Final: <tool_call>{\"name\": \"get_date\"}</tool_call>", "", "<tool_call>{\"name\": \"get_date\"}</tool_call>", "", dialect.Turn{Dialect: dialect.Labels}},
		{"no call", "<tool_call>{\"text\": 1}</tool_call>", "", "", "the tool_call is not a JSON object with name and arguments", plain},
		{"the word alone", "Final: a <tool_call> tag", "", "a <tool_call> tag", "", dialect.Turn{Dialect: dialect.Labels}},
	})
}

func TestFields(t *testing.T) {
	turn := dialect.Turn{Thought: "x", Dialect: dialect.Fields}
	cut := turn
	cut.Invented, cut.Kept = true, "[[ ## next_thought ## ]]\nx\n[[ ## next_tool_name ## ]]\nget_date\n[[ ## next_tool_args ## ]]\n{}"
	check(t, []row{
		{"a call", "[[ ## next_thought ## ]]\nx\n\n[[ ## next_tool_name ## ]]\necho\n\n[[ ## next_tool_args ## ]]\n{\"text\": \"five\"}\n\n[[ ## completed ## ]]", `echo {"text": "five"}`, "", "", turn},
		{"no arguments", "[[ ## next_tool_name ## ]]\nget_date", "get_date {}", "", "", dialect.Turn{Dialect: dialect.Fields}},
		{"fenced arguments", "[[ ## next_tool_name ## ]]\necho\n[[ ## next_tool_args ## ]]\n```json\n{\"text\": \"1\"}\n```", `echo {"text": "1"}`, "", "", dialect.Turn{Dialect: dialect.Fields}},
		{"bad arguments", "[[ ## next_tool_name ## ]]\nconvert\n[[ ## next_tool_args ## ]]\nfive", "", "", "next_tool_args is not a JSON object", dialect.Turn{Dialect: dialect.Fields}},
		{"no name", "[[ ## next_tool_name ## ]]\n[[ ## next_tool_args ## ]]\n{}", "", "", "the Action line names no tool", dialect.Turn{Dialect: dialect.Fields}},
		{"finish", "[[ ## next_thought ## ]]\nx\n[[ ## next_tool_name ## ]]\nfinish\n[[ ## next_tool_args ## ]]\n{}", "", "x", "", turn},
		{"finish with an answer", "[[ ## next_thought ## ]]\nx\n[[ ## next_tool_name ## ]]\nfinish\n[[ ## next_tool_args ## ]]\n{}\n[[ ## answer ## ]]\nfive\n[[ ## completed ## ]]", "", "Answer: five", "", turn},
		{"an answer", "[[ ## reasoning ## ]]\nx\n[[ ## answer ## ]]\nfive\n[[ ## completed ## ]]", "", "Answer: five", "", turn},
		{"invented observation", "[[ ## next_thought ## ]]\nx\n[[ ## next_tool_name ## ]]\nget_date\n[[ ## next_tool_args ## ]]\n{}\n[[ ## observation_0 ## ]]\ntoday", "get_date {}", "", "", cut},
	})
}

func TestInline(t *testing.T) {
	check(t, []row{
		{"a call and its result", "That is [Calculator(7823 * 4991) → 39,044,593] in all.", `calc {"expression": "7823 * 4991"}`, "", "", dialect.Turn{
			Thought: "That is", Dialect: dialect.Inline, Alias: "Calculator", Invented: true, Kept: "That is [Calculator(7823 * 4991) →"}},
		{"another arrow", "[calc(1 + 1) -> 2]", `calc {"expression": "1 + 1"}`, "", "", dialect.Turn{Dialect: dialect.Inline, Invented: true, Kept: "[calc(1 + 1) ->"}},
		{"no tool", "See [Smith(2020) → p. 3].", "", "", "the turn has neither", dialect.Turn{Thought: "See [Smith(2020) → p. 3]."}},
	})
}

// TestInvented has every spelling of an observation that a model wrote itself.
func TestInvented(t *testing.T) {
	const action = "Action: get_date"
	for _, spelling := range []string{
		"Observation: x", "observation: x", "**Observation:** x", "> Observation: x", "Observation 3: x", "Tool returns: x",
		"Tool returned: x", "<tool_response>x</tool_response>", "[[ ## observation_0 ## ]]\nx", "[[ ## observation ## ]]\nx",
	} {
		check(t, []row{
			{spelling, action + "\n\n" + spelling + "\nFinal: y", "get_date {}", "", "", dialect.Turn{Dialect: dialect.Labels, Invented: true, Kept: action}},
			{spelling + " in front", "Thought: z\n" + spelling + "\nFinal: y", "", "", "the turn has neither", dialect.Turn{Thought: "z", Invented: true, Kept: "Thought: z"}},
		})
	}
}
