package cite_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/guard/cite"
)

// perKind limits the cases of one kind from one corpus.
const perKind = 400

// rate counts the cases of one kind, and those with the right result of the audit.
type rate struct{ right, all int }

func (r *rate) add(right bool) {
	r.all++
	if right {
		r.right++
	}
}

func (r rate) share() float64 { return float64(r.right) / float64(max(1, r.all)) }

// TestDetection measures the audit on texts that were not used to write it: how often it finds an altered
// quotation, year, date or number, and how often a sentence that is copied word for word, or restated in
// another notation, passes. The built-in corpus is always used; the others are read from the folder
// CONCUR_DATA.
func TestDetection(t *testing.T) {
	for _, corpus := range []struct {
		name string
		open func(*testing.T) []string
	}{
		{"built-in", builtinPassages},
		{"hotpotqa", hotpotPassages},
		{"fever_react", feverPassages},
	} {
		t.Run(corpus.name, func(t *testing.T) {
			rates := measure(corpus.open(t), func(string, string, string, cite.Report) {})
			for _, kind := range caseKinds {
				t.Logf("%-18s %4d of %4d  %5.1f %%", kind.name, rates[kind.name].right, rates[kind.name].all, 100*rates[kind.name].share())
				if rates[kind.name].all < 20 || rates[kind.name].share() < kind.least {
					t.Errorf("%s: %.3f, want at least %.3f, of 20 cases or more", kind.name, rates[kind.name].share(), kind.least)
				}
			}
		})
	}
}

// caseKind makes a message from a sentence of a passage. ok is false if the sentence is not suitable.
type caseKind struct {
	name  string
	least float64 // the minimum share of right results
	check string  // checks, one of which must fail as an error; "" for an honest message
	write func(rng *rand.Rand, sentence, passage string) (message string, ok bool)
}

var caseKinds = []caseKind{
	{"copied sentence", 1, "", func(_ *rand.Rand, s, _ string) (string, bool) { return s, true }},
	{"copied quotation", 0.99, "", func(rng *rand.Rand, s, _ string) (string, bool) { return quote(excerpt(rng, s)) }},
	{"restated value", 1, "", restate},
	{"altered quotation", 1, cite.CheckQuote, func(rng *rand.Rand, s, passage string) (string, bool) {
		return quote(alterWords(rng, excerpt(rng, s), passage))
	}},
	{"altered year", 1, cite.CheckDate + cite.CheckNumber, alterYear},
	{"altered day", 1, cite.CheckDate, alterDay},
	{"altered number", 0.96, cite.CheckNumber, alterNumber},
	{"swapped name", 0.6, cite.CheckName, swapName},
}

// measure audits the messages that each kind makes from the sentences of the passages.
func measure(passages []string, look func(kind, passage, message string, r cite.Report)) map[string]rate {
	out := map[string]rate{}
	for _, kind := range caseKinds {
		rng := rand.New(rand.NewPCG(13, 1))
		var of rate
		for _, i := range rng.Perm(len(passages)) {
			passage := passages[i]
			found := sentence.FindAllString(passage, -1)
			if len(found) == 0 || of.all >= perKind {
				continue
			}
			from := strings.TrimSpace(aNote.ReplaceAllString(found[rng.IntN(len(found))], ""))
			claim, ok := kind.write(rng, from, passage)
			if !ok {
				continue
			}
			message := claim + " [corpus_1]\nAnswer: yes"
			r := audit(message, doc("corpus_1", "", passage))
			of.add(slices.ContainsFunc(r.Problems, func(p cite.Problem) bool {
				return p.Level == cite.Error && (kind.check == "" || strings.Contains(kind.check, p.Check))
			}) == (kind.check != ""))
			look(kind.name, passage, message, r)
		}
		out[kind.name] = of
	}
	return out
}

// sentence matches a plain sentence that is long enough to state something.
var sentence = regexp.MustCompile(`[A-Z][^.!?"\n]{40,}(?:\.\d[^.!?"\n]*)*[.!?](?:\s|$)`)

func quote(words string) (string, bool) { return `It says "` + words + `".`, words != "" }

// excerpt takes six to twelve words of a sentence.
func excerpt(rng *rand.Rand, s string) string {
	words := strings.Fields(strings.TrimRight(s, ".!?"))
	n := 6 + rng.IntN(7)
	if len(words) < n {
		return ""
	}
	at := rng.IntN(len(words) - n + 1)
	if out := strings.Join(words[at:at+n], " "); !unfit.MatchString(out) {
		return out
	}
	return ""
}

// unfit matches texts that cannot be a quotation: they have quotation marks, or cut a date.
var unfit = regexp.MustCompile(`["“”]|^\W*\d{1,2},? |\d{1,2}$`)

// alterWords changes one thing in a quotation: a word is replaced, dropped, inserted or exchanged with
// another.
func alterWords(rng *rand.Rand, words, passage string) string {
	w := strings.Fields(words)
	if len(w) < 6 {
		return ""
	}
	at, all := 1+rng.IntN(len(w)-2), strings.Fields(passage)
	other := strings.Trim(all[rng.IntN(len(all))], `.,;:()"`)
	if !plainWord.MatchString(other) || !plainWord.MatchString(w[at]) || !plainWord.MatchString(w[at+1]) || w[at] == w[at+1] || other == w[at] {
		return ""
	}
	switch rng.IntN(4) {
	case 0:
		w[at] = other
	case 1:
		w = slices.Delete(w, at, at+1)
	case 2:
		w = slices.Insert(w, at, other)
	case 3:
		w[at], w[at+1] = w[at+1], w[at]
	}
	if altered := strings.Join(w, " "); !strings.Contains(passage, altered) {
		return altered
	}
	return ""
}

var (
	plainWord = regexp.MustCompile(`^[A-Za-z0-9]{2,}$`)
	aNote     = regexp.MustCompile(`\[\w{1,3}\]`)
	aMonth    = regexp.MustCompile(`^(?:st|nd|rd|th)? ?(?:-|–|—|to|and)? ?\d{0,2},? ?(?:of )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|(?:ary|rch|ril|May|une|uly|ust|ber) (?:\d{1,2} ?(?:-|–|to) ?)?$`)
	aYear     = regexp.MustCompile(`\b(?:1[0-9]|20)\d\d\b`)
	aDay      = regexp.MustCompile(`\b([12]?\d|3[01]) (January|March|April|June|July|August|October|November|December) \d{4}\b|\b(January|March|April|June|July|August|October|November|December) ([12]?\d|3[01]), \d{4}\b`)
	aNumber   = regexp.MustCompile(`(?:^|[ (£$€])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?:[ ,;.)%]|$)`)
)

func alterYear(rng *rand.Rand, s, passage string) (string, bool) {
	m := aYear.FindStringIndex(s)
	if m == nil || strings.ContainsAny(s[max(0, m[0]-1):m[0]]+s[m[1]:min(len(s), m[1]+1)], "-–,'/.s") && !strings.HasPrefix(s[m[1]:], ".") {
		return "", false
	}
	year := fmt.Sprint(1000 + rng.IntN(1020))
	return s[:m[0]] + year + s[m[1]:], !strings.Contains(passage, year)
}

func alterDay(rng *rand.Rand, s, passage string) (string, bool) {
	m := aDay.FindStringSubmatchIndex(s)
	if m == nil {
		return "", false
	}
	from, to := m[2], m[3]
	if from < 0 {
		from, to = m[8], m[9]
	}
	day := fmt.Sprint(1 + rng.IntN(28))
	altered := s[m[0]:from] + day + s[to:m[1]]
	return s[:m[0]] + altered + s[m[1]:], !strings.Contains(passage, altered) && !regexp.MustCompile(`\b`+day+`\b`).MatchString(passage)
}

// alterNumber changes one digit of a number above twelve that is not part of a date.
func alterNumber(rng *rand.Rand, s, passage string) (string, bool) {
	for _, m := range aNumber.FindAllStringSubmatchIndex(s, -1) {
		from, to := m[2], max(m[3], m[5])
		figures := []byte(s[from:to])
		if aYear.Match(figures) || len(figures) < 2 || aMonth.MatchString(s[to:]) || aMonth.MatchString(s[:from]) {
			continue
		}
		at := rng.IntN(len(figures))
		for figures[at] < '0' || figures[at] > '9' {
			at = rng.IntN(len(figures))
		}
		figures[at] = '1' + (figures[at]-'0'+byte(rng.IntN(8)))%9
		altered := string(figures)
		return s[:from] + altered + s[to:], !strings.Contains(passage, altered) && altered != "10" && altered != "11" && altered != "12"
	}
	return "", false
}

var (
	aName      = regexp.MustCompile(`[a-z,] ((?:[A-Z][a-z]+ )?[A-Z][a-z]{3,})\b`)
	otherNames = []string{"Emma Watson", "Boris Karloff", "Ludmilla Petrova", "Quentin Blake", "Zurich", "Bogotá", "Vanuatu", "Kowalski", "Okonkwo", "Wimbledon"}
)

// swapName replaces a name in a sentence by another name.
func swapName(rng *rand.Rand, s, passage string) (string, bool) {
	found := aName.FindAllStringSubmatchIndex(s, -1)
	if len(found) == 0 {
		return "", false
	}
	m, other := found[rng.IntN(len(found))], otherNames[rng.IntN(len(otherNames))]
	word := strings.Fields(s[m[2]:m[3]])[0]
	return s[:m[2]] + other + s[m[3]:], !strings.Contains(passage, other) && !aMonth.MatchString(" "+word)
}

// notations write a value of a sentence in another way with the same meaning.
var notations = []struct {
	pattern *regexp.Regexp
	write   string
}{
	{regexp.MustCompile(`\b(\d{1,3}),(\d{3})\b`), "$1$2"},
	{regexp.MustCompile(`( \d+)\.(\d) million\b`), "$1,${2}00,000"},
	{regexp.MustCompile(`( \d+) million\b`), "$1,000,000"},
	{regexp.MustCompile(`( \d+) kilometres\b`), "${1}000 m"},
	{regexp.MustCompile(`\b(\d+) km\b`), "$1 kilometres"},
	{regexp.MustCompile(`\b(\d+) (?:m|metres)\b`), "$1 meters"},
	{regexp.MustCompile(`\b(\d+) (?:degrees Celsius|°C)`), "$1 °C"},
	{regexp.MustCompile(`\b(\d+(?:\.\d+)?) ?%`), "$1 percent"},
	{regexp.MustCompile(`\b(\d+) per ?cent\b`), "$1%"},
	{regexp.MustCompile(`\b(\d{1,2}) (July) (\d{4})\b`), "$3-07-$1"},
	{regexp.MustCompile(`\b(on|born|until|of) (\d{1,2}) ([A-Z][a-z]{2,8}) ((?:1\d|20)\d\d)\b`), "$1 $3 $2, $4"},
	{regexp.MustCompile(`\b(on|born|until|of) ([A-Z][a-z]{2,8}) (\d{1,2}), ((?:1\d|20)\d\d)\b`), "$1 $3 $2 $4"},
	{regexp.MustCompile(`\$(\d+(?:\.\d)?) million\b`), "${1} million dollars"},
	{regexp.MustCompile(` two `), " 2 "}, {regexp.MustCompile(` three `), " 3 "}, {regexp.MustCompile(` twenty `), " 20 "},
}

func restate(rng *rand.Rand, s, _ string) (string, bool) {
	for _, i := range rng.Perm(len(notations)) {
		if n := notations[i]; n.pattern.MatchString(s) {
			return n.pattern.ReplaceAllString(s, n.write), true
		}
	}
	return "", false
}

func builtinPassages(t *testing.T) []string { return field(builtinRecords(t), "text") }

func builtinRecords(t *testing.T) []map[string]any {
	t.Helper()
	files, err := filepath.Glob("../../datasets/builtin/corpus/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("the built-in corpus has %d files: %v", len(files), err)
	}
	var out []map[string]any
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, records(t, bytes.NewReader(raw))...)
	}
	return out
}

func hotpotPassages(t *testing.T) []string { return field(hotpotRecords(t), "text") }

func hotpotRecords(t *testing.T) []map[string]any {
	t.Helper()
	return records(t, unpacked(t, "corpora", "hotpotqa", "corpus.jsonl.gz"))
}

var observation = regexp.MustCompile(`(?m)^Observation \d+: (.{150,})$`)

// feverPassages returns the documents that the recorded agents saw.
func feverPassages(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, transcript := range field(records(t, unpacked(t, "fever_react", "transcripts.jsonl.gz")), "transcript") {
		for _, m := range observation.FindAllStringSubmatch(transcript, -1) {
			out = append(out, m[1])
		}
	}
	return out
}

// unpacked opens a file of recorded data, or skips the test.
func unpacked(t *testing.T, path ...string) io.Reader {
	t.Helper()
	folder := os.Getenv("CONCUR_DATA")
	if folder == "" {
		t.Skip("CONCUR_DATA names no folder with the recorded data")
	}
	raw, err := os.ReadFile(filepath.Join(append([]string{folder}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// records reads the lines of a JSONL file.
func records(t *testing.T, r io.Reader) []map[string]any {
	t.Helper()
	var out []map[string]any
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var record map[string]any
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			t.Fatal(err)
		}
		out = append(out, record)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// field returns one text of each record.
func field(records []map[string]any, name string) []string {
	var out []string
	for _, r := range records {
		if text, ok := r[name].(string); ok {
			out = append(out, text)
		}
	}
	return out
}
