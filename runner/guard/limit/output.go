package limit

import (
	"fmt"
	"strings"
)

// Output cuts a tool's output to n bytes, at the end of a character, with a note for the
// model. cut reports whether it did.
func Output(text string, n int) (shown string, cut bool) {
	if len(text) <= n {
		return text, false
	}
	return strings.ToValidUTF8(text[:n], "") + fmt.Sprintf("\n[output cut after %d of %d bytes]", n, len(text)), true
}
