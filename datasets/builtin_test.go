package datasets_test

import (
	std "cmp"
	"crypto/sha256"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/corpus"
)

func open(t *testing.T, name string) *datasets.Dataset {
	t.Helper()
	d, err := datasets.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestBuiltin(t *testing.T) {
	if diff := cmp.Diff([]string{"code60", "compound30", "compute", "fresh40", "gold29", "gold29-paraphrase", "guards24", "kb60", "memory120", "routing160", "sql60", "tools500", "turns40"}, datasets.Builtin()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	gold29 := map[string]int{"simple_retrieval": 4, "multi_hop": 10, "calculation": 9, "safety": 6}
	categories := map[string]map[string]int{
		"code60":            {"loops": 8, "strings": 8, "dates": 7, "numbers": 9, "sorting": 4, "text": 4, "program": 20},
		"compute":           {"lookup": 24, "aggregate": 15, "join": 15, "unanswerable": 6, "loops": 8, "strings": 8, "dates": 7, "numbers": 9, "sorting": 4, "text": 4, "program": 20},
		"compound30":        {"compare": 9, "difference": 7, "age": 3, "share": 2, "total": 3, "convert": 1, "nested": 5},
		"fresh40":           {"simple_retrieval": 12, "multi_hop": 12, "calculation": 12, "unanswerable": 2, "safety": 2},
		"gold29":            gold29,
		"gold29-paraphrase": gold29,
		"guards24":          {"hidden": 6, "orders": 3, "disguised": 5, "loops": 3, "dead": 3, "tempting": 4},
		"kb60":              {"one_document": 30, "two_documents": 15, "unanswerable": 15},
		"routing160":        {"wells": 20, "towers": 20, "mills": 20, "ferries": 20, "bridges": 20, "orchards": 20, "quarries": 20, "lighthouses": 20},
		"sql60":             {"lookup": 24, "aggregate": 15, "join": 15, "unanswerable": 6},
		"tools500":          {"direct": 40, "reworded": 40},
		"memory120":         {"personal": 40, "choice": 40, "superseded": 20, "other_owner": 10, "planted": 10},
		"turns40":           {"pronoun": 12, "ellipsis": 12, "relative_date": 8, "told": 8},
	}
	for _, name := range datasets.Builtin() {
		d := open(t, name)
		counts := map[string]int{}
		for _, q := range d.Queries {
			counts[q.Category]++
			if q.Source == "" {
				t.Errorf("%s: %s names no source", name, q.ID)
			}
			if q.Gold.Condition != "" {
				t.Errorf("%s: %s needs a judge", name, q.ID)
			}
		}
		if diff := cmp.Diff(categories[name], counts); diff != "" || d.Name != name {
			t.Errorf("%s, categories (-want +got):\n%s", d.Name, diff)
		}
	}
}

// A right answer as the gold writes it must have one certain reading, and must
// match the gold.
func TestBuiltinGoldNormalises(t *testing.T) {
	for _, name := range datasets.Builtin() {
		for _, q := range open(t, name).Queries {
			if q.Gold.Answer == "" {
				continue
			}
			for _, right := range append([]string{q.Gold.Answer}, q.Gold.Aliases...) {
				key, err := answer.Normalize(right, q.Gold.Type, q.Gold.Options)
				if err != nil || key.Confidence != answer.Exact {
					t.Errorf("%s: %s: %q is %v, error %v", name, q.ID, right, key, err)
				}
				ok, reason := answer.Match(right, q.Gold.Answer, q.Gold.Type, q.Gold.Aliases, q.Gold.Tolerance, q.Gold.Options)
				if !ok {
					t.Errorf("%s: %s: %q does not match its own gold: %s", name, q.ID, right, reason)
				}
			}
		}
	}
}

// The paraphrases are held out, so a failure names ids and never prints a text.
func TestParaphrasesAskTheSame(t *testing.T) {
	original, paraphrase := open(t, "gold29"), open(t, "gold29-paraphrase")
	if len(original.Queries) != len(paraphrase.Queries) {
		t.Fatalf("%d queries and %d paraphrases", len(original.Queries), len(paraphrase.Queries))
	}
	for i, q := range original.Queries {
		p := paraphrase.Queries[i]
		if p.ID != q.ID+"-p" {
			t.Errorf("the paraphrase of %s is %s", q.ID, p.ID)
		}
		if p.Category != q.Category || !cmp.Equal(p.Gold, q.Gold) {
			t.Errorf("%s and its paraphrase differ in category or gold", q.ID)
		}
		if strings.EqualFold(p.Text, q.Text) {
			t.Errorf("%s and its paraphrase have the same words", q.ID)
		}
	}
}

func TestBuiltinCorpora(t *testing.T) {
	for name, want := range map[string]struct {
		least int
		sets  []string
	}{
		datasets.OfflineCorpus: {150, []string{"gold29", "fresh40"}},
		"guards24":             {35, []string{"guards24"}},
	} {
		c, err := datasets.OpenCorpus(name)
		if err != nil {
			t.Fatal(err)
		}
		if c.Name != name || len(c.Documents) < want.least || !datasets.IsBuiltinCorpus(name) {
			t.Errorf("corpus %q of %d documents, want %s of at least %d", c.Name, len(c.Documents), name, want.least)
		}
		for _, doc := range c.Documents {
			if doc.Source == "" || strings.Contains(doc.ID, "#") {
				t.Errorf("%s: document %q lacks a source or an id of its own", name, doc.ID)
			}
		}
		for _, set := range want.sets {
			for _, q := range open(t, set).Queries {
				if q.Gold.Type == answer.Entity && q.Gold.Answer != "" && !stands(c, q.Gold) {
					t.Errorf("%s: %s: its answer stands nowhere in the corpus", set, q.ID)
				}
			}
		}
	}
	for _, name := range []string{"", "corpus", "gold29", "../guards24", "guards24.yaml", "testdata/corpus"} {
		if datasets.IsBuiltinCorpus(name) {
			t.Errorf("%q is taken for a built-in corpus", name)
		}
	}
}

// TestFolderOfKb60 holds the questions against the folder: its size, the documents that their sources name, and the
// answers that a document must contain.
func TestFolderOfKb60(t *testing.T) {
	c, err := datasets.OpenCorpus(datasets.FolderOf("kb60"))
	if err != nil || len(c.Documents) != 200 || len(c.Skipped) > 0 {
		t.Fatalf("%v: %d documents, skipped %v", err, len(c.Documents), c.Skipped)
	}
	texts := map[string]string{} // by file
	for _, d := range c.Documents {
		file := std.Or(d.Source, "lists") // rows and lines have no source
		texts[file] += d.Title + "\n" + d.Text + "\n"
	}
	half := map[string]int{}
	for _, q := range open(t, "kb60").Queries {
		half[q.Category+" "+strings.Join(q.Tags, " ")]++
		if q.Now != "2026-03-16" {
			t.Errorf("%s: now is %q", q.ID, q.Now)
		}
		if q.Category == "unanswerable" {
			continue
		}
		said := ""
		for file := range strings.SplitSeq(q.Source, ", ") {
			if strings.HasPrefix(file, "lists/") {
				file = "lists"
			}
			if texts[file] == "" {
				t.Errorf("%s: there is no document %s", q.ID, file)
			}
			said += texts[file]
		}
		if q.Gold.Type == answer.Entity && !answer.ContainsTokens(said, q.Gold.Answer) {
			t.Errorf("%s: its sources do not contain its answer", q.ID)
		}
	}
	if want := map[string]int{"one_document tuned": 15, "one_document fresh": 15, "two_documents tuned": 8, "two_documents fresh": 7,
		"unanswerable tuned": 7, "unanswerable fresh": 8}; !cmp.Equal(want, half) {
		t.Errorf("parts %v", half)
	}
	for _, name := range []string{"", "gold29", "guards24", "../kb60", "./kb60"} {
		if of := datasets.FolderOf(name); of != "" {
			t.Errorf("%q has the folder %s", name, of)
		}
	}
}

// half returns the tag of a query whose half the hash of its id decides: no person chose it.
func half(id string) string {
	if sha256.Sum256([]byte(id))[0]%2 == 0 {
		return "tuned"
	}
	return "fresh"
}

// TestHalves reads the tags of the datasets that the hash divides.
func TestHalves(t *testing.T) {
	for _, name := range []string{"sql60", "code60", "compute"} {
		for _, q := range open(t, name).Queries {
			if want := half(q.ID); !slices.Equal(q.Tags, []string{want}) {
				t.Errorf("%s: tags %v, want %s", q.ID, q.Tags, want)
			}
		}
	}
}

// TestDatabases reads the names of built-in databases and opens them.
func TestDatabases(t *testing.T) {
	want := []string{"builtin:sql60/bakery", "builtin:sql60/library", "builtin:sql60/railway"}
	if got := datasets.DatabasesOf("sql60"); !slices.Equal(got, want) {
		t.Errorf("databases %v", got)
	}
	for _, name := range want {
		files, err := datasets.OpenDatabase(name)
		if err != nil {
			t.Fatal(err)
		}
		if tables, err := fs.Glob(files, "*.csv"); len(tables) < 3 || err != nil {
			t.Errorf("%s has the tables %v; %v", name, tables, err)
		}
	}
	for _, name := range []string{"builtin:sql60", "builtin:sql60/", "builtin:sql60/../sql60/bakery", "builtin:kb60/about", "bakery", ""} {
		if _, err := datasets.OpenDatabase(name); err == nil || !strings.Contains(err.Error(), "name builtin:sql60/bakery, ") {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"kb60", "code60", "mine"} {
		if none := datasets.DatabasesOf(name); none != nil {
			t.Errorf("%s has the databases %v", name, none)
		}
	}
	if joined := datasets.DatabasesOf("compute"); !slices.Equal(joined, want) || !datasets.NeedsPrograms("compute") || datasets.NeedsPrograms("sql60") {
		t.Errorf("compute has the databases %v", joined)
	}
}

// TestJoined reads a dataset that has the queries of two others.
func TestJoined(t *testing.T) {
	want := append(open(t, "sql60").Queries, open(t, "code60").Queries...)
	if diff := cmp.Diff(want, open(t, "compute").Queries); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// stands reports whether a document holds the answer or an alias.
func stands(c *corpus.Corpus, g datasets.Gold) bool {
	for _, doc := range c.Documents {
		for _, right := range append([]string{g.Answer}, g.Aliases...) {
			if answer.ContainsTokens(doc.Text, right) {
				return true
			}
		}
	}
	return false
}

func TestOpen(t *testing.T) {
	if d := open(t, "testdata/small.yaml"); d.Name != "small" {
		t.Errorf("name = %q, want small", d.Name)
	}
	for name, want := range map[string]string{
		"gold92":           `open dataset: no built-in dataset "gold92" (did you mean "gold29"?); name a file with its extension, .yaml, .jsonl or .csv`,
		"mine":             `open dataset: no built-in dataset "mine" (known: code60, compound30, compute, fresh40, gold29, gold29-paraphrase, guards24, kb60, memory120, routing160, sql60, tools500, turns40); name a file with its extension, .yaml, .jsonl or .csv`,
		"":                 `open dataset: no built-in dataset "" (known: code60, compound30, compute, fresh40, gold29, gold29-paraphrase, guards24, kb60, memory120, routing160, sql60, tools500, turns40); name a file with its extension, .yaml, .jsonl or .csv`,
		"none/gold29.yaml": `load dataset: open none/gold29.yaml: no such file or directory; built in are code60, compound30, compute, fresh40, gold29, gold29-paraphrase, guards24, kb60, memory120, routing160, sql60, tools500, turns40`,
	} {
		if _, err := datasets.Open(name); err == nil || err.Error() != want {
			t.Errorf("Open(%q):\n got %v\nwant %s", name, err, want)
		}
	}
}
