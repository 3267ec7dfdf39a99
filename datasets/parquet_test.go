//go:build parquet

package datasets_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
)

// A file that pyarrow 26.0.1 wrote, compressed by zstd, with nulls and lists in an object.
const parquetFile = "testdata/pyarrow.parquet"

func TestParquet(t *testing.T) {
	m := mapped(fields{"query": "question", "answer": "answers.text.0", "aliases": "answers.text", "outcome": "outcome"}, fields{"category": "c"}, nil)
	m.Fields["type"] = datasets.Source{Cases: []datasets.Case{{Field: "answers.text.0", Matches: ".+", Value: "text"}}}
	d, unused, err := imported(t, parquetFile, m)
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _ := strings.Cut(as(t, d, datasets.CSV), "\n")
	want := "q-0001,c,How many?,text,5,five,,,,,,,,,,,,,,,,,,,\nq-0002,c,Who?,,,,,,,,,,,,abstained,,,,,,,,,,\n"
	if diff := cmp.Diff(want, rows); diff != "" || strings.Join(unused, " ") != "ok x" {
		t.Errorf("unused %q (-want +got):\n%s", unused, diff)
	}
}

// A damaged file is an error and nothing worse, at whichever seventh byte it was cut or changed.
func TestParquetDamaged(t *testing.T) {
	whole, err := os.ReadFile(parquetFile)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "f.parquet")
	for i := 0; i < len(whole); i += 7 {
		for name, text := range map[string][]byte{"cut": whole[:i], "changed": append(append(append([]byte{}, whole[:i]...), whole[i]^0xff), whole[i+1:]...)} {
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			d, _, err := imported(t, file, mapped(fields{"query": "question"}, fields{"category": "c", "outcome": "refused"}, nil))
			if err == nil && (name == "cut" || len(d.Queries) == 0) {
				t.Fatalf("%s at byte %d: %+v", name, i, d)
			}
		}
	}
}
