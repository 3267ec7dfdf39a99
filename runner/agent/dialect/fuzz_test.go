package dialect_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
)

// hold checks the rules that every turn follows.
func hold(t interface{ Fatalf(string, ...any) }, reply string, tools []model.ToolSpec) {
	turn := dialect.Parse(reply, tools)
	if !strings.HasPrefix(reply, turn.Kept) {
		t.Fatalf("%q is kept of %q", turn.Kept, reply)
	}
	if !turn.Invented && turn.Kept != reply {
		t.Fatalf("%q is cut to %q, and nothing was invented", reply, turn.Kept)
	}
	set := 0
	for _, is := range []bool{turn.Name != "", turn.Final != "", turn.Problem != nil} {
		if is {
			set++
		}
	}
	if set > 1 || set == 0 && turn.Dialect == "" {
		t.Fatalf("%q is call %q, final %q, problem %v in dialect %q", reply, turn.Name, turn.Final, turn.Problem, turn.Dialect)
	}
	var object map[string]json.RawMessage
	if isCall := turn.Name != ""; isCall {
		if err := json.Unmarshal([]byte(turn.Arguments), &object); err != nil || object == nil {
			t.Fatalf("%q has the arguments %q: %v", reply, turn.Arguments, err)
		}
	} else if turn.Arguments != "" || turn.Alias != "" || turn.Repaired {
		t.Fatalf("%q is no call and has %+v", reply, turn)
	}
	if turn.Dropped < 0 || turn.Dropped > len(reply)/len("Action:") {
		t.Fatalf("%q drops %d actions", reply, turn.Dropped)
	}
	// JSON writes a byte as at most six, and labels are removed, not added.
	if size := len(turn.Thought) + len(turn.Final) + len(turn.Arguments); size > 8*len(reply)+200 {
		t.Fatalf("%d bytes are made of %d", size, len(reply))
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"Thought: x\nAction: echo\nAction Input: {\"text\":\"a\"}", "Action Input: {}\nAction: echo", "Final:", "Observation: x",
		"Action: echo\nAction Input: {\"text\": \"\xff", "**Final:** Answer: 3", "Action: echo\nAction Input: ```json\n```", "Action:\n\nAction:\nFinal: x",
		"Action: corpus_search[query=\"v\", top_k=3]", "Action: echo('it\\'s')", "Action: convert(5, \"EUR\", 2)", "Action: tag(['a', {'b'])",
		"Thought 1: x\nAction 1: Search[x, y]\nObservation 1: z", "Action 2: Finish[", "Action: Finish[answer='x']", "Action: echo({'text': 1})",
		"```json\n[{\"name\": \"echo\", \"arguments\": {}}]\n```", "[{'name': 'complete_task', 'arguments': {'answer': 'x'}}", "{\"final\": \"x\"}",
		"<tool_call>{\"name\": \"echo\", \"args\": {}, \"result\": 1}</tool_call><tool_response>", "<tool_call>\n{\"name\":", "<think>a</think><tool_call>[{",
		"[[ ## next_tool_name ## ]]\nfinish\n[[ ## next_tool_args ## ]]\n{}", "[[ ## observation_0 ## ]]", "[calc(1) -> 2]", "a\n</think>\nAnswer: x", "<think>",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		hold(t, reply, offered())
		hold(t, reply, nil)
	})
}

// pieces are parts of replies, which are joined in any order.
var pieces = []string{
	"Thought:", "Action:", "Action 1:", "Action Input:", "Final:", "Final Answer:", "Answer:", "Observation:", "Observation 2:", "Tool returns:",
	"\n", " ", "echo", "Search", "Finish", "convert", "tag", "[", "]", "(", ")", "{", "}", ",", "=", ":", "\"", "'", "\\", "```json\n", "```", "->", "→",
	"{\"name\": \"echo\", \"arguments\": {\"text\": \"x\"}}", "[{\"name\": ", "{'text': 'x'}", "\"result\": ", "<tool_call>", "</tool_call>", "<tool_response>",
	"<think>", "</think>", "[[ ## next_tool_name ## ]]", "[[ ## next_tool_args ## ]]", "[[ ## answer ## ]]", "finish", "5", "x", "é", "\xff", "\r\n", "query=", "top_k=",
}

func TestAnyReply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reply := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces"), "")
		hold(t, reply, offered())
	})
}

// TestAnySchema binds values to invalid schemas.
func TestAnySchema(t *testing.T) {
	for _, schema := range []string{
		``, `null`, `[]`, `{`, `{"type":"object"}`, `{"properties":[]}`, `{"properties":{"a":1}}`, `{"properties":{"a":{"type":7}}}`, `{"properties":{"a":{"type":[1]}}}`,
		`{"required":["a","a"]}`, `{"required":"a"}`, `{"properties":{"a":{}},"required":[1]}`, `{"properties":{"a":{},"a":{}}}`, `{"properties":{"":{}}}`,
	} {
		for _, action := range []string{`f`, `f()`, `f[x]`, `f(x, 1)`, `f(a=1)`, `f("x", 'y')`, `f({"a": 1})`} {
			hold(t, "Action: "+action, []model.ToolSpec{{Name: "f", Parameters: json.RawMessage(schema)}})
		}
	}
}

// TestBoundValues writes values by position and by name, in every kind of brackets, and expects the same
// object each time.
func TestBoundValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ -~é\n]{0,20}`).Draw(t, "to")
		amount := rapid.IntRange(-1000, 1000).Draw(t, "amount")
		literal, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		number, err := json.Marshal(amount)
		if err != nil {
			t.Fatal(err)
		}
		a, b := string(number), string(literal)
		for _, action := range []string{
			"convert(" + a + ", " + b + ")", "convert[" + a + "," + b + "]", "convert(amount=" + a + ", to=" + b + ")",
			"convert[to=" + b + ",amount = " + a + "]", "convert(\"" + a + "\", to=" + b + ")", "convert({\"amount\": " + a + ", \"to\": " + b + "})",
			"convert\nAction Input: {\"amount\": " + a + ", \"to\": " + b + "}",
		} {
			turn := dialect.Parse("Action: "+action, offered())
			var got struct {
				Amount int
				To     string
			}
			if err := json.Unmarshal([]byte(turn.Arguments), &got); err != nil || got.Amount != amount || got.To != text {
				t.Fatalf("%s is read as %q (%v, %v)", action, turn.Arguments, turn.Problem, err)
			}
		}
	})
}
