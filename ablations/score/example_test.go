package score_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/ablations/score"
)

func ExampleRead() {
	recorded := `{"id": "q1", "gold": "Paris", "answers": ["Paris", "Lyon", "Paris"]}
{"id": "q2", "gold": "4", "answers": [4, 4, 5]}
{"id": "q3", "gold": "Oslo", "answers": ["Bergen", "Bergen", "Oslo"]}`
	s, err := score.Read(context.Background(), "recorded", strings.NewReader(recorded), score.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("one answer %.2f, vote of three %.2f, any of three %.2f\n", *s.MeanSingle, s.MajFirstK[3], s.AnyAtK[3])
	// Output: one answer 0.56, vote of three 0.67, any of three 1.00
}
