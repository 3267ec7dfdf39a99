package score_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/score"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
	"github.com/seed-5817661a/concur/runner/extract"
)

func read(t *testing.T, text string, o score.Options) *score.Score {
	t.Helper()
	s, err := score.Read(t.Context(), "f", strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// line is a query with these answers, separated by spaces; null is null.
func line(id int, gold, answers string) string {
	var list []any
	for _, a := range strings.Fields(answers) {
		if a == "null" {
			list = append(list, nil)
		} else {
			list = append(list, a)
		}
	}
	raw, _ := json.Marshal(map[string]any{"id": id, "gold": gold, "answers": list})
	return string(raw) + "\n"
}

func TestFigures(t *testing.T) {
	s := read(t, line(1, "a", "b a a")+line(2, "a", "a a a")+line(3, "a", "b c a")+line(4, "a", "b b c"), score.Options{})
	third := 1.0 / 3
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"mean single", *s.MeanSingle, (2*third + 1 + third + 0) / 4},
		{"maj first 1", s.MajFirstK[1], .25},
		{"maj first 2", s.MajFirstK[2], .25}, // ties to the answer seen first
		{"maj first 3", s.MajFirstK[3], .5},
		{"any of 1", s.AnyAtK[1], .25},
		{"any of 2", s.AnyAtK[2], .5},
		{"any of 3", s.AnyAtK[3], .75},
		{"maj expected 3", *s.MajExpected[3], (1 + 1 + third + 0) / 4}, // the three-way tie counts a third
		{"maj expected 2", *s.MajExpected[2], (2*third + 1 + third + 0) / 4},
		{"pass@2", *s.PassAtK[2], (1 + 1 + 2*third + 0) / 4},
		{"pass^2", *s.PassHatK[2], (third + 1 + 0 + 0) / 4},
		{"unanimity 2", *s.Unanimity[2].Rate, (third + 1 + 0 + third) / 4},
		{"right if unanimous 2", *s.Unanimity[2].Accuracy, (third + 1) / (third + 1 + third)},
		{"unanimity 3", *s.Unanimity[3].Rate, .25},
		{"AUROC", *s.AUROC, (2.0 + 1.5) / 4}, // right at 2/3 and 1, wrong at 1/3 and 2/3
		{"Brier", *s.Brier, (third*third + 0 + third*third + 4*third*third) / 4},
		{"pass rate", *s.PassRate, float64(s.Verdicts.Correct) / 4},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s is %v, want %v", c.what, c.got, c.want)
		}
	}
	if s.N != 4 || s.K != 3 || len(s.Warnings) > 0 || s.LeftOut != nil {
		t.Errorf("n %d, k %d, warnings %q, left out %v", s.N, s.K, s.Warnings, s.LeftOut)
	}
}

// The recorded order decides what each rule draws.
func TestStopping(t *testing.T) {
	for _, c := range []struct {
		answers string
		want    map[string]int // samples
	}{
		{"a a a a a a a a", map[string]int{"beta 0.8": 2, "beta 0.9": 3, "beta 0.95": 4, "beta 0.99": 6, "window 3": 3, "window 4": 4, "curtailment": 5, "3-then-7": 3}},
		{"a b a a a a a a", map[string]int{"beta 0.8": 4, "beta 0.9": 6, "beta 0.95": 7, "beta 0.99": 8, "window 3": 6, "window 4": 8, "curtailment": 6, "3-then-7": 5}},
		{"a b c d e f g h", map[string]int{"beta 0.8": 8, "window 3": 6, "window 4": 8, "curtailment": 8, "3-then-7": 7}},
	} {
		s := read(t, line(1, "a", c.answers), score.Options{})
		got := map[string]int{}
		for _, r := range s.Stopping {
			if _, asked := c.want[r.String()]; asked {
				got[r.String()] = r.TotalSamples
			}
			if r.Rule == "curtailment" && r.AgreeWithFullVote != 1 {
				t.Errorf("%s: curtailment changed the answer", c.answers)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: samples (-want +got):\n%s", c.answers, diff)
		}
	}
	for k, want := range map[int]string{1: "", 3: "beta 0.8 beta 0.9 beta 0.95 beta 0.99 curtailment", 6: "beta 0.8 beta 0.9 beta 0.95 beta 0.99 window 3 curtailment"} {
		var names []string
		for _, r := range read(t, line(1, "a", strings.Repeat("a ", k)), score.Options{}).Stopping {
			names = append(names, r.String())
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("K=%d has the rules %s, want %s", k, got, want)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          score.Options
		correct    int
		first, any float64 // at K
	}{
		{"texts", line(1, "7", "7.0 7.0 7"), score.Options{}, 0, 0, 1},
		{"values", line(1, "7", "7.0 8 7"), score.Options{Type: answer.Integer}, 1, 1, 1},
		{"squad", line(1, "The Who", "who Who! x"), score.Options{Norm: score.NormSQuAD}, 1, 1, 1},
		{"nulls vote", line(1, "a", "null null a"), score.Options{}, 0, 0, 1},
		{"nulls abstain without quorum", line(1, "a", "null null a"), score.Options{Nulls: score.NullsAbstain, Quorum: consensus.QuorumNone}, 1, 1, 1},
		{"nulls abstain, quorum for verdicts alone", line(1, "a", "null null a"), score.Options{Nulls: score.NullsAbstain}, 0, 1, 1},
		{"all null", line(1, "a", "null null"), score.Options{Nulls: score.NullsAbstain}, 0, 0, 0},
		{"a null equals no gold", line(1, "the", "null x"), score.Options{Norm: score.NormSQuAD}, 0, 0, 0},
		{"several golds", `{"gold":["a","b"],"answers":["b","b","c"]}`, score.Options{}, 1, 1, 1},
		{"one answer", `{"gold":5,"answers":5}`, score.Options{}, 1, 1, 1},
		{"verdicts", `{"correct":[false,true,true],"answers":["x","y","y"]}`, score.Options{Fields: score.Fields{Correct: "correct"}}, 1, 1, 1},
		{"paths", `{"out":[{"a":["x"]}],"g":{"text":"x"}}`, score.Options{Fields: score.Fields{Answers: "out.0.a", Gold: "g.text"}}, 1, 1, 1},
	} {
		s := read(t, c.text, c.o)
		if s.Verdicts.Correct != c.correct || s.MajFirstK[s.K] != c.first || s.AnyAtK[s.K] != c.any {
			t.Errorf("%s: correct %d, first %v, any %v; want %d, %v, %v", c.name, s.Verdicts.Correct, s.MajFirstK[s.K], s.AnyAtK[s.K], c.correct, c.first, c.any)
		}
	}
	for _, c := range []struct {
		o    score.Options
		want string
	}{
		{score.Options{Norm: "x"}, `norm "x" is not known: use none, typed, squad`},
		{score.Options{Nulls: "x"}, "use vote, abstain"},
		{score.Options{Quorum: "x"}, "use majority, none"},
		{score.Options{Norm: score.NormTyped}, "needs a type"},
		{score.Options{Norm: score.NormSQuAD, Type: answer.Date}, "other norms take no type"},
		{score.Options{Type: "bridge"}, "unknown answer type"},
	} {
		if _, err := score.Read(t.Context(), "f", strings.NewReader(line(1, "a", "a")), c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
}

// Every line that cannot be scored is named with its place and counted; nothing else is lost.
func TestFaults(t *testing.T) {
	good := line(1, "a", "a b a")
	for _, c := range []struct{ text, want string }{
		{"no json", "f:2: it is not JSON: it begins with"},
		{"[1]", "f:2: it is a list, not an object; write one object"},
		{"{\"id\":2,\"gold\":\"\xff\",\"answers\":[]}", "f:2: the line is not UTF-8"},
		{`{"id":2,"gold":"a"}`, `f:2: there is no field "answers" for the answers; the line has gold, id`},
		{`{"id":2,"gold":"a","answers":[]}`, `there are 0 answers in "answers"; write 1 to 256`},
		{`{"id":2,"gold":"a","answers":["a",true]}`, "answer 2 is neither text, a number nor null: true"},
		{`{"id":2,"gold":"a","answers":["a",["b"]]}`, "answer 2 is neither"},
		{`{"id":2,"gold":{"text":"a"},"answers":["a"]}`, "name a field in it, such as --gold gold.text"},
		{`{"id":{},"gold":"a","answers":["a"]}`, "name another field with --id"},
		{`{"id":"1","gold":"a","answers":["a"]}`, `f:2: the id "1" is also on line 1`},
		{`{"id":2,"gold":"a","answers":["` + strings.Repeat("x", 1<<20) + `"]}`, "f:2: the line is longer than 1 MiB"},
		{`{"id":2,"gold":"a","answers":[` + strings.Repeat(`1,`, 256) + `1]}`, "there are 257 answers"},
	} {
		text := good + c.text + "\n" + line(3, "a", "a a b")
		_, err := score.Read(t.Context(), "f", strings.NewReader(text), score.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasSuffix(err.Error(), "f: 1 line cannot be scored; correct them, or omit them with --partial") {
			t.Errorf("%.60s: %v, want %s", c.text, err, c.want)
		}
		s := read(t, text, score.Options{Partial: true})
		if s.N != 2 || s.LeftOut == nil || s.LeftOut.Lines != 1 || s.LeftOut.First[0].Line != 2 || s.Warnings[0] != "1 line left out: not in a form that can be scored" {
			t.Errorf("%.60s: n %d, left out %+v, warnings %q", c.text, s.N, s.LeftOut, s.Warnings)
		}
	}
	o := score.Options{Fields: score.Fields{Correct: "ok"}}
	for text, want := range map[string]string{
		`{"answers":["a","b"],"ok":[true]}`:      `f:1: there are 1 verdicts in "ok" for 2 answers`,
		`{"answers":["a","b"],"ok":[true,"no"]}`: `f:1: verdict 2 in "ok" is "no"; write true or false`,
		`{"answers":["a","b"],"ok":null}`:        "no line has a gold",
	} {
		if _, err := score.Read(t.Context(), "f", strings.NewReader(text), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	_, err := score.Read(t.Context(), "f", strings.NewReader(strings.Repeat("x\n", 1000)), score.Options{})
	if err == nil || strings.Count(err.Error(), "\n") != 21 || !strings.Contains(err.Error(), "f: and 980 lines more\nf: 1000 lines") {
		t.Errorf("1000 lines: %v", err)
	}
	if _, err := score.Read(t.Context(), "f", strings.NewReader("\n"), score.Options{}); err == nil || !strings.Contains(err.Error(), "no line with answers") {
		t.Errorf("empty: %v", err)
	}
}

func TestCompressed(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for i := range 5000 {
		fmt.Fprint(z, line(i, "a", fmt.Sprintf("a b%d a", i)))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	whole := packed.String()
	if s := read(t, whole, score.Options{}); s.N != 5000 {
		t.Errorf("n is %d", s.N)
	}
	cut := whole[:len(whole)/2]
	_, err := score.Read(t.Context(), "f", strings.NewReader(cut), score.Options{})
	if err == nil || !strings.Contains(err.Error(), "the file cannot be read: unexpected EOF; copy it again") || !strings.Contains(err.Error(), "f: 1 line cannot") {
		t.Errorf("cut: %v", err)
	}
	if s := read(t, cut, score.Options{Partial: true}); s.N < 1000 || s.N >= 5000 || s.LeftOut.Lines != 1 {
		t.Errorf("cut: n %d, left out %+v", s.N, s.LeftOut)
	}
	if _, err := score.Read(t.Context(), "f", strings.NewReader(whole[:5]), score.Options{}); err == nil || !strings.Contains(err.Error(), "f:1: the file cannot be read") {
		t.Errorf("cut in its header: %v", err)
	}
}

// What is odd but can be scored is counted and named.
func TestWarnings(t *testing.T) {
	s := read(t, line(1, "a", "a a a")+line(2, "a", "a b")+line(3, "a", "null a a")+`{"id":4,"gold":null,"answers":[1,"2",3]}`+"\n", score.Options{})
	want := []string{
		"1 query without a gold: the verdicts count them as unscored, and no other figure counts them (line 4)",
		"1 query with 2 answers, fewer than K=3: counted up to this number (line 2)",
		"1 answer null or blank: they vote as one answer, which is never right (with --nulls abstain they do not vote) (line 3)",
	}
	if diff := cmp.Diff(want, s.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if s.N != 3 || s.Verdicts.Queries != 4 || s.Verdicts.Unscored != 1 || s.QueriesAtK[3] != 2 || s.QueriesAtK[2] != 3 || s.MajFirstK[3] != 1 {
		t.Errorf("n %d, verdicts %+v, at k %v", s.N, s.Verdicts, s.QueriesAtK)
	}
	s = read(t, `{"answers":["a","a"],"ok":[true,false]}`, score.Options{Fields: score.Fields{Correct: "ok"}})
	if !slices.Contains(s.Warnings, "1 query whose equal answers have different verdicts: such an answer counts as the share that is right, and the verdict is that of most (unscored if half)") || s.Verdicts.Unscored != 1 {
		t.Errorf("verdicts %+v, warnings %q", s.Verdicts, s.Warnings)
	}
}

// A class whose answers have different verdicts is as right as the share of them, in whatever order they stand.
func TestSharesOfVerdicts(t *testing.T) {
	for _, order := range []string{"true,false,true,true", "false,true,true,true", "true,true,true,false"} {
		s := read(t, `{"answers":["a","a","a","a"],"ok":[`+order+`]}`, score.Options{Fields: score.Fields{Correct: "ok"}})
		if s.Verdicts.Correct != 1 || s.MajFirstK[1] != .75 || s.MajFirstK[4] != .75 || *s.MajExpected[3] != .75 || *s.Unanimity[2].Accuracy != .75 || *s.MeanSingle != .75 {
			t.Errorf("%s: %+v, first k %v, expected %v", order, s.Verdicts, s.MajFirstK, *s.MajExpected[3])
		}
		for _, r := range s.Stopping {
			if r.Accuracy != .75 {
				t.Errorf("%s: %s is right with %v", order, r, r.Accuracy)
			}
		}
	}
}

// The window rule answers with the window that agreed, though another answer leads, and goes on behind a window of
// blanks.
func TestWindowRule(t *testing.T) {
	for _, c := range []struct {
		answers        string
		samples        int
		right, asVoted float64
	}{
		{"b b a a a a b b b", 6, 1, 0},    // the second window answers a, and the vote over all is b
		{"b b a b b a a a a", 9, 1, 1},    // the third window answers a, as the vote does
		{"b b a b b b a a a", 6, 0, 1},    // b leads with 5 anyway
		{"a a b b a a b b b", 9, 0, 1},    // the third window answers b, of which there are 5 of 9
		{"a a c a a c b b b", 9, 0, 0},    // the window that agreed is b, and a leads
		{"null null null a a a", 6, 1, 0}, // blanks do not stop it; the vote is a tie that blanks lead
	} {
		s := read(t, line(1, "a", c.answers), score.Options{})
		for _, r := range s.Stopping {
			if r.String() == "window 3" && (r.TotalSamples != c.samples || r.Accuracy != c.right || r.AgreeWithFullVote != c.asVoted) {
				t.Errorf("%s: %+v", c.answers, r)
			}
		}
	}
}

func TestAgainst(t *testing.T) {
	file := func(name, text string) *score.Score {
		s, err := score.Read(t.Context(), name, strings.NewReader(text), score.Options{Queries: true})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	before := file("old/f", line(1, "a", "a a a")+line(2, "a", "a b a")+line(3, "a", "b b b")+line(4, "a", "a"))
	after := file("new/f", line(1, "a", "a a a a a")+line(2, "a", "b b a")+line(3, "a", "a a b")+line(4, "other", "a"))
	if err := after.Against(before, ablations.Options{}); err != nil {
		t.Fatal(err)
	}
	c := after.Comparison
	if c.Queries != 3 || *c.Losses != 1 || *c.Gains != 1 || c.Baseline != "old/f" || c.Configuration != "new/f" || c.LeftOut == nil || len(c.Flips) != 2 || c.Flips[0].Configuration != "b" {
		t.Errorf("%+v", c)
	}
	if after.Baseline.K != 3 || after.K != 5 {
		t.Errorf("K %d, %d", after.Baseline.K, after.K)
	}
}

// messages are answers as an agent writes them, with a gold of a type.
const messages = `{"id":1,"query":"How many days?","gold":"30","answers":["Answer: 30","The answer is 30 days.","I looked everywhere, and asked around."]}
{"id":2,"query":"Who?","gold":"4","answers":["Answer: 5","I cannot help with that request.","Well, the office says 4 of them, no more."]}
`

// Whole messages are read as in a run, where that is asked for; else the file's figures come with a warning.
func TestMessages(t *testing.T) {
	for _, c := range []struct {
		name    string
		o       score.Options
		single  float64
		unread  int
		warning string // "" for none on what was not read
	}{
		{"texts", score.Options{}, 0, 1, `1 of 6 answers contain the gold among other words, such as "Well, the office says 4 of them, no more." (line 2), and count as wrong; add --type TYPE --messages`},
		{"typed", score.Options{Type: answer.Integer}, 0, 6, `6 of 6 answers are not a value of the type integer, such as "Answer: 30" (line 1), and count as wrong: add --messages`},
	} {
		s := read(t, messages, c.o)
		if *s.MeanSingle != c.single || s.Unread.Of != 6 || s.Unread.Answers != c.unread {
			t.Errorf("%s: %v right, %+v", c.name, *s.MeanSingle, s.Unread)
		}
		if !slices.ContainsFunc(s.Warnings, func(w string) bool { return strings.HasPrefix(w, c.warning) }) {
			t.Errorf("%s: %q", c.name, s.Warnings)
		}
	}
	s := read(t, messages, score.Options{Type: answer.Integer, Messages: true})
	if *s.MeanSingle < .5 || s.Verdicts.Correct != 1 || s.Unread.Answers == 0 || !s.Messages {
		t.Errorf("messages: %v right, %+v, %+v", *s.MeanSingle, s.Verdicts, s.Unread)
	}
	if short := read(t, line(1, "4", "4 5 4 4 4 4 4 4 4 x"), score.Options{Type: answer.Integer}); short.Unread.Answers != 1 || len(short.Warnings) > 0 {
		t.Errorf("a tenth of the answers is worth a warning: %q", short.Warnings)
	}
}

// An extractor is asked about the messages that rules do not read, and only about these.
func TestMessagesByAModel(t *testing.T) {
	const file = `{"query":"How many days?","gold":"30 days","answers":["Answer: 30 days","Sure! Our handbook gives everybody 30 days off, and I would not change that.","<think>Answer: 30 days</think>Let me look that up for you, it will take a moment or two.",null]}` + "\n"
	fake := askingtest.Script(`{"words": "30 days"}`, `{"words": "28 days"}`)
	o := score.Options{Type: answer.Text, Messages: true, Extractor: &extract.Reader{Model: fake, Name: "test:fake"}}
	s := read(t, file, o)
	if *s.MeanSingle != .5 || s.ExtractorCalls != 2 || s.Extractor != "test:fake" || s.Unread.Answers != 1 || s.Unread.Of != 3 {
		t.Errorf("%v right, %d calls of %s, %+v", *s.MeanSingle, s.ExtractorCalls, s.Extractor, s.Unread)
	}
	if rules := read(t, file, score.Options{Type: answer.Text, Messages: true}); *rules.MeanSingle != .25 || rules.Unread.Answers != 2 ||
		!slices.ContainsFunc(rules.Warnings, func(w string) bool {
			return strings.HasPrefix(w, `2 of 3 messages without a readable answer, such as "Sure! Our handbook`) && strings.HasSuffix(w, "or --extractor PROVIDER:MODEL")
		}) {
		t.Errorf("by rules %v right, %+v, %q", *rules.MeanSingle, rules.Unread, rules.Warnings)
	}
	for _, wrong := range []score.Options{{Messages: true}, {Type: answer.Integer, Extractor: o.Extractor}} {
		if _, err := score.Read(t.Context(), "f", strings.NewReader(file), wrong); err == nil {
			t.Errorf("%+v is accepted", wrong)
		}
	}
}
