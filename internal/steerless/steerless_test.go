package steerless_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/steerless"
)

func TestWriter(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext\r\n":                             "plain\ttext\r\n",
		"日本 é 😀":                                      "日本 é 😀",
		"\x1b[1;32mgreen\x1b[0m and \x1b[mplain":      "\x1b[1;32mgreen\x1b[0m and \x1b[mplain",
		"\x1b[2J\x1b[H":                               `\u001b[2J\u001b[H`,
		"\x1b]0;title\x07":                            `\u001b]0;title\u0007`,
		"\x1b[1;\x1b[31mred":                          `\u001b[1;` + "\x1b[31mred",
		"\x1b[" + strings.Repeat("1;", 40) + "m":      `\u001b[` + strings.Repeat("1;", 40) + "m",
		"abc\u202edef\u2066x\u2069\u200e\u200f\u061c": `abc\u202edef\u2066x\u2069\u200e\u200f\u061c`,
		"\u009b2J\u0085\u2028\u007f\b\x00":            `\u009b2J\u0085\u2028\u007f\u0008\u0000`,
		"\x9b2J\xff":                                  "\ufffd2J\ufffd",
		"[1mno escape, so nothing is coloured \x1b x": "[1mno escape, so nothing is coloured \\u001b x",
	} {
		for _, size := range []int{1, 2, 3, 1000} { // of the pieces in which it comes
			var out bytes.Buffer
			w := &steerless.Writer{W: &out}
			for rest := []byte(text); len(rest) > 0; {
				n := min(size, len(rest))
				if wrote, err := w.Write(rest[:n]); wrote != n || err != nil {
					t.Fatal(wrote, err)
				}
				rest = rest[n:]
			}
			if out.String() != want {
				t.Errorf("%q in pieces of %d: %q, want %q", text, size, out.String(), want)
			}
		}
	}
	for text, want := range map[string]string{"\x1b[31mred\x1b[0m\u202e": "\x1b[31mred\x1b[0m\\u202e", "cut \x1b[3": "cut \\u001b[3", "cut \x1b": "cut \\u001b", "é\xc3": "é\ufffd", "": ""} {
		if got := steerless.Text(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if _, err := (&steerless.Writer{W: broken{}}).Write([]byte("x")); err == nil {
		t.Error("a terminal that is gone is no error")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

// colour matches a sequence that changes the colour of text and nothing else (ECMA-48, SGR).
var colour = regexp.MustCompile(`^\x1b\[[0-9;]*m`)

// FuzzWriter: nothing that steers passes, and JSON stays the value that it is.
func FuzzWriter(f *testing.F) {
	f.Add("\x1b[2J\u202e\u009b", 1)
	f.Add("\x1b[31mred\x1b[0m", 3)
	f.Fuzz(func(t *testing.T, text string, size int) {
		var out bytes.Buffer
		w := &steerless.Writer{W: &out}
		size = max(1, size%17)
		for rest := text + "\n"; rest != ""; {
			n := min(size, len(rest))
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if !utf8.Valid(out.Bytes()) {
			t.Errorf("%q is no UTF-8: %q", text, out.Bytes())
		}
		for i, r := range out.String() {
			coloured := r == '\x1b' && colour.MatchString(out.String()[i:])
			if steerless.Steers(r) && r != '\n' && r != '\t' && r != '\r' && !coloured {
				t.Errorf("%q: %q passes", text, r)
			}
		}
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		out.Reset()
		if _, err := w.Write(raw); err != nil {
			t.Fatal(err)
		}
		var was, is string
		if json.Unmarshal(raw, &was) != nil || json.Unmarshal(out.Bytes(), &is) != nil || was != is {
			t.Errorf("%q becomes %q", was, is)
		}
	})
}
