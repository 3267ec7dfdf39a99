package offline

import (
	"strings"
	"testing"
)

// The questions are like those of turns40 that the rules were made for (tag tuned).
func TestCondense(t *testing.T) {
	const tower = "user: When was the Eiffel Tower inaugurated?\nassistant: On 31 March 1889."
	const dates = "yesterday: Thursday, 2037-05-26\ntoday: Wednesday, 2037-05-27\ntomorrow: Thursday, 2037-05-28"
	for _, c := range []struct{ conversation, question, want string }{
		{tower, "Which building surpassed it in 1930?", "Which building surpassed the Eiffel Tower in 1930?"},
		{tower, "And the Golden Gate Bridge?", "When was the Golden Gate Bridge inaugurated?"},
		{tower, "How many years ago was that?", "How many years passed between 31 March 1889 and 27 May 2037?"},
		{tower, "Who painted The Night Watch?", "Who painted The Night Watch?"},
		{"user: Who discovered Pluto?\nassistant: Clyde Tombaugh.", "On what date did he discover it?", "On what date did Clyde Tombaugh discover Pluto?"},
		{"user: Who painted The Night Watch?\nassistant: Rembrandt painted it.", "On which date did the painter die?", "On which date did Rembrandt die?"},
		{"user: Where was Galileo born?\nassistant: At Pisa.\nuser: And Copernicus?\nassistant: At Toruń.", "And Marie Curie?", "Where was Marie Curie born?"},
		{"user: How many metres is a furlong?\nassistant: 201.168 m.", "A nautical mile?", "How many metres is a nautical mile?"},
		{"user: What is the atomic number of iron?\nassistant: 26.", "And of lead?", "What is the atomic number of lead?"},
		{"user: Our racecourse is 12 furlongs long.\nassistant: I see.", "How many metres is that?", "How many metres is 12 furlongs?"},
		{"user: I start tomorrow.\nassistant: Good.", "On which date do I start?", "On which date do I start, if tomorrow is 28 May 2037?"},
		{"user: Hello!\nassistant: Hello.", "Who was president two days ago?", "Who was president on 25 May 2037?"},
		{"", "And the Volga?", "And the Volga?"},
		{"assistant: ?", "it", "it"},
		{"no role at all\nuser: ", "And?", "And?"},
	} {
		got, err := ruleCondense(blocks{"conversation": c.conversation, "question": c.question, "dates": dates})
		if err != nil || got.(map[string]string)["question"] != c.want {
			t.Errorf("%q behind %q: %v, %v; want %q", c.question, c.conversation, got, err, c.want)
		}
	}
	if _, err := ruleCondense(blocks{"question": "And?"}); err == nil || !strings.Contains(err.Error(), "conversation") {
		t.Errorf("without a conversation: %v", err)
	}
}

// No text of a conversation makes the rules fail.
func FuzzCondense(f *testing.F) {
	f.Add("user: When was the Eiffel Tower built?\nassistant: In 1889.", "And its plan?", "today: Friday, 2024-05-03")
	f.Add("user: the a an?", "And the?", "today: ")
	f.Fuzz(func(t *testing.T, conversation, question, dates string) {
		if _, err := ruleCondense(blocks{"conversation": conversation, "question": question, "dates": dates}); err != nil {
			t.Error(err)
		}
	})
}
