package answer_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

// each calls a function with every line of a recorded set. It skips the test where
// CONCUR_DATA does not name the folder of the sets.
func each[T any](t *testing.T, path string, do func(T)) {
	t.Helper()
	folder := os.Getenv("CONCUR_DATA")
	if folder == "" {
		t.Skip("CONCUR_DATA is not set")
	}
	f, err := os.Open(filepath.Join(folder, path))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var record T
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			t.Fatal(err)
		}
		do(record)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// right extracts, and matches with the gold answer.
func right(message, question, gold string, typ answer.Type) bool {
	final := answer.Extract(message, question, typ)
	if final.Outcome != trace.Answered {
		return false
	}
	ok, _ := answer.Match(final.Short, gold, typ, nil, answer.Tolerance{}, answer.Options{})
	return ok
}

func atLeast(t *testing.T, what string, got, all, want int) {
	t.Helper()
	t.Logf("%s: %d of %d", what, got, all)
	if got < want {
		t.Errorf("%s: %d of %d, want at least %d", what, got, all, want)
	}
}

// TestRecordedSolutions compares what is read from solutions of GSM8K with the flags that
// were published with them: with their last line, and as prose without it and without
// the notes of a calculator. The rules for prose were written on the even half.
func TestRecordedSolutions(t *testing.T) {
	notes := regexp.MustCompile(`<<[^>]*>>`)
	var all, lined int
	var prose [2]int
	each(t, "gsm8k_example_solutions/data.jsonl.gz", func(r struct {
		ID             int
		Question, Gold string
		Right          []bool `json:"is_correct"`
		Solutions      []string
	}) {
		for i, s := range r.Solutions {
			all++
			if right(s, r.Question, r.Gold, answer.Decimal) == r.Right[i] {
				lined++
			}
			if at := strings.LastIndex(s, "\nA: "); at > 0 {
				s = s[:at]
			}
			if right(notes.ReplaceAllString(s, ""), r.Question, r.Gold, answer.Decimal) == r.Right[i] {
				prose[r.ID%2]++
			}
		}
	})
	atLeast(t, "with their last line, as flagged", lined, all, 5276)
	atLeast(t, "as prose, even half", prose[0], 2640, 2614)
	atLeast(t, "as prose, odd half", prose[1], 2636, 2616)
}

// TestRecordedNames reads 10,000 answers to questions of TriviaQA behind a marker and in
// prose.
func TestRecordedNames(t *testing.T) {
	var all, met, prose int
	each(t, "uqnlg_triviaqa20/data.jsonl.gz", func(r struct {
		Question, Gold string
		Answers        []string
	}) {
		for _, a := range r.Answers {
			if right("Answer: "+a, r.Question, r.Gold, answer.Entity) {
				met++
			}
			if _, err := answer.Normalize(a, answer.Entity, answer.Options{}); err != nil {
				continue
			}
			all++
			if right("The answer is "+a+".", r.Question, a, answer.Entity) {
				prose++
			}
		}
	})
	atLeast(t, "names that meet their gold", met, 10000, 4278)
	atLeast(t, "names read from prose", prose, all, 9436)
}

// TestRecordedClaims: the answers of 500 transcripts over FEVER are as right as published.
func TestRecordedClaims(t *testing.T) {
	all, same := 0, 0
	each(t, "fever_react/transcripts.jsonl.gz", func(r struct {
		Gold, Answer string
		EM           int
	}) {
		all++
		if right("Answer: "+r.Answer, "", r.Gold, answer.Text) == (r.EM == 1) {
			same++
		}
	})
	atLeast(t, "verdicts as published", same, all, 500)
}

// TestRecordedSentences: of the paragraphs of HotpotQA no short sentence is a name, and all
// gold answers are, with a full stop behind them or without. The rule was written on half.
func TestRecordedSentences(t *testing.T) {
	isName := func(line string) int {
		if answer.Extract(line, "", answer.Entity).Outcome == trace.Answered {
			return 1
		}
		return 0
	}
	golds, names, sentences, refused := 0, 0, 0, 0
	for _, path := range []string{"corpora/hotpotqa/questions.jsonl.gz", "uqnlg_triviaqa20/data.jsonl.gz"} {
		each(t, path, func(r struct{ Gold string }) {
			golds += 2
			names += isName(r.Gold) + isName(r.Gold+".")
		})
	}
	each(t, "corpora/hotpotqa/corpus.jsonl.gz", func(r struct{ Text string }) {
		for _, at := range text.Sentences(r.Text) {
			s := at.Of(r.Text)
			if n := len(strings.Fields(s)); n >= 3 && n <= 12 && strings.HasSuffix(s, ".") {
				sentences++
				refused += 1 - isName(s)
			}
		}
	})
	atLeast(t, "gold answers that are names", names, golds, 1198) // the gold None abstains
	atLeast(t, "sentences that are none", refused, sentences, 720)
}
