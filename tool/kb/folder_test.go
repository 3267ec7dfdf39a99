package kb_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestForms: every form of file becomes passages with a title path and a source.
func TestForms(t *testing.T) {
	long := strings.Repeat("Filler words about nothing in particular. ", 40)
	dir := folder(t, map[string]string{
		"guide.md":    "# Guide\n" + long + "\n## Access\n" + long + "\n### Quorum keys\nAsk the gatehouse.",
		"note.txt":    "The marmalade is in the cellar.",
		"page.html":   "<title>Page</title><script>steal('marzipan')</script><p>Nougat is in the attic.<p hidden>marzipan</p>",
		"list.csv":    "title,text\nTrain,Leaves at eight.\n",
		"lines.jsonl": `{"title": "Ferry", "text": "Sails at noon.", "source": "harbour"}`,
	})
	base, _ := open(t, "folder: "+dir)
	for query, want := range map[string]string{
		"quorum keys": "Guide › Access › Quorum keys | guide.md", "marmalade": "note | note.txt", "nougat": "Page | page.html",
		"train leaves": "Train | ", "ferry sails": "Ferry | harbour", "marzipan": "",
	} {
		arguments, _ := json.Marshal(map[string]string{"query": query})
		out, err := base.Call(t.Context(), arguments)
		got := ""
		if len(out.Documents) > 0 {
			got = out.Documents[0].Title + " | " + out.Documents[0].Source
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", query, got, err, want)
		}
	}
	single, _ := open(t, "folder: "+filepath.Join(dir, "note.txt"))
	if got := find(t, single, "marmalade"); got != "note.txt 1.00" {
		t.Errorf("a single file: %s", got)
	}
}

// TestBadFolders: a fault is named with file and line, and links lead nowhere.
func TestBadFolders(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"empty":             {nil, "it has no documents; add files of .md, .txt, .html, .jsonl or .csv"},
		"other files":       {map[string]string{"a.docx": "x"}, "its extension is not one of"},
		"PDF":               {map[string]string{"a.md": "x", "b.pdf": "%PDF-1.7"}, "b.pdf: PDF is not read: make a text of it (pdftotext b.pdf)"},
		"not UTF-8":         {map[string]string{"a.md": "x\n\xff\xfe"}, "a.md:2: this is not UTF-8"},
		"CSV with NUL":      {map[string]string{"a.csv": "title,text\na,b\nc,\x00\n"}, "a.csv:3: this is not UTF-8"},
		"CSV, ragged":       {map[string]string{"a.csv": "title,text\na,b\nc,d,e\n"}, "a.csv:3: wrong number of fields"},
		"JSONL, broken":     {map[string]string{"a.jsonl": "{\"title\":\"a\",\"text\":\"b\"}\n{\"title\":\n"}, "a.jsonl:2: not JSON"},
		"JSONL, not UTF-8":  {map[string]string{"a.jsonl": "{\"title\":\"a\",\"text\":\"\xff\"}\n"}, "a.jsonl:1: the line is not UTF-8"},
		"the same id twice": {map[string]string{"a.jsonl": "{\"id\":1,\"title\":\"a\",\"text\":\"b\"}\n{\"id\":1,\"title\":\"a\",\"text\":\"b\"}\n"}, "a.jsonl:2: duplicate id"},
		"a dataset":         {map[string]string{"a.csv": "id,category,query,answer\n1,a,b,c\n"}, "this is a dataset with answers: keep it out of the corpus"},
	} {
		d, err := declare("folder: " + folder(t, c.files))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := d.Open(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

func TestLinksAndLargeFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need privileges")
	}
	outside := folder(t, map[string]string{"secret.md": "The password is swordfish."})
	dir := folder(t, map[string]string{"a.md": "Public text."})
	for name, to := range map[string]string{"out.md": filepath.Join(outside, "secret.md"), "folder": outside, "cycle": dir, "self.md": "self.md"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	base, _ := open(t, "folder: "+dir)
	if got := find(t, base, "swordfish password"); got != "" {
		t.Errorf("a link out of the folder was followed: %s", got)
	}
	if got := find(t, base, "public text"); got != "a.md 1.00" {
		t.Errorf("found %s", got)
	}
	large := filepath.Join(dir, "large.txt")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, 1<<30); err != nil { // takes no place on the disk
		t.Fatal(err)
	}
	d, err := declare("folder: " + dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Open(t.Context()); err == nil || !strings.Contains(err.Error(), "large.txt: is larger than 16 MiB") {
		t.Errorf("%v", err)
	}
}

// A kept index gives the same results, the texts are always those of the folder, and a changed folder has another
// index.
func TestKeptIndex(t *testing.T) {
	cache := t.TempDir()
	write := func(word string) string {
		var text strings.Builder
		for i := range 2100 {
			fmt.Fprintf(&text, "{\"title\":\"Entry %d\",\"text\":\"%s number%d of many\"}\n", i, word, i)
		}
		return folder(t, map[string]string{"a.jsonl": text.String()})
	}
	dir := write("apple")
	for range 2 {
		base, _, err := openWith(t, "folder: "+dir, nil, cache)
		if err != nil {
			t.Fatal(err)
		}
		arguments := json.RawMessage(`{"query": "apple number77"}`)
		if out, err := base.Call(t.Context(), arguments); err != nil || len(out.Documents) == 0 || out.Documents[0].Title != "Entry 77" {
			t.Fatalf("%+v, %v", out, err)
		}
	}
	files, err := os.ReadDir(cache)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d kept indexes, %v", len(files), err)
	}
	if text, err := os.ReadFile(filepath.Join(cache, files[0].Name())); err != nil || strings.Contains(string(text), "Entry") {
		t.Errorf("the kept index has texts: %v", err)
	}
	if _, _, err := openWith(t, "folder: "+write("pear"), nil, cache); err != nil {
		t.Fatal(err)
	}
	if files, err = os.ReadDir(cache); err != nil || len(files) != 2 {
		t.Errorf("%d kept indexes, %v", len(files), err)
	}
}
