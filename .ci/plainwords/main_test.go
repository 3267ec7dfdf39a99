package main

import (
	"fmt"
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
		"a function":             {"func proven() {}", 1},
		"a field":                {"type x struct{ lost, right int }", 1},
		"a method of interfaces": {"type x interface{ Said() string }", 1},
		"a longer name":          {"type lostTraces struct{}", 0},
		"a local variable":       {"func worker() { lost := 1; _ = lost }", 0},
		"a phrase":               {"// f is what the agent Is Told.\nfunc worker() {}", 1},
		"across lines":           {"// f is what the agent is\n// told.\nfunc worker() {}", 1},
		"inside of a function":   {"func worker() {\n\t_ = 1 // it sees to it\n}", 1},
		"a part of a word":       {"// The analyses to iterate.\nfunc worker() {}", 0},
		"a text":                 {"const x = \"there is none\"", 0},
		"a long line":            {"// " + strings.Repeat("x", maxColumns-2), 1},
		"a line of 120":          {"// " + strings.Repeat("x", maxColumns-3), 0},
		"a long file":            {strings.Repeat("\n", maxLines), 1},
		"a short name":           {"func one() {}", 1},
		"a short verb":           {"func read() {}", 0},
		"a short method":         {"func (x x) one() {}", 0},
		"a short exported name":  {"func With() {}", 0},
		"a choice":               {"var a = map[bool]string{true: \"x\"}[b]", 1},
		"a map of truths":        {"var a = map[string]bool{\"x\": true}[b]", 0},
		"a long message":         {"var a = errors.New(\"" + strings.Repeat("x", 90) + "\" +\n\"" + strings.Repeat("y", 72-1+0) + "\")", 1},
		"a message of 160":       {"var a = fmt.Errorf(\"" + strings.Repeat("x", 90) + "\" +\n\"" + strings.Repeat("y", 71-1+0) + "\")", 0},
		"a long text":            {"var a = f(\"" + strings.Repeat("x", 99) + "\" +\n\"" + strings.Repeat("y", 99) + "\")", 0},
	} {
		file := filepath.Join(t.TempDir(), "x.go")
		if err := os.WriteFile(file, []byte("package x\n\n"+c.code+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := w.check(filepath.Dir(file), file); err != nil || got != c.want {
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
		"a.go": "package x // anew", "b/c.go": "package x\n\ntype lost struct{}", "b/notes.txt": "anew",
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
	if err := w.walk(folder); err == nil || !strings.HasPrefix(err.Error(), "2 places to mend") {
		t.Errorf("%v, want 2 findings", err)
	}
	if err := w.walk(filepath.Join(folder, "testdata")); err == nil {
		t.Error("a folder that is given itself is not checked")
	}
}

// A package may have maxFiles files, and any number of tests and other files.
func TestFilesOfAPackage(t *testing.T) {
	folder := t.TempDir()
	write := func(name string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("package x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range maxFiles {
		write(fmt.Sprintf("f%d.go", i))
		write(fmt.Sprintf("f%d_test.go", i))
		write(fmt.Sprintf("f%d.txt", i))
	}
	if err := (words{}).walk(folder); err != nil {
		t.Errorf("%d files: %v", maxFiles, err)
	}
	write("more.go")
	if err := (words{}).walk(folder); err == nil || !strings.HasPrefix(err.Error(), "1 places to mend") {
		t.Errorf("%d files: %v", maxFiles+1, err)
	}
}

func TestParse(t *testing.T) {
	for _, table := range []string{"word\ta\tb", "name\ta", "name a b"} {
		if _, err := parse(table); err == nil || !strings.HasPrefix(err.Error(), "words.txt:1: ") {
			t.Errorf("%q: %v", table, err)
		}
	}
}
