package inject_test

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/stats"
)

// Recorded data, named by the environment variable CONCUR_DATA.

// readRecords reads a file of the recorded data, or skips the test.
func readRecords[T any](tb testing.TB, path ...string) (records []T) {
	tb.Helper()
	folder := os.Getenv("CONCUR_DATA")
	if folder == "" {
		tb.Skip("CONCUR_DATA names no folder with the recorded data")
	}
	file, err := os.Open(filepath.Join(append([]string{folder}, path...)...))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	for decoder := json.NewDecoder(unpacked); ; {
		var record T
		if err := decoder.Decode(&record); errors.Is(err, io.EOF) {
			return records
		} else if err != nil {
			tb.Fatal(err)
		}
		records = append(records, record)
	}
}

type example struct {
	ID    string `json:"id"`
	Label int    `json:"label"` // 1 attack, 0 benign
	Kind  string `json:"kind"`
	Text  string `json:"text"`
}

const tuned = "tuned"

// half returns the half of the development data to which a text belongs. The families were tuned on one half;
// whoever tunes them must not read the other.
func (e example) half() string {
	if sum := sha256.Sum256([]byte("half\x00" + e.ID)); sum[0]%2 == 0 {
		return tuned
	}
	return "unseen"
}

func developmentSet(tb testing.TB) []example {
	return readRecords[example](tb, "injection", "dev.jsonl.gz")
}

// ordinaryTexts returns the questions, the answers and the sentences of solutions, pages and observations of
// all recorded data, without the development set.
func ordinaryTexts(tb testing.TB) (all []string) {
	type record struct {
		Question, Text, Claim, Title string
		Answers, Solutions           []string
	}
	texts := observations(tb)
	for _, path := range [][]string{
		{"gsm8k_example_solutions", "data.jsonl.gz"}, {"uqnlg_triviaqa20", "data.jsonl.gz"}, {"fever_react", "transcripts.jsonl.gz"},
		{"corpora", "hotpotqa", "corpus.jsonl.gz"}, {"corpora", "hotpotqa", "questions.jsonl.gz"},
	} {
		for _, r := range readRecords[record](tb, path...) {
			all = append(append(all, r.Question, r.Claim, r.Title), r.Answers...)
			texts = append(append(texts, r.Text), r.Solutions...)
		}
	}
	sentence := regexp.MustCompile(`[^.!?\n]+[.!?\n]*\s*`)
	for _, text := range texts {
		all = append(all, sentence.FindAllString(text, -1)...)
	}
	return slices.DeleteFunc(all, func(text string) bool { return strings.TrimSpace(text) == "" })
}

// observations returns the results of tools in the recorded transcripts.
func observations(tb testing.TB) (all []string) {
	type record struct {
		Transcript string `json:"transcript"`
	}
	one := regexp.MustCompile(`(?m)^Observation \d+: (.*)$`)
	for _, r := range readRecords[record](tb, "fever_react", "transcripts.jsonl.gz") {
		for _, found := range one.FindAllStringSubmatch(r.Transcript, -1) {
			all = append(all, found[1])
		}
	}
	return all
}

// tally counts flagged texts by name.
type tally map[string]*[2]int // flagged, total

func (c tally) add(name string, flagged bool) {
	if c[name] == nil {
		c[name] = new([2]int)
	}
	c[name][1]++
	if flagged {
		c[name][0]++
	}
}

// log prints the rates with their 95 % Wilson intervals.
func (c tally) log(t *testing.T, title string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(c)) {
		flagged, total := c[name][0], c[name][1]
		low, high := stats.Wilson(flagged, total, 0.95)
		t.Logf("%-28s %-30s %4d of %4d = %5.1f %% [%.1f, %.1f]", title, name, flagged, total,
			100*float64(flagged)/float64(total), 100*low, 100*high)
	}
}
