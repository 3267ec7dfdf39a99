package agreement_test

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/judge/agreement"
)

func ExampleReadRecording() {
	r, err := agreement.ReadRecording("verdicts.jsonl", strings.NewReader(`
{"id": "1", "label": true, "verdicts": {"a": true, "b": true}}
{"id": "2", "label": false, "verdicts": {"a": true, "b": false}}
{"id": "3", "label": false, "verdicts": {"a": false, "b": null}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, j := range r.Judges {
		fmt.Printf("%s: %g of %g wrong answers passed, %d unread\n", j.Judge, j.WrongPassed, j.WrongPassed+j.WrongFailed, j.Unread)
	}
	// Output:
	// a: 1 of 2 wrong answers passed, 0 unread
	// b: 0 of 1 wrong answers passed, 1 unread
}
