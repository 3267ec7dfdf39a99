package answer_test

import (
	"testing"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/trace"
)

func FuzzNormalize(f *testing.F) {
	for _, seed := range []string{
		"12,193,254,061,881 metres", "1e999999999", "−2½", "10⁵", "5±0.1", "~ 50 %", "1,23", "$1.2M", "July 20, 1969",
		"44 BC", "03/04/2024", "no, it is", "U. S. Grant", "the the", `\boxed{$5$}`, "**a** **b", "((((((", "\xff\xfe",
		"ᄀ.ᅡ", "a....a b", "a. b..c. d", "a\u0345\u0301", "İ", "５％", "l'a b", "2 1/2", "5..7", "<=-.5", "①②", "\u034f\u0301",
		"US$1.2M", "¥ 500", "50 cents", "5 dollars to 7 CAD", "3 km ± 20 m", "6 ft 2 in", "5 kg·m^2·s^-2", "5 mw", "72°F", "8 KiB/s", "7V9", "1 kg m s A K mol cd^2 bit deg rad month",
		"A and C", "(b) x", "- a\n- b|c", "a; b, c and d", "a\\|b", "和和和", "one hundred and five", "three point five", "half a million",
		"```go\nx\n```", "`` a`b ``", "HTTP://a@B.org:80:80//?utm_x&y#z", "http://[::1]:80/",
		"the twenty-first", "two and three quarters", "minus one thousand, two hundred",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, typ := range answer.Types() {
			checkIdempotent(t, raw, typ, answer.Options{})
			checkIdempotent(t, raw, typ, answer.Options{
				BarePercent: true, Currency: "USD", UnitOptional: true, Ordered: true,
			})
		}
		if k, err := answer.Normalize(raw, answer.Text, answer.Options{}); err == nil && !utf8.ValidString(k.Key) {
			t.Errorf("%q gives a key that is not UTF-8", raw)
		}
		answer.ContainsTokens(raw, "4")
		if answer.ContainsTokens("", raw) {
			t.Errorf("%q occurs in nothing", raw)
		}
	})
}

func FuzzExtract(f *testing.F) {
	for _, seed := range []string{
		"Answer: 42", "**Answer:** **42** [corpus_1]", "Answer:\n\n- 42", "Answer: [ABSTAIN]", "答案：\n", "Answer:Answer:",
		"I can't help with that, but", "1. It is 2½ at 10:30.", "[[[[a]", "【1】", "Yes. No.", "\xffAnswer:\u2028x", "(1/2",
		"on the of in", "July 20, 1969, 44 BC", "5 % ~-$.5", ": :", "**", "``", "Answer: **",
		"It is $5 in 2020, or 3.5 in in all", "Answer:\n- a\n- b", "- a\n\n- b\nso", "The answer is (B). Option a", "［１］ １．２",
		"The answer is **.NET**, so", "**The answer is: 5 km.**", "if the answer is 5", "\"The answer is x\"", "<answer>1</answer", `\boxed{\boxed{1}} \boxed{`,
		"#### 1", "Answer: ```go\nx", "The answer is\n```\n", "Paris is the capital of France.", "It is 0.25 x 80 = 20.", "> Answer: [REFUSE]", "(Answer: (x)",
		"Answer: It's 36, not 35, because 6*6 = 36", "{\"answer\": [1, {\"a\": \"}\"}]}", "[ANSWER] x", "## Final answer\n\nx", "An\u200bswer\u200b: 42<|im_end|>",
		"Wait, no, 27.", "die Antwort lautet 12.500, nicht 12,5 €", "故选B。", "35台ではなく36台です。", "4.5/5", "up from 9 % to 12 %", "\u202eالإجابة: ٣٦", "Answer -> - x",
	} {
		f.Add(seed, "What is the capital of France after 3 hours, in 25% of 80?")
	}
	f.Fuzz(func(t *testing.T, message, question string) {
		for _, typ := range answer.Types() {
			got := answer.Extract(message, question, typ)
			if (got.Outcome == trace.Answered) != (got.Short != "") {
				t.Errorf("%q: kind %q with the answer %q", message, got.Outcome, got.Short)
			}
			if !utf8.ValidString(got.Short) {
				t.Errorf("%q: the answer %q is not UTF-8", message, got.Short)
			}
			if (got.Outcome == trace.NoAnswer) != (got.Extract == answer.FromNowhere) {
				t.Errorf("%q: kind %q from %q", message, got.Outcome, got.Extract)
			}
		}
	})
}
