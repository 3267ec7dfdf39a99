package cite_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/guard/cite"
	"github.com/seed-5817661a/concur/trace"
)

func audit(message string, docs ...trace.Document) cite.Report {
	return cite.Audit(cite.Input{Message: message, Documents: docs})
}

func same(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-12 {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestRatios(t *testing.T) {
	r := audit("The tower was finished in 1889 [corpus_1]. It is 324 m tall [corpus_1]. It opened in 1900. It stands in Paris [corpus_8].\nAnswer: 1889 [corpus_1]", library()...)
	if r.Citations != 4 || r.Valid != 3 {
		t.Errorf("%d of %d citations are valid, want 3 of 4", r.Valid, r.Citations)
	}
	same(t, "precision", r.Precision, 0.75)
	same(t, "coverage", r.Coverage, 0.75) // three of four factual sentences; the answer line does not count
	same(t, "recall", r.Recall, 0.25)     // only the first one is confirmed
	if r.Grounded {
		t.Error("grounded in spite of errors")
	}
}

func TestNoCitation(t *testing.T) {
	r := audit("It was finished in 1889.\nAnswer: 1890", library()...)
	same(t, "coverage", r.Coverage, 0)
	same(t, "recall", r.Recall, 0)
	if r.Precision != nil || r.Grounded || len(r.Problems) != 1 || !strings.Contains(r.Complaint(), "no citation") {
		t.Errorf("%+v\n%s", r, r.Complaint())
	}
}

// A run adds up claims and supported claims, so unsupported claims must count (docs/method.md §8).
func TestUncitedClaimsCount(t *testing.T) {
	for _, c := range []struct {
		message string
		claims  int
	}{
		{"It was finished in 1889. It is 330 m tall. It is lovely.\nAnswer: 1889", 2},
		{"It was finished in 1889.\nAnswer: 1889 [corpus_1]", 1}, // has a citation only on the answer line
		{"Answer: 1889", 1},
		{"1889", 1},
		{"I know it.\nAnswer: Paris", 1},
	} {
		r := audit(c.message, library()...)
		same(t, "recall", r.Recall, 0)
		if r.Claims != c.claims || r.Supported != 0 {
			t.Errorf("%q: %d claims, %d supported; want %d and none", c.message, r.Claims, r.Supported, c.claims)
		}
	}
}

func TestUndefinedRatios(t *testing.T) {
	for _, message := range []string{"", "Nothing to say.\nAnswer: yes", "Answer: yes"} {
		if r := audit(message); r.Precision != nil || r.Recall != nil || r.Coverage != nil || !r.Grounded {
			t.Errorf("%q: %+v", message, r)
		}
	}
}

func TestSeen(t *testing.T) {
	r := audit("It stands in Paris [corpus_1].", trace.Document{ID: "corpus_1", Title: " ", Score: 1})
	if errorChecks(r) != cite.CheckSeen || r.Valid != 0 {
		t.Errorf("errors %q, %d valid", errorChecks(r), r.Valid)
	}
}

func TestTerminalColours(t *testing.T) {
	plain := "The tower is 330 m tall [corpus_1].\nAnswer: 330 m"
	coloured := "\x1b[1;31mThe tower\x1b[0m is \x1b[32m330 m\x1b[0m tall \x1b]8;;https://example.com/77\x07[corpus_1]\x1b]8;;\x07.\n\x1b[1mAnswer:\x1b[0m \u009b35m330 m\u009b0m"
	if diff := cmp.Diff(audit(plain, library()...), audit(coloured, library()...)); diff != "" {
		t.Errorf("-plain +coloured:\n%s", diff)
	}
	if r := audit("It is 31 m tall [x_1].", doc("x_1", "", "It is \x1b[31mtall\x1b[0m.")); r.Grounded {
		t.Error("a colour of the document passes for a value")
	}
	if got := cite.Cited("\x1b[1m[corpus_1]\x1b[0m"); len(got) != 1 {
		t.Errorf("cited %v", got)
	}
}

func TestADateIsReportedOnce(t *testing.T) {
	for _, date := range []string{"17 December 1770", "December 17, 1770"} {
		if r := audit("The tower was finished on "+date+" [corpus_1].", library()...); len(r.Problems) != 1 {
			t.Errorf("%s: %s", date, show(r))
		}
	}
}

func TestTheSourceIsEvidence(t *testing.T) {
	d := doc("corpus_1", "Tower", "It is tall.")
	d.Source = "Annual Survey of 1998"
	if r := audit("It was surveyed in 1998 [corpus_1].\nAnswer: 1998", d); !r.Grounded {
		t.Error(show(r))
	}
}

func TestDocumentReturnedTwice(t *testing.T) {
	r := audit("It was begun in 1887 and finished in 1889 [corpus_1].", doc("corpus_1", "Tower", "Begun in 1887."), doc("corpus_1", "Tower", "Finished in 1889."))
	if !r.Grounded {
		t.Error(show(r))
	}
}

func TestScore(t *testing.T) {
	high, low := doc("a_1", "Nile", "The Nile is long."), doc("a_2", "Amazon", "The Amazon is wide, and 6,400 km long. Francisco de Orellana went down it in 1541.")
	low.Score = 0.2
	nan := low
	nan.ID, nan.Score = "a_3", math.NaN()
	for _, c := range []struct {
		message string
		level   string // level of C8; "" if it finds no problem
	}{
		{"The Nile is long [a_1].", ""},
		{"The Nile is long [a_1]. Sauropods hatched from eggs [a_2].", cite.Warn},
		{"Sauropods hatched from eggs [a_2].", cite.Warn},
		{"Sauropods hatched from eggs [a_3].", cite.Warn},
	} {
		r := audit(c.message, high, low, nan)
		var got string
		for _, p := range r.Problems {
			if p.Check == cite.CheckScore {
				got = p.Level
			}
		}
		if got != c.level || !r.Grounded {
			t.Errorf("%q: level %q, want %q; grounded is %v", c.message, got, c.level, r.Grounded)
		}
	}
}

// TestMinScore checks the least score that a caller sets: what is below it is an error or a warning, and documents
// without a score are named. Of a document that was found twice, the better score counts.
func TestMinScore(t *testing.T) {
	scored := func(id string, score float64) trace.Document {
		d := doc(id, "Nile", "The Nile is long.")
		d.Score = score
		return d
	}
	unscored := scored("files_1", 1)
	unscored.Unscored = true
	for _, c := range []struct {
		name   string
		in     cite.Input
		says   string // of the only problem of C8; "" without one
		level  string
		ground bool
	}{
		{"above", cite.Input{MinScore: 0.3, RejectBelow: true, Documents: []trace.Document{scored("a_1", 0.4)}}, "", "", true},
		{"equal", cite.Input{MinScore: 0.4, RejectBelow: true, Documents: []trace.Document{scored("a_1", 0.4)}}, "", "", true},
		{"below", cite.Input{MinScore: 0.5, RejectBelow: true, Documents: []trace.Document{scored("a_1", 0.4)}}, "relevance below 0.5: [a_1]", cite.Error, false},
		{"below, warned of", cite.Input{MinScore: 0.5, Documents: []trace.Document{scored("a_1", 0.4)}}, "relevance below 0.5: [a_1]", cite.Warn, true},
		{"above the usual limit and below the set one", cite.Input{MinScore: 0.9, RejectBelow: true, Documents: []trace.Document{scored("a_1", 0.8)}}, "below 0.9: [a_1]", cite.Error, false},
		{"twice", cite.Input{MinScore: 0.5, RejectBelow: true, Documents: []trace.Document{scored("a_1", 0.4), scored("a_1", 0.6)}}, "", "", true},
		{"not a number", cite.Input{MinScore: 0.1, RejectBelow: true, Documents: []trace.Document{scored("a_1", math.NaN())}}, "[a_1]", cite.Error, false},
		{"unscored", cite.Input{MinScore: 0.5, RejectBelow: true, Documents: []trace.Document{unscored}}, "no score, so relevance of 0.5 is not checked: [files_1]", cite.Warn, true},
		{"unscored, without a least score", cite.Input{Documents: []trace.Document{unscored}}, "", "", true},
	} {
		c.in.Message = "The Nile is long [" + c.in.Documents[0].ID + "]."
		r := cite.Audit(c.in)
		var got []cite.Problem
		for _, p := range r.Problems {
			if p.Check == cite.CheckScore {
				got = append(got, p)
			}
		}
		if c.says == "" && len(got) > 0 || c.says != "" && (len(got) != 1 || got[0].Level != c.level || !strings.Contains(got[0].Detail, c.says)) {
			t.Errorf("%s: %+v, want %q as %s", c.name, got, c.says, c.level)
		}
		if r.Grounded != c.ground || (r.Complaint() == "") != c.ground {
			t.Errorf("%s: grounded is %v, want %v; the complaint is %q", c.name, r.Grounded, c.ground, r.Complaint())
		}
	}
}

func TestWarnings(t *testing.T) {
	for _, c := range []struct{ name, message, check, says string }{
		{"idle citation", "The lattice tower was designed by Gustave Eiffel [corpus_1][wiki_1].", cite.CheckExcess, "[wiki_1] shares no words"},
		{"many citations", "Paris is large [corpus_1][corpus_2][corpus_3][corpus_4].", cite.CheckExcess, "4 citations"},
		{"one unknown name", "Marie Curie admired the tower [corpus_1].", cite.CheckName, "Marie Curie"},
		{"unknown identifier", "The tower calls `open_gate()` [corpus_1].", cite.CheckName, "open_gate"},
		{"unknown title", "这座塔见于《红楼梦》[wiki_1]。", cite.CheckName, "红楼梦"},
		{"uncited number of another document", "The tower is in Paris [corpus_1]. Lyon has 522,250 residents.", cite.CheckNumber, "522,250"},
		{"uncited year of another document", "The tower is in Paris [corpus_1]. Shanghai opened its port in 1843.", cite.CheckDate, "1843"},
		{"count in the answer", "The tower is in Paris [corpus_1].\nAnswer: 7", cite.CheckNumber, `"7"`},
		{"count in a sentence", "The tower has 7 floors [corpus_1].\nAnswer: 7 floors", cite.CheckNumber, `"7"`},
		{"counting word in the answer", "The tower is in Paris [corpus_1].\nAnswer: seven", cite.CheckNumber, "seven"},
	} {
		r := audit(c.message, library()...)
		found := false
		for _, p := range r.Problems {
			found = found || p.Check == c.check && p.Level == cite.Warn && strings.Contains(p.Detail, c.says)
		}
		if !found || !r.Grounded {
			t.Errorf("%s: no warning %s about %q, or not grounded:\n%s", c.name, c.check, c.says, show(r))
		}
	}
}

func TestOverCited(t *testing.T) {
	r := audit("Paris and Lyon are cities of France with a population and an area [corpus_2][corpus_3][corpus_1][corpus_6].", library()...)
	if r.OverCited != 1 {
		t.Errorf("%d idle citations, want the fourth alone:\n%s", r.OverCited, show(r))
	}
}

func TestComplaintNamesWhatFailed(t *testing.T) {
	r := audit("Lyon had 522,250 residents [corpus_2]. \"We hold these truths to be plain enough\" [corpus_4]. See [corpus_77]. It opened on 1 May 1901 [corpus_1].\nAnswer: 42", library()...)
	text := r.Complaint()
	for _, want := range []string{`"522,250"`, "it stands in [corpus_3]", "We hold these truths", "[corpus_77]", "1 May 1901", `"42"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the complaint does not name %s:\n%s", want, text)
		}
	}
	if strings.Contains(text, string(cite.Warn)) {
		t.Errorf("the complaint speaks of warnings:\n%s", text)
	}
	if r := audit(strings.Repeat("It is 987654 high [corpus_1]. ", 300), library()...); len(r.Problems) != cite.MaxProblems {
		t.Errorf("%d problems are listed, want %d", len(r.Problems), cite.MaxProblems)
	}
	long := audit(strings.Repeat("It is 987654 high [corpus_1]. ", 30), library()...).Complaint()
	if !strings.Contains(long, "and 20 more") {
		t.Errorf("30 errors give:\n%s", long)
	}
}

func TestEventRoundTrip(t *testing.T) {
	r := audit("The tower was finished in 1890 [corpus_1].\nAnswer: 1889", library()...)
	e := trace.Event{ID: trace.ID{Agent: "a", Query: "q", Trace: 1}, Step: 3, Time: time.Unix(0, 0).UTC(), Body: r.Audit}
	line, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var back trace.Event
	if err := json.Unmarshal(line, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(e, back); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, want := range []string{`"event":"audit"`, `"version":"cite/v10"`, `"grounded":false`, `"claims":1`, `"precision":1`, `"check":"C5"`} {
		if !strings.Contains(string(line), want) {
			t.Errorf("%s is not in %s", want, line)
		}
	}
	empty, err := json.Marshal(trace.Event{Body: audit("").Audit})
	if err != nil || !strings.Contains(string(empty), `"precision":null,"recall":null,"coverage":null,"problems":[]`) {
		t.Errorf("%s %v", empty, err)
	}
}
