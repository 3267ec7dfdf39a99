package answer_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// TestLongMessages: no repeated piece makes the work grow with the square of the length.
// Such a message would take minutes.
func TestLongMessages(t *testing.T) {
	for i, piece := range []string{
		"the answer is ", "The answer is 5. ", "if the answer is x, ", "\"the answer is x. ", "'a the answer is 'b' ", "Answer:\n", "Answer:\n- a\n", "Answer: ```x\n", "Answer:\n```\n",
		"#### 4\n", "<answer>", "<answer></answer>", `\boxed{`, `\boxed{x} `, "[", "[a_1", "【1】", "*", "**a**", "`", "\"", "$", "(", ".", "a. ",
		"1", "5 km ", "July 20, 1969 ", "= 5 ", "- a\n", "1. a\n", "\n", "\u2028", "Paris is the capital. ", "but i can't ", "option a ", "1,", "東京", "\u0301", "½", "a\n\nb ", ", so ", " (",
		"the capital:\n", "one of ", "the 1969 a ", "References:\n", "the answer is not ", "the answer is\n", "the answer is:\n\n",
	} {
		message := strings.Repeat(piece, 8<<10/len(piece))
		typ := answer.Types()[i%len(answer.Types())]
		answer.Extract(message, "What is the capital of 5 km in 1969?", typ)
		if k, err := answer.Normalize(message, typ, answer.Options{}); err == nil && k.Key == "" {
			t.Errorf("%d times %q is the empty key of type %s", len(message)/len(piece), piece, typ)
		}
	}
}
