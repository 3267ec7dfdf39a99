package premise_test

import (
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/premise"
	"github.com/seed-5817661a/concur/internal/text"
)

func rows(t *testing.T, file string, cells int) [][]string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text.Rows(string(raw), cells)
}

// TestSentences compares what the rules find with what a person reads. The phrases were changed with the tuned half in
// view and not the other; the checksum of its id decides in which half a row is. In no row may an answer that accepts
// the premise pass as a denial.
func TestSentences(t *testing.T) {
	var right, all [2]int
	languages := map[string]int{}
	for _, row := range rows(t, "testdata/sentences.tsv", 5) {
		half := int(crc32.ChecksumIEEE([]byte(row[0])) % 2)
		languages[row[1]]++
		all[half]++
		found := premise.Denial(row[4], row[3])
		if (found != "") == (row[2] == "denies") {
			right[half]++
			continue
		}
		if half == 0 {
			t.Logf("%s %s: %q to %q: found %q", row[0], row[2], row[4], row[3], found)
		}
		if row[2] == "accepts" {
			t.Errorf("%s: an answer that accepts the premise passes as a denial", row[0])
		}
	}
	if len(languages) != 11 {
		t.Errorf("sentences in %d languages, want 11: %v", len(languages), slices.Sorted(maps.Keys(languages)))
	}
	for half, name := range []string{"tuned", "other"} {
		t.Logf("%s half: %d of %d as a person reads them", name, right[half], all[half])
		if 10*right[half] < 9*all[half] {
			t.Errorf("the %s half is below nine tenths", name)
		}
	}
}

// TestOrdinaryAnswers counts false alarms on messages that were written for the reading of answers; none of their
// questions has a false premise.
func TestOrdinaryAnswers(t *testing.T) {
	all, alarms := 0, 0
	files, _ := filepath.Glob("../answer/testdata/languages/*.tsv")
	if len(files) == 0 {
		t.Fatal("no files of messages")
	}
	count := func(question, message, want string) {
		all++
		breaks := strings.NewReplacer(`\\`, `\`, `\n`, "\n")
		if found := premise.Denial(breaks.Replace(message), breaks.Replace(question)); found != "" {
			alarms++
			t.Logf("%q to %q (%s) is no denial", found, question, want)
		}
	}
	for _, file := range files {
		for _, row := range rows(t, file, 4) {
			count(row[2], row[3], row[1])
		}
	}
	for _, file := range []string{"sentences.tsv", "tuned.tsv"} {
		for _, row := range rows(t, "../answer/testdata/"+file, 7) {
			count(row[4], row[5], row[3])
		}
	}
	t.Logf("%d false alarms on %d ordinary answers", alarms, all)
	if 100*alarms > all {
		t.Errorf("%d false alarms on %d ordinary answers, want at most 1%%", alarms, all)
	}
}

func TestDenialIsTheSentence(t *testing.T) {
	message := "I searched twice. **There is no king of France.** It has a president. Answer: none"
	if got, want := premise.Denial(message, "How old is the king of France?"), "**There is no king of France.**"; got != want {
		t.Errorf("the denial is %q, want %q", got, want)
	}
	for _, empty := range []string{"", "?", "\xff\xfe", strings.Repeat("x", 1<<20), "There is no"} {
		if got := premise.Denial(empty, "How old is the king of France?"); got != "" {
			t.Errorf("%.20q denies: %q", empty, got)
		}
	}
}

// Every row has a phrase of one language with a known role, and no language lacks a kind of denial.
func TestTables(t *testing.T) {
	known := []string{"plain", "denial", "nominal", "behind", "verbal", "final", "other", "reported", "concession",
		"pronoun", "small"}
	files, _ := filepath.Glob("languages/*.tsv")
	if len(files) != 11 {
		t.Errorf("%d languages, want 11", len(files))
	}
	for _, file := range files {
		seen, roles := map[string]bool{}, map[string]int{}
		for _, row := range rows(t, file, 4) {
			roles[row[1]]++
			if !slices.Contains(known, row[1]) || row[2]+".tsv" != filepath.Base(file) || row[3] == "" || row[0] == "" ||
				seen[row[0]+"\t"+row[1]] {
				t.Errorf("%s: the row %q has a wrong role, language or source, or occurs twice", file, row)
			}
			seen[row[0]+"\t"+row[1]] = true
		}
		if roles["plain"] == 0 || roles["denial"] == 0 || roles["nominal"]+roles["behind"] == 0 || roles["small"] == 0 {
			t.Errorf("%s lacks a kind of phrase: %v", file, roles)
		}
	}
}
