package transcript

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/store"
)

// writeChecks writes a line for each check of the query: the traces for which it holds, and why it does not hold for
// each of the others.
func writeChecks(b *bytes.Buffer, r store.Record) {
	for i := 0; ; i++ {
		name, idle := "", false
		var holds, rest []string
		for _, a := range r.Answers {
			if i >= len(a.Checks) {
				continue
			}
			c := a.Checks[i]
			name, idle = c.Check, c.Idle
			switch {
			case c.Pass != nil && *c.Pass:
				holds = append(holds, fmt.Sprint(a.Trace))
			case c.Pass != nil:
				rest = append(rest, fmt.Sprintf("fails for trace %d (%s)", a.Trace, c.Reason))
			default:
				rest = append(rest, fmt.Sprintf("undecided for trace %d (%s)", a.Trace, c.Reason))
			}
		}
		if name == "" {
			return
		}
		if len(holds) > 0 {
			rest = append([]string{"holds for traces " + strings.Join(holds, " ")}, rest...)
		}
		if idle {
			name += " (weight 0)"
		}
		fmt.Fprintf(b, "  check %-2d %s: %s\n", i+1, document.Printable(name), document.Printable(strings.Join(rest, "; ")))
	}
}
