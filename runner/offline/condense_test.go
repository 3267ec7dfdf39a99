package offline

import (
	"strings"
	"testing"
)

// The questions are similar to those of turns40 with the tag tuned, with which the rules were made.
func TestCondense(t *testing.T) {
	const tower = "user: When was the Eiffel Tower inaugurated?\nassistant: On 31 March 1889."
	for _, c := range []struct{ conversation, question, want string }{
		{tower, "Which building surpassed it in 1930?", "Which building surpassed Eiffel Tower in 1930?"},
		{tower, "And the Golden Gate Bridge?", "When was the Golden Gate Bridge inaugurated?"},
		{tower, "Who painted The Night Watch?", "Who painted The Night Watch?"},
		{"user: Who discovered Pluto?\nassistant: Clyde Tombaugh.", "On what date did he discover it?", "On what date did Clyde Tombaugh discover Pluto?"},
		{"user: Where was Galileo born?\nassistant: At Pisa.\nuser: And Copernicus?\nassistant: At Toruń.", "And Marie Curie?", "Where was Marie Curie born?"},
		{"user: Where was Copernicus born?\nassistant: At Toruń.", "When was his treatise printed?", "When was Copernicus's treatise printed?"},
		{"user: How many metres is a furlong?\nassistant: 201.168 m.", "A nautical mile?", "How many metres is a nautical mile?"},
		{"user: What is the atomic number of iron?\nassistant: 26.", "And of lead?", "What is the atomic number of lead?"},
		{tower, "And who designed Notre-Dame?", "Who designed Notre-Dame?"},
		{"", "And the Volga?", "And the Volga?"},
		{"assistant: ?", "it", "it"},
		{"no role at all\nuser: ", "And?", "And?"},
	} {
		got, err := ruleCondense(blocks{"conversation": c.conversation, "question": c.question})
		if err != nil || got.(map[string]string)["question"] != c.want {
			t.Errorf("%q behind %q: %v, %v; want %q", c.question, c.conversation, got, err, c.want)
		}
	}
	if _, err := ruleCondense(blocks{"question": "And?"}); err == nil || !strings.Contains(err.Error(), "conversation") {
		t.Errorf("without a conversation: %v", err)
	}
}

// The rules never fail, whatever the conversation.
func FuzzCondense(f *testing.F) {
	f.Add("user: When was the Eiffel Tower built?\nassistant: In 1889.", "And its plan?")
	f.Add("user: the a an?", "And the?")
	f.Fuzz(func(t *testing.T, conversation, question string) {
		if _, err := ruleCondense(blocks{"conversation": conversation, "question": question}); err != nil {
			t.Error(err)
		}
	})
}
