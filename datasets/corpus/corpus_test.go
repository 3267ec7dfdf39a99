package corpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/golden"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets/corpus"
)

func TestOpenFolder(t *testing.T) {
	c, err := corpus.Open("testdata/corpus")
	if err != nil {
		t.Fatal(err)
	}
	want := []corpus.Document{
		{ID: "0", Title: "Everest", Text: "A mountain in Asia."},
		{ID: "8e2", Title: "K2", Text: "Another <mountain>."},
		{ID: "nile", Title: "Nile", Text: "A river in Africa.", Source: "An atlas"},
		{ID: "rivers.jsonl#amazon", Title: "Amazon", Text: "A river in South America."},
	}
	if diff := cmp.Diff(want, c.Documents); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	if c.Name != "corpus" || c.Files != 2 || !cmp.Equal(c.Skipped, []corpus.Skipped{{Path: "README", Reason: "its extension is not one of .md, .txt, .html, .jsonl or .csv"}}) {
		t.Errorf("name %q, %d files, skipped %v", c.Name, c.Files, c.Skipped)
	}
}

func TestOpenFile(t *testing.T) {
	c, err := corpus.Open("testdata/corpus/rivers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "rivers" || len(c.Documents) != 2 {
		t.Errorf("corpus %q of %d documents, want rivers of 2", c.Name, len(c.Documents))
	}
	t.Chdir("testdata/corpus")
	here, err := corpus.Open("rivers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if here.Hash != c.Hash {
		t.Errorf("hash %s by a bare name, %s by a path", here.Hash, c.Hash)
	}
	folder, err := corpus.Open(".")
	if err != nil {
		t.Fatal(err)
	}
	if folder.Name != "corpus" {
		t.Errorf("name of the working folder = %q, want corpus", folder.Name)
	}
}

func TestCorpusHash(t *testing.T) {
	one := `{"id":"a","title":"A","text":"x"}`
	two := `{"id":"b","title":"B","text":"y","source":"s"}`
	hash := func(files ...string) string {
		dir := t.TempDir()
		for i, text := range files {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.jsonl", i)), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c, err := corpus.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		return c.Hash
	}
	original := hash(one + "\n" + two)
	if spread := hash(two, one); spread != original {
		t.Errorf("spread over files: %s, want %s", spread, original)
	}
	for _, changed := range []string{
		strings.Replace(two, `"b"`, `"c"`, 1), strings.Replace(two, "B", "C", 1),
		strings.Replace(two, `"y"`, `"z"`, 1), strings.Replace(two, `"s"`, `"t"`, 1),
	} {
		if hash(one, changed) == original {
			t.Errorf("%s leaves the hash", changed)
		}
	}
}

func TestOpenBroken(t *testing.T) {
	c, err := corpus.Open("testdata/broken-corpus")
	if err == nil || c != nil {
		t.Fatalf("corpus %v, error %v", c, err)
	}
	golden.Check(t, "testdata/broken-corpus/corpus.err", err.Error()+"\n")
}

func TestOpenLongLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "long.jsonl")
	fits := `{"title":"a","text":"` + strings.Repeat("x", 1<<20-24) + `"}` + "\n"
	for _, c := range []struct {
		name, text, want string
	}{
		{"at the limit", fits, ""},
		{"one over", strings.Replace(fits, "x", "xx", 1), file + ":1: the line is longer than 1 MiB; split the document"},
		{"far over, the next one wrong", fits[:1<<20-1] + strings.Repeat("x", 3<<20) + "\nwrong\n",
			file + ":1: the line is longer than 1 MiB; split the document\n" +
				file + ":2: not JSON: \"w\" is in the place of a value: write text in double quotes, and no comma before ] or }"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := corpus.Open(file)
			if c.want == "" && err != nil || c.want != "" && fmt.Sprint(err) != c.want {
				t.Errorf("error:\n got %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestOpenErrors(t *testing.T) {
	blank := filepath.Join(t.TempDir(), "blank.jsonl")
	if err := os.WriteFile(blank, []byte("\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "folder.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{
		{"testdata/empty-corpus", "open corpus testdata/empty-corpus: it has no documents; add files of .md, .txt, .html, .jsonl or .csv; README: its extension is not one of"},
		{"testdata/none", `no such file or directory; give a folder or a file of .md, .txt, .html, .jsonl or .csv, or the name of a built-in corpus`},
		{"corpus_test.go", "corpus_test.go: its extension is not one of .md"},
		{"", "no such file or directory"},
		{blank, "it has no documents"},
		{folder, "it has no documents"},
	} {
		if _, err := corpus.Open(c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error = %v, want %s", c.path, err, c.want)
		}
	}
}

// A manifest names the documents of up to 100,000.
func TestDigests(t *testing.T) {
	c := &corpus.Corpus{Documents: make([]corpus.Document, 100_000)}
	c.Documents[0] = corpus.Document{ID: "vpn", Title: "VPN access", Text: "t"}
	if got := c.Digests(); len(got) != 100_000 || !strings.HasSuffix(got[0], " vpn\tVPN access") {
		t.Errorf("%d digests, first %q", len(got), got[:1])
	}
	c.Documents = append(c.Documents, corpus.Document{})
	if got := c.Digests(); got != nil {
		t.Errorf("%d digests", len(got))
	}
}
