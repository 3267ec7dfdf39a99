package datasets

import (
	"bytes"
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "[]", "- {}", "- id: a\n  category: c\n  query: q\n  gold: {type: integer, answer: 010, tolerance: 1%}\n",
		"- {id: a, category: c, query: q, gold: {all_of: [x, [y, z]], none_of: [w]}}",
		"- {id: a, category: c, query: q, gold: {outcome: refused}}\n- {id: a, category: c, query: q, gold: {condition: x}}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkParse(t, data, YAML) })
}

func FuzzParseJSONL(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "{}", "{\"schema\":\"concur/dataset/v1\"}\n{\"id\":\"a\",\"category\":\"c\",\"query\":\"q\",\"gold\":{\"outcome\":\"refused\"}}",
		`{"question":"q","answer":[5],"about":{"a":[null]}}`, `{"instruction":"a","input":"b","output":true}`,
		`{"id":"a","category":"c","query":"q","gold":{"type":"integer","answer":10,"tolerance":"1%","all_of":["x",["y","z"]]},"max_steps":3}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkParse(t, data, JSONL) })
}

func FuzzParseCSV(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "id,category,query,outcome\r\na,c,q,refused\r\n",
		"\uFEFFid,category,query,type,answer,aliases,all_of,max_steps\na,c,\"q\n\"\"é\",integer,10,10|+10,x;y|z\\|,3\n", "id;category\n", "id,\"",
		"question;answer;level\na;3,14;x\nb;$5;y\nc;03/04/2024;z\n", "input\ttarget\na \"b\"\tc, d, e\n", "sep=;\nprompt;expected;meta\na;=\"1\";{}\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkParse(t, data, CSV) })
}

// checkParse holds what is taken from a file against what a dataset is, and writes
// and reads it again in every form.
func checkParse(t *testing.T, data []byte, format Format) {
	l := newLoader("f")
	var found []Finding
	l.seen = func(r *record, q *Query) {
		found = append(found, lintOne(l.file, r, q, &questions{places: map[[16]byte]queryPlace{}})...)
	}
	d, err := l.load(bytes.NewReader(data), format, "f")
	if (d == nil) == (err == nil) {
		t.Fatalf("dataset %v with error %v", d, err)
	}
	if err != nil {
		return
	}
	seen := map[string]bool{}
	for _, q := range d.Queries {
		if q.ID == "" || seen[q.ID] || q.Category == "" || q.Text == "" || q.Gold.Outcome == "" || q.Gold.Type == "" {
			t.Errorf("accepted %+v", q)
		}
		seen[q.ID] = true
	}
	for _, finding := range found {
		if finding.Line < 1 || !seen[finding.Query] {
			t.Errorf("found %+v", finding)
		}
	}
	for _, to := range []Format{YAML, JSONL, CSV} {
		var file bytes.Buffer
		if err := d.Write(&file, to); err != nil {
			t.Fatal(err)
		}
		back, err := newLoader("f").load(bytes.NewReader(file.Bytes()), to, "f")
		if err != nil || back.Hash != d.Hash {
			t.Errorf("%s: written as\n%s\nand read as %v, error %v", to, &file, back, err)
		}
	}
}
