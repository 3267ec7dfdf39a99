package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/runner/memory"
)

func ExampleRead() {
	items, err := memory.Read("notes.jsonl", strings.NewReader(`
{"id":"m1","owner":"ada","text":"The user lives in Ulm.","time":"2024-01-05"}
{"id":"m2","owner":"ada","text":"The user lives in Ghent.","time":"2025-06-01","supersedes":"m1"}
`))
	fmt.Println(len(items), err)
	for _, item := range memory.Current(items) {
		fmt.Println(item.ID, item.Text)
	}
	// Output:
	// 2 <nil>
	// m2 The user lives in Ghent.
}

// TestReadErrors checks that each error has the file, the line, the fact and the action.
func TestReadErrors(t *testing.T) {
	long := `{"id":"m1","text":"` + strings.Repeat("x", 10<<20) + `"}`
	for name, c := range map[string]struct{ text, want string }{
		"equal ids":       {`{"id":"a","text":"x"}` + "\n\n" + `{"id":"a","text":"y"}`, `m.jsonl:3: the id "a" is also on line 1: give each item its own`},
		"cycle of two":    {`{"id":"a","text":"x","supersedes":"b"}` + "\n" + `{"id":"b","text":"y","supersedes":"a"}`, `m.jsonl:1: it supersedes "b", which is not above it in the file`},
		"cycle of itself": {`{"id":"a","text":"x","supersedes":"a"}`, `m.jsonl:1: it supersedes "a", which is not above it in the file`},
		"nothing there":   {`{"id":"a","text":"x","supersedes":"b"}`, `m.jsonl:1: it supersedes "b", which is not above it in the file`},
		"another owner's": {`{"id":"a","text":"x"}` + "\n" + `{"id":"b","owner":"o","text":"x","supersedes":"a"}`, `m.jsonl:2: it supersedes "a", which belongs to "" and not to "o"`},
		"twice":           {`{"id":"a","text":"x"}` + "\n" + `{"id":"b","text":"x","supersedes":"a"}` + "\n" + `{"id":"c","text":"x","supersedes":"a"}`, `m.jsonl:3: it supersedes "a", like line 2`},
		"10 MB":           {`{"id":"a","text":"x"}` + "\n" + long, "m.jsonl:2: the line is longer than 1 MiB"},
		"long text":       {`{"id":"a","text":"` + strings.Repeat("x", 9000) + `"}`, "m.jsonl:1: text has 9000 bytes, more than 8192"},
		"unknown key":     {`{"id":"a","txt":"x"}`, `m.jsonl:1: unknown field "txt": write one JSON object per line`},
		"no object":       {`hello`, "m.jsonl:1: invalid character 'h'"},
		"two objects":     {`{"id":"a","text":"x"} {}`, "m.jsonl:1: there is text after the object"},
		"no id":           {`{"text":"x"}`, "m.jsonl:1: id is missing"},
		"no text":         {`{"id":"a","text":" "}`, "m.jsonl:1: text is empty"},
		"time":            {`{"id":"a","text":"x","time":"yesterday"}`, `m.jsonl:1: time "yesterday" is not a date`},
		"control":         {`{"id":"a\u0007","text":"x"}`, `m.jsonl:1: id "a\a" is not one line`},
	} {
		_, err := memory.Read("m.jsonl", strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.300v, want %s", name, err, c.want)
		}
	}
	many := strings.Repeat("{}\n", 50)
	if _, err := memory.Read("m.jsonl", strings.NewReader(many)); err == nil || !strings.Contains(err.Error(), "m.jsonl: 30 more errors") {
		t.Errorf("50 faulty lines: %.200v", err)
	}
}

// TestReadNeverPanics checks that reading ends, whatever chains the items form, and that in a valid file each
// chain has one newest item.
func TestReadNeverPanics(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 8).Draw(r, "n")
		var text strings.Builder
		for i := range n {
			old := rapid.IntRange(-1, n).Draw(r, "supersedes")
			supersedes := ""
			if old >= 0 {
				supersedes = fmt.Sprint("m", old)
			}
			fmt.Fprintf(&text, `{"id":"m%d","text":"x","supersedes":%q}`+"\n", i, supersedes)
		}
		items, err := memory.Read("m", strings.NewReader(text.String()))
		if err != nil {
			return
		}
		chains := 0
		for _, item := range items {
			if item.Supersedes == "" {
				chains++
			}
		}
		if got := len(memory.Current(items)); got != chains {
			r.Fatalf("%d items are current, of %d chains:\n%s", got, chains, text.String())
		}
	})
}

func ids(items []memory.Found) []string {
	var out []string
	for _, i := range items {
		out = append(out, i.ID)
	}
	return out
}

// TestOwners checks that an item is found only for its owner, and that neither its text nor that of a
// superseded item changes the results of others.
func TestOwners(t *testing.T) {
	const own = `{"id":"a1","owner":"a","text":"The user's dentist is Hollis."}
{"id":"a2","owner":"a","text":"The user's mother likes tea."}
{"id":"a3","owner":"a","text":"The user's dentist is Strand.","supersedes":"a1"}
`
	const others = `{"id":"b1","owner":"b","text":"The user's dentist is Moss."}
{"id":"n1","text":"The dentist opens at nine."}
{"id":"b2","owner":"b","text":"Tea, tea, mother, dentist."}
`
	open := func(text string) *memory.Store {
		items, err := memory.Read("m", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		s, err := memory.NewStore(t.Context(), items, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	search := func(s *memory.Store, owner, question string) []memory.Found {
		found, err := s.Search(t.Context(), owner, question, 5)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	alone, together := open(own), open(others+own)
	for _, question := range []string{"Who is my dentist?", "Does my mother like tea?", "zebra", ""} {
		if d := cmp.Diff(search(alone, "a", question), search(together, "a", question)); d != "" {
			t.Errorf("%q: another owner's items change what is found: %s", question, d)
		}
	}
	for owner, want := range map[string][]string{"a": {"a3"}, "b": {"b2", "b1"}, "": {"n1"}, "c": nil} {
		if d := cmp.Diff(want, ids(search(together, owner, "dentist"))); d != "" {
			t.Errorf("owner %q: %s", owner, d)
		}
	}
	if alone.Digest == together.Digest || open(own).Digest != alone.Digest {
		t.Error("the digest is not that of the content")
	}
}
