package datasets_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
)

const talk = `- id: t-1
  category: follow
  query: "And when was it finished?"
  gold: {type: date, answer: "1889"}
  history:
    - {role: user, content: "How tall is the Eiffel Tower?"}
    - {role: assistant, content: "330 metres."}
  owner: ada
  now: 2024-05-03
`

func loadText(t *testing.T, text string) (*datasets.Dataset, error) {
	t.Helper()
	return datasets.Parse(strings.NewReader(text), datasets.YAML, "talk")
}

func TestHistoryIsReadAndWritten(t *testing.T) {
	d, err := loadText(t, talk)
	if err != nil {
		t.Fatal(err)
	}
	want := datasets.Context{
		History: []datasets.Turn{{Role: "user", Content: "How tall is the Eiffel Tower?"}, {Role: "assistant", Content: "330 metres."}},
		Owner:   "ada", Now: "2024-05-03",
	}
	if diff := cmp.Diff(want, d.Queries[0].Context); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
	if today, ok := d.Queries[0].Today(); !ok || today.Format("2 January 2006") != "3 May 2024" {
		t.Errorf("today is %v, %v", today, ok)
	}
	for _, f := range []datasets.Format{datasets.YAML, datasets.JSONL, datasets.CSV} {
		var out bytes.Buffer
		if err := d.Write(&out, f); err != nil {
			t.Fatal(err)
		}
		again, err := datasets.Parse(&out, f, "talk")
		if err != nil || again.Hash != d.Hash {
			t.Errorf("%s: read back as %+v, %v", f, again, err)
		}
	}
	for _, field := range []string{"history", "owner", "now"} {
		other := d.Queries[0]
		switch field {
		case "history":
			other.History = nil
		case "owner":
			other.Owner = ""
		default:
			other.Now = ""
		}
		if other.Hash() == d.Queries[0].Hash() {
			t.Errorf("the hash of a query does not depend on %s", field)
		}
	}
}

func TestHistoryIsChecked(t *testing.T) {
	for _, c := range []struct{ was, is, want string }{
		{"role: user", "role: system", `talk:6:14: [0].history[0].role: unknown role "system"`},
		{"330 metres.", " ", `talk:7:34: [0].history[1].content: is empty: leave the message out`},
		{"2024-05-03", `"yesterday"`, `talk:9:8: [0].now: "yesterday" is not a date: write 2024-05-03 or 2024-05-03T09:30:00Z`},
		{"2024-05-03", `"2024-05-03 at noon"`, `"2024-05-03 at noon" is not a date`},
		{"2024-05-03", `"2024-13-03"`, `"2024-13-03" is not a date`},
		{"role: assistant, ", "", `unknown role ""`},
	} {
		_, err := loadText(t, strings.Replace(talk, c.was, c.is, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.is, err, c.want)
		}
	}
	if _, err := loadText(t, strings.Replace(talk, "2024-05-03", `"2024-05-03T23:59:00+02:00"`, 1)); err != nil {
		t.Errorf("a time is refused: %v", err)
	}
}

func TestHistoryLint(t *testing.T) {
	for _, c := range []struct{ was, is, want string }{
		{"", "", ""},
		{"role: user", "role: assistant", "begins with the assistant"},
		{"role: assistant", "role: user", "two messages of the user follow one another"},
		{"    - {role: assistant, content: \"330 metres.\"}\n", "", "the history ends with a message of the user"},
		{"role: assistant, content: \"330 metres.\"", "role: user, content: \"And when was it finished?\"", "is the query"},
	} {
		file := filepath.Join(t.TempDir(), "f.yaml")
		if err := os.WriteFile(file, []byte(strings.Replace(talk, c.was, c.is, 1)+"  source: computed\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, found, err := datasets.Lint(file)
		if err != nil {
			t.Fatal(err)
		}
		var messages []string
		for _, f := range found {
			if f.Rule == datasets.OddHistory {
				messages = append(messages, f.Message)
			}
		}
		if c.want == "" && messages != nil || !strings.Contains(strings.Join(messages, "\n"), c.want) {
			t.Errorf("%q → %q: found %q, want %q", c.was, c.is, messages, c.want)
		}
	}
}

func TestLoadHistory(t *testing.T) {
	want := []datasets.Turn{{Role: "user", Content: "How tall is the Eiffel Tower?"}, {Role: "assistant", Content: "330 metres."}}
	for _, c := range []struct{ name, text, wrong string }{
		{"a.yaml", "- {role: user, content: \"How tall is the Eiffel Tower?\"}\n- role: assistant\n  content: 330 metres.\n", ""},
		{"a.json", "[{\"role\":\"user\",\"content\":\"How tall is the Eiffel Tower?\"},\n\t{\"role\":\"assistant\",\"content\":\"330 metres.\"}]", ""},
		{"a.json", "[{\"role\":\"user\",\"content\":\"How tall is the Eiffel Tower\\u003f\"},{\"role\":\"assistant\",\"content\":\"330\\u0020metres.\"}]\n", ""},
		{"a.jsonl", "{\"role\":\"user\",\"content\":\"How tall is the Eiffel Tower?\"}\n\n{\"role\":\"assistant\",\"content\":\" 330 metres.\\r\\n\"}\n", ""},
		{"a.jsonl", "{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"system\",\"content\":\"b\"}\n", `a.jsonl:2:9: [1].role: unknown role "system" (known: user, assistant)`},
		{"a.jsonl", "{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":", `a.jsonl:2:8: not JSON`},
		{"a.json", "[{\"role\":\"user\",\"content\":\"\\ud83d\\ude00\"}", "a.json:1:41: not JSON"},
		{"a.jsonl", "{\"role\":\"user\",\"text\":\"a\"}\n", `a.jsonl:1:16: text: unknown field`},
		{"a.yaml", "- {role: user, content: ' '}\n", `a.yaml:1:25: [0].content: is empty: leave the message out`},
		{"a.yaml", "role: user\n", "a.yaml:1:1: expected a list"},
		{"a.json", "[]", "a.json: there are no messages; write one as"},
		{"a.json", "", "a.json:1:1: not JSON"},
		{"a.jsonl", "", "a.jsonl: there are no messages; write one as"},
		{"a.txt", "x", `a.txt is ".txt": name it .jsonl, .json, .yaml or .yml`},
	} {
		t.Chdir(t.TempDir())
		if err := os.WriteFile(c.name, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		turns, err := datasets.LoadHistory(c.name)
		switch {
		case c.wrong == "" && (err != nil || !cmp.Equal(turns, want)):
			t.Errorf("%s: %v, %v", c.name, turns, err)
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s, %q: %v; want %s", c.name, c.text, err, c.wrong)
		}
	}
	if _, err := datasets.LoadHistory("missing.json"); err == nil {
		t.Error("a missing file is read")
	}
}

// The file's now is that of every query without its own, in each form that has a place for it.
func TestNowOfAFile(t *testing.T) {
	const yaml = "now: 2026-03-16\nqueries:\n- {id: a, query: Which, gold: {answer: b}}\n- {id: c, query: Who, now: 2024-05-03, gold: {answer: d}}\n"
	const lines = `{"id":"a","query":"Which?","gold":{"answer":"b"}}` + "\n" + `{"id":"c","query":"Who?","now":"2024-05-03","gold":{"answer":"d"}}` + "\n"
	const list = `[{"id":"a","query":"Which?","gold":{"answer":"b"}},{"id":"c","query":"Who?","now":"2024-05-03","gold":{"answer":"d"}}]`
	for _, c := range []struct {
		form datasets.Format
		text string
		want string // the times of both queries, or the error
	}{
		{datasets.YAML, yaml, "2026-03-16 2024-05-03"},
		{datasets.JSONL, `{"schema":"concur/dataset/v1","now":"2026-03-16"}` + "\n" + lines, "2026-03-16 2024-05-03"},
		{datasets.JSONL, `{"schema":"concur/dataset/v1","now":"2026-03-16","locale":"de"}` + "\n" + lines, "2026-03-16 2024-05-03"},
		{datasets.JSONL, `{"schema":"concur/dataset/v1"}` + "\n" + lines, " 2024-05-03"},
		{datasets.JSON, `{"now":"2026-03-16","queries":` + list + `}`, "2026-03-16 2024-05-03"},
		{datasets.JSON, `{"queries":` + list + `,"now":"2026-03-16"}`, "now: is after the queries"},
		{datasets.YAML, strings.Replace(yaml, "2026-03-16", "tomorrow", 1), `f:1:6: now: "tomorrow" is not a date`},
		{datasets.JSONL, `{"schema":"concur/dataset/v1","now":"March"}` + "\n" + lines, `f:1:37: now: "March" is not a date`},
		{datasets.JSONL, `{"schema":"concur/dataset/v1","then":"2026-03-16"}` + "\n" + lines, "expected the line"},
	} {
		d, err := datasets.Parse(strings.NewReader(c.text), c.form, "f")
		switch {
		case err != nil && !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		case err == nil && d.Queries[0].Now+" "+d.Queries[1].Now != c.want:
			t.Errorf("%s: %q and %q, want %s", c.text, d.Queries[0].Now, d.Queries[1].Now, c.want)
		}
	}
}
