package rank_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/internal/rank"
)

// only returns the only file of a folder.
func only(t testing.TB, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files[0]
}

// A kept index finds the same as a new one; a damaged file, or one of other texts, is not used.
func TestOpenIndex(t *testing.T) {
	texts := sentences(2500)
	want := rank.NewIndex(texts)
	dir := filepath.Join(t.TempDir(), "kept")
	same := func(what string, x *rank.Index) {
		t.Helper()
		for _, query := range texts[:40] {
			if d := cmp.Diff(want.Search(query, 20, nil), x.Search(query, 20, nil)); d != "" {
				t.Fatalf("%s: %q: %s", what, query, d)
			}
		}
		if d := cmp.Diff(want.Weights, x.Weights); d != "" {
			t.Fatalf("%s: weights: %s", what, d)
		}
	}
	same("new", rank.OpenIndex(dir, "a", texts))
	file := only(t, dir)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	same("kept", rank.OpenIndex(dir, "a", texts))
	if info, err := os.Stat(file); err != nil || time.Since(info.ModTime()) > 30*time.Minute {
		t.Errorf("a used index keeps its old time: %v", err)
	}
	for what, data := range map[string][]byte{
		"empty": {}, "half": whole[:len(whole)/2], "longer": append(bytes.Clone(whole), 0),
		"one bit": func() []byte { d := bytes.Clone(whole); d[len(d)/2] ^= 1; return d }(),
		"another": []byte("concur/index/v0\n"),
	} {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		same(what, rank.OpenIndex(dir, "a", texts))
		if again, err := os.ReadFile(file); err != nil || !bytes.Equal(again, whole) {
			t.Errorf("%s: the damaged file stays: %v", what, err)
		}
	}
	if got := rank.OpenIndex(dir, "a", append(texts, "one more")).Search("one more", 1, nil); len(got) != 1 || got[0].Document != 2500 {
		t.Errorf("the index of fewer texts was used: %v", got)
	}
	rank.OpenIndex(dir, "small", texts[:100])
	only(t, dir) // small indexes are not kept
	same("no folder", rank.OpenIndex("", "a", texts))
	same("a file in place of the folder", rank.OpenIndex(file, "a", texts))
}

// A folder keeps the sixteen newest indexes.
func TestOldIndexesAreRemoved(t *testing.T) {
	dir, texts := t.TempDir(), make([]string, 2000)
	for i := range 18 {
		rank.OpenIndex(dir, fmt.Sprint(i), texts)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 16 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// BenchmarkOpenIndex reports the time for building an index of 100,000 texts and for reading the kept one.
func BenchmarkOpenIndex(b *testing.B) {
	texts := sentences(100_000)
	for b.Loop() {
		dir := b.TempDir()
		start := time.Now()
		rank.OpenIndex(dir, "a", texts)
		built := time.Since(start)
		start = time.Now()
		rank.OpenIndex(dir, "a", texts)
		b.ReportMetric(float64(built.Milliseconds()), "build-ms")
		b.ReportMetric(float64(time.Since(start).Milliseconds()), "open-ms")
	}
}
