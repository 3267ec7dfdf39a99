package text

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// ownBlock matches the beginning of a line that is a block of its own, such as a list item. heading matches a
// heading.
var (
	heading  = lazy.Compile(`^\s*#{1,6}\s`)
	ownBlock = lazy.Compile(`^\s*(?:#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|\||>)`)
)

// endsBlock reports whether a line cannot continue the line before it.
func endsBlock(line string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, "*_\"'”’)] \t\n\f\r"))
	return strings.ContainsRune(".!?。！？:：|", last)
}

// Blocks returns the blocks of a text. A block is a paragraph with all its lines, a list item, a heading or a
// row of a table. Blank lines are in no block.
func Blocks(s string) []Span {
	var out []Span
	at, open := 0, false // open: the next line may continue the last block
	for line := range strings.Lines(s) {
		here := Span{at, at + len(line)}
		at = here.End
		switch {
		case strings.TrimSpace(line) == "":
			open = false
			continue
		case open && !ownBlock.MatchString(line):
			out[len(out)-1].End = here.End
		default:
			out = append(out, here)
		}
		open = !endsBlock(line) && !(strings.Contains(line, "#") && heading.MatchString(line))
	}
	return out
}

// Sentences returns the sentences of a text, in order, without white space around them. A full stop does not
// end a sentence after an abbreviation or an initial, between digits, or before a small letter.
func Sentences(s string) []Span {
	var out []Span
	for _, block := range Blocks(s) {
		out = appendBlock(out, s, block)
	}
	return out
}

// appendBlock appends the sentences of a block to out.
func appendBlock(out []Span, s string, block Span) []Span {
	start, words := block.Start, false // words: the current sentence has a word
	add := func(end int) {
		one := s[start:end]
		from := start + len(one) - len(strings.TrimLeftFunc(one, unicode.IsSpace))
		if to := start + len(strings.TrimRightFunc(one, unicode.IsSpace)); to > from {
			out = append(out, Span{from, to})
		}
		start, words = end, false
	}
	for i := block.Start; i < block.End; {
		if c := s[i]; !mayStop[c] {
			words = words || wordBytes[c]
			i++
			continue
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		if !strings.ContainsRune(".!?。！？｡؟", r) {
			words = words || IsWord(r)
			i += width
			continue
		}
		end, ends := stopEnd(s[:block.End], i)
		if ends && words {
			add(end)
		}
		i = max(end, i+width)
	}
	add(block.End)
	return out
}

// mayStop marks the bytes with which a mark that ends a sentence can begin.
var mayStop = func() (is [256]bool) {
	for c := range is {
		is[c] = c >= utf8.RuneSelf || c == '.' || c == '!' || c == '?'
	}
	return is
}()

const closers = "\"'”’»)）」』】*_"

// stopEnd checks the run of full stops and similar marks at i. ends reports whether the sentence ends there.
// end is the place after the marks and after the closing signs that follow them.
func stopEnd(s string, i int) (end int, ends bool) {
	end = i
	wide := false
	for end < len(s) {
		r, width := utf8.DecodeRuneInString(s[end:])
		if strings.ContainsRune("。！？｡", r) {
			wide = true
		} else if !strings.ContainsRune(".!?؟", r) {
			break
		}
		end += width
	}
	onePoint, behind := end == i+1 && s[i] == '.', end
	for end < len(s) {
		r, width := utf8.DecodeRuneInString(s[end:])
		if !strings.ContainsRune(closers, r) {
			break
		}
		end += width
	}
	if wide {
		return end, true
	}
	next, _ := utf8.DecodeRuneInString(s[end:])
	if end < len(s) && !unicode.IsSpace(next) && next != '[' && next != '【' && next != '［' {
		return behind, false // a decimal point, a domain, an initialism
	}
	following := strings.TrimLeftFunc(s[end:min(len(s), end+64)], unicode.IsSpace)
	first, _ := utf8.DecodeRuneInString(following)
	isShort := onePoint && (IsAbbreviation(s[max(0, i-24):i], first) || isOrdinal(s[max(0, i-4):i], following))
	return end, !unicode.IsLower(first) && !isShort
}

// isOrdinal reports whether a number with a full stop belongs to the word after it, as in 5. März.
func isOrdinal(before, following string) bool {
	figures := len(before) - len(strings.TrimRight(before, "0123456789"))
	if figures < 1 || figures > 2 || !StartsWord(following) {
		return false
	}
	end := strings.IndexFunc(following, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(following)
	}
	return abbreviations()[strings.ToLower(following[:end])] == "ordinal"
}

//go:embed abbreviations.tsv
var abbreviationTable string

// abbreviations maps a short form to the text that must follow its full stop: "any" or "digit". It maps a word
// that can follow a number with a full stop, such as a month, to "ordinal".
var abbreviations = table(&abbreviationTable, "")

// IsAbbreviation reports whether a full stop belongs to a short form or an initial. before is the text before
// the full stop, and next the first rune after it.
func IsAbbreviation(before string, next rune) bool {
	cut := strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLetter(r) && r != '.' })
	as := before[cut+1:]
	word := strings.ToLower(as)
	first, _ := utf8.DecodeRuneInString(as)
	if utf8.RuneCountInString(word) == 1 && unicode.IsUpper(first) {
		return true // an initial: J. Smith
	}
	if i := strings.LastIndexByte(word, '.'); i >= 0 && utf8.RuneCountInString(word[i+1:]) == 1 {
		return true // U.S, e.g, a.m
	}
	switch abbreviations()[word] {
	case "any":
		return true
	case "digit":
		return unicode.IsDigit(next)
	}
	return false
}
