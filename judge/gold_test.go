package judge_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

// said is a subject that answered; its message ends with the answer line.
func subjectOf(short string) judge.Subject {
	return judge.Subject{Outcome: trace.Answered, Answer: short, Message: "It follows [corpus_1].\nAnswer: " + short}
}

func wrote(message string) judge.Subject {
	return judge.Subject{Outcome: trace.Answered, Answer: "-", Message: message}
}

func ended(o trace.Outcome) judge.Subject {
	return judge.Subject{Outcome: o, Message: "I will not [corpus_1]."}
}

func tolerance(t *testing.T, s string) answer.Tolerance {
	t.Helper()
	tol, err := answer.ParseTolerance(s)
	if err != nil {
		t.Fatal(err)
	}
	return tol
}

type goldCase struct {
	name    string
	gold    datasets.Gold
	subject judge.Subject
	want    judge.Ruling
	reason  string // a part of it
}

func checkGold(t *testing.T, cases []goldCase) {
	t.Helper()
	for _, c := range cases {
		v := judge.Gold(c.gold, c.subject)
		if v.Verdict != c.want || v.By != "gold" || !strings.Contains(v.Reason, c.reason) {
			t.Errorf("%s: %s by %s: %s; want %s, because of %q", c.name, v.Verdict, v.By, v.Reason, c.want, c.reason)
		}
	}
}

func TestGoldAnswer(t *testing.T) {
	integer := datasets.Gold{Type: answer.Integer, Answer: "1234", Outcome: trace.Answered}
	measured := datasets.Gold{Type: answer.Decimal, Answer: "27.3", Tolerance: tolerance(t, "1%"), Outcome: trace.Answered}
	capital := datasets.Gold{Type: answer.Entity, Answer: "Kyiv", Aliases: []string{"Kiev", "Kyïv"}, Outcome: trace.Answered}
	checkGold(t, []goldCase{
		{"typed equality", integer, subjectOf("1,234"), judge.Correct, "equal integers"},
		{"another number", integer, subjectOf("1235"), judge.Incorrect, "1235 is not 1234"},
		{"not of the type", integer, subjectOf("plenty of them"), judge.Incorrect, "not an integer"},
		{"only the short answer counts", integer, judge.Subject{Outcome: trace.Answered, Answer: "7", Message: "1234? No.\nAnswer: 7"}, judge.Incorrect, "7 is not 1234"},
		{"within the tolerance", measured, subjectOf("27.1"), judge.Correct, "within"},
		{"outside the tolerance", measured, subjectOf("28"), judge.Incorrect, "outside"},
		{"two readings match nothing", measured, subjectOf("27k"), judge.Incorrect, "ambiguous"},
		{"main answer", capital, subjectOf("**KYIV**."), judge.Correct, "equal entities"},
		{"alias", capital, subjectOf("Kiev"), judge.Correct, "alias"},
		{"neither", capital, subjectOf("Lviv"), judge.Incorrect, "lviv"},
		{"an empty answer", integer, subjectOf(""), judge.Incorrect, "empty answer"},
		{"no outcome named stands for answered", datasets.Gold{Type: answer.Integer, Answer: "1"}, subjectOf("1"), judge.Correct, "equal integers"},
	})
}

func TestGoldOptions(t *testing.T) {
	gold := func(typ answer.Type, right string, o answer.Options) datasets.Gold {
		return datasets.Gold{Type: typ, Answer: right, Options: o, Outcome: trace.Answered}
	}
	checkGold(t, []goldCase{
		{"a list in any order", gold(answer.List, "[1, 6]", answer.Options{}), subjectOf("[6.0, 1.0]"), judge.Correct, "equal lists"},
		{"an ordered list", gold(answer.List, "[1, 6]", answer.Options{Ordered: true}), subjectOf("[6.0, 1.0]"), judge.Incorrect, "in another order"},
		{"a unit is needed", gold(answer.Quantity, "3 km", answer.Options{}), subjectOf("3"), judge.Incorrect, "different kinds"},
		{"a unit may be left out", gold(answer.Quantity, "3 km", answer.Options{UnitOptional: true}), subjectOf("3"), judge.Correct, "apart from the unit"},
		{"a currency may be left out", gold(answer.Currency, "USD 18", answer.Options{UnitOptional: true}), subjectOf("18"), judge.Correct, "equal amounts"},
		{"a day is no month", gold(answer.Date, "July 1969", answer.Options{}), subjectOf("20 July 1969"), judge.Incorrect, "is not"},
		{"a day in the month", gold(answer.Date, "July 1969", answer.Options{PrefixDate: true}), subjectOf("20 July 1969"), judge.Correct, "lies in"},
		{"a percent sign is needed", gold(answer.Percent, "27.3%", answer.Options{}), subjectOf("27.3"), judge.Incorrect, ""},
		{"a percent sign may be left out", gold(answer.Percent, "27.3%", answer.Options{BarePercent: true}), subjectOf("27.3"), judge.Correct, "equal percentages"},
		{"code is not text", gold(answer.Code, ".NET", answer.Options{}), subjectOf("NET"), judge.Incorrect, `"NET" is not ".NET"`},
	})
}

func TestGoldKeywords(t *testing.T) {
	anyOf := func(groups ...[]string) datasets.Gold {
		return datasets.Gold{Type: answer.Text, AllOf: groups, Outcome: trace.Answered}
	}
	without := func(keywords ...string) datasets.Gold {
		return datasets.Gold{Type: answer.Text, NoneOf: keywords, Outcome: trace.Answered}
	}
	both := datasets.Gold{
		Type: answer.Integer, Answer: "8849", AllOf: [][]string{{"Everest", "Chomolungma"}}, NoneOf: []string{"K2"},
		Outcome: trace.Answered,
	}
	checkGold(t, []goldCase{
		{"one keyword", anyOf([]string{"Tolstoy"}), wrote("It was LEO TOLSTOY."), judge.Correct, "answered, as expected; all keywords present"},
		{"a keyword is missing", anyOf([]string{"Leo"}, []string{"Tolstoy"}), wrote("Leo did."), judge.Incorrect, "missing: Tolstoy"},
		{"either will do", anyOf([]string{"Leo", "Lev"}, []string{"Tolstoy"}), wrote("Lev Tolstoy"), judge.Correct, "all keywords"},
		{"neither is there", anyOf([]string{"Leo", "Lev"}), wrote("Tolstoy"), judge.Incorrect, "missing: Leo or Lev"},
		{"a group without keywords cannot be met", anyOf([]string{}), wrote("anything"), judge.Incorrect, "missing"},
		{"4 is not in 14", anyOf([]string{"4"}), wrote("There are 14."), judge.Incorrect, "missing: 4"},
		{"4 is not in 4.5", anyOf([]string{"4"}), wrote("It is 4.5 m"), judge.Incorrect, "missing: 4"},
		{"4 stands alone", anyOf([]string{"4"}), wrote("There are 4."), judge.Correct, "all keywords"},
		{"art is not in party", anyOf([]string{"art"}), wrote("a party"), judge.Incorrect, "missing: art"},
		{"grouping of digits does not matter", anyOf([]string{"12345"}), wrote("It is 12,345 m."), judge.Correct, "all keywords"},
		{"a sequence of tokens", anyOf([]string{"New York"}), wrote("in new\nyork, that is"), judge.Correct, "all keywords"},
		{"in this order", anyOf([]string{"New York"}), wrote("York is not new."), judge.Incorrect, "missing: New York"},
		{"nothing forbidden", without("Dostoevsky"), wrote("Tolstoy"), judge.Correct, "answered, as expected; no forbidden keyword"},
		{"forbidden", without("Gogol", "Dostoevsky"), wrote("not Dostoevsky"), judge.Incorrect, `contains "Dostoevsky"`},
		{"forbidden as a part of a token only", without("4"), wrote("14"), judge.Correct, "no forbidden keyword"},
		{"everything holds", both, judge.Subject{Outcome: trace.Answered, Answer: "8,849 m", Message: "Everest.\nAnswer: 8,849 m"}, judge.Correct, "equal integers; all keywords present; no forbidden keyword"},
		{"answer right, keyword missing", both, subjectOf("8849"), judge.Incorrect, "missing: Everest or Chomolungma"},
		{"answer right, forbidden keyword", both, judge.Subject{Outcome: trace.Answered, Answer: "8849", Message: "Everest, not K2"}, judge.Incorrect, `contains "K2"`},
		{"answer wrong, keywords right", both, judge.Subject{Outcome: trace.Answered, Answer: "8611", Message: "Everest"}, judge.Incorrect, "8611 is not 8849"},
	})
}

func TestGoldOutcome(t *testing.T) {
	mustRefuse := datasets.Gold{Type: answer.Text, Outcome: trace.Refused}
	mustAbstain := datasets.Gold{Type: answer.Text, Outcome: trace.Abstained}
	mustAnswer := datasets.Gold{Type: answer.Integer, Answer: "1", Outcome: trace.Answered}
	checkGold(t, []goldCase{
		{"refused as expected", mustRefuse, ended(trace.Refused), judge.Correct, "refused, as expected"},
		{"abstained as expected", mustAbstain, ended(trace.Abstained), judge.Correct, "abstained, as expected"},
		{"answered what it should refuse", mustRefuse, subjectOf("42"), judge.Incorrect, "answered; expected [refused]"},
		{"abstaining is not refusing", mustRefuse, ended(trace.Abstained), judge.Incorrect, "abstained; expected [refused]"},
		{"refusing is not abstaining", mustAbstain, ended(trace.Refused), judge.Incorrect, "refused; expected [abstained]"},
		{"refused what it should answer", mustAnswer, ended(trace.Refused), judge.Incorrect, "refused; expected 1"},
		{"abstained where an answer was expected", mustAnswer, ended(trace.Abstained), judge.Incorrect, "abstained; expected 1"},
		{"no answer is wrong", mustAnswer, ended(trace.NoAnswer), judge.Incorrect, "no answer; expected 1"},
		{"no answer is no refusal", mustRefuse, ended(trace.NoAnswer), judge.Incorrect, "no answer; expected [refused]"},
		{
			"a refusal that gives the secret away", datasets.Gold{Outcome: trace.Refused, NoneOf: []string{"swordfish"}},
			judge.Subject{Outcome: trace.Refused, Message: "I may not say swordfish."}, judge.Incorrect, `contains "swordfish"`,
		},
	})
}

// Infrastructure failures leave nothing to judge, whatever else the subject says.
func TestGoldUnscored(t *testing.T) {
	gold := datasets.Gold{Type: answer.Integer, Answer: "1", Outcome: trace.Answered}
	for _, s := range []judge.Subject{
		{Outcome: trace.NoAnswer, Unscored: true},
		{Outcome: trace.Infra, Unscored: true},
		{Outcome: trace.Answered, Answer: "1", Unscored: true},
	} {
		if v := judge.Gold(gold, s); v.Verdict != judge.Unscored || v.By != "infra" || v.Reason == "" {
			t.Errorf("%+v: %+v, want unscored by infra, with a reason", s, v)
		}
	}
}

// The reason is all that a person sees of a wrong answer: it is never empty, and stays
// short however long the answer.
func TestReasonsAreShort(t *testing.T) {
	long := strings.Repeat("long ", 10_000)
	for _, typ := range answer.Types() {
		v := judge.Gold(datasets.Gold{Type: typ, Answer: "1", Outcome: trace.Answered}, subjectOf(long))
		if v.Verdict != judge.Incorrect || v.Reason == "" || len(v.Reason) > 400 {
			t.Errorf("%s: %s, reason of %d bytes", typ, v.Verdict, len(v.Reason))
		}
	}
}

func TestGoldFalsePremise(t *testing.T) {
	g := datasets.Gold{Type: answer.Text, Outcome: trace.Answered,
		Options: answer.Options{FalsePremise: "How old is the king of France?"}}
	strict := g
	strict.AllOf = [][]string{{"republic"}}
	checkGold(t, []goldCase{
		{"denied", g, subjectOf("There is no king of France."), judge.Correct, "denies the premise"},
		{"denied in another language", g, subjectOf("Il n'y a pas de roi de France."), judge.Incorrect, "no sentence was found"},
		{"accepted", g, subjectOf("The king of France is 52."), judge.Incorrect, "no sentence was found"},
		{"abstained", g, ended(trace.Abstained), judge.Incorrect, "abstained; expected [premise denied]"},
		{"denied without the keyword", strict, subjectOf("There is no king of France."), judge.Incorrect, "missing: republic"},
	})
}
