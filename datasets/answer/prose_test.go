package answer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/trace"
)

// TestTheAnswerIs: a text or name that is announced in prose has the key that it has alone.
func TestTheAnswerIs(t *testing.T) {
	forms := []string{
		"The answer is %.", "It took a while. The answer is: %.", "Therefore, the final answer is **%**.",
		"My answer would be \"%\"!", "So **the answer is %.**", "The correct answer is % [corpus_1].",
		"The answer is %, since nothing else fits.", "The answer is:\n\n%\n", "The answer is % because it fits.",
		"First it seemed that the answer is Oslo. But the answer is %.\n\nReferences:\n[1] The answer is Oslo.",
	}
	first := strings.Fields("Ada Jørn C++ .NET Søren U.S. AT&T 3M Łódź Plan9 Ḥasan São East St. Q 東京 O'Neill #5 Ω-3 Bo")
	last := strings.Fields("Utzon Park II Jr. D.C. River x² Road-House (n) Éire")
	n := 0
	for _, a := range first {
		for _, b := range last {
			for _, form := range forms {
				for _, name := range []string{a + " " + b, b} {
					if strings.HasPrefix(name, "(") || strings.HasSuffix(name, "(n)") {
						continue // an aside is no part of the answer
					}
					for _, typ := range []answer.Type{answer.Text, answer.Entity} {
						n++
						message := strings.ReplaceAll(form, "%", name)
						got := extract(message, "", typ)
						if got.Extract != answer.FromLine || key(got.Short, typ) != key(name, typ) {
							t.Errorf("%s %q: %+v, want %q", typ, message, got, name)
						}
					}
				}
			}
		}
	}
	if n < 4000 {
		t.Errorf("%d messages, want 4,000", n)
	}
}

func TestExtractProse(t *testing.T) {
	nothing := outcome(trace.NoAnswer, answer.FromNowhere)
	abstained := outcome(trace.Abstained, answer.FromFallback)
	for _, c := range []struct {
		typ     answer.Type
		message string
		want    answer.Final
	}{
		{answer.Integer, "The answer is 42 because 6 times 7 is that.", answered("42")},
		{answer.Integer, "The answer is 42!", answered("42")},
		{answer.Integer, "Answer: 42!", answered("42!")},
		{answer.Integer, "The answer is 42. It took 3 steps.", answered("42")},
		{answer.Integer, "The answer is the number of days: 42.", answered("42")},
		{answer.Date, "The answer is 20 July 1969, 8 years after 1961.", answered("20 July 1969")},
		{answer.Boolean, "The answer is no, because it is shorter.", answered("no")},
		{answer.Boolean, "The answer is longer than that.", nothing},
		{answer.Choice, "The correct answer is B) Paris.", answered("B) Paris")},
		{answer.Choice, "The answer is a dog.", nothing},
		{answer.List, "The answer is Paris, Rome and Oslo, which are capitals.", answered("Paris, Rome and Oslo")},
		{answer.Text, "The answer is blue (like the sky).", answered("blue")},
		{answer.Text, "The answer is blue, so that is it.", answered("blue")},
		{answer.Text, "(The answer is blue.)", answered("blue")},
		{answer.Text, "THE ANSWER IS: Blue", answered("Blue")},
		{answer.Text, "**So, the answer is:** blue", answered("blue")},
		{answer.Text, "The **answer is**: *blue*.", answered("blue")},
		{answer.Text, "The answer is\n```\nf(x)\n```\n", answered("f(x)")},
		{answer.Text, "The answer is [ABSTAIN].", outcome(trace.Abstained, answer.FromLine)},

		// An explicit marker comes first, wherever it is.
		{answer.Text, "Answer: red\n\nSo the answer is blue.", answered("red")},

		// Asked, supposed, quoted or listed, it announces nothing.
		{answer.Text, "Is it so that the answer is blue?", nothing},
		{answer.Text, "We stop if the answer is blue.", nothing},
		{answer.Text, `He said: "The answer is blue." That was wrong.`, nothing},
		{answer.Text, "They wrote “well, the answer is blue, I think”. That was wrong.", nothing},
		{answer.Text, "> The answer is blue.\n\nSo they say.", nothing},
		{answer.Text, "It is unclear what fits. One would guess.\n\nSources:\n[1] The answer is blue.", abstained},
		{answer.Text, "If we add both, the answer is blue.", answered("blue")},
		{answer.Integer, "It isn't Tom's fault, the answer is Tom's 42.", answered("42")},
		{answer.Text, "The answer is not blue. It never was.", nothing},
		{answer.Text, "The answer is either red or blue. We saw both.", nothing},
		{answer.Text, "The answer is in the book. We read it.", nothing},
		{answer.Text, "The answer is that it is blue. We read it.", nothing},
		{answer.Integer, "The answer is not 5.", nothing},
		{answer.Integer, "The answer is not 5, it is 6.", guessed("6")},
		{answer.Integer, "The answer is **not** 5 but 6.", guessed("6")},
		{answer.Integer, "There are 4 of them. So the answer can't be 5.", guessed("4")},
		{answer.Integer, "The answer is 4. The answer isn't 5.", answered("4")},
		{answer.Choice, "The correct answer is not option B.", nothing},
		{answer.Text, "The answer is unknown. We read all of it.", abstained},
		{answer.Text, "We read all of it. The answer is not known, alas. It was long.", abstained},
		{answer.Integer, "It is impossible to answer this question. It has 3 parts. They differ.", abstained},
		{answer.Integer, "I'm sorry. I can't help with that. Ask me 3 other things.", outcome(trace.Refused, answer.FromFallback)},
	} {
		if got := extract(c.message, "", c.typ); got != c.want {
			t.Errorf("Extract(%q, %s) = %+v, want %+v", c.message, c.typ, got, c.want)
		}
	}
}

func TestExtractMarks(t *testing.T) {
	for message, want := range map[string]string{
		"<answer>42</answer>":                                      "42",
		"I use <answer> tags. <Answer>\n42\n</Answer> [1]":         "42",
		"<answer>1</answer> no: <solution>42</solution>":           "42",
		"<answer>Answer: 42</answer>":                              "42",
		"<answer></answer>\nAnswer: 42":                            "42",
		`So $x = \boxed{42}$, in 3 steps.`:                         "42",
		`\boxed{1} and then \boxed{42} … 3 steps`:                  "42",
		`\boxed{\frac{3}{4}}`:                                      `\frac{3}{4}`,
		`It is \boxed{\{a, b\}}, by {1}`:                           `\{a, b\}`,
		`Answer: \boxed{42}`:                                       "42",
		`Final Answer: $\boxed{\text{Paris}}$.`:                    "Paris",
		`Answer: $\mathrm{the \textbf{White} Nile}$`:               `the \textbf{White} Nile`,
		`Answer: \text{a} or \text{b}`:                             `\text{a} or \text{b}`,
		`It is **\(\text{Paris}\)** or \boxed{**\textbf{Paris}**}`: "Paris",
		`\boxed{42} and \boxed{`:                                   "42",
		"Reasoning 7.\n#### 42":                                    "42",
		"#### Result\nIt is so.\nAnswer: 42\n#### Notes\nNone":     "42",
		"(Answer: 42)":                                             "42",
		`"Answer: 42"`:                                             "42",
		"Answer:\n-5":                                              "-5",
		"Answer:\n#5":                                              "#5",
		"Answer:\n```python\nf(x)\ny\n```\nIt is so":               "f(x)\ny",
		"Answer: ```\nf(x)\n```":                                   "f(x)",
		"Answer: ) ]":                                              ") ]",
		"Answer: `) ]`":                                            ") ]",
		"Answer: .NET":                                             ".NET",
		"Answer: The White Nile.":                                  "The White Nile.",
		"**Answer: _x_**":                                          "_x_",
	} {
		if got := extract(message, "", answer.Text); got != answered(want) {
			t.Errorf("Extract(%q) = %+v, want %q", message, got, want)
		}
	}
	for _, gold := range []string{"Paris", "the White Nile", "f(x) = 2", "red, green"} {
		for _, form := range []string{`\boxed{%s}`, `\boxed{\text{%s}}`, `So it is $\boxed{%s}$ in 3 steps.`, `\[ \boxed{%s}. \]`} {
			message := fmt.Sprintf(form, gold)
			if ok, reason := answer.Match(answer.Extract(message, "", answer.Text).Short, gold, answer.Text, nil, answer.Tolerance{}, answer.Options{}); !ok {
				t.Errorf("%q: %s", message, reason)
			}
		}
	}
}

// TestExtractWithQuestion: what the question gives is not its answer.
func TestExtractWithQuestion(t *testing.T) {
	const capital, author = "What is the capital of France?", "Who wrote Hamlet?"
	nothing := outcome(trace.NoAnswer, answer.FromNowhere)
	for _, c := range []struct {
		typ               answer.Type
		question, message string
		want              answer.Final
	}{
		{answer.Decimal, "What is 25% of 80?", "0.25 x 80 = 20, which is 25% of 80", guessed("20")},
		{answer.Decimal, "What is 25% of 80?", "It is 20, as 25% of 80", guessed("20")},
		{answer.Decimal, "What is 25% of 80?", "That makes 20. I took a quarter of 80", guessed("20")},
		{answer.Decimal, "What is 25% of 80?", "The answer is 0.25 x 80 = 20.", answered("20")},
		{answer.Quantity, "How many minutes are in 3 hours?", "There are 3 hours in 3 hours. = 180 minutes", guessed("180 minutes")},
		{answer.Quantity, "How many minutes are in 3 hours?", "180 minutes make 3 hours", guessed("180 minutes")},
		{answer.Decimal, "Is 9.9 or 9.11 larger?", "The answer is 9.9 because 9.9 - 9.11 = 0.79.", answered("9.9")},
		{answer.Integer, "How many of 60 are left after 40?", "That is 60 - 40 = 20.\nTotal: 20", guessed("20")},
		{answer.Integer, "How many of 60 are left?", "It took 7 steps.\n60", guessed("60")},

		{answer.Entity, capital, "The capital of France is Paris.", guessed("Paris")},
		{answer.Text, capital, "France is large. The capital of France is **Paris** [corpus_1], which lies on the Seine. I like it.", guessed("Paris")},
		{answer.Entity, capital, "Paris is the capital of France.", guessed("Paris")},
		{answer.Entity, capital, "Answer: The capital of France is Paris.", answered("Paris")},
		{answer.Entity, capital, "The answer is: The capital of France is Paris.", answered("Paris")},
		{answer.Entity, capital, "Lyon was never it, and nothing has changed", nothing},
		{answer.Entity, capital, "The capital of France is unknown.", outcome(trace.Abstained, answer.FromFallback)},
		{answer.Entity, "", "The capital of France is Paris.", nothing},
		{answer.Entity, "Which film won?", "Life Is Beautiful", guessed("Life Is Beautiful")},
		{answer.Entity, "Which song is it?", "Answer: I Won't Back Down", answered("I Won't Back Down")},
		{answer.Text, "Which film won?", "Life Is Beautiful", guessed("Life Is Beautiful")},

		// A sentence is never a name.
		{answer.Entity, author, "A poet of Stratford wrote Hamlet.", nothing},
		{answer.Text, author, "It is he who wrote Hamlet", nothing},
		{answer.Entity, author, "William Shakespeare wrote Hamlet.", guessed("William Shakespeare")},
		{answer.Text, author, "William Shakespeare wrote Hamlet", guessed("William Shakespeare")},
		{answer.Entity, author, "Hamlet was written by William Shakespeare.", guessed("William Shakespeare")},
		{answer.Entity, author, "Hamlet was first written by William Shakespeare in 1600.", guessed("William Shakespeare")},
		{answer.Entity, "Which company made the iPod?", "The iPod was made by the Apple company.", guessed("the Apple company")},
		{answer.Entity, "When was Hamlet written?", "Hamlet was written by William Shakespeare.", nothing},
		{answer.Entity, author, "Hamlet was written in 1600.", nothing},
		{answer.Entity, "What is Hamlet?", "Hamlet is a play by William Shakespeare.", guessed("a play by William Shakespeare")},
		{answer.Entity, author, "Answer: Hamlet was written by William Shakespeare.", answered("William Shakespeare")},
		{answer.Entity, "", "Everybody in the village remembers his brother.", nothing},
		{answer.Entity, "", "Lord Byron directed the play.", nothing},
		{answer.Entity, "", "The President of the United States.", guessed("The President of the United States.")},
		{answer.Entity, "", "a fried egg.", guessed("a fried egg.")},
		{answer.Entity, "", "A wedge of hard cheese.", guessed("A wedge of hard cheese.")},
		{answer.Entity, "", "Martin Luther King and the other people of Boston, Inc.", guessed("Martin Luther King and the other people of Boston, Inc.")},
	} {
		if got := extract(c.message, c.question, c.typ); got != c.want {
			t.Errorf("Extract(%q, %q, %s) = %+v, want %+v", c.message, c.question, c.typ, got, c.want)
		}
	}
}

// TestOverlappingAnnouncements: a phrase for the answer within another one is read once.
func TestOverlappingAnnouncements(t *testing.T) {
	const question = "¿Cuál es la capital de Noruega?"
	for message, want := range map[string]string{
		"La respuesta es The answer is Oslo.":                       "Oslo",
		"La respuesta es the answer is La capital es desconocida.²": "",
	} {
		if got := answer.Extract(message, question, answer.Entity).Short; got != want {
			t.Errorf("%q is read as %q, want %q", message, got, want)
		}
	}
}
