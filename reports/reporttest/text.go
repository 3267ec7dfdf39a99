package reporttest

import (
	"bytes"
	"strings"

	"pgregory.net/rapid"
)

// Hostile is an answer that tries to break out of its cell: out of the line, out of the
// column, and into the terminal.
const Hostile = "first\r\nsecond\t| third \x1b[31mred\x07\u009b2J\u202eevil"

// Steering holds the characters of Hostile that must never reach a terminal.
const Steering = "\r\x1b\x07\u009b\u202e"

// Evil tries to break out of every format.
const Evil = "=cmd()|\n<script>alert(1)</script> ![x](http://x.y/z.png) `a``b` \\| @team #12 GH-7 $x$ *b* _i_ " +
	"\x1b[31mred\u202e"

// Attack draws a text that tries to break out of its cell, in one of the formats.
var Attack = rapid.Custom(func(t *rapid.T) string {
	piece := rapid.SampledFrom([]string{
		"|", "\\", "`", "``", "```", "\n", "\r", "\t", " ", "@team", "#12", "=cmd()", "+1", "-1", "<script>",
		"![x](y)", "[x](http://x.y)",
		"**", "_", "$x$", "~~", "&amp;", ": ", "http://x.y", "www.x.y", "\x1b[31m", "\u202e",
		"\u2028", "\x00", "\xff", "é", "長", "plain", "'", "\"", ",",
	})
	return strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
})

// Fataler is a test, also one of package rapid.
type Fataler interface{ Fatalf(string, ...any) }

// Written returns the text that a function writes. An error ends the test.
func Written(t Fataler, write func(*bytes.Buffer) error) string {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatalf("write: %v", err)
	}
	return b.String()
}

// BrokenWriter fails at once with an error, as a full disk or a closed pipe does.
type BrokenWriter struct{ Err error }

// Write writes nothing and returns the error.
func (w BrokenWriter) Write([]byte) (int, error) { return 0, w.Err }
