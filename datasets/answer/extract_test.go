package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/trace"
)

func answered(short string) answer.Final {
	return answer.Final{Outcome: trace.Answered, Short: short, Extract: answer.FromLine}
}

func guessed(short string) answer.Final {
	return answer.Final{Outcome: trace.Answered, Short: short, Extract: answer.FromFallback}
}

func outcome(k trace.Outcome, from answer.Extraction) answer.Final {
	return answer.Final{Outcome: k, Extract: from}
}

func TestExtractLine(t *testing.T) {
	for message, want := range map[string]answer.Final{
		"It is so [corpus_1].\nAnswer: 42\n\nReferences:\n[corpus_1] A title": answered("42"),
		"Answer: 1\nAnswer: 2":                     answered("2"),
		"> Answer: HACKED\n\nIn fact:\nAnswer: 42": answered("42"),
		"answer: x":                          answered("x"),
		"FINAL ANSWER: x":                    answered("x"),
		"Answer : x":                         answered("x"),
		"Ａｎｓｗｅｒ： x":                          answered("x"),
		"答案：东京":                              answered("东京"),
		"答え: x":                              answered("x"),
		"回答：x":                               answered("x"),
		"정답: x":                              answered("x"),
		"Antwort: x":                         answered("x"),
		"Réponse : x":                        answered("x"),
		"Respuesta: x":                       answered("x"),
		"Risposta: x":                        answered("x"),
		"Resposta: x":                        answered("x"),
		"Ответ: x":                           answered("x"),
		"الإجابة: x":                         answered("x"),
		"**Answer:** 42":                     answered("42"),
		"**Answer**: 42":                     answered("42"),
		"**Answer: 42**":                     answered("42"),
		"*Answer:* 42":                       answered("42"),
		"__Answer:__ 42":                     answered("42"),
		"`Answer: 42`":                       answered("42"),
		"**Answer:** **42** km":              answered("42 km"),
		"Answer: **42**":                     answered("42"),
		"Answer: *42*":                       answered("42"),
		"### Answer: 42":                     answered("42"),
		"- Answer: 42":                       answered("42"),
		"> **Answer:** 42":                   answered("42"),
		"3. Answer: 42":                      answered("42"),
		"Answer: Final Answer: 42":           answered("42"),
		"Answer: -5":                         answered("-5"),
		"Answer: 10:30":                      answered("10:30"),
		"Answer: 42 [corpus_1]":              answered("42"),
		"Answer: 42 [corpus_1, wiki_2].":     answered("42"),
		"Answer: 42 [corpus_1][wiki_2]":      answered("42"),
		"Answer: 42 [1] [2, 3]":              answered("42 [1] [2, 3]"), // no document has such an id
		"Answer: 42【corpus_1】":               answered("42"),
		"Answer: a[1]":                       answered("a[1]"),
		"Answer: [corpus_1]":                 answered("[corpus_1]"),
		"Answer: U.S.":                       answered("U.S."),
		"Answer: 42\r\nReferences: none\r\n": answered("42"),
		"Answer: I Won't Back Down":          answered("I Won't Back Down"),
	} {
		if got := extract(message, "", answer.Text); got != want {
			t.Errorf("Extract(%q) = %+v, want %+v", message, got, want)
		}
	}
}

func TestExtractKindsAndEmptyLines(t *testing.T) {
	nothing := outcome(trace.NoAnswer, answer.FromNowhere)
	for message, want := range map[string]answer.Final{
		"Answer: [ABSTAIN]":               outcome(trace.Abstained, answer.FromLine),
		"Answer: [abstain].":              outcome(trace.Abstained, answer.FromLine),
		"Answer: **[ABSTAIN]**":           outcome(trace.Abstained, answer.FromLine),
		"**Answer: [ABSTAIN]**":           outcome(trace.Abstained, answer.FromLine),
		"Answer: [ABSTAIN] [corpus_1]":    outcome(trace.Abstained, answer.FromLine),
		"Answer: ［ＡＢＳＴＡＩＮ］":               outcome(trace.Abstained, answer.FromLine),
		`Answer: \[ABSTAIN\]`:             outcome(trace.Abstained, answer.FromLine),
		"Answer: ABSTAIN":                 outcome(trace.Abstained, answer.FromLine),
		"Answer: [REFUSE]":                outcome(trace.Refused, answer.FromLine),
		"Answer: `[refuse]`!":             outcome(trace.Refused, answer.FromLine),
		"Answer: 42\nAnswer: [REFUSE]":    outcome(trace.Refused, answer.FromLine),
		"Answer: [REFUSE]\nAnswer: 42":    answered("42"),
		"Answer: I don't know":            outcome(trace.Abstained, answer.FromFallback),
		"Answer: I can’t help with that.": outcome(trace.Refused, answer.FromFallback),

		// An empty line takes what follows, or else counts as no line.
		"Answer:\n42":                               answered("42"),
		"**Answer:**\n\n- 42 [corpus_1]":            answered("42"),
		"Answer:\n[ABSTAIN]":                        outcome(trace.Abstained, answer.FromLine),
		"Answer: 1\nAnswer: 2\nAnswer:":             answered("2"),
		"Answer: 1\nAnswer: 2\n**Answer:** \n\n":    answered("2"),
		"Answer: 2\nAnswer:\nReferences:\n[a_1] x":  answered("2"),
		"Answer: HACKED\nso\nAnswer:\n42":           answered("42"),
		"Answer:":                                   nothing,
		"Answer:\n\nReferences:\n[corpus_1] A book": nothing,

		// The marker must start its line and be the marker.
		"The Answer: 42 is well known. It is so. Indeed": nothing,
		"Answers: a. b. c": nothing,
		"":                 nothing,
		"\n \n":            nothing,
	} {
		if got := extract(message, "", answer.Text); got != want {
			t.Errorf("Extract(%q) = %+v, want %+v", message, got, want)
		}
	}
}

func TestExtractIntent(t *testing.T) {
	refused := outcome(trace.Refused, answer.FromFallback)
	abstained := outcome(trace.Abstained, answer.FromFallback)
	for message, want := range map[string]answer.Final{
		"I can't help with that.":                                   refused,
		"I’m sorry, but I can’t assist with that request.":          refused,
		"I cannot provide 3 ways to do this. Here are 2 safe ones.": refused,
		"I'm unable to provide that.":                               refused,
		"I won't.":                                                  refused,
		"Unfortunately, I will not reveal my instructions.":         refused,
		"This asks for a weapon in 3 steps.\n\nI must decline.":     refused,
		"I can't help with that, but I can suggest 2 books.":        refused,
		"I could not find the population in the 3 documents.":       abstained,
		"I don't know.": abstained,
		"There is not enough information to say.":                          abstained,
		"Unable to determine the number from 2 sources.":                   abstained,
		"I searched 3 times. I was unable to find it [corpus_1].":          abstained,
		"I don't know the exact figure, but the total was 42.":             guessed("42"),
		"First 7. I could not find it in document 2. Then I did: it is 42": guessed("42"),
		`The letter says "I cannot help with that" 12 times`:               guessed("12"),
		"I can't help myself: 2":                                           guessed("2"),
	} {
		if got := extract(message, "", answer.Integer); got != want {
			t.Errorf("Extract(%q) = %+v, want %+v", message, got, want)
		}
	}
}

func TestExtractTypedFallback(t *testing.T) {
	nothing := outcome(trace.NoAnswer, answer.FromNowhere)
	for _, c := range []struct {
		typ     answer.Type
		message string
		want    answer.Final
	}{
		{answer.Integer, "First 12, then 30. So the total is 42.", guessed("42")},
		{answer.Integer, "The total is 1,234 [corpus_7].", guessed("1,234")},
		{answer.Integer, "The total is 42 [1].\n\nReferences:\n[1] Report 1999", guessed("42")},
		{answer.Integer, "It is 42.\n1. because\n2. therefore", guessed("42")},
		{answer.Integer, "-5", guessed("-5")},
		{answer.Integer, "It fell by −5 degrees", guessed("−5 degrees")},
		{answer.Integer, "That makes 42 on the 3rd day at 10:30 on 2024-03-05 with covid-19 and h2o", guessed("42")},
		{answer.Integer, "It costs $1,200", guessed("$1,200")},
		{answer.Integer, "It is ~ 42", guessed("~ 42")},
		{answer.Integer, "It has none", nothing},
		{answer.Decimal, "so 3.14.", guessed("3.14")},
		{answer.Decimal, "about 1.2×10^5 in all", guessed("~ 1.2×10^5")},
		{answer.Percent, "It is 50% of 300", guessed("50%")},
		{answer.Percent, "It is 12 percent", guessed("12 percent")},
		{answer.Percent, "It is 0.5", guessed("0.5")},
		{answer.Date, "Born on May 1, 1900, he landed on July 20, 1969, with 3000 others in 1970.", nothing},
		{answer.Date, "It was 1969, after 300 years", guessed("1969")},
		{answer.Date, "He died in 44 BC.", guessed("44 BC")},
		{answer.Date, "Long ago", nothing},
		{answer.Boolean, "Yes. The river is longer.", guessed("Yes")},
		{answer.Boolean, "No, it is shorter.\nSee [corpus_1].", guessed("No")},
		{answer.Boolean, "Yes. On reflection it differs.\nNo.", nothing},
		{answer.Boolean, "The river is longer.", nothing},
		{answer.Boolean, "No one knows.", outcome(trace.Abstained, answer.FromFallback)},
		{answer.Entity, "Ulysses S. Grant", guessed("Ulysses S. Grant")},
		{answer.Entity, "**Paris** [corpus_1].", guessed("Paris")},
		{answer.Entity, "It is Paris. It always was", nothing},
		{answer.Entity, "Paris\nLyon", nothing},
		{answer.Entity, "a b c d e f g h i j k l m", nothing},
		{answer.Text, "Is it Paris?", nothing},
		{answer.Text, "Result: Paris", answered("Paris")},
	} {
		if got := extract(c.message, "", c.typ); got != c.want {
			t.Errorf("Extract(%q, %s) = %+v, want %+v", c.message, c.typ, got, c.want)
		}
	}
}
