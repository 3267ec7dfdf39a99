package inject

import (
	"strings"
	"testing"
)

// TestMarkupTakesLinearTime compares the number of steps for a text and for one that is ten times as long.
func TestMarkupTakesLinearTime(t *testing.T) {
	for _, piece := range []string{
		"<div>", "<div hidden>", "</div>", "<b><div></b>", "<p>", "<li>", "<td><i></div>", "<script>", "<!--", "<a x=\"", "<p style='((;'>",
	} {
		for _, end := range []string{"", "</div>", "</b>", "</p></td>"} {
			text := func(n int) string { return strings.Repeat(piece, n) + strings.Repeat(end, n) }
			few, many := readMarkup(text(100)).steps, readMarkup(text(1000)).steps
			if many > 12*few {
				t.Errorf("%s…%s: %d steps for 100, %d for 1,000", piece, end, few, many)
			}
		}
	}
}
