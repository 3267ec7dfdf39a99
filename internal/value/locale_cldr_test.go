package value_test

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"github.com/seed-5817661a/concur/internal/text"
)

// TestLocaleMarks compares the decimal mark of each locale with that of Unicode CLDR, as golang.org/x/text has it.
func TestLocaleMarks(t *testing.T) {
	content, err := os.ReadFile("locales.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := text.Rows(string(content), 3)
	if len(rows) < 50 {
		t.Fatalf("%d locales", len(rows))
	}
	for _, row := range rows {
		tag, err := language.Parse(row[0] + "-u-nu-latn")
		if err != nil {
			t.Fatalf("%s: %v", row[0], err)
		}
		written := message.NewPrinter(tag).Sprint(number.Decimal(0.5))
		if got := strings.Trim(written, "05"); got != row[1] {
			t.Errorf("%s writes %s: mark %q, in the table %q", row[0], written, got, row[1])
		}
	}
}
