package document_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/seed-5817661a/concur/reports/document"
)

func TestPhrase(t *testing.T) {
	name := document.Quoted("a*b")
	for _, c := range []struct {
		got  document.RichText
		want string // as Markdown, which shows text of others as code
	}{
		{document.Phrase("nothing"), "nothing"},
		{document.Phrase(""), ""},
		{document.Phrase("%d of %s", 3, "five"), "3 of five"},
		{document.Phrase("%s", name), "`a*b`"},
		{document.Phrase("query %s: %.1f %%, %s", name, 12.34, name), "query `a*b`: 12.3 %, `a*b`"},
		{document.Phrase("%-4d|%+d|%q", 1, 2, "x"), `1   \|+2\|"x"`},
		{document.Phrase("%s", document.RichText(nil)), ""},
		{document.Phrase("%s and %s", name), "`a*b` and %!s(MISSING)"},
		{document.Phrase("one", 1), "one%!(EXTRA int=1)"},
	} {
		if got := document.MarkdownLine(c.got); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if len(document.Phrase("")) > 0 {
		t.Error("an empty text has parts")
	}
}

// A name of another program keeps its mark, so that Markdown cannot read it as a mention.
func ExamplePhrase() {
	line := document.Phrase("query %s was right in %d of %d traces", document.Quoted("@team"), 2, 3)
	var b bytes.Buffer
	err := document.WriteMarkdown(&b, document.Document{Details: []document.Section{{Lines: []document.RichText{line}}}})
	fmt.Print(b.String(), err)
	// Output:
	// - query `@team` was right in 2 of 3 traces
	// <nil>
}
