package answer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// hostile are pieces of messages that somebody might write to keep the reader busy.
var hostile = map[string]string{
	"digits": "7", "digits and commas": "1,", "markers": "Answer: 4\n", "markers within a line": "x. Answer: 4 ", "empty markers": "Answer:\n",
	"colons": ":", "markers without a colon": "answer ", "boxes": `\boxed{`, "closed boxes": `\boxed{4} `, "tags": "<answer>", "tag pairs": "<answer></answer>",
	"objects": `{"answer":`, "braces": "{", "mixed scripts": "Ответ答案정답الإجابة：", "Chinese markers": "答案：", "right to left": "\u202eالإجابة\u202c: ", "zero width": "An\u200bswer: ",
	"denials": "not 4 ", "corrections": "Wait, 4. ", "negations": "n't ", "announcements": "the answer is 4. ", "questions": "Is the answer 4? ",
	"refusals": "I can't tell, ", "unstated": "It is not known. ", "brackets": "[", "citations": "[1]", "named citations": "[corpus_1] ", "controls": "<|im_end|>",
	"open controls": "<|", "thoughts": "<think>", "equations": "= 4 ", "ratings": "4.5/5 ", "lines": "4\n", "spaces": " ", "quotes": "\"", "dashes": " - ", "accents": "e\u0301",
	"hedges": "I think it is ", "also": "Also 4. ", "so": "so 4 ", "or": "4 or ", "options": "option A ", "names": "Lima ", "sentences": "Paris is the capital. ",
	"one unmarked line": "the register names six rows of benches and ", "short lines": "six rows\n", "nested boxes": `\boxed{\boxed{4}`,
}

func hostileMessage(piece string, size int) string {
	return strings.Repeat(piece, size/len(piece)+1)[:size]
}

// BenchmarkHostile reads messages of 1 MB.
func BenchmarkHostile(b *testing.B) {
	for name, piece := range hostile {
		for _, as := range []answer.Type{answer.Integer, answer.Entity, answer.Choice, answer.Boolean, answer.List, answer.Date} {
			b.Run(fmt.Sprintf("%s/%s", name, as), func(b *testing.B) {
				message := hostileMessage(piece, 1<<20)
				for b.Loop() {
					answer.Extract(message, "What is the capital of 5 km in 1969?", as)
				}
			})
		}
	}
}
