package spool_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/spool"
)

// A sorter gives back every text by its key, and leaves no file behind. Equal keys keep their order.
func TestSorter(t *testing.T) {
	for _, texts := range []int{0, 1, 2_000, 60_000} {
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		t.Setenv("TMP", dir)
		random := rand.New(rand.NewPCG(uint64(texts), 1))
		var s spool.Sorter
		var want []spool.Keyed
		for i := range texts {
			key := fmt.Sprintf("q%0*d", 1+i%7, random.IntN(texts))
			k := spool.Keyed{Key: key, Text: []byte(fmt.Sprintf("%d of %s%s", i, key, strings.Repeat(".", i%100)))}
			if i%3 == 2 {
				k.Text = nil
			}
			want = append(want, k)
			if err := s.Add(k.Key, k.Text); err != nil {
				t.Fatal(err)
			}
		}
		slices.SortStableFunc(want, func(a, b spool.Keyed) int { return strings.Compare(a.Key, b.Key) })
		n := 0
		for got, err := range s.All() {
			if err != nil {
				t.Fatal(err)
			}
			if got.Key != want[n].Key || !bytes.Equal(got.Text, want[n].Text) {
				t.Fatalf("%d texts: the %d. is %q of %s, want %q of %s", texts, n, got.Text, got.Key, want[n].Text, want[n].Key)
			}
			n++
		}
		if n != texts {
			t.Errorf("%d of %d texts came back", n, texts)
		}
		for range s.All() { // a caller may stop, and begin again
			break
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) > 0 && runtime.GOOS != "windows" {
			t.Errorf("%d texts are in %d files with names, %v", texts, len(files), err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
			t.Errorf("%d files are left, %v", len(files), err)
		}
	}
}

// A sorter says that its temporary file cannot be made.
func TestSorterWithoutFolder(t *testing.T) {
	missing := t.TempDir() + "/missing"
	t.Setenv("TMPDIR", missing)
	t.Setenv("TMP", missing)
	var s spool.Sorter
	defer s.Close()
	var err error
	for i := 0; err == nil && i < 100; i++ {
		err = s.Add("key", make([]byte, 100<<10))
	}
	if err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("the error is %v, want one that names %s", err, missing)
	}
}
