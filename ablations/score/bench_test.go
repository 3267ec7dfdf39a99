package score_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/seed-5817661a/concur/ablations/score"
	"github.com/seed-5817661a/concur/datasets/answer"
)

// recordings are n queries of 5 answers each.
func recordings(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"id":"query-%06d","question":"What is the answer to question %d of this set?","gold":"%d","answers":[`, i, i, i%97)
		for k := range 5 {
			fmt.Fprintf(&b, `"%d",`, (i+k*k*(i%7)/3)%97)
		}
		b.Truncate(b.Len() - 1)
		b.WriteString("]}\n")
	}
	return b.Bytes()
}

// BenchmarkRead scores 1,000,000 answers; issue #19 allows 10 s and 200 MB.
func BenchmarkRead(b *testing.B) {
	text := recordings(200_000)
	for _, o := range []score.Options{{}, {Norm: score.NormSQuAD}, {Type: answer.Integer}} {
		b.Run(fmt.Sprintf("norm %s type %s", o.Norm, o.Type), func(b *testing.B) {
			for b.Loop() {
				if _, err := score.Read(b.Context(), "bench", bytes.NewReader(text), o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
