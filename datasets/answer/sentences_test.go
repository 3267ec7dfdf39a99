package answer_test

import (
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// plain undoes the escapes of a cell.
var plain = strings.NewReplacer(`\\`, `\`, `\n`, "\n")

// meets reports whether a message is read as its row wants it: the gold is met, or is not.
func meets(typ answer.Type, gold, query, message, want string) (ok bool, read answer.Final) {
	_, message = model.Message{Content: message}.Speech()
	read = answer.Extract(message, query, typ)
	if kind, is := strings.CutPrefix(gold, "["); is && strings.HasSuffix(kind, "ed]") {
		return string(read.Outcome) == strings.TrimSuffix(kind, "]") == (want == "correct"), read
	}
	right := read.Outcome == trace.Answered
	if right {
		right, _ = answer.Match(read.Short, gold, typ, nil, answer.Tolerance{}, answer.Options{})
	}
	return right == (want == "correct"), read
}

// TestSentences reads final messages in sentences, and compares with what a person reads in them. The rules were
// written with the tuned half in view and not the other; nobody moves a row from one to the other, since the checksum of
// its id decides. In no row may a wrong gold pass.
func TestSentences(t *testing.T) {
	raw, err := os.ReadFile("testdata/sentences.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var right, all [2]int
	kinds := map[string][2]int{}
	for _, row := range text.Rows(string(raw), 7) {
		half := int(crc32.ChecksumIEEE([]byte(row[0])) % 2)
		ok, read := meets(answer.Type(row[2]), plain.Replace(row[3]), plain.Replace(row[4]), plain.Replace(row[5]), row[6])
		all[half]++
		k := kinds[row[1]]
		k[1]++
		if ok {
			right[half]++
			k[0]++
		} else {
			if half == 0 {
				t.Logf("%s %s %q want %s: %q is read as %+v", row[0], row[2], row[3], row[6], plain.Replace(row[5]), read)
			}
			if row[6] == "incorrect" {
				t.Errorf("%s: the wrong gold passes", row[0])
			}
		}
		kinds[row[1]] = k
	}
	for half, name := range []string{"tuned", "other"} {
		t.Logf("%s half: %d of %d as a person reads them", name, right[half], all[half])
		if 10*right[half] < 9*all[half] {
			t.Errorf("the %s half is below nine tenths", name)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		t.Logf("%s: %d of %d", kind, kinds[kind][0], kinds[kind][1])
	}
}

// TestTunedSentences reads further sentences, with all of which in view the rules were written: every row is right.
func TestTunedSentences(t *testing.T) {
	raw, err := os.ReadFile("testdata/tuned.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range text.Rows(string(raw), 7) {
		if ok, read := meets(answer.Type(row[2]), plain.Replace(row[3]), plain.Replace(row[4]), plain.Replace(row[5]), row[6]); !ok {
			t.Errorf("%s %s %q want %s: %q is read as %+v", row[0], row[2], row[3], row[6], plain.Replace(row[5]), read)
		}
	}
}

// TestLanguages reads sentences of each language that has rows of its own.
func TestLanguages(t *testing.T) {
	files := globbed(t, "testdata/languages/*.tsv")
	if len(files) != 10 {
		t.Errorf("%d files, want 10", len(files))
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rows := text.Rows(string(raw), 4)
		if len(rows) < 10 {
			t.Errorf("%s: %d rows, want 10", file, len(rows))
		}
		for _, row := range rows {
			gold, want := row[1], "correct"
			if denied, isDenied := strings.CutPrefix(gold, "!"); isDenied {
				gold, want = denied, "incorrect"
			}
			if ok, read := meets(answer.Type(row[0]), gold, plain.Replace(row[2]), plain.Replace(row[3]), want); !ok {
				t.Errorf("%s: %q is read as %+v, want %s", file, row[3], read, row[1])
			}
		}
	}
}

func globbed(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return files
}
