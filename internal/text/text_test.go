package text_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

func TestMap(t *testing.T) {
	for _, c := range []struct {
		in   string
		form text.Form
		want string
	}{
		{"  A\u00A0B\n c ", 0, "a b c"},
		{"A\r\n\n B", text.KeepCase | text.KeepLines, "A\nB"},
		{"10⁵ and 2½ and H₂O₂", 0, "10^(5) and 2+(1/2) and h2o2"},
		{"１２٣−5 “x”", 0, "123-5 \"x\""},
		{"1\u202F234 km", text.BindGroups, "1_234 km"},
		{"Łódź, Jørn, naïve", text.DropMarks, "lodz, jorn, naive"},
		{"Straße e\u0301", 0, "strasse é"},
		{"a\u200Bb\u00AD", 0, "ab"},
		{"㎏ ①2", 0, "kg 1 2"},
		{"bad \xff bytes", 0, "bad \uFFFD bytes"},
		{`\frac{3}{4}, 2\frac12, 2\dfrac{1}{2}`, text.LaTeX, `(3/4), 2\frac12, 2+(1/2)`},
		{`\boxed{12{,}345\,678\text{ km}}`, text.LaTeX, "12,345_678 km"},
		{`50\%, \$5, 2\pi, \foo{x} \frac{a}{b} \text{`, text.LaTeX, `50%, $5, 2π, \foo{x} \frac{a}{b} \text{`},
	} {
		if got := text.Map(c.in, c.form).String; got != c.want {
			t.Errorf("Map(%q, %d) = %q, want %q", c.in, c.form, got, c.want)
		}
	}
	if !text.Map("a\u200Bb", 0).Invisible || text.Map("ab é", 0).Invisible {
		t.Error("Invisible tells whether characters without a glyph were dropped")
	}
}

func TestMapLeadsBack(t *testing.T) {
	raw := "Höhe:  １２ ㎞ — “3½”"
	m := text.Map(raw, text.KeepCase)
	for _, c := range [][2]string{{"Höhe", "Höhe"}, {"12", "１２"}, {"km", "㎞"}, {"-", "—"}, {"3+(1/2)", "3½"}} {
		at := strings.Index(m.String, c[0])
		if at < 0 {
			t.Fatalf("%q is not in %q", c[0], m.String)
		}
		from, to := m.Source(at, at+len(c[0]))
		if raw[from:to] != c[1] {
			t.Errorf("%q came from %q, want %q", c[0], raw[from:to], c[1])
		}
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"Dr. J. Smith lives in St. Louis. He is 3.5 m tall! Is he?", []string{"Dr. J. Smith lives in St. Louis.", "He is 3.5 m tall!", "Is he?"}},
		{"It is No. 5 of the U.S. list. No. It is not.", []string{"It is No. 5 of the U.S. list.", "No.", "It is not."}},
		{"He said \"Go.\" Then he left.", []string{"He said \"Go.\"", "Then he left."}},
		{"first line\ngoes on. next\n\n- item one\n- item two", []string{"first line\ngoes on. next", "- item one", "- item two"}},
		{"東京は首都です。人口は多い。", []string{"東京は首都です。", "人口は多い。"}},
		{"In 1990. [corpus_1] Later.", []string{"In 1990.", "[corpus_1] Later."}},
		{"Am 5. März begann es. Im 3. Jahrhundert auch.", []string{"Am 5. März begann es.", "Im 3. Jahrhundert auch."}},
		{" \n ", nil},
	} {
		var got []string
		for _, s := range text.Sentences(c.in) {
			got = append(got, s.Of(c.in))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("Sentences(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		in   string
		form text.Form
		want string
	}{
		{"C, C# and C++", 0, "c c# and c++"},
		{"The U.S. pays 1,234.50 or -4 %.", 0, "the us pays 1234.50 or -4%"},
		{"10km², 1990-07-20, 12,345", 0, "10km2 1990-07-20 12345"},
		{"AT&T naïve", text.DropMarks | text.KeepCase, "AT & T naive"},
		{"東京 2024", 0, "東 京 2024"},
	} {
		var got []string
		for _, token := range text.Tokens(c.in, c.form) {
			got = append(got, token.Folded)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("Tokens(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestLines(t *testing.T) {
	if got := text.Lines("a\r\nb\u2028\nc"); !slices.Equal(got, []string{"a", "", "b", "", "c"}) {
		t.Errorf("got %q", got)
	}
}

// A short form that stands twice in the table would hide one of its two rules.
func TestAbbreviationTable(t *testing.T) {
	table, err := os.ReadFile("abbreviations.tsv")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for i, line := range bytes.Split(bytes.TrimSpace(table), []byte("\n")) {
		word, rule, ok := strings.Cut(string(line), "\t")
		if strings.HasPrefix(word, "#") {
			continue
		}
		if !ok || rule != "any" && rule != "digit" && rule != "ordinal" || word != strings.ToLower(word) {
			t.Errorf("abbreviations.tsv:%d: %q: want a short form in lower case, a tab, and any, digit or ordinal", i+1, line)
		}
		if before := seen[word]; before > 0 {
			t.Errorf("abbreviations.tsv:%d: %q stands in line %d too", i+1, word, before)
		}
		seen[word] = i + 1
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "Dr. No. 5", "10⁵ ½\u00A01", "\xff\xfe", "e\u0301\u0323", "ŉ ß İ", "1,234.5 % U.S.", `\frac{1}{2}\text{a{b}\,`,
		"}\\\n{", "a\\\t\n{b}", "a\\\u2003b{", "a\\\u00A8{"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for form := text.Form(0); form < 32; form++ {
			m := text.Map(s, form)
			if !utf8.ValidString(m.String) {
				t.Fatalf("%q folds to invalid UTF-8 %q", s, m.String)
			}
			if again := text.Map(m.String, form).String; again != m.String {
				t.Fatalf("form %d of %q: %q folds on to %q", form, s, m.String, again)
			}
			last := 0
			for i := range m.String {
				from, to := m.Source(i, i+1)
				if from < 0 || to > len(s) || from >= to || to < last {
					t.Fatalf("byte %d of %q came from [%d, %d) of %d bytes", i, m.String, from, to, len(s))
				}
				last = to
			}
		}
		at := 0
		for _, sentence := range text.Sentences(s) {
			if sentence.Start < at || sentence.End <= sentence.Start || sentence.End > len(s) {
				t.Fatalf("sentence %v after %d in %d bytes", sentence, at, len(s))
			}
			at = sentence.End
		}
		for _, token := range text.Tokens(s, 0) {
			if token.Start < 0 || token.End > len(s) || token.Start >= token.End || token.Folded == "" {
				t.Fatalf("token %+v of %q", token, s)
			}
		}
	})
}

// TestPart: a part of a folded text is what the part alone folds to, and leads back into it.
func TestPart(t *testing.T) {
	for _, c := range []struct{ before, part, behind string }{
		{"It’s 9²  Å. ", "The Bridge  is\nNEW", " \n½ of it."},
		{"", "One ", "two"}, {"one ", "\u200bZwölf—x ", ""}, {"a ", "   ", " b"}, {"x", "", "y"},
	} {
		for _, f := range []text.Form{0, text.KeepCase, text.KeepLines, text.DropMarks} {
			whole := text.Map(c.before+c.part+c.behind, f)
			got := whole.Part(text.Span{Start: len(c.before), End: len(c.before) + len(c.part)})
			want := text.Map(c.part, f)
			if got.String != want.String {
				t.Errorf("%q in form %d is %q, want %q", c.part, f, got.String, want.String)
				continue
			}
			for i := range want.String {
				from, to := got.Source(i, i+1)
				if a, b := want.Source(i, i+1); a != from || b != to {
					t.Errorf("%q: byte %d is from %d to %d, want %d to %d", c.part, i, from, to, a, b)
				}
			}
		}
	}
}

// TestMapOfMixedText: plain words beside others fold as they do alone.
func TestMapOfMixedText(t *testing.T) {
	words := []string{"Plain", "É", "e\u0301", "10²", "3½", "—", "x\u00a0", "\u2028", "A\u0301B", "ﬁn", "\u200b", "9", "{a}", `\frac{1}{2}`}
	for _, a := range words {
		for _, b := range words {
			want := text.Fold(a) + " " + text.Fold(b)
			if got := text.Fold(a + " " + b); got != strings.TrimSpace(want) {
				t.Errorf("%q and %q fold to %q, want %q", a, b, got, want)
			}
		}
	}
}
