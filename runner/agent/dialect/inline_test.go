package dialect_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
)

func inlineTools() []model.ToolSpec {
	spec := func(name, parameters string) model.ToolSpec {
		return model.ToolSpec{Name: name, Parameters: model.RawSchema(parameters)}
	}
	return []model.ToolSpec{
		spec("calc", `{"type":"object","properties":{"expression":{"type":"string"}},"required":["expression"]}`),
		spec("calendar", `{"type":"object","properties":{}}`),
		spec("web_search", `{"type":"object","properties":{"k":{"type":"integer"},"query":{"type":"string"}},"required":["query"]}`),
		spec("translate", `{"type":"object","properties":{"text":{"type":"string"},"to":{"type":"string"}},"required":["text","to"]}`),
	}
}

func TestFindInline(t *testing.T) {
	for _, c := range []struct {
		name, text string
		stopped    bool
		call       string // its text
		want       string // tool and arguments, or the problem
		own        string
	}{
		{"arrow", "That is [Calculator(7823 * 4991) → 39] x", false, "[Calculator(7823 * 4991)", `calc {"expression": "7823 * 4991"}`, "39] x"},
		{"other arrow", "[calc(1 + 1)-> 2]", false, "[calc(1 + 1)", `calc {"expression": "1 + 1"}`, "2]"},
		{"stopped in the call", "a [Calculator(1 + 1", true, "[Calculator(1 + 1)", `calc {"expression": "1 + 1"}`, ""},
		{"stopped behind the call", "a [Calculator(1 + 1) ", true, "[Calculator(1 + 1)", `calc {"expression": "1 + 1"}`, ""},
		{"nested", "[Calculator((1 + 2) * (3 + [4]))→", true, "[Calculator((1 + 2) * (3 + [4]))", `calc {"expression": "(1 + 2) * (3 + [4])"}`, ""},
		{"nested, stopped", "[Calculator((1 + 2) * (3 + 4", true, "[Calculator((1 + 2) * (3 + 4)", `calc {"expression": "(1 + 2) * (3 + 4"}`, ""},
		{"nested, stopped in the last pair", "[Calculator((1 + 2) * (3 + 4)", true, "[Calculator((1 + 2) * (3 + 4))", `calc {"expression": "(1 + 2) * (3 + 4)"}`, ""},
		{"never closed", "[Calculator((1 + 2 → 3]", false, "", "", ""},
		{"closed once too little", "[Calculator((1 + 2) → 3]", false, "[Calculator((1 + 2))", `calc {"expression": "(1 + 2)"}`, "3]"},
		{"arrow within quotes", `[WikiSearch("a) → b") → c]`, false, `[WikiSearch("a) → b")`, `web_search {"query": "a) → b"}`, "c]"},
		{"no arguments", "Today is [Calendar() → x", false, "[Calendar()", `calendar {}`, "x"},
		{"question", `[QA("Who?") →`, false, `[QA("Who?")`, `web_search {"query": "Who?"}`, ""},
		{"required come first", `[MT("Haus", "en") →`, false, `[MT("Haus", "en")`, `translate {"text": "Haus", "to": "en"}`, ""},
		{"too many arguments", `[Calendar(1) → `, false, "[Calendar(1)", "calendar takes no arguments; the action gives 1", ""},
		{"unknown tool", "[Weather(Rome) → ", false, "[Weather(Rome)", `Weather {"input": "Rome"}`, ""},
		{"an unknown name without an arrow", "see [fig(2)] and [g(3)", false, "", "", ""},
		{"no arrow", "[calc(1+1)] so 3.\nAnswer: 3", false, "[calc(1+1)", `calc {"expression": "1+1"}`, "so 3.\nAnswer: 3"},
		{"a link", "[the page](http://x.example/(a)) → b", false, "", "", ""},
		{"prose", "f(x) → y, London → Paris [1]", true, "", "", ""},
		{"a call behind other brackets", "[1] [note(x) y] [calc(2*2) → ", false, "[calc(2*2)", `calc {"expression": "2*2"}`, ""},
		{"a call in arguments", "[web_search([calc(1) → 2]) → x", false, "[web_search([calc(1) → 2])", `web_search {"query": "[calc(1) → 2]"}`, "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, found := dialect.FindInline(c.text, inlineTools(), c.stopped)
			if found != (c.call != "") || got.Text != c.call || got.Own != c.own {
				t.Fatalf("found %v %q, own text %q", found, got.Text, got.Own)
			}
			text := strings.TrimSpace(got.Turn.Name + " " + got.Turn.Arguments)
			if got.Turn.Problem != nil {
				text = got.Turn.Problem.Error()
			}
			if found && (text != c.want || c.text[got.Start:got.Start+5] != got.Text[:5]) {
				t.Errorf("%s, want %s", text, c.want)
			}
		})
	}
}

// A reply of many megabytes must not take long, whatever is in it.
func TestFindInlineIsBounded(t *testing.T) {
	for _, piece := range []string{"[calc(", "[calc(1) ", "[calc((", `[calc("`, "[[", "[calc(1) →", ") → "} {
		text := strings.Repeat(piece, 1<<20/len(piece))
		if call, found := dialect.FindInline(text, inlineTools(), true); found && len(call.Text) > len(text)+1 {
			t.Errorf("%q: a call of %d bytes", piece, len(call.Text))
		}
	}
}
