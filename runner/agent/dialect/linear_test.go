package dialect_test

import (
	"runtime"
	"strings"
	"testing"
)

// hostile are texts of which a megabyte would take hours in quadratic time. They repeat openings without an
// end, and texts that are nearly a call.
var hostile = []struct{ name, head, unit string }{
	{"action lines", "", "Action: echo\n"},
	{"action lines without a tool", "", "Action:\n"},
	{"inputs", "Action: echo\n", "Action Input: {\n"},
	{"thoughts", "", "Thought: x\n"},
	{"observations", "", "Observation 1: x\n"},
	{"brackets", "Action: echo", "["},
	{"parentheses", "Action: echo", "("},
	{"pairs", "Action: echo(", "[(]"},
	{"calls", "Action: ", "echo(\"x\"), "},
	{"commas", "Action: echo(", ","},
	{"equations", "Action: convert(", "to=x,"},
	{"keywords", "Action: radar(", "k='v',"},
	{"quotes", "Action: echo(", "'a,\"b,"},
	{"escaped quotes", "Action: echo(\"", "\\\", \\"},
	{"one quote, then others", "Action: echo('", ",\"x"},
	{"lists", "Action: tag(", "[','],"},
	{"objects", "", "{\"name\":"},
	{"object lines", "", "{\"name\": \"echo\", \"arguments\": {}}\n"},
	{"broken object lines", "", "{'name': 'echo', 'arguments': {\n"},
	{"list lines", "", "[{\n"},
	{"fences", "", "```json\n[{\n"},
	{"tags", "", "<tool_call>{"},
	{"whole tags", "", "<tool_call>{}</tool_call>"},
	{"tags with names", "", "<tool_call>echo\n<arg_key>"},
	{"argument tags", "<tool_call>echo\n", "<arg_key>text</arg_key><arg_value>"},
	{"invocations", "", "<invoke name=\"echo\"><parameter name=\"text\">"},
	{"DSML", "", "<｜DSML｜invoke name=\"echo\">"},
	{"Kimi's tokens", "", "<|tool_call_begin|>functions.echo:0<|tool_call_argument_begin|>{"},
	{"Gemma's tokens", "", "<start_function_call>call:echo{text:<escape>"},
	{"flowers", "", "✿FUNCTION✿: echo\n✿ARGS✿: {"},
	{"python starts", "", "<|python_start|>[echo("},
	{"functions", "", "<function=echo><parameter=text>"},
	{"Mistral's tokens", "", "[TOOL_CALLS]{"},
	{"python tags", "", "<|python_tag|>echo("},
	{"call lines", "", "echo(1\n"},
	{"lists of calls", "", "[echo(1), "},
	{"Chinese labels", "", "行动：echo\n"},
	{"fields", "", "[[ ## next_tool_name ## ]]\n"},
	{"half fields", "", "[[ ## "},
	{"inline calls", "", "[calc(1) "},
	{"arrows", "[calc(", "1) -> "},
	{"answers", "", "Answer:\n"},
	{"decoration", "", "> *_"},
	{"digits", "Action ", "1"},
	{"number", "Action: convert(", "1"},
	{"blank lines", "Action:", "\n"},
}

// TestHostileLength limits the memory that is allocated for a megabyte, instead of the time: the steps for
// its units, and a fixed multiple of its length.
func TestHostileLength(t *testing.T) {
	tools := offered()
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			reply := h.head + strings.Repeat(h.unit, hostileLength/len(h.unit))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			hold(t, reply, tools)
			runtime.ReadMemStats(&after)
			steps, bytes := after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
			if units := uint64(hostileLength / len(h.unit)); steps > 20*units+20_000 || bytes > 1000*hostileLength {
				t.Errorf("%d allocations of %d bytes for %d units", steps, bytes, units)
			}
		})
	}
}
