package datasets_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/golden"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
)

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// as returns the dataset in a form, for comparison.
func as(t *testing.T, d *datasets.Dataset, f datasets.Format) string {
	t.Helper()
	var b bytes.Buffer
	if err := d.Write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

type fields = map[string]string

// mapped takes fields from others, sets fields for all queries, and extracts parts.
func mapped(from, set, extract fields) datasets.Mapping {
	m := datasets.Mapping{Fields: map[string]datasets.Source{}}
	for name, path := range from {
		m.Fields[name] = datasets.Source{Field: path}
	}
	for name, value := range set {
		m.Fields[name] = datasets.Source{Value: value}
	}
	for name, pattern := range extract {
		m.Fields[name] = datasets.Source{Field: from[name], Extract: pattern}
	}
	return m
}

// imported is the dataset that a conversion makes of a file, with the fields that it does not use.
func imported(t *testing.T, path string, m datasets.Mapping) (*datasets.Dataset, []string, error) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	done, err := datasets.Conversion{Mapping: m, To: datasets.YAML}.File(path, nil, out)
	if err != nil {
		return nil, nil, err
	}
	d, err := datasets.Load(out.Name())
	return d, done.Unused, err
}

func TestImport(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		mapping          datasets.Mapping
		want             string // lines of CSV without the header
		unused           string
	}{
		{
			"fields and constants", "f.jsonl",
			`{"_id":"5a8","question":"Who?","answer":"Grant","type":"bridge","level":"hard","supporting_facts":[["x",0]]}` + "\n" +
				`{"_id":"5a9","question":"Where?","answer":"Rome","type":"comparison"}` + "\n",
			mapped(fields{"id": "_id", "query": "question"}, fields{"category": "hotpot", "type": "entity"}, nil),
			"5a8,hotpot,Who?,entity,Grant,,,,,,,,,,,,,,\n5a9,hotpot,Where?,entity,Rome,,,,,,,,,,,,,,\n",
			"level supporting_facts type",
		},
		{
			"paths into objects and lists", "f.jsonl",
			`{"q":{"text":"Who?"},"a.b":"kept","answers":["Grant","U. S. Grant"],"nq":null}` + "\n" +
				`{"q":{"text":"Where?"},"answers":["Rome"],"a":{"b":"deep"}}` + "\n",
			mapped(fields{"query": "q.text", "answer": "answers.0", "aliases": "answers.1", "source": "a.b", "cluster": "nq"}, fields{"category": "c", "type": "text"}, nil),
			"q-0001,c,Who?,text,Grant,U. S. Grant,,,,,,,,,,,,kept,\nq-0002,c,Where?,text,Rome,,,,,,,,,,,,,deep,\n",
			"",
		},
		{
			"a list of aliases, and a native gold with a mapped answer", "f.jsonl",
			`{"id":"a","category":"c","query":"Who?","gold":{"type":"integer","answer":"1","tolerance":1},"a":12,"more":["12.0","+12"]}`,
			mapped(fields{"answer": "a", "aliases": "more"}, nil, nil),
			"a,c,Who?,integer,12,12.0|+12,1,,,,,,,,,,,,\n",
			"",
		},
		{
			"columns", "f.csv",
			",Question,Best,Others,id,level\n0,Who?,Grant,Ulysses|U. S. Grant,,easy\n1,Where?,Rome,,rome,hard\n",
			mapped(fields{"query": "Question", "answer": "Best", "aliases": "Others"}, fields{"category": "c", "type": "text", "max_steps": "7", "all_of": "x;y|z"}, nil),
			"q-0001,c,Who?,text,Grant,Ulysses|U. S. Grant,,,,,,x;y|z,,,,7,,,\nrome,c,Where?,text,Rome,,,,,,,x;y|z,,,,7,,,\n",
			"level",
		},
		{
			"yaml", "f.yaml",
			"- {question: \"Who?\", outcome: refused}\n- {question: \"Where?\", outcome: abstained, query: not this}\n",
			mapped(fields{"query": "question"}, fields{"category": "c"}, nil),
			"q-0001,c,Who?,,,,,,,,,,,,refused,,,,\nq-0002,c,Where?,,,,,,,,,,,,abstained,,,,\n",
			"query",
		},
		{
			"options as text, mapped and set", "f.csv",
			"question,best,counts\nWhich?,\"1, 6\",true\nWhat?,\"a, b\",false\n",
			mapped(fields{"query": "question", "answer": "best", "ordered": "counts"}, fields{"category": "c", "type": "list"}, nil),
			"q-0001,c,Which?,list,\"1, 6\",,,true,,,,,,,,,,,\nq-0002,c,What?,list,\"a, b\",,,,,,,,,,,,,,\n",
			"",
		},
		{
			"options set for all", "f.jsonl",
			`{"query":"How far?","gold":{"answer":"3 km"}}`,
			mapped(nil, fields{"category": "c", "type": "quantity", "unit_optional": "true"}, nil),
			"q-0001,c,How far?,quantity,3 km,,,,true,,,,,,,,,,\n",
			"",
		},
		{
			"our own file, with ids given", "f.jsonl",
			`{"schema":"concur/dataset/v1"}` + "\n" + `{"category":"c","query":"Who?","gold":{"outcome":"refused"}}`,
			mapped(nil, fields{"category": "d"}, nil),
			"q-0001,d,Who?,,,,,,,,,,,,refused,,,,\n",
			"",
		},
		{
			"a part of a field", "f.jsonl",
			`{"question":"Who?","answer":"3 + 4 = 7\n#### 7"}` + "\n" + `{"question":"Where?","answer":"#### 1\n#### 1,234"}`,
			mapped(fields{"query": "question", "answer": "answer"}, fields{"category": "c", "type": "decimal"}, fields{"answer": "#### (.*)"}),
			"q-0001,c,Who?,decimal,7,,,,,,,,,,,,,,\nq-0002,c,Where?,decimal,\"1,234\",,,,,,,,,,,,,,\n",
			"",
		},
		{
			"a list in JSON", "f.json",
			"[\n {\"question\": \"Who?\",\n  \"answer\": \"Grant\"}, {\"question\":\"Where?\",\"answer\":\"Rome\"}]\n",
			mapped(fields{"query": "question"}, fields{"category": "c", "type": "text"}, nil),
			"q-0001,c,Who?,text,Grant,,,,,,,,,,,,,,\nq-0002,c,Where?,text,Rome,,,,,,,,,,,,,,\n",
			"",
		},
		{
			"an object that holds one", "f.json",
			`{"canary":"x","about":{"authors":["a",["b"]],"n":1},"examples":[{"input":"Who?","target":"(A)"}],"version":2}`,
			mapped(fields{"query": "input", "answer": "target"}, fields{"category": "c", "type": "choice"}, nil),
			"q-0001,c,Who?,choice,(A),,,,,,,,,,,,,,\n",
			"",
		},
		{
			"an answer or a list of answers", "f.jsonl",
			`{"q":"Who?","ideal":["Ann","Anne"]}` + "\n" + `{"q":"Where?","ideal":"Oslo"}`,
			mapped(fields{"query": "q", "answer": "ideal.0", "aliases": "ideal"}, fields{"category": "c", "type": "entity"}, nil),
			"q-0001,c,Who?,entity,Ann,Anne,,,,,,,,,,,,,\nq-0002,c,Where?,entity,Oslo,,,,,,,,,,,,,,\n",
			"",
		},
		{
			"our own columns, one of them set", "f.csv",
			"query,outcome\nWho?,refused\n",
			mapped(nil, fields{"category": "c"}, nil),
			"q-0001,c,Who?,,,,,,,,,,,,refused,,,,\n",
			"",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, unused, err := imported(t, writeFile(t, c.file, c.text), c.mapping)
			if err != nil {
				t.Fatal(err)
			}
			_, rows, _ := strings.Cut(as(t, d, datasets.CSV), "\n")
			rows = strings.ReplaceAll(rows, ",,,,,,\n", "\n") // none expects tool calls, has a history, metadata or a locale
			if diff := cmp.Diff(c.want, rows); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := strings.Join(unused, " "); got != c.unused {
				t.Errorf("unused %q, want %q", got, c.unused)
			}
		})
	}
}

func TestImportErrors(t *testing.T) {
	jsonl := `{"_id":"a","question":"Who?","answer":"Grant"}` + "\n"
	for _, c := range []struct {
		name, file, text string
		mapping          datasets.Mapping
		want             string // FILE stands for the path
	}{
		{"unknown field of ours", "f.jsonl", jsonl, mapped(fields{"anwser": "answer"}, nil, nil), `map fields: unknown field "anwser" (did you mean "answer"?)`},
		{"no source", "f.jsonl", jsonl, mapped(fields{"query": " "}, nil, nil), `map fields: query has no source; write query=…`},
		{"two sources", "f.jsonl", jsonl, datasets.Mapping{Fields: map[string]datasets.Source{"type": {Field: "t", Value: "text"}}}, `map fields: type has several sources; give only one of field`},
		{"no type", "f.jsonl", jsonl, mapped(nil, fields{"type": "bridge"}, nil), `map fields: type: unknown answer type "bridge"`},
		{"no such source", "f.jsonl", jsonl, mapped(fields{"query": "qestion"}, nil, nil), `map fields of FILE: no record has a field "qestion" for query (did you mean "question"?)`},
		{"no such column", "f.csv", "Question\nWho?\n", mapped(fields{"query": "question"}, nil, nil), `map fields of FILE: no record has a field "question" for query (did you mean "Question"?)`},
		{"names of nothing", "f.jsonl", `{"_id":"a","kysymys":"Who?","vastaus":"Grant"}`, datasets.Mapping{}, "FILE:1:2: no field has the query; there are _id, kysymys, vastaus; name it query or question, or map it: `concur datasets convert FILE --map query=NAME,answer=NAME`"},
		{"a question that is not mapped", "f.jsonl", jsonl, mapped(fields{"category": "answer"}, nil, nil), `FILE:1:1: with --map, only the fields that it names are read: add --map query=question`},
		{"duplicate field", "f.jsonl", `{"q":"Who?","q":"Where?"}`, mapped(fields{"query": "q"}, fields{"category": "c", "outcome": "refused"}, nil), `FILE:1:13: q: duplicate field "q"`},
		{"a list where there is none", "f.jsonl", `{"q":["Who?"]}`, mapped(fields{"query": "q"}, fields{"category": "c", "outcome": "refused"}, nil), `FILE:1:6: query: expected text (in quotes if it is empty or the word null), found a list`},
		{"gold in a form of its own", "f.jsonl", `{"q":"Who?","gold":"Grant"}`, mapped(fields{"query": "q"}, fields{"category": "c", "type": "text"}, nil), `FILE:1:20: gold: expected a mapping (name: value), found the quoted text "Grant"`},
		{"gold twice", "f.jsonl", `{"id":"a","category":"c","query":"q","gold":{"outcome":"refused"},"gold":{}}`, datasets.Mapping{}, `FILE:1:38: gold: duplicate field "gold", first on line 1`},
		{"a number given again as id", "f.jsonl", `{"id":"q-0002","category":"c","query":"q","gold":{"outcome":"refused"}}` + "\n" + `{"category":"c","query":"q","gold":{"outcome":"refused"}}`, datasets.Mapping{}, `FILE:2:1: id: the query has no id, and the id of its position, "q-0002", is used on line 1; give it an id`},
		{"an option of another type", "f.csv", "query,answer\nWho?,Grant\n", mapped(nil, fields{"category": "c", "type": "text", "ordered": "true"}, nil), `FILE:2:1: ordered: needs the type list or table, and the type is text`},
		{"an option that is none", "f.csv", "query,answer,ordered\nWho?,Grant,perhaps\n", mapped(nil, fields{"category": "c", "type": "list"}, nil), `FILE:2:12: gold.ordered: expected true or false`},
		{"extracted from nothing", "f.jsonl", jsonl, mapped(nil, nil, fields{"answer": "x"}), `map fields: answer has extract but no field; name the field too`},
		{"no regular expression", "f.jsonl", jsonl, mapped(fields{"answer": "answer"}, nil, fields{"answer": "("}), "map fields: extract answer: error parsing regexp: missing closing )"},
		{"nothing to extract", "f.jsonl", jsonl, mapped(fields{"query": "question", "answer": "answer"}, fields{"category": "c", "type": "text"}, fields{"answer": "#### (.*)"}), `FILE:1:39: answer: "Grant" does not match #### (.*)`},
		{"JSON over lines", "f.json", "[\n {\"q\": \"Who?\"},\n {\n  \"é\": 1,   \"q\": [\"Where?\"]}]", mapped(fields{"query": "q"}, fields{"category": "c", "outcome": "refused"}, nil), `FILE:4:18: [1].query: expected text`},
		{"JSON cut", "f.json", "[{\"q\": \"Who?\"},\n {\"q\": ", mapped(fields{"query": "q"}, fields{"category": "c", "outcome": "refused"}, nil), `FILE:2:7: not JSON: it ends too early`},
		{"JSON broken", "f.json", "[{\"q\": \"Who?\"},\n {\"q\": x}]", mapped(fields{"query": "q"}, fields{"category": "c", "outcome": "refused"}, nil), `FILE:2:8: not JSON: "x" is in the place of a value`},
		{"JSON without a list", "f.json", `"q"`, mapped(fields{"query": "q"}, nil, nil), `expected a list of queries, or an object with such a list`},
		{"JSON of two lists", "f.json", `{"a":[],"b":[{"q":"Who?"}]}`, mapped(fields{"query": "q"}, nil, nil), `b: a second list, after a; keep only the list of queries`},
		{"JSON lines", "f.json", jsonl + jsonl, datasets.Mapping{}, `FILE:2:1: not JSON: "{" follows the end of the value: remove it, or a line end is missing; name a file with one object a line .jsonl`},
		{"no file", "none.jsonl", "", datasets.Mapping{}, "no such file or directory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), c.file)
			if c.file != "none.jsonl" {
				file = writeFile(t, c.file, c.text)
			}
			d, _, err := imported(t, file, c.mapping)
			if err == nil || d != nil || !strings.Contains(err.Error(), strings.ReplaceAll(c.want, "FILE", file)) {
				t.Errorf("dataset %v, error\n got %v\nwant %s", d, err, c.want)
			}
		})
	}
}

func TestReadMapping(t *testing.T) {
	m, err := datasets.ReadMapping(writeFile(t, "m.yaml", "query: question\ngold: {field: answer, extract: \"#### (.*)\"}\ntype: {value: decimal}\n"))
	want := mapped(fields{"query": "question", "answer": "answer"}, fields{"type": "decimal"}, fields{"answer": "#### (.*)"})
	if diff := cmp.Diff(want, m); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for text, want := range map[string]string{
		"gold: a\nanswer: b\n":                "gold and answer are the same field; keep one",
		"query: {field: a, value: b}\n":       "give only one of field, value",
		"query: {extract: b}\n":               "query has extract but no field",
		"query: {feild: a}\n":                 "did you mean \"field\"",
		"anwser: a\n":                         "did you mean \"answer\"",
		"query: {field: a, extract: \"(\"}\n": "missing closing )",
		"- query\n":                           "expected a mapping",
	} {
		if _, err := datasets.ReadMapping(writeFile(t, "m.yaml", text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestCompressed: a file that gzip made smaller is read as it was.
func TestCompressed(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(`{"id":"a","category":"c","query":"q","gold":{"outcome":"refused"}}`)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	d, err := datasets.Load(writeFile(t, "small.jsonl.gz", packed.String()))
	if err != nil || d.Name != "small" || len(d.Queries) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	if d, err := datasets.Load(writeFile(t, "cut.jsonl.gz", packed.String()[:packed.Len()-10])); err == nil || !strings.Contains(err.Error(), "unexpected EOF") {
		t.Errorf("cut: %+v, %v", d, err)
	}
}

func TestWriteGolden(t *testing.T) {
	d, err := datasets.Load("testdata/small.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []datasets.Format{datasets.YAML, datasets.JSONL, datasets.CSV} {
		golden.Check(t, "testdata/written."+string(f), as(t, d, f))
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteErrors(t *testing.T) {
	d := open(t, "gold29")
	for _, f := range []datasets.Format{datasets.YAML, datasets.JSONL, datasets.CSV} {
		if err := d.Write(fullDisk{}, f); err == nil || err.Error() != "write dataset gold29: disk full" {
			t.Errorf("%s: error = %v", f, err)
		}
	}
	if err := d.Write(&bytes.Buffer{}, "xml"); err == nil || !strings.Contains(err.Error(), `unknown format "xml"`) {
		t.Errorf("error = %v", err)
	}
}
