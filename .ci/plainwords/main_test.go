package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	w, err := parse(table)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		code string
		want int // findings
	}{
		"plain code":             {"// Questioners ask.\ntype Questioners struct{ count int }", 0},
		"a type":                 {"type Asked struct{}", 1},
		"a function":             {"func told() {}", 1},
		"a field":                {"type x struct{ lost, right int }", 1},
		"a method of interfaces": {"type x interface{ Said() string }", 1},
		"a longer name":          {"type lostTraces struct{}", 0},
		"a local variable":       {"func f() { lost := 1; _ = lost }", 0},
		"a phrase":               {"// f is what the agent Is Told.\nfunc f() {}", 1},
		"across lines":           {"// f is what the agent is\n// told.\nfunc f() {}", 1},
		"inside of a function":   {"func f() {\n\t_ = 1 // it sees to it\n}", 1},
		"a part of a word":       {"// The analyses to iterate.\nfunc f() {}", 0},
		"a text":                 {"const x = \"there is none\"", 0},
	} {
		file := filepath.Join(t.TempDir(), "x.go")
		if err := os.WriteFile(file, []byte("package x\n\n"+c.code+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := w.check(file); err != nil || got != c.want {
			t.Errorf("%s: %d findings, want %d; %v", name, got, c.want, err)
		}
	}
}

func TestWalk(t *testing.T) {
	w, err := parse("# a remark\nname\tlost\tlosses\nphrase\tanew\tagain\n")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for file, code := range map[string]string{
		"a.go": "package x // anew", "b/c.go": "package x\n\nfunc lost() {}", "b/notes.txt": "anew",
		"testdata/d.go": "package x // anew", ".hidden/e.go": "package x // anew",
	} {
		path := filepath.Join(folder, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(code+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.walk(folder); err == nil || !strings.HasPrefix(err.Error(), "2 names or phrases") {
		t.Errorf("%v, want 2 findings", err)
	}
	if err := w.walk(filepath.Join(folder, "testdata")); err == nil {
		t.Error("a folder that is given itself is not checked")
	}
}

func TestParse(t *testing.T) {
	for _, table := range []string{"word\ta\tb", "name\ta", "name a b"} {
		if _, err := parse(table); err == nil || !strings.HasPrefix(err.Error(), "words.txt:1: ") {
			t.Errorf("%q: %v", table, err)
		}
	}
}
