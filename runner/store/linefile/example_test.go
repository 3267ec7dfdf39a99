package linefile_test

import (
	"bytes"
	"fmt"

	"github.com/seed-5817661a/concur/runner/store/linefile"
)

// A line is read back only if it is unchanged, and only from its own run.
func Example() {
	sums := linefile.Sums{Run: "run1", HasPlaces: true}
	line := sums.Add([]byte(`{"query":"q1","answer":"42"}`), linefile.Place{Line: 2})
	fmt.Printf("%s\n", line)
	place, err := sums.Check(line)
	fmt.Println("line", place, err)
	_, err = sums.Check(bytes.Replace(line, []byte("42"), []byte("43"), 1))
	fmt.Println(err)
	// Output:
	// {"query":"q1","answer":"42","crc":"2-301391bc"}
	// line 2 <nil>
	// the line has a wrong checksum: the disk or an editor changed it, or it belongs to another run
}
