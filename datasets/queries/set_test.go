package queries_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
)

// numbers compares the numbers of expected calls by their form in JSON.
var numbers = cmp.FilterValues(func(a, b any) bool { return inJSON(a) != "" && inJSON(b) != "" },
	cmp.Comparer(func(a, b any) bool { return inJSON(a) == inJSON(b) }))

func inJSON(value any) string {
	switch value.(type) {
	case int, float64, json.Number:
		raw, _ := json.Marshal(value)
		return string(raw)
	}
	return ""
}

// same reports differences between a set and a dataset that was read into memory.
func same(t *testing.T, set *queries.Set, d *datasets.Dataset) {
	t.Helper()
	var got []datasets.Query
	for q, err := range set.Queries() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, q)
	}
	if diff := cmp.Diff(d.Queries, got, numbers); diff != "" {
		t.Errorf("queries (-dataset +set):\n%s", diff)
	}
	for i, id := range slices.Collect(set.IDs()) {
		if id != d.Queries[i].ID {
			t.Errorf("id %d is %s, want %s", i, id, d.Queries[i].ID)
		}
		if hash := d.Queries[i].Hash(); hash != got[i].Hash() {
			t.Errorf("the hash of %s is %s, want %s", id, got[i].Hash(), hash)
		}
	}
	for i, b := range slices.Collect(set.Bounds()) {
		if q := d.Queries[i]; b != (queries.Bound{ID: q.ID, MaxSteps: q.MaxSteps, Turns: len(q.History)}) {
			t.Errorf("the bound of %s is %+v", q.ID, b)
		}
	}
	if hash, err := set.Hash(); err != nil || hash != d.Hash {
		t.Errorf("the hash is %s, want %s, error %v", hash, d.Hash, err)
	}
	if names, counts := set.Categories(); !slices.Equal(names, d.Categories()) {
		t.Errorf("categories %v (%v), want %v", names, counts, d.Categories())
	}
	if set.Name != d.Name || set.Len() != len(d.Queries) || !cmp.Equal(set.Tools, d.Tools) || !slices.Equal(set.Notes, d.Notes) {
		t.Errorf("%s has %d queries, tools %v, notes %q; want %s, %d, %v, %q", set.Name, set.Len(), set.Tools, set.Notes,
			d.Name, len(d.Queries), d.Tools, d.Notes)
	}
	whole, err := set.Load()
	if diff := cmp.Diff(d, whole, numbers); err != nil || diff != "" {
		t.Errorf("loaded (-dataset +set):\n%s%v", diff, err)
	}
}

func open(t testing.TB, source string, p datasets.Part) *queries.Set {
	t.Helper()
	set, err := queries.Open(source, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return set
}

// written returns the path of a file.
func written(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

const every = `tools:
  - {name: wells, description: Depths of wells., entry: name of the well, rows: {Keld: "7"}}
queries:
  - id: z
    category: c
    query: "How <deep> & wide\n\tis Keld\u2028?"
    gold: {type: decimal, answer: "7", aliases: ["7.0"], tolerance: "0.5", all_of: [a, [b, c]], none_of: [d], condition: is polite}
    expects:
      tools: [{name: t, args: {n: 1, x: 1.5, big: 1234567, huge: 1e21, s: "1", b: true, none: null, l: [1, {m: 2}]}, match: superset}]
      order: in_order
      forbidden: [u]
    max_steps: 3
    cluster: k
    source: computed
    tags: [smoke, slow]
    history: [{role: user, content: hello}, {role: assistant, content: hi}]
    owner: ada
    now: "2024-05-03"
    meta: {level: easy}
  - {id: y, category: b, query: "Q", gold: {outcome: refused}, expects: {none: true}}
  - {id: a, category: c, query: "Q2", gold: {type: percent, answer: "3 %", tolerance: "1%", bare_percent: true}, tags: [slow]}
  - {id: m, category: c, query: "Q3", gold: {type: list, answer: "1; 2", ordered: true}}
`

// A set has the queries and the hash that datasets.Open gives, in every form of a file.
func TestOpenIsTheDataset(t *testing.T) {
	sources := append(datasets.Builtin(), written(t, "every.yaml", every),
		written(t, "open.jsonl", `{"question": "A?", "answer": "1"}`+"\n"+`{"question": "B?", "answer": "2", "level": 3}`),
		written(t, "table.csv", "id,question,answer,tags\nz,A?,1,x|y\nb,B?,\"1,5\",\n"))
	for _, source := range sources {
		d, err := datasets.Open(source)
		if err != nil {
			t.Fatal(err)
		}
		same(t, open(t, source, datasets.Part{}), d)
		same(t, queries.Of(d), d)
	}
}

// A part has the queries and the errors of datasets.Dataset.Filter.
func TestOpenAPart(t *testing.T) {
	source := written(t, "every.yaml", every)
	all, err := datasets.Open(source)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []datasets.Part{
		{Limit: 1}, {Limit: 4}, {Limit: 9}, {Limit: -1}, {Queries: []string{"a", "z"}}, {Queries: []string{"a", "aa", "b"}},
		{Categories: []string{"c"}, Limit: 2}, {Tags: []string{"slow"}}, {Tags: []string{"slow"}, Categories: []string{"b"}},
		{Categories: []string{"C"}, Tags: []string{"smok"}},
	} {
		want, wrong := all.Filter(p)
		set, err := queries.Open(source, p)
		if fmt.Sprint(err) != fmt.Sprint(wrong) {
			t.Errorf("%+v: error %v, want %v", p, err, wrong)
		}
		if err == nil && wrong == nil {
			same(t, set, want)
			if set.Total != 4 {
				t.Errorf("%+v: %d queries in all", p, set.Total)
			}
			set.Close()
		}
	}
}

// Errors of a file are those of datasets.Open, all at once.
func TestOpenABadFile(t *testing.T) {
	for _, source := range []string{
		written(t, "bad.jsonl", `{"id": "a", "category": "c", "query": "Q", "gold": {"answer": "1"}}`+"\n{\n"+
			`{"id": "a", "category": "c", "query": "Q", "gold": {}}`),
		written(t, "empty.jsonl", ""), "gold30", "no/such.yaml",
	} {
		_, want := datasets.Open(source)
		if _, err := queries.Open(source, datasets.Part{Queries: []string{"x"}}); err == nil || err.Error() != want.Error() {
			t.Errorf("%s: error %v, want %v", source, err, want)
		}
	}
}

// many writes queries of 6 MB, whose ids come in falling order.
func many(t *testing.T) string {
	const n = 3_000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"q%05d","category":"c%d","query":"%s","gold":{"answer":"%d","condition":"%s"}}`+"\n", n-i, i%3,
			strings.Repeat("word ", 400), i, map[bool]string{true: "is polite"}[i%1000 == 7])
	}
	return written(t, "many.jsonl", strings.ReplaceAll(b.String(), `,"condition":""`, ""))
}

// What does not fit into memory is read back from a file, also when the file of the dataset is gone.
func TestManyQueries(t *testing.T) {
	source := many(t)
	d, err := datasets.Open(source)
	if err != nil {
		t.Fatal(err)
	}
	set := open(t, source, datasets.Part{})
	if err := os.Remove(source); err != nil {
		t.Fatal(err)
	}
	same(t, set, d)
	if want := []string{"q02993", "q01993", "q00993"}; !slices.Equal(set.Conditions(), want) || set.Expects() {
		t.Errorf("conditions %v, expects %t", set.Conditions(), set.Expects())
	}

	odd := func(id string) bool { return (id[5]-'0')%2 == 1 }
	var left []datasets.Query
	for _, q := range d.Queries {
		if odd(q.ID) {
			left = append(left, q)
		}
	}
	want := datasets.New(d.Name, left)
	want.Notes = d.Notes
	shard := set.Shard(odd)
	same(t, shard, want)
	if shard.All() != set || set.All() != set || shard.Total != len(d.Queries) {
		t.Errorf("the shard is of %d queries", shard.All().Len())
	}
	if none := set.Only(func(string) bool { return false }); none.Len() != 0 {
		t.Errorf("an empty part has %d queries", none.Len())
	}
}

// A set finds what datasets.Lint finds, counts it all and keeps the first.
func TestLint(t *testing.T) {
	var b strings.Builder
	for i := range 3000 { // each question comes twice, with two golds
		fmt.Fprintf(&b, `{"question": "How many? %d", "answer": "%d"}`+"\n", i%1500, i)
	}
	sourced := `{"question": "A?", "answer": "1", "source": "computed"}` + "\n"
	for name, text := range map[string]string{"none.jsonl": b.String(), "some.jsonl": b.String() + sourced, "good.jsonl": sourced} {
		source := written(t, name, text)
		d, want, err := datasets.Lint(source)
		if err != nil {
			t.Fatal(err)
		}
		counts := map[datasets.Rule]int{}
		for _, f := range want {
			counts[f.Rule]++
		}
		for _, most := range []int{1, 20, 10_000} {
			set, found, err := queries.Lint(source, most)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want[:min(most, len(want))], found.First, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s, the first %d (-want +got):\n%s", name, most, diff)
			}
			if !cmp.Equal(counts, found.Counts) || found.Len() != len(want) {
				t.Errorf("%s: counts %v, %d in all; want %v", name, found.Counts, found.Len(), counts)
			}
			same(t, set, d)
			set.Close()
		}
	}
	if _, _, err := queries.Lint(written(t, "bad.jsonl", "{}"), 1); err == nil {
		t.Error("a file without queries has no error")
	}
}

// Reading a closed set, or a part of it, gives an error and no queries.
func TestReadAfterClose(t *testing.T) {
	set := open(t, many(t), datasets.Part{})
	part := set.Only(func(id string) bool { return strings.HasSuffix(id, "1") })
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
	for _, closed := range []*queries.Set{set, part} {
		n := 0
		for _, err := range closed.Queries() {
			if n++; err == nil || !strings.Contains(err.Error(), "read the queries of many: they are closed") {
				t.Errorf("error %v", err)
			}
		}
		if _, err := closed.Hash(); n != 1 || err == nil {
			t.Errorf("%d elements; the hash has the error %v", n, err)
		}
	}
}

// Queries that fit in memory need no temporary file. If there is no folder for the file of others, the error names
// TMPDIR, and does not look like a missing dataset.
func TestNoTemporaryFolder(t *testing.T) {
	few, many := filepath.Join(t.TempDir(), "few.jsonl"), filepath.Join(t.TempDir(), "many.jsonl")
	for path, n := range map[string]int{few: 10, many: 20_000} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `{"id": "q%d", "question": "What is %d + 1?", "answer": "%d"}`+"\n", i, i, i+1)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	t.Setenv("TMP", missing)
	set, err := queries.Open(few, datasets.Part{})
	if err != nil {
		t.Fatal(err)
	}
	set.Close()
	_, err = queries.Open(many, datasets.Part{})
	if err == nil || !strings.Contains(err.Error(), "name another folder with TMPDIR") ||
		!strings.Contains(err.Error(), missing) || strings.Contains(err.Error(), "gold29") {
		t.Errorf("%v", err)
	}
}

// each gives queries without errors.
func each(list []datasets.Query) iter.Seq2[datasets.Query, error] {
	return func(yield func(datasets.Query, error) bool) {
		for _, q := range list {
			if !yield(q, nil) {
				return
			}
		}
	}
}

// A set that is collected has the same queries as one of a dataset in memory, and Sorted orders them by id.
func TestCollect(t *testing.T) {
	d, err := datasets.Open("gold29")
	if err != nil {
		t.Fatal(err)
	}
	d.Queries[1].Gold.None = true // an answer is neither right nor wrong
	set, err := queries.Collect(d.Name, each(d.Queries))
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	same(t, set, d)
	slices.SortFunc(d.Queries, func(a, b datasets.Query) int { return -strings.Compare(a.ID, b.ID) })
	turned, err := queries.Collect(d.Name, each(d.Queries))
	if err != nil {
		t.Fatal(err)
	}
	defer turned.Close()
	slices.Reverse(d.Queries)
	same(t, turned.Sorted(), d)
}

// A query without a gold has none after it was read again, also in another order.
func TestCollectUngraded(t *testing.T) {
	b, a := datasets.Query{ID: "b", Text: "B?"}, datasets.Query{ID: "a", Text: "A?"}
	b.Gold.None, b.Gold.Type, a.Gold.Type, a.Gold.Answer = true, "text", "text", "x"
	set, err := queries.Collect("d", each([]datasets.Query{b, a}))
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	got := map[string]bool{}
	for q, err := range set.Sorted().Queries() {
		if err != nil {
			t.Fatal(err)
		}
		got[q.ID] = q.Gold.None
	}
	if len(got) != 2 || got["a"] || !got["b"] {
		t.Errorf("queries without a gold: %v, want only b", got)
	}
}
