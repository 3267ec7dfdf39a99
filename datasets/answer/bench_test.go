package answer_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// longMessage is a final message of about 2 KB, with words behind it.
func longMessage(end string) string {
	const paragraph = "The register of 1897 names six rows of benches along the eastern path [corpus_1]. " +
		"In the survey of 2019 the committee counted them again, and found that two had been moved to the pond. "
	return strings.Repeat(paragraph, 11)[:2000-len(end)] + end
}

func BenchmarkExtract(b *testing.B) {
	const question = "How many benches are there in the park?"
	for name, end := range map[string]string{
		"marked": "\n\nAnswer: 36", "sentence": "\n\nAnswer: There are 36 benches, because 6*6 = 36.",
		"boxed": "\n\nSo it is \\boxed{36}.", "prose": "\n\nThere are 36 benches in the park.", "announced": "\n\nThe answer is 36.",
	} {
		for _, as := range []answer.Type{answer.Integer, answer.Entity} {
			b.Run(name+"/"+string(as), func(b *testing.B) {
				message := longMessage(end)
				for b.Loop() {
					answer.Extract(message, question, as)
				}
			})
		}
	}
}
