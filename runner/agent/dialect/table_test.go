package dialect_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/runner/agent/dialect"
)

// row is a reply and its reading: a call as "name {arguments}", a final message, or the beginning of a
// problem, and other facts. Kept is the whole reply unless given.
type row struct {
	name, reply string
	call        string
	final       string
	problem     string
	with        dialect.Turn
}

func check(t *testing.T, rows []row) {
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			got := dialect.Parse(r.reply, offered())
			call := ""
			if got.Name != "" {
				call = got.Name + " " + got.Arguments
			}
			problem := ""
			if got.Problem != nil {
				problem = got.Problem.Error()
			}
			if call != r.call || got.Final != r.final {
				t.Errorf("read as call %q, final %q (problem %q)\nwant call %q, final %q", call, got.Final, problem, r.call, r.final)
			}
			if !strings.HasPrefix(problem, r.problem) || (problem == "") != (r.problem == "") {
				t.Errorf("problem %q, want %q…", problem, r.problem)
			}
			if r.with.Kept == "" {
				r.with.Kept = r.reply
			}
			unasked := cmpopts.IgnoreFields(dialect.Turn{}, "Name", "Arguments", "Final", "Problem", "Further")
			if diff := cmp.Diff(r.with, got, unasked); diff != "" {
				t.Errorf("turn (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLabels(t *testing.T) {
	const five = `echo {"text":"five"}`
	check(t, []row{
		{"plain", "Thought: go\nAction: echo\nAction Input: {\"text\":\"five\"}", five, "", "", dialect.Turn{Thought: "go", Dialect: dialect.Labels}},
		{"no thought", "Action: echo\nAction Input: {\"text\":\"five\"}", five, "", "", dialect.Turn{Dialect: dialect.Labels}},
		{"lead without a label", "I look.\nAction: echo\nAction Input: {\"text\":\"five\"}", five, "", "", dialect.Turn{Thought: "I look.", Dialect: dialect.Labels}},
		{"bold and lower case", "**thought:** go\n**Action:** `echo`\n**Action Input:** {\"text\":\"five\"}", five, "", "", dialect.Turn{Thought: "go", Dialect: dialect.Labels}},
		{"wide colon", "Action:echo\nAction Input:{\"text\":\"five\"}", five, "", "", dialect.Turn{Dialect: dialect.Labels}},
		{"fenced", "Action: echo\nAction Input:\n```json\n{\"text\":\"five\"}\n```", five, "", "", dialect.Turn{Dialect: dialect.Labels}},
		{"several lines", "Action: echo\nAction Input: {\n  \"text\":\n  \"five\"\n}", "echo {\n  \"text\":\n  \"five\"\n}", "", "", dialect.Turn{Dialect: dialect.Labels}},
		{"single quotes", "Action: echo\nAction Input: {'text': 'five'}", `echo {"text": "five"}`, "", "", dialect.Turn{Dialect: dialect.Labels, Repaired: true}},
		{"trailing comma and prose", "Action: echo\nAction Input: here: {\"text\":\"five\",} ok?", five, "", "", dialect.Turn{Dialect: dialect.Labels, Repaired: true}},
		{"no input", "Action: echo", "echo {}", "", "", dialect.Turn{Dialect: dialect.Labels}},
		{"bare words", "Action: echo\nAction Input: five", `echo {"text": "five"}`, "", "", dialect.Turn{Dialect: dialect.Labels, Repaired: true}},
		{"bare words in quotes, then prose", "Action: corpus_search\nAction Input: \"how high\"\nI wait.", `corpus_search {"query": "how high"}`, "", "", dialect.Turn{Dialect: dialect.Labels, Repaired: true}},
		{"bare words for several", "Action: convert\nAction Input: five euros", "", "", "the Action Input is not a JSON object", dialect.Turn{Dialect: dialect.Labels}},
		{"Chinese", "思考：查一下\n行动：echo\n行动输入：{\"text\":\"five\"}\n观察：x", five, "", "", dialect.Turn{Thought: "查一下", Dialect: dialect.Labels, Invented: true, Kept: "思考：查一下\n行动：echo\n行动输入：{\"text\":\"five\"}"}},
		{"Chinese, numbered", "思考1：查\n行动1：echo[five]", `echo {"text": "five"}`, "", "", dialect.Turn{Thought: "查", Dialect: dialect.NumberedLabels}},
		{"other types", "Action: corpus_search\nAction Input: {\"query\": 7, \"top_k\": 5.0, \"exact\": \"true\"}", `corpus_search {"exact": true, "query": "7", "top_k": 5}`, "", "", dialect.Turn{Dialect: dialect.Labels, Repaired: true}},
		{"a list", "Action: echo\nAction Input: [1]", "", "", "the Action Input is not a JSON object", dialect.Turn{Dialect: dialect.Labels}},
		{"too long to mend", "Action: echo\nAction Input: {'text': " + strings.Repeat("[", 5000), "", "", "the Action Input is not a JSON object, and at 5009 bytes too long to mend", dialect.Turn{Dialect: dialect.Labels}},
		{"no tool", "Action:\nAction Input: {}", "", "", "the Action line names no tool", dialect.Turn{Dialect: dialect.Labels}},
		{"unknown tool", "Action: radar\nAction Input: {\"x\":1}", `radar {"x":1}`, "", "", dialect.Turn{Dialect: dialect.Labels}},
		{"prose below the name belongs to it", "Action: echo\nI wait.", "echo\nI wait. {}", "", "", dialect.Turn{Dialect: dialect.Labels}},
		{"another case", "Action: ECHO\nAction Input: {\"text\":\"five\"}", five, "", "", dialect.Turn{Dialect: dialect.Labels, Alias: "ECHO"}},
		{"two actions", "Action: echo\nAction Input: {\"text\":\"five\"}\nAction: get_date\nAction: calc", five, "", "", dialect.Turn{Dialect: dialect.Labels, Dropped: 2}},
		{"an action, then a final message", "Action: get_date\nFinal: x\nAction: calc", "get_date {}", "", "", dialect.Turn{Dialect: dialect.Labels}},
		{"input before the action", "Action Input: {\"text\":\"five\"}\nAction: echo", "echo {}", "", "", dialect.Turn{Dialect: dialect.Labels}},
		{"a call with its input below", "Action: echo()\nAction Input: {\"text\":\"five\"}", five, "", "", dialect.Turn{Dialect: dialect.Labels}},
		{"JSON behind the label", "Action: {\"name\": \"echo\", \"arguments\": {\"text\":\"five\"}}", five, "", "", dialect.Turn{Dialect: dialect.JSON}},
		{"fenced JSON behind the label", "Action:\n```json\n{\"action\": \"echo\", \"action_input\": {\"text\":\"five\"}}\n```", five, "", "", dialect.Turn{Dialect: dialect.JSON}},
		{"a tag behind the label", "Action: <tool_call>{\"name\": \"echo\", \"arguments\": {\"text\":\"five\"}}</tool_call>", five, "", "", dialect.Turn{Dialect: dialect.Tag}},
		{"a tag within the input", "Action: echo\nAction Input: {\"text\":\"<tool_call>{\"}", `echo {"text":"<tool_call>{"}`, "", "", dialect.Turn{Dialect: dialect.Labels}},
		{"prose", "The weather is fine.", "", "", "the turn has neither an Action line nor a Final line", dialect.Turn{Thought: "The weather is fine."}},
		{"empty", "", "", "", "the turn has neither an Action line nor a Final line", dialect.Turn{}},
	})
}

func TestFinal(t *testing.T) {
	check(t, []row{
		{"plain", "Thought: settled.\nFinal: It says five.\n\nAnswer: five", "", "It says five.\n\nAnswer: five", "", dialect.Turn{Thought: "settled.", Dialect: dialect.Labels}},
		{"labels within", "Final: use\nAction: echo\nThought: x\nAnswer: five", "", "use\nAction: echo\nThought: x\nAnswer: five", "", dialect.Turn{Dialect: dialect.Labels}},
		{"nothing behind it", "Final:", "", "", "", dialect.Turn{Dialect: dialect.Labels}},
		{"without an answer line it stays as it is", "Final: five", "", "five", "", dialect.Turn{Dialect: dialect.Labels}},
		{"Final Answer", "Thought: x\nFinal Answer: five", "", "Answer: five", "", dialect.Turn{Thought: "x", Dialect: dialect.Answer}},
		{"bold Final Answer over lines", "**Final Answer:** It is\nfive", "", "Answer: It is\nfive", "", dialect.Turn{Dialect: dialect.Answer}},
		{"Final Answer behind an explanation", "It says so [corpus_1].\n\nFinal Answer: five", "", "It says so [corpus_1].\nAnswer: five", "", dialect.Turn{Dialect: dialect.Answer}},
		{"Chinese", "思考：x\n最终答案：五", "", "Answer: 五", "", dialect.Turn{Thought: "x", Dialect: dialect.Answer}},
		{"Final Answer with an answer line", "Final Answer: Because.\nAnswer: five", "", "Because.\nAnswer: five", "", dialect.Turn{Dialect: dialect.Answer}},
		{"Answer alone", "Answer: five", "", "Answer: five", "", dialect.Turn{Dialect: dialect.Answer}},
		{"Answer behind a thought", "Thought: x\nAnswer: five\nReferences: corpus_1", "", "Answer: five\nReferences: corpus_1", "", dialect.Turn{Thought: "x", Dialect: dialect.Answer}},
		{"Answer behind an explanation", "It says so [corpus_1].\n\nAnswer: five", "", "It says so [corpus_1].\n\nAnswer: five", "", dialect.Turn{Dialect: dialect.Answer}},
		{"Answer beside an action", "Answer: five\nAction: get_date", "get_date {}", "", "", dialect.Turn{Thought: "Answer: five", Dialect: dialect.Labels}},
		{"Answer in front of Final", "Answer: five\nFinal: Answer: six", "", "Answer: six", "", dialect.Turn{Thought: "Answer: five", Dialect: dialect.Labels}},
		{"Answer with nothing behind", "Answer:", "", "", "the turn has neither", dialect.Turn{Thought: "Answer:"}},
		{"a sentence with the word", "I think the Answer: is five", "", "", "the turn has neither", dialect.Turn{Thought: "I think the Answer: is five"}},
		{"Finish as a label", "Thought: x\nAction: Finish\nAction Input: {\"answer\": \"five\"}", "", "Answer: five", "", dialect.Turn{Thought: "x", Dialect: dialect.Labels}},
		{"Finish with one argument", "Action: Finish\nAction Input: {\"city\": \"Paris\"}", "", "Answer: Paris", "", dialect.Turn{Dialect: dialect.Labels}},
		{"Finish with several", "Action: Finish\nAction Input: {\"sure\": true, \"answer\": [1, 2]}", "", "Answer: [1, 2]", "", dialect.Turn{Dialect: dialect.Labels}},
		{"Finish with broken JSON", "Action: Finish\nAction Input: {'answer': 'five'", "", "Answer: five", "", dialect.Turn{Dialect: dialect.Labels}},
		{"Finish with text", "Action: Finish\nAction Input: \"five\"", "", "Answer: five", "", dialect.Turn{Dialect: dialect.Labels}},
		{"Finish with null", "Thought: x\nAction: Finish\nAction Input: {\"answer\": null}", "", "x", "", dialect.Turn{Thought: "x", Dialect: dialect.Labels}},
		{"Finish with no answer", "Thought: It is five.\nAction: finish", "", "It is five.", "", dialect.Turn{Thought: "It is five.", Dialect: dialect.Labels}},
	})
}
