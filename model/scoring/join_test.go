package scoring_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/scoring"
)

// pieces returns tokens with the log-probabilities null, -1, -2, and so on.
func pieces(texts ...string) []scoring.Piece {
	out := make([]scoring.Piece, len(texts))
	for i, text := range texts {
		out[i].Text = text
		if v := -float64(i); i > 0 {
			out[i].LogProb = &v
		}
	}
	return out
}

func show(tokens []model.TokenScore) string {
	var out []string
	for _, t := range tokens {
		out = append(out, fmt.Sprintf("%s@%d=%g", t.Token, t.Offset, t.LogProb))
	}
	return strings.Join(out, " ")
}

func TestJoin(t *testing.T) {
	for _, c := range []struct {
		name, prefix, text string
		pieces             []scoring.Piece
		want               string
	}{
		{"plain", "a b", " c d", pieces("a", " b", " c", " d"), " c@0=-2  d@2=-3"},
		{"generated tokens", "a", " b", pieces("a", " b", " c"), " b@0=-1"},
		{"token over the border", "a ", "bc", pieces("a", " b", "c"), " b@-1=-1 c@1=-2"},
		{"mark at the beginning", "a", " b", pieces("<s>", "a", " b"), " b@0=-2"},
		{"mark and no prefix", "", "a b", pieces("<|begin_of_text|>", "a", " b"), "a@0=-1  b@1=-2"},
		{"empty mark", "", "a", pieces("", "a"), "a@0=-1"},
		{"space before the first word", "a", " b", pieces("<s>", " a", " b"), " b@0=-2"},
		{"a text that looks like a mark", "<s>", "x", pieces("<s>", "x"), "x@0=-1"},
		{"letter in bytes of OpenAI", "a", "日 b", pieces("a", `bytes:\xe6`, `bytes:\x97\xa5`, " b"), "日@0=-3  b@3=-3"},
		{"letter in bytes with a space", "a", " é", pieces("a", `bytes: \xc3`, `bytes:\xa9`), " é@0=-3"},
		{"letter in escapes", "a", "é", pieces("a", `\xc3`, `\xa9`), "é@0=-3"},
		{"letter in bytes of SentencePiece", "a", "é", pieces("a", "<0xC3>", "<0xA9>"), "é@0=-3"},
		{"text that looks like bytes", "a", `<0xC3>\xa9`, pieces("a", `<0xC3>`, `\xa9`), `<0xC3>@0=-1 \xa9@6=-2`},
		{"letter at its last token", "a", "é b", pieces("a", "", "é", " b"), "é@0=-3  b@2=-3"},
		{"letter at its first token", "a", "é b", pieces("a", "é", "", " b"), "é@0=-1  b@2=-5"},
		{"replacement characters", "a", "日本 b", pieces("a", "�", "�", "本", " b"), "日@0=-3 本@3=-3  b@6=-4"},
		{"replacement characters at the end", "a", "日", pieces("a", "�", "�"), "日@0=-3"},
		{"replacement character with letters", "a", " 日!", pieces("a", " �", "�!"), " 日!@0=-3"},
		{"a real replacement character", "a", "�b", pieces("a", "�", "b"), "�@0=-1 b@3=-2"},
		{"letters in the prefix", "日", " b", pieces("�", "�", " b"), " b@0=-2"},
		{"invalid bytes", "a", "\xff\xfe", pieces("a", `bytes:\xff`, `bytes:\xfe`), "\xff@0=-1 \xfe@1=-2"},
	} {
		got, err := scoring.Join(model.ScoreRequest{Prefix: c.prefix, Text: c.text}, c.pieces)
		if err == nil {
			err = scoring.Check(model.ScoreRequest{Prefix: c.prefix, Text: c.text}, model.Scores{Tokens: got})
		}
		if err != nil || show(got) != c.want {
			t.Errorf("%s: %s, want %s; %v", c.name, show(got), c.want, err)
		}
	}
}

// TestJoinByOffsets has split letters that can be placed in two ways. The offsets decide, unless they are neither those
// of bytes nor those of characters.
func TestJoinByOffsets(t *testing.T) {
	first, second := "日@0=-3 日@3=-3 日日@6=-4", "日日@0=-3 日@6=-3 日@9=-4"
	for _, c := range []struct {
		name    string
		offsets []int
		want    string
	}{
		{"none", nil, first},
		{"bytes, first", []int{0, 1, 3, 4, 7}, first},
		{"bytes, second", []int{0, 1, 5, 7, 10}, second},
		{"characters, first", []int{0, 1, 1, 2, 3}, first},
		{"characters, second", []int{0, 1, 2, 3, 4}, second},
		{"neither", []int{3, 4, 5, 6, 7}, first},
	} {
		in := pieces("a", "�", "�", "日", "�")
		for i := range c.offsets {
			in[i].Offset = &c.offsets[i]
		}
		got, err := scoring.Join(model.ScoreRequest{Prefix: "a", Text: "日日日日"}, in)
		if err != nil || show(got) != c.want {
			t.Errorf("%s: %s, want %s; %v", c.name, show(got), c.want, err)
		}
	}
}

func TestJoinErrors(t *testing.T) {
	with := func(v float64) []scoring.Piece {
		out := pieces("a", " b")
		out[1].LogProb = &v
		return out
	}
	missing := pieces("a", " b")
	missing[1].LogProb = nil
	for _, c := range []struct {
		name   string
		pieces []scoring.Piece
		want   string
	}{
		{"no tokens", nil, "there are no tokens"},
		{"too few", pieces("a"), "end 2 bytes before the end of the text"},
		{"only the reply", pieces("x", " y"), `token 0 is "x", the text has "a b" at byte 0`},
		{"another text", pieces("a", " c"), `token 1 is " c", the text has " b" at byte 1`},
		{"a longer token", pieces("a", " bc"), `token 1 is " bc"`},
		{"null", missing, `token 1, " b": there is no log-probability`},
		{"positive", with(0.25), "0.25, above 0"},
		{"infinite", with(math.Inf(-1)), "-∞"},
		{"vLLM's infinite", with(-9999), "stands for -∞"},
		{"not a number", with(math.NaN()), "not a number"},
		{"empty tokens", pieces("", "", ""), "end 3 bytes before"},
	} {
		_, err := scoring.Join(model.ScoreRequest{Prefix: "a", Text: " b"}, c.pieces)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	_, err := scoring.Join(model.ScoreRequest{Text: "a"}, pieces("a"))
	if err == nil || !strings.Contains(err.Error(), "the prefix must not be empty") {
		t.Errorf("no prefix: %v", err)
	}
}

// TestJoinAnyDivision divides texts at random bytes and writes the tokens as servers do. The tokens must join, and
// their log-probabilities must sum to the same.
func TestJoinAnyDivision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("ab é日🗼")), 2, 20, -1).Draw(t, "text")
		_, border := utf8.DecodeRuneInString(text)
		req := model.ScoreRequest{Prefix: text[:border], Text: text[border:]}
		write := rapid.SampledFrom([]func(string) string{
			func(s string) string { return fmt.Sprintf("bytes:%s", escape(s)) },
			func(s string) string { return strings.ToValidUTF8(s, "�") },
		}).Draw(t, "form")
		byCharacters := rapid.Bool().Draw(t, "characters")
		var in []scoring.Piece
		at, sum := 0, 0.0
		for at < len(text) {
			end := at + rapid.IntRange(1, min(4, len(text)-at)).Draw(t, "size")
			if at == 0 {
				end = border // the first token is the prefix
			}
			p, offset, v := scoring.Piece{Text: text[at:end]}, at, -float64(len(in))
			if !utf8.ValidString(p.Text) {
				p.Text = write(p.Text)
			}
			if byCharacters {
				offset = utf8.RuneCountInString(text[:at])
				for i := at; i > 0 && !utf8.RuneStart(text[i]); { // within a letter: the letters before it
					i--
					offset = utf8.RuneCountInString(text[:i])
				}
			}
			p.Offset = &offset
			if at > 0 {
				p.LogProb = &v
				sum += v
			}
			in, at = append(in, p), end
		}
		got, err := scoring.Join(req, in)
		if err == nil {
			err = scoring.Check(req, model.Scores{Tokens: got})
		}
		if err != nil {
			t.Fatalf("%+v: %v", in, err)
		}
		joined := 0.0
		for _, tok := range got {
			joined += tok.LogProb
		}
		if math.Abs(joined-sum) > 1e-9 {
			t.Fatalf("%+v: %v, the tokens have %v", in, joined, sum)
		}
	})
}

// escape writes the bytes of a text that are not ASCII as \xNN.
func escape(text string) string {
	var out strings.Builder
	for i := range len(text) {
		if text[i] < utf8.RuneSelf {
			out.WriteByte(text[i])
		} else {
			fmt.Fprintf(&out, `\x%02x`, text[i])
		}
	}
	return out.String()
}

// TestJoinIsLinear has as many replacement characters as possible without a place for the last token.
func TestJoinIsLinear(t *testing.T) {
	const n = 20000
	in := pieces(append(strings.Split("a"+strings.Repeat("|�", n), "|"), "x")...)
	_, err := scoring.Join(model.ScoreRequest{Prefix: "a", Text: strings.Repeat("日", n)}, in)
	if err == nil || !strings.Contains(err.Error(), "the tokens do not join") && !strings.Contains(err.Error(), "the tokens end") {
		t.Errorf("%v", err)
	}
}

func FuzzJoin(f *testing.F) {
	f.Add("a", "日 b", "a|�|�| b")
	f.Add("", "é", "<s>|<0xC3>|<0xA9>")
	f.Add("x", "\xff", "x|bytes:\\xff")
	f.Fuzz(func(t *testing.T, prefix, text, tokens string) {
		if text == "" {
			return
		}
		req := model.ScoreRequest{Prefix: prefix, Text: text}
		got, err := scoring.Join(req, pieces(strings.Split(tokens, "|")...))
		if err != nil {
			return
		}
		if err := scoring.Check(req, model.Scores{Tokens: got}); err != nil {
			t.Errorf("%+v: %v", got, err)
		}
	})
}
