package dialect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/agent/dialect"
)

// TestCalls reads actions that are written as calls.
func TestCalls(t *testing.T) {
	for _, c := range []struct{ name, action, call, problem, alias string }{
		{"keywords", `corpus_search[query="Paris, France", top_k=3]`, `corpus_search {"query": "Paris, France", "top_k": 3}`, "", ""},
		{"keywords in another order", `corpus_search(top_k=3, query='x')`, `corpus_search {"query": "x", "top_k": 3}`, "", ""},
		{"bare keyword value with a comma", `corpus_search(query=Paris, France)`, `corpus_search {"query": "Paris, France"}`, "", ""},
		{"bare keyword, then another", `corpus_search(query=Paris, France, top_k=2)`, `corpus_search {"query": "Paris, France", "top_k": 2}`, "", ""},
		{"keyword with a colon", `corpus_search(query: x, exact: True)`, `corpus_search {"query": "x", "exact": true}`, "", ""},
		{"number as text", `corpus_search(query="x", top_k="3")`, `corpus_search {"query": "x", "top_k": 3}`, "", ""},
		{"text for a number is left to the schema check", `corpus_search(query="x", top_k="many")`, `corpus_search {"query": "x", "top_k": "many"}`, "", ""},
		{"unknown keyword is left to the schema check", `corpus_search(question="x")`, `corpus_search {"question": "x"}`, "", ""},
		{"bare in brackets", `echo[five]`, `echo {"text": "five"}`, "", ""},
		{"bare in brackets with a comma", `corpus_search[Paris, 3]`, `corpus_search {"query": "Paris, 3"}`, "", ""},
		{"quoted in brackets", `echo["five"]`, `echo {"text": "five"}`, "", ""},
		{"quoted in parentheses", `echo("five")`, `echo {"text": "five"}`, "", ""},
		{"quoted in single quotes", `echo('it\'s "five"')`, `echo {"text": "it's \"five\""}`, "", ""},
		{"escapes", `echo("a\n\"b\" é")`, `echo {"text": "a\n\"b\" é"}`, "", ""},
		{"brackets in quotes", `echo("a) b] c")`, `echo {"text": "a) b] c"}`, "", ""},
		{"quotes that open a longer text", `echo["Heroes" (album)]`, `echo {"text": "\"Heroes\" (album)"}`, "", ""},
		{"apostrophe", `echo[Rio's sequel]`, `echo {"text": "Rio's sequel"}`, "", ""},
		{"apostrophe in front", `echo['Til Tuesday]`, `echo {"text": "'Til Tuesday"}`, "", ""},
		{"brackets in brackets", `echo[a [b] (c]`, `echo {"text": "a [b] (c"}`, "", ""},
		{"no space", `get_date()`, `get_date {}`, "", ""},
		{"space in front of the bracket", `echo ("five")`, `echo {"text": "five"}`, "", ""},
		{"backticks", "`echo(\"five\")`", `echo {"text": "five"}`, "", ""},
		{"over several lines", "corpus_search(\n  query=\"x\",\n  top_k=3\n)", `corpus_search {"query": "x", "top_k": 3}`, "", ""},
		{"prose behind", `echo[five] on another website`, `echo {"text": "five"}`, "", ""},
		{"two calls on a line", `echo[five], get_date()`, `echo {"text": "five"}`, "", ""},
		{"by position", `convert(5, "EUR")`, `convert {"amount": 5, "to": "EUR"}`, "", ""},
		{"by position in brackets", `convert[5, EUR, 2]`, `convert {"amount": 5, "to": "EUR", "rounding": 2}`, "", ""},
		{"by position and keyword", `convert(5, to="EUR")`, `convert {"amount": 5, "to": "EUR"}`, "", ""},
		{"positions with options", `corpus_search("x", 3, true)`, `corpus_search {"query": "x", "top_k": 3, "exact": true}`, "", ""},
		{"bare text with a comma that fits no option", `corpus_search(Paris, France)`, `corpus_search {"query": "Paris, France"}`, "", ""},
		{"more commas than options", `echo(a, b, c)`, `echo {"text": "a, b, c"}`, "", ""},
		{"a formula", `calc(max(1, 2) * (3 + 4))`, `calc {"expression": "max(1, 2) * (3 + 4)"}`, "", ""},
		{"an equation", `calc(x = 3)`, `calc {"expression": "x = 3"}`, "", ""},
		{"number for text", `echo(5)`, `echo {"text": "5"}`, "", ""},
		{"numbers as people write them", `convert(+05., EUR)`, `convert {"amount": 5, "to": "EUR"}`, "", ""},
		{"an object", `echo({"text": "five"})`, `echo {"text": "five"}`, "", ""},
		{"an object in brackets, mended", `echo[{'text': 'five'}]`, `echo {"text": "five"}`, "", ""},
		{"brackets in an object's quotes, mended", `echo({'text': 'a) b'})`, `echo {"text": "a) b"}`, "", ""},
		{"brackets and commas in nested quotes", `echo[a ("b], c")]`, `echo {"text": "a (\"b], c\")"}`, "", ""},
		{"a list, mended", `tag(['a', 'b'])`, `tag {"names": ["a", "b"]}`, "", ""},
		{"a list and an object", `tag(["a"], {"b": 1})`, `tag {"names": ["a"], "how": {"b": 1}}`, "", ""},
		{"several types", `note(null, 7, [1])`, `note {"body": null, "rank": 7, "any": [1]}`, "", ""},
		{"several types, the other way", `note("null", "x", "1")`, `note {"body": "null", "rank": "x", "any": "1"}`, "", ""},
		{"alias", `Search["x"]`, `corpus_search {"query": "x"}`, "", "Search"},
		{"another alias", `Calculator(2 * 3)`, `calc {"expression": "2 * 3"}`, "", "Calculator"},
		{"unknown tool, by position", `radar(5, "x")`, `radar {"input": 5, "input_2": "x"}`, "", ""},
		{"unknown tool, by keyword", `radar(x=5, y=None)`, `radar {"x": 5, "y": null}`, "", ""},
		{"too few", `convert(5)`, "", "convert takes amount (number), to (string), optionally rounding (integer); the action gives 1", ""},
		{"too many", `echo("a", "b")`, "", "echo takes optionally text (string); the action gives 2", ""},
		{"none for a required one", `calc()`, "", "calc takes expression (string); the action gives 0", ""},
		{"some for none", `get_date(now)`, "", "get_date takes no arguments; the action gives 1", ""},
		{"twice", `echo("a", text="b")`, "", "the action gives text of echo twice", ""},
		{"never closed", `echo("five`, "", "the '(' behind echo is never closed", ""},
		{"never closed bracket", `Lookup[five`, "", "the '[' behind Lookup is never closed", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			mended := strings.HasSuffix(c.name, "mended")
			check(t, []row{{"", "Thought: go\nAction: " + c.action, c.call, "", c.problem, dialect.Turn{
				Thought: "go", Dialect: dialect.Call, Alias: c.alias, Repaired: mended,
			}}})
		})
	}
}

// TestNumbered reads turns in the form of the ReAct paper's prompts.
func TestNumbered(t *testing.T) {
	numbered := func(thought string) dialect.Turn {
		return dialect.Turn{Thought: thought, Dialect: dialect.NumberedLabels}
	}
	search := numbered("I search.")
	search.Alias = "Search"
	cut := search
	cut.Invented, cut.Kept = true, "Thought 1: I search.\nAction 1: Search[Paris]"
	two := search
	two.Dropped = 1
	check(t, []row{
		{"search", "Thought 1: I search.\nAction 1: Search[Paris]", `corpus_search {"query": "Paris"}`, "", "", search},
		{"lookup", "Thought 2: x\nAction 2: Lookup[film, 2011]", `Lookup {"keyword": "film, 2011"}`, "", "", numbered("x")},
		{"lower case", "thought 2: x\naction 2: lookup[film]", `Lookup {"keyword": "film"}`, "", "", dialect.Turn{Thought: "x", Dialect: dialect.NumberedLabels, Alias: "lookup"}},
		{"finish", "Thought 3: x\nAction 3: Finish[REFUTES]", "", "Answer: REFUTES", "", numbered("x")},
		{"finish with commas", "Action 3: Finish[Paris, France]", "", "Answer: Paris, France", "", numbered("")},
		{"finish in quotes", "Action 3: finish(\"Paris\")", "", "Answer: Paris", "", numbered("")},
		{"finish with a keyword", "Action 3: finish(answer=Paris, France)", "", "Answer: Paris, France", "", numbered("")},
		{"finish with an equation", "Action 3: Finish[x = 3]", "", "Answer: x = 3", "", numbered("")},
		{"finish with an object", "Action 3: Finish[{\"answer\": 3}]", "", "Answer: 3", "", numbered("")},
		{"finish with nothing", "Thought 3: x\nAction 3: Finish[]", "", "", "", numbered("x")},
		{"with an input", "Action 1: echo\nAction Input 1: {\"text\":\"five\"}", `echo {"text":"five"}`, "", "", numbered("")},
		{"without brackets", "Action 2: Login", "Login {}", "", "", numbered("")},
		{"nothing on the line", "Thought 3: x\nAction 3: \n\nFinish[REFUTES]", "", "", "the Action line names no tool", numbered("x")},
		{"without a colon", "x\nAction 2\nThought 2: y", "", "", "the turn has neither", dialect.Turn{Thought: "x\nAction 2\ny"}},
		{"invented observation", "Thought 1: I search.\nAction 1: Search[Paris]\nObservation 1: It is\nThought 2: so\nAction 2: Finish[x]", `corpus_search {"query": "Paris"}`, "", "", cut},
		{"two turns", "Thought 1: I search.\nAction 1: Search[Paris]\nThought 2: y\nAction 2: Lookup[x]", `corpus_search {"query": "Paris"}`, "", "", two},
	})
}

func TestCallLines(t *testing.T) {
	turn := func(thought string, dropped int) dialect.Turn {
		return dialect.Turn{Thought: thought, Dialect: dialect.Call, Dropped: dropped}
	}
	const said = "I add them up with calc(1 + 1) first."
	check(t, []row{
		{"a call", "echo(text=\"five\")", `echo {"text": "five"}`, "", "", turn("", 0)},
		{"behind a thought", "I look.\necho('five')", `echo {"text": "five"}`, "", "", turn("I look.", 0)},
		{"a list", "[corpus_search(query='how high', top_k=3), get_date()]", `corpus_search {"query": "how high", "top_k": 3}`, "", "", turn("", 1)},
		{"within prose", said, "", "", "the turn has neither", dialect.Turn{Thought: said}},
		{"not on offer", "print('five')", "", "", "the turn has neither", dialect.Turn{Thought: "print('five')"}},
		{"beside an answer line", "calc(1 + 1)\nAnswer: 2", "", "calc(1 + 1)\nAnswer: 2", "", dialect.Turn{Dialect: dialect.Answer}},
		{"never closed", "echo('five'", "", "", "the turn has neither", dialect.Turn{Thought: "echo('five'"}},
	})
}

// TestReadCall reads native calls.
func TestReadCall(t *testing.T) {
	for _, c := range []struct {
		name, arguments string
		call, final     string
		repaired        bool
	}{
		{"echo", `{"text": "five"}`, `echo {"text": "five"}`, "", false},
		{"echo", "", "echo {}", "", false},
		{"functions.echo", "```json\n{\"text\": \"five\"}\n```", `echo {"text": "five"}`, "", false},
		{"Search", `{'query': 'how high',}`, `corpus_search {"query": "how high"}`, "", true},
		{"echo", `{"text": "five"`, `echo {"text": "five"}`, "", true},
		{"echo", `"{\"text\": \"five\"}"`, `echo {"text": "five"}`, "", true},
		{"corpus_search", `{"query": "x", "top_k": 5.0}`, `corpus_search {"query": "x", "top_k": 5}`, "", true},
		{"corpus_search", `{"query": "x", "top_k": "many"}`, `corpus_search {"query": "x", "top_k": "many"}`, "", false},
		{"convert", `five`, "", "", false},
		{"radar", `{"x": 1}`, `radar {"x": 1}`, "", false},
		{"final_answer", `{"answer": "five"}`, "", "Answer: five", false},
	} {
		got := dialect.ReadCall(c.name, c.arguments, offered())
		call := ""
		if got.Name != "" {
			call = got.Name + " " + got.Arguments
		}
		if call != c.call || got.Final != c.final || got.Repaired != c.repaired || (got.Problem == nil) != (call+got.Final != "") {
			t.Errorf("%s %s is read as %+v", c.name, c.arguments, got)
		}
	}
}

// TestFurther reads the calls after the first one, for protocols with several calls in a turn.
func TestFurther(t *testing.T) {
	const one, two = `{"name": "echo", "arguments": {"text": "a"}}`, `{"name": "calc", "arguments": {"expression": "1+1"}}`
	both := []string{`calc {"expression": "1+1"}`}
	for _, c := range []struct {
		name, reply string
		want        []string
	}{
		{"one", one, nil},
		{"a list", "[" + one + ", " + two + "]", both},
		{"a list under its key", `{"tool_calls": [` + one + ", " + two + "]}", both},
		{"an object a line", one + "\n" + two, both},
		{"a fence each", "```json\n" + one + "\n```\n```json\n" + two + "\n```", both},
		{"tags", "<tool_call>" + one + "</tool_call>\n<tool_call>" + two + "</tool_call>", both},
		{"a list in a tag", "<tool_call>[" + one + ", " + two + "]</tool_call>", both},
		{"calls in Python", "[echo(text='a'), calc(expression='1+1')]", both},
		{"one that cannot be read", "<tool_call>" + one + "</tool_call><tool_call>[1</tool_call>", []string{"the tool_call is not a JSON object with name and arguments"}},
		{"behind a result of its own", `<tool_call>{"name": "echo", "arguments": {}, "result": "x"}</tool_call><tool_call>` + two + "</tool_call>", nil},
		{"more than are read", strings.Repeat("<tool_call>"+two+"</tool_call>", 40), slices.Repeat(both, 16)},
		{"labelled", "Action: echo\nAction Input: {}\nAction: calc\nAction Input: {}", nil},
	} {
		got := dialect.Parse(c.reply, offered())
		var further []string
		for _, f := range got.Further {
			if f.Problem != nil {
				further = append(further, f.Problem.Error())
				continue
			}
			further = append(further, f.Name+" "+f.Arguments)
		}
		if !slices.Equal(further, c.want) || got.Dropped < len(further) {
			t.Errorf("%s: %q of %d, want %q", c.name, further, got.Dropped, c.want)
		}
	}
}
