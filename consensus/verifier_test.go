package consensus_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model/asking/askingtest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// typed is the ballots of short answers of a type; "-" is a refusal, "" no answer.
func typed(t answer.Type, shorts ...string) []consensus.Ballot {
	out := make([]consensus.Ballot, len(shorts))
	for i, s := range shorts {
		tr := trace.Trace{ID: trace.ID{Trace: i}, Outcome: trace.Answered, Answer: s}
		switch s {
		case "-":
			tr.Outcome, tr.Answer = trace.Refused, ""
		case "":
			tr.Outcome = trace.NoAnswer
		}
		out[i] = consensus.NewBallot(tr, t, answer.Options{})
	}
	return out
}

func decide(t *testing.T, d consensus.Decider, ballots []consensus.Ballot) consensus.Decision {
	t.Helper()
	out, err := d.Decide(t.Context(), question(), ballots)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// classesOf gives the traces of each class.
func classesOf(d consensus.Decision) [][]int {
	var out [][]int
	for _, v := range d.Votes {
		out = append(out, v.Traces)
	}
	return out
}

// related finds equivalent the pairs that are listed, such as "a=b".
func related(pairs ...string) func(a, b string) bool {
	return func(a, b string) bool { return slices.Contains(pairs, a+"="+b) || slices.Contains(pairs, b+"="+a) }
}

func TestVerifierMerges(t *testing.T) {
	for _, c := range []struct {
		name         string
		kind         answer.Type
		shorts       []string
		same         func(a, b string) bool
		method       consensus.Method
		classes      [][]int
		calls        int
		intransitive int
	}{
		{"nothing to ask", answer.Text, []string{"a", "A", "a."}, yes, consensus.Exact, [][]int{{0, 1, 2}}, 0, 0},
		{"all mean the same", answer.Text, []string{"a", "b", "c"}, yes, consensus.Semantic, [][]int{{0, 1, 2}}, 6, 0},
		{"two of three", answer.Text, []string{"c", "a", "b"}, related("a=b"), consensus.Majority, [][]int{{1, 2}, {0}}, 4, 0},
		{"none", answer.Text, []string{"a", "b", "a"}, related(), consensus.Majority, [][]int{{0, 2}, {1}}, 1, 0},
		{"without a vote it is no semantic", answer.Text, []string{"a", "b", ""}, yes, consensus.Majority, [][]int{{0, 1}}, 2, 0},
		{"merged classes are sorted anew", answer.Text, []string{"a", "a", "b", "c", "d"}, related("b=c", "b=d", "c=d"), consensus.Majority, [][]int{{2, 3, 4}, {0, 1}}, 9, 0},
		{"a contradictory triple stays apart", answer.Text, []string{"a", "b", "c"}, related("a=b", "b=c"), consensus.Tie, nil, 5, 1},
		{"what it does not touch is merged", answer.Text, []string{"a", "b", "c", "d", "e"}, related("a=b", "b=c", "d=e"), consensus.Plurality, [][]int{{3, 4}, {0}, {1}, {2}}, 13, 1},
		{"a refusal is never merged, nor asked about", answer.Text, []string{"a", "-", "-"}, yes, consensus.Majority, [][]int{{1, 2}, {0}}, 0, 0},
		{"numbers that differ", answer.Text, []string{"12", "13", "12"}, yes, consensus.Majority, [][]int{{0, 2}, {1}}, 0, 0},
		{"dates that differ", answer.Text, []string{"20 July 1969", "21 July 1969"}, yes, consensus.Tie, nil, 0, 0},
		{"yes and no", answer.Text, []string{"yes", "no"}, yes, consensus.Tie, nil, 0, 0},
		{"other letters of a choice", answer.Choice, []string{"A", "B) Lyon", "(A)"}, yes, consensus.Majority, [][]int{{0, 2}, {1}}, 0, 0},
		{"a letter and its text are for a reader", answer.Choice, []string{"A", "Paris"}, yes, consensus.Semantic, [][]int{{0, 1}}, 2, 0},
		{"a letter that is no choice", answer.Text, []string{"A", "B"}, yes, consensus.Semantic, [][]int{{0, 1}}, 2, 0},
		{"amounts in one currency", answer.Currency, []string{"$5", "USD 6"}, yes, consensus.Tie, nil, 0, 0},
		{"one amount, two signs", answer.Currency, []string{"$5", "USD 5"}, yes, consensus.Semantic, [][]int{{0, 1}}, 2, 0},
		{"amounts in a text", answer.Text, []string{"5 dollars", "$6"}, yes, consensus.Tie, nil, 0, 0},
		{"a date and its year are for a reader", answer.Text, []string{"20 July 1969", "July 1969"}, yes, consensus.Semantic, [][]int{{0, 1}}, 2, 0},
		{"a decimal has no unit", answer.Decimal, []string{"3 km", "3000 m"}, yes, consensus.Tie, nil, 0, 0},
		{"currencies beside integers", answer.Integer, []string{"18 dollars", "20", "$18"}, yes, consensus.Majority, [][]int{{0, 2}, {1}}, 0, 0},
		{"nouns and glosses beside integers", answer.Integer, []string{"42 (forty-two)", "43 [doc_1]", "43 wells"}, yes, consensus.Majority, [][]int{{1, 2}, {0}}, 0, 0},
		{"a unit and none", answer.Integer, []string{"12 km", "12"}, related(), consensus.Exact, [][]int{{0, 1}}, 0, 0},
		{"about one number", answer.Integer, []string{"about 42", "42"}, related(), consensus.Semantic, [][]int{{0, 1}}, 0, 0},
		{"a share has the digits as written", answer.Percent, []string{"0.5", "50.4%"}, yes, consensus.Tie, nil, 0, 0},
		{"what a name adds in brackets", answer.Entity, []string{"Lima (Peru)", "Lima"}, related(), consensus.Semantic, [][]int{{0, 1}}, 0, 0},
		{"lists of numbers", answer.List, []string{"1, 2", "1, 3"}, yes, consensus.Tie, nil, 0, 0},
		{"lists of names are for a reader", answer.List, []string{"Oslo, Rome", "Oslo, Roma"}, yes, consensus.Semantic, [][]int{{0, 1}}, 2, 0},
		{"one unit, two numbers", answer.Decimal, []string{"3 km", "4 km"}, yes, consensus.Tie, nil, 0, 0},
		{"rounded to one number", answer.Decimal, []string{"3.14", "3.1416", "3.142"}, related(), consensus.Semantic, [][]int{{0, 1, 2}}, 0, 0},
		{"a percentage rounded", answer.Percent, []string{"49.9%", "50%"}, related(), consensus.Semantic, [][]int{{0, 1}}, 0, 0},
		{"one digit is no precision", answer.Decimal, []string{"3", "3.14"}, yes, consensus.Tie, nil, 0, 0},
		{"rounding that contradicts itself", answer.Decimal, []string{"1.3", "1.349", "1.35"}, yes, consensus.Tie, nil, 0, 1},
		{"units stop rounding", answer.Quantity, []string{"3.14 m", "3.1 ft"}, related(), consensus.Tie, nil, 0, 0},
		{"two readings may be merged", answer.Decimal, []string{"5k", "5000"}, yes, consensus.Semantic, [][]int{{0, 1}}, 2, 0},
		{"two readings agree on their wording", answer.Decimal, []string{"5k", "5k"}, related(), consensus.Semantic, [][]int{{0, 1}}, 0, 0},
	} {
		m := oracle(c.same)
		d := decide(t, verified(m), typed(c.kind, c.shorts...))
		if d.Method != c.method || d.Effort.Calls != c.calls || d.Intransitive != c.intransitive || len(m.Requests()) != c.calls {
			t.Errorf("%s: %s with %d calls (%d sent), %d intransitive; want %s, %d, %d",
				c.name, d.Method, d.Effort.Calls, len(m.Requests()), d.Intransitive, c.method, c.calls, c.intransitive)
		}
		if c.classes != nil && cmp.Diff(c.classes, classesOf(d)) != "" {
			t.Errorf("%s: classes %v, want %v", c.name, classesOf(d), c.classes)
		}
		if !d.KCurve || d.Effort.Errors != 0 || d.Usage.InputTokens != 10*c.calls {
			t.Errorf("%s: k_curve %v, %d errors, effort %+v", c.name, d.KCurve, d.Effort.Errors, d.Effort)
		}
	}
}

// A merged class shows all its keys; its representative can be read in one way.
func TestMergedClass(t *testing.T) {
	d := decide(t, verified(oracle(yes)), typed(answer.Decimal, "5k", "5000", ""))
	want := []consensus.Class{{Key: "int:5000", Keys: []string{"ambiguous:5k", "int:5000"}, Traces: []int{0, 1}}}
	if diff := cmp.Diff(want, d.Votes); diff != "" {
		t.Errorf("votes (-want +got):\n%s", diff)
	}
	if *d.Representative != 1 || *d.Answer != "5000" || *d.Key != "int:5000" || *d.Agreement != 2.0/3 {
		t.Errorf("decided %s by trace %d, agreement %v", *d.Answer, *d.Representative, *d.Agreement)
	}
}

// The most frequent answer of a class represents it, not the first.
func TestMergedClassIsRepresentedByItsCommonestAnswer(t *testing.T) {
	for _, c := range []struct {
		kind   answer.Type
		shorts []string
		want   string
		trace  int
	}{
		{answer.Text, []string{"He was the 28th US president, Woodrow Wilson", "Woodrow Wilson", "woodrow wilson"}, "Woodrow Wilson", 1},
		{answer.Text, []string{"Wilson", "Woodrow Wilson"}, "Wilson", 0},
		{answer.Text, []string{"W. Wilson", "Wilson", "Woodrow Wilson", "Wilson", "Woodrow Wilson"}, "Wilson", 1},
		{answer.Decimal, []string{"5k", "5k", "5000"}, "5000", 2},
	} {
		d := decide(t, verified(oracle(yes)), typed(c.kind, c.shorts...))
		if d.Method != consensus.Semantic || *d.Answer != c.want || *d.Representative != c.trace || d.Votes[0].Key != *d.Key {
			t.Errorf("%q: %s, %q by trace %d, want %q by %d", c.shorts, d.Method, *d.Answer, *d.Representative, c.want, c.trace)
		}
	}
}

func TestBothOrdersMustAgree(t *testing.T) {
	m := oracle(func(a, b string) bool { return a < b })
	if d := decide(t, verified(m), typed(answer.Text, "b", "a")); d.Method != consensus.Tie || d.Effort.Calls != 2 {
		t.Errorf("a verifier that likes one order: %s after %d calls, want a tie after 2", d.Method, d.Effort.Calls)
	}
	first := askingtest.Blocks(m.Requests()[0])
	if first["answer A"] != "a" || first["answer B"] != "b" {
		t.Errorf("the first order is %v, want that of the keys", first)
	}
}

func TestRepliesOfTheVerifier(t *testing.T) {
	good, no := verdict(true), verdict(false)
	for _, c := range []struct {
		name        string
		replies     []string
		equivalent  bool
		errors      int
		unparseable int
	}{
		{"yes twice", []string{good, good}, true, 0, 0},
		{"no settles it", []string{no}, false, 0, 0},
		{"then no", []string{good, no}, false, 0, 0},
		{"white space around it", []string{"\n " + good + "\n", good}, true, 0, 0},
		{"prose, then good", []string{"They are the same.", good, good}, true, 0, 0},
		{"prose twice", []string{"They are the same.", "Really!"}, false, 0, 1},
		{"prose twice in the second order", []string{good, "yes", "yes"}, false, 0, 1},
		{"nothing", []string{"", ""}, false, 0, 1},
		{"a code fence", []string{"```json\n" + good + "\n```", good}, true, 0, 0},
		{"prose before a code fence", []string{"Here:\n```json\n" + good + "\n```", good}, true, 0, 0},
		{"prose behind it", []string{good + " Sure.", good + " Really."}, true, 0, 0},
		{"prose around it", []string{"It says " + good + " but no.", "It says " + good + " but no."}, false, 0, 1},
		{"a difference that is no text", []string{`{"equivalent":true,"difference":["year"]}`, no}, false, 0, 0},
		{"a quoted verdict, then its own", []string{good + no, no}, false, 0, 0},
		{"one field twice", []string{`{"equivalent":false,"equivalent":true,"difference":""}`, no}, false, 0, 0},
		{"a field too many", []string{`{"equivalent":true,"difference":"","score":5}`, no}, false, 0, 0},
		{"no other field, which a yes does not need", []string{`{"equivalent":true}`, `{"equivalent":true,"difference":null}`}, true, 0, 0},
		{"a no without its difference", []string{`{"equivalent":false}`}, false, 0, 0},
		{"a field too few", []string{`{"difference":""}`, no}, false, 0, 0},
		{"yes, and no difference in words", []string{`{"equivalent":true,"difference":"None."}`, `{"equivalent":true,"difference":"**No Difference**"}`}, true, 0, 0},
		{"in other words", []string{`{"equivalent":true,"difference":"N/A"}`, `{"equivalent":true,"difference":"- "}`}, true, 0, 0},
		{"yes, yet with a difference", []string{`{"equivalent":true,"difference":"another city"}`, `{"equivalent":true,"difference":"not the same"}`}, false, 0, 1},
		{"yes with a difference, then without", []string{`{"equivalent":true,"difference":"another spelling"}`, good, good}, true, 0, 0},
		{"a difference that is no text", []string{`{"equivalent":true,"difference":false}`, no}, false, 0, 0},
		{"another case", []string{`{"Equivalent":true,"difference":""}`, no}, false, 0, 0},
		{"null", []string{`{"equivalent":null,"difference":""}`, no}, false, 0, 0},
		{"a text for a boolean", []string{`{"equivalent":"true","difference":""}`, no}, false, 0, 0},
		{"an array", []string{`[` + good + `]`, no}, false, 0, 0},
		{"cut short", []string{good[:20], no}, false, 0, 0},
		{"the model fails", []string{"!"}, false, 1, 0},
		{"it fails in the second order", []string{good, "!"}, false, 1, 0},
		{"it fails on the second attempt", []string{"prose", "!"}, false, 1, 0},
	} {
		m := askingtest.Script(c.replies...)
		v := &consensus.Verifier{Model: m}
		o, err := v.Equivalent(t.Context(), question(), "a", "b")
		if err != nil {
			t.Fatal(err)
		}
		if o.Equivalent != c.equivalent || o.Effort.Errors != c.errors || o.Effort.Unparseable != c.unparseable || o.Effort.Calls != len(c.replies) {
			t.Errorf("%s: %+v, want equivalent %v, %d errors, %d unparseable, %d calls", c.name, o, c.equivalent, c.errors, c.unparseable, len(c.replies))
		}
		seeds := map[model.Identity]bool{}
		for _, r := range m.Requests() {
			if r.Identity.Purpose != model.Verifier || r.Schema.Name != "concur_equivalence_v1" || r.Temperature != 0 || seeds[r.Identity] {
				t.Errorf("%s: request %+v", c.name, r.Identity)
			}
			seeds[r.Identity] = true
		}
	}
}

// A model that fails never makes a decision of another kind than one without it.
func TestModelErrorsDecideNothing(t *testing.T) {
	m := &askingtest.Fake{Answer: func(context.Context, model.Request) (string, error) { return "", errors.New("down") }}
	d := decide(t, verified(m), typed(answer.Text, "a", "b", "a", "c"))
	if d.Method != consensus.Plurality || *d.Key != "text:a" || d.Effort.Errors != 3 || d.Effort.Calls != 3 {
		t.Errorf("%s for %s, %d errors of %d calls", d.Method, *d.Key, d.Effort.Errors, d.Effort.Calls)
	}
}

func TestCancelledLeavesUndecided(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := &askingtest.Fake{Answer: func(ctx context.Context, _ model.Request) (string, error) {
		cancel()
		return "", ctx.Err()
	}}
	if d, err := verified(m).Decide(ctx, question(), typed(answer.Text, "a", "b")); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "q1") {
		t.Errorf("%+v, error %v", d, err)
	}
}

func TestByRule(t *testing.T) {
	v := &consensus.Verifier{Model: askingtest.Script()}
	for _, c := range []struct {
		a, b       string
		equivalent bool
	}{{"Oslo", "oslo.", true}, {"12", "13", false}, {"yes", "no", false}} {
		if o, err := v.Equivalent(t.Context(), question(), c.a, c.b); err != nil || o.Equivalent != c.equivalent || o.Effort.Calls != 0 {
			t.Errorf("%s and %s: %+v, %v", c.a, c.b, o, err)
		}
	}
}

// Whatever the verifier says, it says it of every pair within a merged class, and the
// order of the ballots does not matter.
func TestMergingIsCompleteLink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shorts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}), 2, 8).Draw(t, "answers")
		pairs := rapid.SliceOf(rapid.SampledFrom([]string{
			"a=b", "a=c", "a=d", "b=c", "b=d", "c=d", "a=e", "b=e", "c=e", "d=e", "a=f", "e=f",
		})).Draw(t, "equivalent")
		same := related(pairs...)
		in := typed(answer.Text, shorts...)
		d, err := verified(oracle(same)).Decide(t.Context(), question(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range d.Votes {
			for i, x := range v.Keys {
				for _, y := range v.Keys[i+1:] {
					if !same(strings.TrimPrefix(x, "text:"), strings.TrimPrefix(y, "text:")) {
						t.Fatalf("%s and %s merged by %v", x, y, pairs)
					}
				}
			}
		}
		again, err := verified(oracle(same)).Decide(t.Context(), question(), shuffled(t, in))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d, again); diff != "" {
			t.Fatalf("another order (-want +got):\n%s", diff)
		}
	})
}

// Two capitals stay two, whatever placeholder a model writes beside its yes.
func TestParrotMergesNothing(t *testing.T) {
	parrot := `{"equivalent": true, "difference": "what sets them apart, in at most 12 words, or an empty text"}`
	m := &askingtest.Fake{Answer: func(context.Context, model.Request) (string, error) { return parrot, nil }}
	d := decide(t, verified(m), typed(answer.Text, "Canberra", "Sydney", "Canberra"))
	if d.Method != consensus.Majority || len(d.Votes) != 2 || d.Effort.Unparseable != 1 || d.Effort.Unread != 2 || d.Effort.UnreadTokens != 22 {
		t.Errorf("%s of %d classes, %d unreadable: %+v", d.Method, len(d.Votes), d.Effort.Unparseable, d)
	}
}
