package datasets_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
)

const checkedYAML = `
- id: a
  query: What is the capital of France?
  checks:
    - icontains: paris
    - {not_regex: "(?i)not sure", on: answer}
    - is_json: {type: object, properties: {n: {type: integer, minimum: 1.50}}}
    - any: [{contains: a}, {max_seconds: 2.5}]
- id: b
  category: both
  query: How many?
  gold: {type: integer, answer: "4"}
  threshold: 0.5
  checks: [{contains: four, weight: 3}, {exec: [python3, check.py], serve: true}]
`

// Checks stand beside a gold or alone. All forms of a file give the same queries and hash, and each written file is
// read back.
func TestChecksInEveryForm(t *testing.T) {
	d, err := datasets.Load(writeFile(t, "checked.yaml", checkedYAML))
	if err != nil {
		t.Fatal(err)
	}
	a, b := d.Queries[0], d.Queries[1]
	if a.HasGold() || !b.HasGold() || !a.VotesByChecks() || b.VotesByChecks() || len(a.Checks) != 4 || len(b.Checks) != 1 {
		t.Errorf("read %+v\nand %+v", a, b)
	}
	if want := `icontains "paris"; not_regex "(?i)not sure" on the answer; is_json by its schema; ` +
		`any of [contains "a", max_seconds 2.5]`; a.Expected() != want {
		t.Errorf("a expects %s", a.Expected())
	}
	if want := `4; all of [contains "four", exec python3 check.py]`; b.Expected() != want {
		t.Errorf("b expects %s", b.Expected())
	}
	others := map[string]string{
		"checked.jsonl": `{"id":"a","query":"What is the capital of France?","checks":[{"icontains":"paris"},{"on":"answer","not_regex":"(?i)not sure"},{"is_json":{"properties":{"n":{"minimum":1.50,"type":"integer"}},"type":"object"}},{"any":[{"contains":"a"},{"max_seconds":2.5}]}]}
{"id":"b","category":"both","query":"How many?","gold":{"type":"integer","answer":"4"},"checks":[{"all":[{"contains":"four","weight":3},{"exec":["python3","check.py"],"serve":true}],"threshold":0.5}]}`,
		"checked.csv": `id,category,query,type,answer,checks
a,all,What is the capital of France?,,,"[{""icontains"":""paris""},{""on"":""answer"",""not_regex"":""(?i)not sure""},{""is_json"":{""properties"":{""n"":{""minimum"":1.50,""type"":""integer""}},""type"":""object""}},{""any"":[{""contains"":""a""},{""max_seconds"":2.5}]}]"
b,both,How many?,integer,4,"[{""all"":[{""contains"":""four"",""weight"":3},{""exec"":[""python3"",""check.py""],""serve"":true}],""threshold"":0.5}]"`,
	}
	for _, f := range []datasets.Format{datasets.YAML, datasets.JSONL} {
		var out bytes.Buffer
		if err := d.Write(&out, f); err != nil {
			t.Fatal(err)
		}
		others["written."+string(f)] = out.String()
	}
	for name, text := range others {
		again, err := datasets.Load(writeFile(t, name, text))
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
			continue
		}
		if diff := cmp.Diff(d.Queries, again.Queries); diff != "" || again.Hash != d.Hash {
			t.Errorf("%s: hash %s, want %s (-want +got):\n%s", name, again.Hash, d.Hash, diff)
		}
	}
	for _, q := range d.Queries {
		line, err := new(datasets.LineEncoder).Line(&q)
		if err != nil {
			t.Fatal(err)
		}
		if stored, err := datasets.ReadLine(line); err != nil || cmp.Diff(q, stored) != "" {
			t.Errorf("stored line of %s: %v\n%s", q.ID, err, cmp.Diff(q, stored))
		}
	}
	if err := d.Write(&bytes.Buffer{}, datasets.CSV); err == nil || !strings.Contains(err.Error(), "query a has checks") {
		t.Errorf("written as CSV: %v", err)
	}
}

func TestChecksAreRead(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"all faults at once", "f.yaml", "- {query: q, checks: [{contains: \"\"}, {regex: \"(\"}, {nope: 1}]}",
			"FILE:1:34: [0].checks[0].contains: is empty: give a text, or remove the check\n" +
				"FILE:1:47: [0].checks[1].regex: is not a regular expression of RE2: error parsing regexp: missing closing ): `(`\n" +
				"FILE:1:54: [0].checks[2].nope: unknown check \"nope\""},
		{"neither of the two", "f.yaml", "- {query: q, gold: {answer: x}}\n- {query: q}", "FILE:2:3: [1]: missing: gold (a query needs query, and gold or checks)"},
		{"no check in the list", "f.yaml", "- {query: q, gold: {answer: x}, checks: []}", "[0].checks: is an empty list: give at least one check, or remove it"},
		{"no weight and no gold", "f.yaml", "- {query: q, checks: [{contains: x, weight: 0}]}", "[0].checks: no check with a weight above 0: without one, every message passes"},
		{"no weight and a threshold", "f.yaml", "- {query: q, gold: {answer: x}, threshold: 1, checks: [{contains: x, weight: 0}]}", "[0].checks: no check with a weight above 0"},
		{"no weight in a group", "f.yaml", "- {query: q, checks: [{any: [{contains: x, weight: 0}]}]}", "[0].checks[0].any: no check with a weight above 0"},
		{"an empty list alone", "f.yaml", "- {query: q, checks: []}", "[0].checks: is an empty list: give at least one check"},
		{"a gold that says nothing", "f.yaml", "- {query: q, gold: {}, checks: [{contains: x}]}", "[0].gold: nothing to check"},
		{"a threshold without checks", "f.yaml", "- {query: q, gold: {answer: x}, threshold: 0.5}", "[0].threshold: has no meaning without checks"},
		{"a threshold of 2", "f.yaml", "- {query: q, threshold: 2, checks: [{contains: x}]}", "[0].threshold: is 2: give a number above 0 and at most 1"},
		{"a misspelt field", "f.jsonl", `{"query":"q","checks":[{"contains":"x"}],"categry":"a"}`, `FILE:1:42: categry: unknown field "categry"`},
		{"a cell that is no JSON", "f.csv", "query,answer,checks\nq,x,contains x\n", `FILE:2:5: checks: expected a list`},
		{"a fault in a cell", "f.csv", "query,checks\nq,\"[{\"\"contains\"\":\"\"\"\"}]\"\n", `checks[0].contains: is empty`},
		{"a network reference", "f.jsonl", `{"query":"q","checks":[{"is_json":{"$ref":"http://169.254.169.254/s"}}]}`, "FILE:1:35: checks[0].is_json: is not a JSON Schema: at #: a schema cannot refer to http://169.254.169.254/s: write it out"},
	} {
		file := writeFile(t, c.file, c.text)
		_, err := datasets.Load(file)
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), file, "FILE"), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.name, err, c.want)
		}
	}
}

// Fields named checks of other programs' files stay metadata.
func TestChecksOfOthers(t *testing.T) {
	for _, text := range []string{
		`[{"question": "q", "answer": "x", "checks": ["a", "b"], "threshold": 3}]`,
		`[{"question": "q", "answer": "x", "checks": [{"name": "a"}], "threshold": 3}]`,
		`[{"question": "q", "answer": "x", "checks": "done", "threshold": 3}]`,
	} {
		d := open(t, writeFile(t, "f.json", text))
		if q := d.Queries[0]; len(q.Checks) > 0 || q.Meta["checks"] == "" || q.Meta["threshold"] != "3" {
			t.Errorf("%s is read as %+v", text, q)
		}
	}
}

func TestLintChecks(t *testing.T) {
	for checks, want := range map[string]string{
		`[{not_contains: x}, {max_seconds: 3}]`:                "checks/any-message",
		`[{contains: word, weight: 0}, {max_seconds: 3}]`:      "checks/any-message",
		`[{any: [{not_regex: x}]}]`:                            "checks/any-message",
		`[{contains: Which}]`:                                  "checks/in-query",
		`[{icontains: WHICH CITY}, {regex: x}]`:                "checks/in-query",
		`[{contains: Rome is old}, {not_contains: Rome}]`:      "checks/contradiction",
		`[{not_icontains: rome}, {icontains: ROME}]`:           "checks/contradiction",
		`[{contains: Rome}, {not_contains: Rome is old}]`:      "",
		`[{contains: rome}, {not_contains: Rome}]`:             "",
		`[{exec: [./check]}]`:                                  "",
		`[{not_contains: Which}, {all: [{starts_with: "A"}]}]`: "",
	} {
		_, found, err := datasets.Lint(writeFile(t, "f.yaml", "- {id: a, query: 'Which city?', checks: "+checks+"}"))
		if err != nil {
			t.Fatal(err)
		}
		rules := make([]string, len(found))
		for i, f := range found {
			rules[i] = string(f.Rule)
		}
		if got := strings.Join(rules, " "); got != want {
			t.Errorf("%s: %q, want %q", checks, got, want)
		}
	}
}

// A table with assertions of promptfoo is a dataset with checks.
func TestExpectedColumns(t *testing.T) {
	d, err := datasets.Load(writeFile(t, "t.csv", "question,__expected,__expected2,__threshold,__description,__metadata:level\n"+
		"Capital of Norway?,Oslo,,,plain,easy\nRivers?,\"contains-all: Glomma, Tana\",not-contains:Rhine,0.5,,\nHow are you?,grade: is polite,,,,\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range d.Queries {
		got = append(got, q.Text+" "+q.Expected()+" "+q.Meta["level"]+q.Meta["description"])
	}
	want := []string{`Capital of Norway? equals "Oslo" easyplain`,
		`Rivers? all of [contains_all ["Glomma","Tana"], not_contains "Rhine"] `, `How are you? is polite `}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for row, wrong := range map[string]string{
		"Why?,javascript: true,,":      ":2:1: __expected: javascript: runs code",
		"Why?,x,a,":                    ":2:1: __expected: __prefix and __suffix belong to a prompt",
		"Why?,contains:a,,2":           "the threshold is 2",
		"Why?,\"contains:{{b|c}}\",,":  "only the names of variables are filled in",
		"Why?,,,":                      "nothing to check",
		"Why?,contains:,,":             "contains: has no value",
		"Why?,regex:(,,":               "is not a regular expression of RE2",
		"Why?,contains:file://a.txt,,": "names a file, which is read only by --mapping promptfoo",
	} {
		if _, err := datasets.Load(writeFile(t, "t.csv", "question,__expected,__prefix,__threshold\n"+row+"\n")); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %v", row, err)
		}
	}
}
