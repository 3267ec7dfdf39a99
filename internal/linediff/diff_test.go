package linediff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/linediff"
)

func unified(was, now string, around, most int) (string, int) {
	out, left := linediff.Unified(linediff.Lines(was, now), around, most)
	return strings.Join(out, "\n"), left
}

func TestUnified(t *testing.T) {
	for _, c := range []struct{ name, a, b, want string }{
		{"equal", "a\nb", "a\nb", ""},
		{"one line", "a\nb\nc", "a\nx\nc", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c"},
		{"one line more", "a\nc", "a\nb\nc", "@@ -1,2 +1,3 @@\n a\n+b\n c"},
		{"one line fewer", "a\nb\nc", "a\nc", "@@ -1,3 +1,2 @@\n a\n-b\n c"},
		{"two places", "1\n2\n3\n4\n5\n6\n7", "x\n2\n3\n4\n5\n6\ny", "@@ -1,2 +1,2 @@\n-1\n+x\n 2\n@@ -6,2 +6,2 @@\n 6\n-7\n+y"},
		{"all new", "", "a\nb", "@@ -0,0 +1,2 @@\n+a\n+b"},
		{"all gone", "a", "", "@@ -1,1 +0,0 @@\n-a"},
		{"a line end at the end", "a", "a\n", "@@ -1,1 +1,2 @@\n a\n+"},
		{"control characters", "a\x1b[2J\u202e\r", "a\t\x00", "@@ -1,1 +1,1 @@\n-a\\x1b[2J\\u202e\\r\n+a\\t\\x00"},
	} {
		if got, left := unified(c.a, c.b, 1, 100); got != c.want || left != 0 {
			t.Errorf("%s: %d left\n%s\nwant\n%s", c.name, left, got, c.want)
		}
	}
	var many []string
	for i := range 50 {
		many = append(many, fmt.Sprint("line ", i))
	}
	if got, left := unified(strings.Join(many, "\n"), "x", 3, 40); strings.Count(got, "\n") != 39 || left != 12 {
		t.Errorf("40 of 52 lines are shown, without the first: %d left\n%s", left, got)
	}
	other := strings.ReplaceAll(strings.Join(many, "\n"), "line", "row")
	if got, left := unified(strings.Join(many, "\n"), other, 3, 41); strings.Count(got, "\n-line") != 20 ||
		strings.Count(got, "\n+row") != 20 || left != 60 {
		t.Errorf("half of the lines are removed ones: %d left\n%s", left, got)
	}
	long := strings.Repeat("é", 300)
	if got, _ := unified(long+"A"+long, long+"B"+long, 3, 40); !strings.Contains(got, "éAé") || !strings.Contains(got, "éBé") || len([]rune(got)) > 400 {
		t.Errorf("a long line:\n%s", got)
	}
}

// Every difference has both texts, and no shorter one exists for texts that are small enough to try all.
func TestLinesHaveBothTexts(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", ""}), 1, 12).Draw(t, "lines"), "\n")
	})
	rapid.Check(t, func(t *rapid.T) {
		was, now := text.Draw(t, "was"), text.Draw(t, "now")
		var a, b []string
		edits := 0
		for _, l := range linediff.Lines(was, now) {
			if l.Kind != linediff.Added {
				a = append(a, l.Text)
			}
			if l.Kind != linediff.Removed {
				b = append(b, l.Text)
			}
			if l.Kind != linediff.Same {
				edits++
			}
		}
		if strings.Join(a, "\n") != was || strings.Join(b, "\n") != now {
			t.Fatalf("%q and %q become %q and %q", was, now, a, b)
		}
		if least := len(a) + len(b) - 2*common(a, b); edits != least {
			t.Fatalf("%q to %q takes %d lines, and %d are enough", was, now, edits, least)
		}
		all, left := linediff.Unified(linediff.Lines(was, now), 2, 1000)
		if was != now && len(all) == 0 || left != 0 {
			t.Fatalf("%q and %q: %q", was, now, all)
		}
		some, left := linediff.Unified(linediff.Lines(was, now), 2, 3)
		changed := func(lines []string) int {
			return len(slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return l[0] == ' ' || l[0] == '@' }))
		}
		if changed(some)+left != edits || changed(all) != edits {
			t.Fatalf("%d changed lines: %q and %d more of %q", edits, some, left, all)
		}
	})
}

// common returns the length of the longest common subsequence.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		last := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = last + 1
			} else {
				row[j+1] = max(row[j], above)
			}
			last = above
		}
	}
	return row[len(b)]
}

// A difference of large texts without common lines is bounded in time, and its output is harmless.
func TestLargeTexts(t *testing.T) {
	a, b := strings.Repeat("a\nb\n", 1<<15), strings.Repeat("b\nc\x1b\n", 1<<15)
	got, left := unified(a, b, 3, 40)
	if strings.Contains(got, "\x1b") || !utf8.ValidString(got) || left < 1<<16 || len(got) > 10_000 {
		t.Errorf("%d bytes, %d lines left", len(got), left)
	}
}

func ExampleUnified() {
	lines, left := linediff.Unified(linediff.Lines("Answer.\nBe brief.", "Answer.\nShow your sources."), 3, 40)
	fmt.Println(strings.Join(lines, "\n"), left)
	// Output:
	// @@ -1,2 +1,2 @@
	//  Answer.
	// -Be brief.
	// +Show your sources. 0
}
