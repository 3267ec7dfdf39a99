package datasets_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
)

// converted is what a conversion writes.
func converted(t *testing.T, name, text string, c datasets.Conversion) (string, datasets.Converted, error) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	c.To = datasets.CSV
	done, failed := c.File(writeFile(t, name, text), nil, out)
	rows, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(rows), "\n")
	return after, done, failed
}

// Every built-in mapping reads files of the published form. The texts are of our own.
func TestMappings(t *testing.T) {
	tested := []string{"humaneval", "mbpp"} // see TestMappingsOfPrograms: CSV has no tests
	for _, c := range []struct{ mapping, file, text, want, leftOut, unused string }{
		{
			"gsm8k", "test.jsonl",
			`{"question": "How many are 2 and 3?", "answer": "2 + 3 = <<2+3=5>>5\n#### 5"}` + "\n" + `{"question": "How many?", "answer": "#### 1,200"}`,
			"q-0001,math,How many are 2 and 3?,integer,5,,,,,,,,,,,,,,,,,,,,\nq-0002,math,How many?,integer,\"1,200\",,,,,,,,,,,,,,,,,,,,\n", "", "",
		},
		{
			"bbh", "tasks.json",
			`{"canary": "x", "examples": [
{"input": "Which?\nOptions:\n(A) Rome\n(B) Oslo", "target": "(B)"},
{"input": "Which?\nOptions:\n(A) Monsters\n(B) Inc", "target": "Monsters, Inc"},
{"input": "not True is", "target": "False"},
{"input": "(1 + 2) =", "target": "3"},
{"input": "Close: [ {", "target": "} ]"},
{"input": "Does it follow?\nOptions:\n- valid\n- invalid", "target": "invalid"}]}`,
			"q-0001,bbh,\"Which?\nOptions:\n(A) Rome\n(B) Oslo\",choice,(B),,,,,,,,,,,,,,,,,,,,\n" +
				"q-0003,bbh,not True is,boolean,False,,,,,,,,,,,,,,,,,,,,\n" +
				"q-0004,bbh,(1 + 2) =,integer,3,,,,,,,,,,,,,,,,,,,,\n" +
				"q-0005,bbh,Close: [ {,code,} ],,,,,,,,,,,,,,,,,,,,\n" +
				"q-0006,bbh,\"Does it follow?\nOptions:\n- valid\n- invalid\",text,invalid,,,,,,,,,,,,,,,,,,,,\n",
			`:3:64: examples[1].gold.answer: not a choice: "monsters, inc" is not the letter of an option: write A, or A and C`, "",
		},
		{
			"hotpotqa", "dev.json",
			`[{"_id": "5a", "question": "Were both Danes?", "answer": "yes", "type": "comparison", "level": "hard", "context": [["T", ["s"]]]},
{"_id": "5b", "question": "Who?", "answer": "Ann", "type": "bridge", "level": "hard", "context": []}]`,
			"5a,comparison,Were both Danes?,boolean,yes,,,,,,,,,,,,,,,,,,,,\n5b,bridge,Who?,text,Ann,,,,,,,,,,,,,,,,,,,,\n", "", "context level",
		},
		{
			"mmlu", "test.jsonl",
			`{"question": "Which river crosses Paris?", "subject": "geography", "choices": ["Rhine", "Seine", "Po", "Ebro"], "answer": 1}`,
			"q-0001,geography,\"Which river crosses Paris?\n(A) Rhine\n(B) Seine\n(C) Po\n(D) Ebro\",choice,B,,,,,,,,,,,,,,,,,,,,\n", "", "",
		},
		{
			"squad", "dev.json",
			`{"version": "v2.0", "data": [{"title": "T", "paragraphs": [{"context": "It rains in Bergen.", "qas": [
{"id": "a", "question": "Where?", "answers": [{"text": "Bergen", "answer_start": 12}, {"text": "in Bergen", "answer_start": 9}, {"text": "Bergen", "answer_start": 12}], "is_impossible": false},
{"id": "b", "question": "When?", "answers": [], "plausible_answers": [{"text": "x", "answer_start": 1}], "is_impossible": true}]}]},
{"title": "U", "paragraphs": [{"context": "C.", "qas": [{"id": "c", "question": "Q?", "answers": [{"text": "C", "answer_start": 0}]}]}]}]}`,
			"a,squad,\"It rains in Bergen.\n\nWhere?\",text,Bergen,in Bergen,,,,,,,,,,,,,,,,,,,\n" +
				"b,squad,\"It rains in Bergen.\n\nWhen?\",,,,,,,,,,,,abstained,,,,,,,,,,\n" +
				"c,squad,\"C.\n\nQ?\",text,C,,,,,,,,,,,,,,,,,,,,\n", "", "plausible_answers title",
		},
		{
			"dbbench", "dev.jsonl",
			`{"description": "How many?", "label": ["26"], "type": ["other"], "add_description": "The name of this table is T.", "sql": {"query": "SELECT 1"}}` + "\n" +
				`{"description": "Which?", "label": ["Rome", "Oslo"], "type": ["counting"], "add_description": "T."}` + "\n" +
				`{"description": "Add a row.", "answer_md5": "0f", "type": ["INSERT"], "add_description": "T."}`,
			"q-0001,other,\"How many?\nThe name of this table is T.\",integer,26,,,,,,,,,,,,,,,,,,,,\n" +
				"q-0002,counting,\"Which?\nT.\",list,Rome; Oslo,,,,,,,,,,,,,,,,,,,,\n", ":3:1: gold: ", "answer_md5 sql",
		},
		{
			"agentbench-kg", "std.json",
			`[{"question": "Which dogs?", "qid": "1_grailqa", "source": "grailqa", "entities": {"dog": "m.01"}, "s_expression": "(AND a b)", "actions": ["get_relations(m.01)"],
"answer": [{"answer_type": "Entity", "answer_argument": "m.02", "entity_name": "Collie, rough"}, {"answer_type": "Entity", "answer_argument": "m.03", "entity_name": "Pug"}]},
{"question": "Who?", "qid": "2_cwq", "source": "cwq", "entities": {}, "s_expression": "a", "actions": [],
"answer": [{"answer_argument": "m.04", "answer_type": "Entity", "entity_name": "Ann Lee"}]},
{"question": "How many?", "qid": "3_grailqa", "source": "grailqa", "entities": {}, "s_expression": "a", "actions": [], "answer": [{"answer_type": "Value", "answer_argument": "7"}]},
{"question": "How high?", "qid": "4_grailqa", "source": "grailqa", "entities": {}, "s_expression": "a", "actions": [], "answer": [{"answer_type": "Value", "answer_argument": "1.5"}]},
{"question": "Which works?", "qid": "6_cwq", "source": "cwq", "entities": {}, "s_expression": "a", "actions": [],
"answer": [{"answer_argument": "m.05", "answer_type": "Entity", "entity_name": "Day; Night"}, {"answer_argument": "m.06", "answer_type": "Entity", "entity_name": null}]},
{"question": "Which?", "qid": "5_grailqa", "source": "grailqa", "entities": {}, "s_expression": "a", "actions": [], "answer": []}]`,
			"1_grailqa,grailqa,Which dogs?,list,\"Collie, rough; Pug\",,,,,,,,,,,,,,,,,,,,\n" +
				"2_cwq,cwq,Who?,text,Ann Lee,,,,,,,,,,,,,,,,,,,,\n" +
				"3_grailqa,grailqa,How many?,integer,7,,,,,,,,,,,,,,,,,,,,\n" +
				"4_grailqa,grailqa,How high?,decimal,1.5,,,,,,,,,,,,,,,,,,,,\n", "has a semicolon", "actions entities s_expression",
		},
	} {
		tested = append(tested, c.mapping)
		m, err := datasets.ReadMapping(c.mapping)
		if err != nil {
			t.Fatal(err)
		}
		got, done, err := converted(t, c.file, c.text, datasets.Conversion{Mapping: m, Partial: true})
		if err != nil {
			t.Errorf("%s: %v", c.mapping, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.mapping, diff)
		}
		if done.LeftOut > 0 != (c.leftOut != "") || done.LeftOut > 0 && !strings.Contains(done.Reasons[0].Error(), c.leftOut) {
			t.Errorf("%s leaves out %d: %v", c.mapping, done.LeftOut, done.Reasons)
		}
		if u := strings.Join(done.Unused, " "); u != c.unused {
			t.Errorf("%s does not use %q", c.mapping, u)
		}
		if c.mapping != "bbh" { // its records have the same fields as many other files
			if said := advised(t, c.file, c.text); said != c.mapping {
				t.Errorf("%s: the advice is mapping %q", c.mapping, said)
			}
		}
		if c.leftOut != "" {
			if _, _, err := converted(t, c.file, c.text, datasets.Conversion{Mapping: m}); err == nil || !strings.Contains(err.Error(), c.leftOut) || !strings.Contains(err.Error(), "--partial") {
				t.Errorf("%s without Partial: %v", c.mapping, err)
			}
		}
	}
	slices.Sort(tested)
	if diff := cmp.Diff(datasets.Mappings(), tested); diff != "" {
		t.Error(diff)
	}
}

func TestMappingErrors(t *testing.T) {
	c := datasets.Conversion{Mapping: mapped(fields{"answer": "a"}, fields{"category": "c", "type": "text"}, nil)}
	c.Mapping.Records, c.Mapping.Fields["query"] = "data.qas", datasets.Source{Text: "{context} {q}"}
	for text, want := range map[string]string{
		`{"other": []}`:                                `there is no list "data"`,
		`{"data": [{"context": "C."}]}`:                `.json:1:11: data[0]: there is no list "qas", from which the mapping takes the records`,
		`{"data": [{"qas": [{"q": "Q?", "a": "x"}]}]}`: `query: the record has no text at {context}`,
		`{"data": [{"context": "C.", "qas": [{"q": "Q?", "a": ["x", {}]}, 7]}]}`: `data[0].qas[1]`,
	} {
		if _, _, err := converted(t, "f.json", text, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := datasets.ReadMapping("gsm9k"); err == nil || !strings.Contains(err.Error(), "built in are agentbench-kg, bbh, dbbench, gsm8k") {
		t.Error(err)
	}
	if _, err := datasets.ReadMapping(writeFile(t, "m.yaml", "type: {cases: [{field: a, matches: '(', value: x}]}")); err == nil || !strings.Contains(err.Error(), "cases of type") {
		t.Error(err)
	}
}
