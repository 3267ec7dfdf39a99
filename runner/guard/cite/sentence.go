package cite

import (
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	heading    = regexp.MustCompile(`^\s*#{1,6}\s`)
	ownBlock   = regexp.MustCompile(`^\s*(?:#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|\||>)`)
	bareMark   = regexp.MustCompile(`^\s*\(?\d{1,2}[.)]\s*$`)
	tableRule  = regexp.MustCompile(`^[\s|:-]+$`)
	afterBlock = regexp.MustCompile(`[.!?。！？:：|][*_"'”’)\]\s]*$`)
)

// sentences divides an explanation into claims. Headings without a citation are none.
func sentences(body string, known backends) []sentence {
	cites := mentions(body, known)
	var out []sentence
	for _, block := range blocks(body, cites) {
		for _, s := range splitBlock(body, block, cites) {
			text := body[s.start:s.end]
			within := mentionsIn(cites, s)
			if len(within) == 0 && (heading.MatchString(text) || tableRule.MatchString(text) || bareMark.MatchString(text) || !hasWord(text)) {
				continue
			}
			local := make([]mention, len(within))
			for i, m := range within {
				local[i] = mention{span{m.start - s.start, m.end - s.start}, m.ids}
			}
			out = append(out, newSentence(text, local, false))
		}
	}
	return out
}

func hasWord(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

// blocks joins the lines of a paragraph. List items, headings and table rows stand alone;
// a line of citations only belongs to what precedes it.
func blocks(body string, cites []mention) []span {
	var out []span
	at := 0
	open := false // whether the last block goes on
	for line := range strings.Lines(body) {
		s := span{at, at + len(line)}
		at = s.end
		switch {
		case strings.TrimSpace(line) == "":
			open = false
			continue
		case len(out) > 0 && onlyCitations(body, s, cites):
			out[len(out)-1].end = s.end
			continue
		case open && !ownBlock.MatchString(line):
			out[len(out)-1].end = s.end
		default:
			out = append(out, s)
		}
		open = !heading.MatchString(line) && !afterBlock.MatchString(line)
	}
	return out
}

func onlyCitations(body string, s span, cites []mention) bool {
	within := mentionsIn(cites, s)
	if len(within) == 0 {
		return false
	}
	at := s.start
	for _, m := range within {
		if hasWord(body[at:m.start]) {
			return false
		}
		at = m.end
	}
	return !hasWord(body[at:s.end])
}

// mentionsIn gives the citations that begin within a span.
func mentionsIn(cites []mention, s span) []mention {
	from := sort.Search(len(cites), func(i int) bool { return cites[i].start >= s.start })
	to := sort.Search(len(cites), func(i int) bool { return cites[i].start >= s.end })
	return cites[from:to]
}

// splitBlock divides a block at the ends of sentences.
func splitBlock(body string, block span, cites []mention) []span {
	var out []span
	start := block.start
	words := false // whether the sentence has any yet
	for i := block.start; i < block.end; {
		r, width := utf8.DecodeRuneInString(body[i:])
		if !strings.ContainsRune(".!?。！？｡", r) {
			words = words || unicode.IsLetter(r) || unicode.IsDigit(r)
			i += width
			continue
		}
		end, ends := sentenceEnd(body[:block.end], i)
		if ends && words {
			end = takeCitations(body[:block.end], end, cites)
			out = append(out, span{start, end})
			start, words = end, false
		}
		i = max(end, i+width)
	}
	if strings.TrimSpace(body[start:block.end]) != "" {
		out = append(out, span{start, block.end})
	}
	return out
}

const closers = "\"'”’»)）」』】*_"

// sentenceEnd looks at the stops from i on. end is behind them and what closes with them.
func sentenceEnd(text string, i int) (end int, ends bool) {
	end = i
	wide := false
	for end < len(text) {
		r, width := utf8.DecodeRuneInString(text[end:])
		if strings.ContainsRune("。！？｡", r) {
			wide = true
		} else if !strings.ContainsRune(".!?", r) {
			break
		}
		end += width
	}
	onePoint := end == i+1 && text[i] == '.'
	behind := end
	for end < len(text) {
		r, width := utf8.DecodeRuneInString(text[end:])
		if !strings.ContainsRune(closers, r) {
			break
		}
		end += width
	}
	if wide {
		return end, true
	}
	next, _ := utf8.DecodeRuneInString(text[end:])
	if end < len(text) && !unicode.IsSpace(next) && next != '[' && next != '【' && next != '［' {
		return behind, false // a decimal point, a domain, an initialism
	}
	following := strings.TrimLeftFunc(text[end:min(len(text), end+64)], unicode.IsSpace)
	first, _ := utf8.DecodeRuneInString(following)
	switch {
	case unicode.IsLower(first):
		return end, false
	case onePoint && isAbbreviation(text[max(0, i-24):i], first):
		return end, false
	}
	return end, true
}

// takeCitations moves the end of a sentence behind the citations that follow its stop:
// "… in 1990. [corpus_1]". A bracket that a small letter follows is the subject of the
// next sentence.
func takeCitations(text string, end int, cites []mention) int {
	next := sort.Search(len(cites), func(i int) bool { return cites[i].start >= end })
	at := end
	for next < len(cites) && cites[next].end <= len(text) && strings.Trim(text[at:cites[next].start], " \t\n\r,;") == "" {
		at = cites[next].end
		next++
	}
	if at == end {
		return end
	}
	rest := strings.TrimLeft(text[at:min(len(text), at+64)], " \t")
	if first, _ := utf8.DecodeRuneInString(rest); unicode.IsLower(first) {
		return end
	}
	for at < len(text) && strings.IndexByte(".!?", text[at]) >= 0 {
		at++
	}
	return at
}

// isAbbreviation reports whether a full stop behind before belongs to a short form.
func isAbbreviation(before string, next rune) bool {
	cut := strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLetter(r) && r != '.' })
	word := strings.ToLower(before[cut+1:])
	if utf8.RuneCountInString(word) == 1 && unicode.IsUpper(firstRune(before[cut+1:])) {
		return true // an initial: J. Smith
	}
	if i := strings.LastIndexByte(word, '.'); i >= 0 && utf8.RuneCountInString(word[i+1:]) == 1 {
		return true // U.S, e.g, a.m
	}
	switch word {
	case "dr", "mr", "mrs", "ms", "prof", "st", "mt", "ft", "vs", "cf", "viz", "approx", "ca", "inc", "ltd", "co", "corp", "jr", "sr",
		"gen", "col", "lt", "capt", "gov", "sen", "rep", "rev", "hon", "sgt", "maj", "adm", "pres", "fig", "figs", "vol", "eq", "est", "etc",
		"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "bros", "univ", "dept", "al", "ed", "eds":
		return true
	case "no", "nos", "nr", "p", "pp", "ch", "sec", "art", "c", "b", "d":
		return unicode.IsDigit(next)
	}
	return false
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
