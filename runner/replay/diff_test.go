package replay_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/runner/replay"
)

func TestDiff(t *testing.T) {
	many := strings.Repeat("line\n", 40)
	long := strings.Repeat("é", 300)
	for _, c := range []struct{ name, a, b, want string }{
		{"first line", "a\nb", "x\nb", "@@ -1,1 +1,1 @@\n-a\n+x"},
		{"in the middle", "a\nb\nc", "a\nx\ny\nc", "@@ -1,2 +1,3 @@\n a\n-b\n+x\n+y"},
		{"line added", "a\nb", "a\nx\nb", "@@ -1,1 +1,2 @@\n a\n+x"},
		{"repeated line", "a\na", "a\na\na", "@@ -2,1 +2,2 @@\n a\n+a"},
		{"all of it", "a", "", "@@ -1,1 +0,0 @@\n-a"},
		{"many lines", many, "x", "\n-line\n-… 35 more lines\n+x"},
		{"control characters", "a\x1b[2J\u202e", "a\t", "-a\\x1b[2J\\u202e\n+a\\t"},
	} {
		d := replay.Difference{RecordedText: c.a, NowText: c.b}
		if got := d.Diff(); !strings.HasPrefix(got, "--- recorded\n+++ now\n@@ ") || !strings.HasSuffix(got, c.want) {
			t.Errorf("%s:\n%s\nwant the end\n%s", c.name, got, c.want)
		}
	}
	d := replay.Difference{RecordedText: long + "A" + long, NowText: long + "B" + long}
	if got := d.Diff(); !strings.Contains(got, "éAé") || !strings.Contains(got, "éBé") || len([]rune(got)) > 400 || !utf8.ValidString(got) {
		t.Errorf("a long line:\n%s", got)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add("a\nb", "a\nc")
	f.Add("", "\n\n")
	f.Add("\xff\x00é", strings.Repeat("日本", 200))
	f.Fuzz(func(t *testing.T, a, b string) {
		got := (&replay.Difference{RecordedText: a, NowText: b}).Diff()
		if len(got) > 16<<10 || !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\x1b\r") {
			t.Errorf("%q", got)
		}
		if a != b && utf8.ValidString(a) && utf8.ValidString(b) && !strings.Contains(got, "\n-") && !strings.Contains(got, "\n+") {
			t.Errorf("%q and %q differ, and nothing is shown:\n%s", a, b, got)
		}
	})
}

// TestDiffIsLinear compares texts for which a quadratic diff would take hours.
func TestDiffIsLinear(t *testing.T) {
	a, b := strings.Repeat("a\nb\n", 1<<20), strings.Repeat("b\na\n", 1<<20)
	if got := (&replay.Difference{RecordedText: a, NowText: b}).Diff(); len(got) > 1000 {
		t.Errorf("%d bytes of diff", len(got))
	}
}
