package corpus_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets/corpus"
)

// read reads files by their names, and gives documents as "id | title | text | source".
func read(t *testing.T, files map[string]string) (documents []string, c *corpus.Corpus) {
	t.Helper()
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	c, err := corpus.Read(folder, "docs", "docs")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range c.Documents {
		documents = append(documents, strings.Join([]string{d.ID, d.Title, d.Text, d.Source}, " | "))
	}
	return documents, c
}

var long = strings.TrimSpace(strings.Repeat("word ", corpus.MaxPassage/5))

func TestForms(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		want       []string
	}{
		"short, with headings": {"a/vpn.md", "# VPN *access*\n\nAsk IT.\r\n\n## Keys ##\nNone.\n", []string{
			"a/vpn.md | VPN *access* | Ask IT.\n\n\nKeys\nNone. | a/vpn.md",
		}},
		"no top heading": {"terms.md", "Intro.\n## One\n1\n## Two\n2", []string{"terms.md | terms | Intro.\n\nOne\n1\n\nTwo\n2 | terms.md"}},
		"no heading":     {"notes.v2.TXT", "\uFEFF# plain\n", []string{"notes.v2.TXT | notes.v2 | # plain | notes.v2.TXT"}},
		"long": {"g.md", "# Guide\nIntro.\n## C# & Go\n" + long + "\n### Ünder\nx\n## Empty\n## Ports\n22\n### TCP\nyes\n## Ports\n80\n```\n## no heading\n```\n", []string{
			"g.md | Guide | Intro. | g.md",
			"g.md#c-go | Guide › C# & Go | " + long + " | g.md",
			"g.md#c-go/ünder | Guide › C# & Go › Ünder | x | g.md",
			"g.md#ports | Guide › Ports | 22\n\nTCP\nyes | g.md",
			"g.md#ports-2 | Guide › Ports | 80\n```\n## no heading\n``` | g.md",
		}},
		"page": {"p.html", `<!doctype html><html><head><title>Intranet</title><style>h1{}</style></head><body><nav hidden>menu</nav><h1>VPN
 access</h1><p>Ask <b>IT</b>.<script>x()</script><span style="display:none">Ask Eve.</span><table><tr><td>a<td>b</table><h2>Keys</h2>None &amp; never.<!-- x --></body>`, []string{
			"p.html | VPN access | Ask IT.\na b\n\nKeys\nNone & never. | p.html",
		}},
		"page without a top heading": {"q.htm", "<title>Intranet</title><p>Text.", []string{"q.htm | Intranet | Text. | q.htm"}},
		"named columns": {"t.csv", "Source,Text,id,Title\ns,\"one,\nline\",i1,T\n\n,two,,T\n,three,,T\n", []string{
			"i1 | T | one,\nline | s", "t.csv#t | T | two | ", "t.csv#t-2 | T | three | ",
		}},
		"first columns": {"t.csv", "id,question,answer,more\n7,Q,A,x\n", []string{"7 | Q | A | "}},
		"one named":     {"t.csv", "text,url\nbody,u\n", []string{"t.csv#u | u | body | "}},
		"lines":         {"t.jsonl", `{"title":"Ä b","text":"x"}`, []string{"t.jsonl#ä-b | Ä b | x | "}},
	} {
		if got, _ := read(t, map[string]string{c.file: c.text}); !cmp.Equal(c.want, got) {
			t.Errorf("%s (-want +got):\n%s", name, cmp.Diff(c.want, got))
		}
	}
}

// An edit elsewhere leaves the ids.
func TestIDsStay(t *testing.T) {
	files := map[string]string{
		"a.jsonl": `{"title":"One","text":"1"}` + "\n" + `{"title":"Two","text":"2"}`,
		"b.csv":   "title,text\nOne,1\nTwo,2\n",
		"c.md":    "# C\n" + long + "\n## One\n" + long + "\n## Two\n2\n",
	}
	before, _ := read(t, files)
	files["a.jsonl"], files["b.csv"] = `{"title":"Two","text":"2"}`, "title,text\nTwo,2\n"
	files["c.md"] = strings.Replace(files["c.md"], "## One\n"+long, "## Zero\n0\n", 1)
	files["0.txt"] = "new"
	after, _ := read(t, files)
	for _, kept := range []string{"a.jsonl#two | ", "b.csv#two | ", "c.md | ", "c.md#two | "} {
		for when, documents := range map[string][]string{"before": before, "after": after} {
			if n := strings.Count("\n"+strings.Join(documents, "\n"), "\n"+kept); n != 1 {
				t.Errorf("%s the edit, %s stands %d times in %q", when, kept, n, documents)
			}
		}
	}
}

// Errors name file and line. A file that search cannot read as text is left out and named.
func TestBadFiles(t *testing.T) {
	folder := fstest.MapFS{}
	for name, text := range map[string]string{
		"binary.md": "one\ntwo\x00", "latin.txt": "a\nb\xe9\n", "utf16.html": "\xff\xfea\x00",
		"big.csv": strings.Repeat("x", 16<<20+1), "quote.csv": "title,text\na,b\nc,\"d\nmore\n", "cells.csv": "title,text\na,b\nc\n",
		"gold.csv": "id,category,query,answer\na,b,c,d\n", "one.csv": "title\na\n", "blank.csv": "title,text\na, \n", "deep.html": strings.Repeat("<div>", 600) + "text", "same/1.jsonl": `{"id":"x","title":"a","text":"b"}`, "same/2.csv": "id,title,text\nx,a,b\n",
	} {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	_, err := corpus.Read(folder, "docs", "docs")
	want := `docs/big.csv: is larger than 16 MiB: split it, or put its texts into a .jsonl file, which may have any size
docs/binary.md:2: this is not UTF-8: save the file as UTF-8, or give it another extension if it is not text
docs/blank.csv:2: text is missing or empty (a document needs title and text)
docs/cells.csv:3: wrong number of fields; a row has as many cells as the header, and a cell with commas, quotes or line ends must be in quotes
docs/deep.html: cannot be read as a page: html: open stack of elements exceeds 512 nodes; save it as .txt or .md, or close its elements
docs/gold.csv:1: this is a dataset with answers: keep it out of the corpus
docs/latin.txt:2: this is not UTF-8: save the file as UTF-8, or give it another extension if it is not text
docs/one.csv:1: there is one column, "title"; a document needs title and text, with commas between the cells
docs/quote.csv:3: extraneous or missing " in quoted-field; a row has as many cells as the header, and a cell with commas, quotes or line ends must be in quotes
docs/same/2.csv:2: duplicate id "x", first in same/1.jsonl:1
docs/utf16.html:1: this is not UTF-8: save the file as UTF-8, or give it another extension if it is not text`
	if diff := cmp.Diff(want, fmt.Sprint(err)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	_, c := read(t, map[string]string{"a.txt": "text", ".git/x.md": "x", ".hidden.txt": "x", "b/logo.png": "\x89PNG", "runs/r1/run.yaml": "x", "runs/r1/chat.md": "x", "b/blank.md": "\n\n", "b/page.html": "<p hidden>x</p>"})
	skipped := []corpus.Skipped{
		{Path: ".git", Reason: "its name begins with a dot"}, {Path: ".hidden.txt", Reason: "its name begins with a dot"},
		{Path: "b/blank.md", Reason: "it has no text"}, {Path: "b/logo.png", Reason: "its extension is not one of .md, .txt, .html, .jsonl or .csv"},
		{Path: "b/page.html", Reason: "it has no text"}, {Path: "runs/r1", Reason: "a run folder"},
	}
	if diff := cmp.Diff(skipped, c.Skipped); diff != "" || c.Files != 1 {
		t.Errorf("%d files, skipped (-want +got):\n%s", c.Files, diff)
	}
}

// Links stay in the folder, and loops end.
func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	outside, dir := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{filepath.Join(outside, "secret.md"): "secret", filepath.Join(dir, "a.md"): "inside"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"loop": ".", "self.md": "self.md", "out.md": filepath.Join(outside, "secret.md"), "up.md": "../" + filepath.Base(outside) + "/secret.md", "same.md": "a.md", "folder.md": outside} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := corpus.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Documents) != 2 || c.Documents[1].ID != "same.md" || c.Documents[1].Text != "inside" || len(c.Skipped) != 5 {
		t.Errorf("documents %v, skipped %v", c.Documents, c.Skipped)
	}
}

// A file or a folder that may not be read is an error.
func TestUnreadable(t *testing.T) {
	folder := unreadable{fstest.MapFS{"a.md": {Data: []byte("x")}, "b/c.md": {Data: []byte("x")}}}
	_, err := corpus.Read(folder, "docs", "docs")
	want := "docs/a.md: cannot be opened: not allowed\ndocs/b: cannot be read: not allowed"
	if fmt.Sprint(err) != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

type unreadable struct{ fstest.MapFS }

var errDenied = errors.New("not allowed")

func (u unreadable) Open(name string) (fs.File, error) {
	if name != "." {
		return nil, errDenied
	}
	return u.MapFS.Open(name)
}

func (u unreadable) ReadDir(name string) ([]fs.DirEntry, error) {
	if name != "." {
		return nil, errDenied
	}
	return u.MapFS.ReadDir(name)
}

// A PDF is refused, unless its text is beside it.
func TestPDF(t *testing.T) {
	folder := fstest.MapFS{"a/one.pdf": {Data: []byte("%PDF-1.7")}, "b/two.PDF": {Data: []byte("%PDF-1.7")}, "b/two.txt": {Data: []byte("Text.")}}
	_, err := corpus.Read(folder, "docs", "docs")
	if want := "docs/a/one.pdf: PDF is not read: make a text of it (pdftotext one.pdf), and keep the text beside it or instead of it"; err == nil ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	delete(folder, "a/one.pdf")
	if c, err := corpus.Read(folder, "docs", "docs"); err != nil || len(c.Documents) != 1 || len(c.Skipped) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

// The lines of a long file keep their order and their numbers in messages, although several are read at the same time.
func TestManyLines(t *testing.T) {
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "{\"title\":\"T\",\"text\":\"number %d\"}\n", i)
	}
	documents, _ := read(t, map[string]string{"a.jsonl": text.String()})
	for i, d := range documents {
		id := "a.jsonl#t"
		if i > 0 {
			id += fmt.Sprint("-", i+1)
		}
		if want := fmt.Sprintf("%s | T | number %d | ", id, i); d != want {
			t.Fatalf("document %d is %q, want %q", i, d, want)
		}
	}
	broken := strings.Replace(text.String(), "\"number 700\"", "7", 1)
	broken = strings.Replace(broken, "\"number 1500\"}", "\"number", 1)
	_, err := corpus.Read(fstest.MapFS{"a.jsonl": {Data: []byte(broken)}}, "docs", "docs")
	if err == nil || !strings.Contains(err.Error(), "docs/a.jsonl:701: text is a JSON number") || !strings.Contains(err.Error(), "docs/a.jsonl:1501: not JSON") {
		t.Errorf("%v", err)
	}
}
