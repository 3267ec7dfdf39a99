package process_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/process"
	"github.com/seed-5817661a/concur/internal/secret"
)

// A key is hidden in log and tail wherever a write, a long line or the end of what is kept would cut it.
func TestLogHidesKeys(t *testing.T) {
	const key = "k3y-0123456789-abcdef"
	for _, before := range []int{0, 300, 590, 595, 600, 610, 1190, 64<<10 - 8} {
		var lines []string
		log := process.NewLog(func(line string) { lines = append(lines, line) }, "agent", "a")
		log.Hider = secret.New(key)
		text := strings.Repeat(".", before) + key + strings.Repeat("=", 590)
		for i := 0; i < len(text); i += 7 {
			_, _ = log.Write([]byte(text[i:min(len(text), i+7)]))
		}
		log.End()
		said := strings.Join(lines, "") + log.Tail()
		for _, part := range []string{"k3y-", "0123", "6789", "abcdef"} {
			if strings.Contains(said, part) {
				t.Errorf("behind %d bytes %q is left", before, part)
			}
		}
	}
}
