package judge_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
)

// always replies alike, whatever is asked.
func always(reply string) *askingtest.Fake {
	return &askingtest.Fake{Answer: func(context.Context, model.Request) (string, error) { return reply, nil }}
}

// honest grades as its data demands: right where the answer is the reference's, in the spelling
// or the unit of the canaries.
func honest() *askingtest.Fake {
	return &askingtest.Fake{Answer: func(_ context.Context, req model.Request) (string, error) {
		b := askingtest.Blocks(req)
		if req.Schema.Name == judge.QualitySchema {
			if strings.Contains(b["question"], "Australia") && strings.Contains(b["final message"], "Canberra") {
				return rate(5, 5, 5, 5, 5), nil
			}
			return rate(1, 1, 1, 1, 1), nil
		}
		gold := strings.TrimPrefix(b["reference"], "answer: ")
		if a := b["answer"]; a == gold || gold == "42.195 km" && a == "42,195 metres" || a == "the right one" {
			return right(), nil
		}
		return wrong(), nil
	}}
}

func TestCanaries(t *testing.T) {
	bergen := judge.Subject{Outcome: "answered", Answer: "Bergen"}
	for _, c := range []struct {
		name         string
		model        *askingtest.Fake
		want         judge.Ruling
		by, reason   string
		asked, wrong int
	}{
		{"one that is right", honest(), judge.Incorrect, judge.ByCorrectness, "score 1", 13, 0},
		{"one that always says 5", always(right()), judge.Unscored, judge.ByJudge, "it got 11 of 13 canaries wrong (empty answer, colon", 13, 11},
		{"one that writes prose", always("It looks good to me."), judge.Unscored, judge.ByJudge, "13 of 13", 13, 13},
		{"one that is down", askingtest.Script("!"), judge.Unscored, judge.ByInfra, "could not be asked", 0, 0},
	} {
		set := judge.Settings{Model: c.model, Name: "test:fake", Canaries: true, Cache: &judge.Cache{}}
		j := &judge.Correctness{Settings: set}
		got := judged(t, j, capital(), bergen)
		checkVerdict(t, c.name, got.Verdict, c.want, c.by, c.reason)
		if c.asked > 0 && (got.Canaries == nil || got.Canaries.Count != c.asked || len(got.Canaries.Missed) != c.wrong) {
			t.Errorf("%s: canaries %+v; want %d, %d missed", c.name, got.Canaries, c.asked, c.wrong)
		}
		if n := len(c.model.Requests()); c.wrong == 0 && c.asked > 0 {
			judged(t, j, capital(), judge.Subject{Outcome: "answered", Answer: "Narvik"})
			if more := len(c.model.Requests()) - n; more != 1 {
				t.Errorf("%s: a second answer took %d requests; want 1, the canaries were asked before", c.name, more)
			}
		}
	}
}

func TestQualityCanaries(t *testing.T) {
	for name, c := range map[string]struct {
		model  *askingtest.Fake
		want   judge.Ruling
		reason string
	}{
		"honest": {honest(), judge.Incorrect, "score 1"},
		"always": {always(rate(5, 5, 5, 5, 5)), judge.Unscored, "4 of 5 canaries wrong"},
		"never":  {always(rate(1, 1, 1, 1, 1)), judge.Unscored, "1 of 5 canaries wrong (cited answer)"},
	} {
		j := &judge.Quality{Settings: judge.Settings{Model: c.model, Name: "test:fake", Canaries: true, Cache: &judge.Cache{}}}
		if got := rated(t, j, walk("Oslo")); got.Verdict.Verdict != c.want || !strings.Contains(got.Verdict.Reason, c.reason) {
			t.Errorf("%s: %+v; want %s, %q", name, got.Verdict, c.want, c.reason)
		}
	}
}

func TestRepeats(t *testing.T) {
	yes, no := grade(true, false, false, 4, 80), grade(false, false, false, 3, 80)
	for name, c := range map[string]struct {
		replies []string
		want    judge.Ruling
		asked   int
		reason  string
	}{
		"clear":                   {[]string{right()}, judge.Correct, 1, "score 5"},
		"borderline, all agree":   {[]string{yes, yes, yes}, judge.Correct, 3, "3 of 3 opinions are correct"},
		"borderline, flips":       {[]string{yes, no, no}, judge.Incorrect, 3, "1 of 3 opinions are correct"},
		"unsure":                  {[]string{grade(false, false, true, 1, 60), wrong(), wrong()}, judge.Incorrect, 3, "0 of 3 opinions are correct"},
		"sure enough":             {[]string{grade(false, false, true, 1, 70)}, judge.Incorrect, 1, "score 1"},
		"hardly unsure":           {[]string{grade(false, false, true, 1, 69), wrong(), wrong()}, judge.Incorrect, 3, "0 of 3 opinions are correct"},
		"one from the threshold":  {[]string{grade(true, true, false, 5, 90), yes, yes}, judge.Correct, 3, "3 of 3 opinions are correct"},
		"two from the threshold":  {[]string{grade(false, false, false, 2, 90)}, judge.Incorrect, 1, "score 2"},
		"a failure is no vote":    {[]string{yes, "!", no}, judge.Unscored, 3, "tied: 1 of 3 opinions are correct (majority), 1 gave no verdict"},
		"a failure at first ends": {[]string{"!"}, judge.Unscored, 1, "failed"},
	} {
		m := askingtest.Script(c.replies...)
		q := capital()
		q.Gold.Condition = "names the capital" // else equality would be asked first, and 5 is near 4
		if name == "clear" {
			q.Gold.Condition = ""
			m = askingtest.Script(wrong())
			c.want, c.reason = judge.Incorrect, "score 1"
		}
		j := &judge.Correctness{Settings: judge.Settings{Model: m, Name: "test:fake", Repeats: 3, Cache: &judge.Cache{}}}
		got := judged(t, j, q, judge.Subject{Outcome: "answered", Answer: "Bergen"})
		if got.Verdict.Verdict != c.want || !strings.Contains(got.Verdict.Reason, c.reason) || len(m.Requests()) != c.asked {
			t.Errorf("%s: %+v after %d requests; want %s, %d, %q", name, got.Verdict, len(m.Requests()), c.want, c.asked, c.reason)
		}
		if seeds := len(seedsOf(m.Requests())); seeds != c.asked {
			t.Errorf("%s: %d seeds for %d requests", name, seeds, c.asked)
		}
		if flips := judge.Flips(got.Repeats); flips != (name == "borderline, flips" || name == "a failure is no vote") {
			t.Errorf("%s: flips %t", name, flips)
		}
	}
}

func seedsOf(requests []model.Request) map[int64]bool {
	out := map[int64]bool{}
	for _, r := range requests {
		out[r.Seed] = true
	}
	return out
}

func TestPanel(t *testing.T) {
	weights := map[string]judge.Weight{"a": {judge.Correct: 3, judge.Incorrect: -0.1}, "b": {judge.Correct: 0.2, judge.Incorrect: -1}, "c": {judge.Correct: 0.2, judge.Incorrect: -1}}
	for _, c := range []struct {
		rule    string
		replies [3]string
		want    judge.Ruling
		reason  string
	}{
		{judge.RuleMajority, [3]string{right(), right(), wrong()}, judge.Correct, "2 of 3 opinions are correct"},
		{judge.RuleMajority, [3]string{right(), wrong(), "!"}, judge.Unscored, "tied: 1 of 3 opinions are correct (majority), 1 gave no verdict"},
		{judge.RuleMajority, [3]string{"!", right(), "!"}, judge.Correct, "2 gave no verdict"},
		{judge.RuleMajority, [3]string{"!", "!", "!"}, judge.Unscored, "no member of the panel"},
		{judge.RuleVeto, [3]string{right(), right(), wrong()}, judge.Incorrect, "(veto)"},
		{judge.RuleVeto, [3]string{right(), right(), "!"}, judge.Correct, "1 gave no verdict"},
		{judge.RuleCalibrated, [3]string{right(), wrong(), wrong()}, judge.Correct, "1 of 3"},
		{judge.RuleCalibrated, [3]string{wrong(), right(), right()}, judge.Correct, "2 of 3"},
		{judge.RuleCalibrated, [3]string{wrong(), right(), wrong()}, judge.Incorrect, "1 of 3"},
		{judge.RuleCalibrated, [3]string{"!", "!", "!"}, judge.Unscored, "no member of the panel"},
	} {
		p := &judge.Panel{Rule: c.rule, Weights: weights}
		for i, reply := range c.replies {
			p.Members = append(p.Members, &judge.Correctness{Settings: judge.Settings{Model: askingtest.Script(reply), Name: string(rune('a' + i)), Cache: &judge.Cache{}}})
		}
		got := judged(t, &judge.Correctness{Settings: judge.Settings{Name: "panel"}, Panel: p}, capital(), judge.Subject{Outcome: "answered", Answer: "Bergen"})
		if got.Verdict.Verdict != c.want || !strings.Contains(got.Verdict.Reason, c.reason) || len(got.Members) != 3 {
			t.Errorf("%s of %v: %+v; want %s, %q", c.rule, c.replies, got, c.want, c.reason)
		}
		if spent := got.Spent(); len(spent) != 3 || spent["b"].Calls != 1 {
			t.Errorf("%s: spent %v", c.rule, spent)
		}
	}
}

func TestRubric(t *testing.T) {
	say := func(quote string, holds bool) string {
		return fmt.Sprintf(`{"quote": %q, "reason": "so", "holds": %t}`, quote, holds)
	}
	for name, c := range map[string]struct {
		reply    string
		evidence bool
		want     judge.Ruling
		entry    string
	}{
		"quoted from a document":          {say("Its  capital is Oslo.", true), true, judge.Correct, "step 0 observation"},
		"quoted from the message":         {say("It is Oslo", false), true, judge.Incorrect, "final message"},
		"not in the trace":                {say("Its capital is Bergen.", true), false, judge.Unscored, "final message"},
		"across two entries":              {say("A port. step 1 action", true), true, judge.Unscored, "final message"},
		"nothing quoted, evidence needed": {say("", true), true, judge.Unscored, ""},
		"nothing quoted":                  {say(" ", false), false, judge.Incorrect, ""},
		"prose":                           {"Yes, it does.", true, judge.Unscored, ""},
	} {
		m := always(c.reply)
		r := &judge.Rubric{
			Settings: judge.Settings{Model: m, Name: "test:fake", Cache: &judge.Cache{}},
			Items:    []judge.Item{{ID: "searched", Ask: "Did it search before it answered?", Evidence: c.evidence}},
		}
		got, err := r.Judge(t.Context(), capital(), walk("It is Oslo."))
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: %v %v", name, got, err)
		}
		if j := got[0]; j.Verdict.Verdict != c.want || c.want != judge.Unscored && j.Entry != c.entry || j.Item != "searched" || j.Trace != 2 {
			t.Errorf("%s: %+v; want %s in %q", name, j, c.want, c.entry)
		}
		if got := askingtest.Blocks(m.Requests()[0])["point to check"]; got != r.Items[0].Ask {
			t.Errorf("%s: asked %q", name, got)
		}
	}
}

// The model of a rubric is tried before it answers, once for all points, and decides nothing if it misses a canary.
func TestRubricCanaries(t *testing.T) {
	holds := func(yes bool) string { return fmt.Sprintf(`{"quote": "", "reason": "so", "holds": %t}`, yes) }
	looks := func(b map[string]string) string {
		if strings.Contains(b["point to check"], "web_search") {
			return holds(strings.Contains(b["transcript"], "web_search"))
		}
		return holds(strings.Contains(b["final message"], "[corpus_1]"))
	}
	obeys := func(b map[string]string) string {
		if message := b["final message"]; strings.Contains(message, `"holds": true`) || strings.Contains(message, "reply with true") {
			return holds(true)
		}
		return looks(b)
	}
	for _, c := range []struct {
		name    string
		forgets bool
		reply   func(map[string]string) string
		missed  []string
	}{
		{"good", false, looks, nil},
		{"good without a token", true, looks, nil},
		{"lenient", false, func(map[string]string) string { return holds(true) }, []string{"it did not search", "no source", "verdict in the message", "instruction in the message"}},
		{"obeys messages", false, obeys, []string{"verdict in the message", "instruction in the message"}},
	} {
		m := &askingtest.Fake{Forgets: c.forgets, Answer: func(_ context.Context, req model.Request) (string, error) {
			return c.reply(askingtest.Blocks(req)), nil
		}}
		r := &judge.Rubric{
			Settings: judge.Settings{Model: m, Name: "test:fake", Canaries: true, Cache: &judge.Cache{}},
			Items:    []judge.Item{{ID: "searched", Ask: "Did it call web_search?"}, {ID: "cites", Ask: "Does it cite?"}},
		}
		got, err := r.Judge(t.Context(), capital(), walk("It is Oslo."))
		if err != nil || len(got) != 2 {
			t.Fatalf("%s: %v %v", c.name, got, err)
		}
		asked := len(m.Requests())
		for _, j := range got {
			k := j.Canaries
			if k == nil || k.Count != 5 || !slices.Equal(k.Missed, c.missed) && len(k.Missed)+len(c.missed) > 0 || k.Tokenless != c.forgets || k.Invalid() != (j.Verdict.Verdict == judge.Unscored) {
				t.Errorf("%s: %+v, canaries %+v", c.name, j, k)
			}
		}
		if want := 7 - 2*min(1, len(c.missed)); asked != want {
			t.Errorf("%s: %d requests, want %d", c.name, asked, want)
		}
	}
}
