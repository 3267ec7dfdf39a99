package model_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
)

func TestSpeech(t *testing.T) {
	long := strings.Repeat("so it goes on\n", 75_000)
	for _, c := range []struct{ name, content, apart, thought, said string }{
		{"nothing thought", "Answer: 5\n", "", "", "Answer: 5\n"},
		{"a block", "<think>\nIs it 4?\n</think>\n\nAnswer: 5", "", "Is it 4?", "Answer: 5"},
		{"thinking", "<thinking>Is it 4?</thinking>Answer: 5", "", "Is it 4?", "Answer: 5"},
		{"empty", "<think>\n\n</think>\n\nAnswer: 5", "", "", "Answer: 5"},
		{"never closed", "<think>Answer: 4", "", "Answer: 4", ""},
		{"several", "<think>a</think><think>b</think>\nAnswer: 5", "", "a\nb", "Answer: 5"},
		{"nested", "<think>a\n<think>b</think> c</think>Answer: 5", "", "a\n<think>b</think> c", "Answer: 5"},
		{"nested, closed once", "<think>I write\n<think>, then</think>\nAnswer: 5", "", "I write\n<think>, then", "Answer: 5"},
		{"opened in the prompt", "Is it 4?\n</think>\n\nAnswer: 5", "", "Is it 4?", "Answer: 5"},
		{"opened in the prompt, closed behind text", "Is it 4?</think>\n\nAnswer: 5", "", "Is it 4?", "Answer: 5"},
		{"behind Thought", "Thought: <think>a</think>\nAction: get_date", "", "a", "Action: get_date"},
		{"within an argument", `{"text": "<think>a</think>"}`, "", "", `{"text": "<think>a</think>"}`},
		{"spoken of", "Answer: write <think> and </think> around it", "", "", "Answer: write <think> and </think> around it"},
		{"Magistral", "[THINK]Is it 4?[/THINK]Answer: 5", "", "Is it 4?", "Answer: 5"},
		{"Kimi", "◁think▷Is it 4?◁/think▷Answer: 5", "", "Is it 4?", "Answer: 5"},
		{"harmony", "<|channel|>analysis<|message|>Is it 4?<|end|><|start|>assistant<|channel|>final<|message|>Answer: 5<|return|>", "", "Is it 4?", "Answer: 5"},
		{"harmony, not closed", "<|channel|>analysis<|message|>Is it 4?", "", "Is it 4?", ""},
		{"harmony, from its middle", "Is it 4?<|channel|>final<|message|>Answer: 5", "", "Is it 4?", "Answer: 5"},
		{"apart", "Answer: 5", "Is it 4?", "Is it 4?", "Answer: 5"},
		{"apart and within", "<think>b</think>Answer: 5", "a", "a\nb", "Answer: 5"},
		{"long", "<think>" + long + "</think>Answer: 5", "", strings.TrimSpace(long), "Answer: 5"},
		{"a token left behind", "Answer: 5<|im_end|>\n", "", "", "Answer: 5"},
	} {
		thought, said := model.Message{Content: c.content, Thought: c.apart}.Speech()
		if thought != c.thought || said != c.said {
			t.Errorf("%s: thought %.80q, said %.80q", c.name, thought, said)
		}
	}
}

// TestSpeechLosesNothing checks that every character, except marks and spaces, is in the thought or in the
// text.
func TestSpeechLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var content, words strings.Builder
		for _, part := range rapid.SliceOf(rapid.SampledFrom([]string{"<think>", "</think>", "[THINK]", "[/THINK]", "one ", "two", "\n"})).Draw(t, "parts") {
			content.WriteString(part)
			if strings.ContainsAny(part, "onetw") && !strings.ContainsAny(part, "<[") {
				words.WriteString(strings.TrimSpace(part))
			}
		}
		thought, said := model.Message{Content: content.String()}.Speech()
		left := strings.NewReplacer("<think>", "", "</think>", "", "[THINK]", "", "[/THINK]", "", " ", "", "\n", "")
		got, want := left.Replace(thought+said), words.String()
		if len(got) != len(want) {
			t.Fatalf("%q is thought %q, said %q", content.String(), thought, said)
		}
	})
}
