package offline

import (
	"regexp"
	"strings"
	"sync"
)

// format is how the answer is wanted.
type format struct {
	unit        unit // zero where none was asked for
	round       bool
	places      int // decimals to keep when round; negative for tens, hundreds …
	significant int // significant figures asked for, or 0
}

const smallNumber = `(\d|one|two|three|four|five|six)`

type formatPatterns struct{ decimals, significant, nearest, whole, lead, manner, unitLead, unitEnd *regexp.Regexp }

var formats = sync.OnceValue(func() formatPatterns {
	re := regexp.MustCompile
	return formatPatterns{
		decimals:    re(`(?i)\b(?:(?:to|with|at|using|give|keep) )?(?:exactly )?` + smallNumber + ` (?:decimal places?|decimals?|digits? after the (?:decimal )?point|places of decimals)`),
		significant: re(`(?i)\bto ` + smallNumber + ` significant (?:figures?|digits?)`),
		nearest:     re(`(?i)\bto the nearest (whole [a-z]+|[a-z]+)`),
		whole:       re(`(?i)\b(?:as|in) (?:a whole number|an integer|whole numbers?)`),
		lead:        re(`(?i)[,;:]?\s*(?:and |then )*(?:please )?(?:(?:give|state|express|report|write|round)(?: (?:it|this|that|the|your|result|answer|value|figure|number))*|rounded|rounding|correct|accurate)(?: off)?(?: (?:your|the) (?:answer|result))?\s*$`),
		manner: re(`(?i)^(?:please )?(?:answer|reply|respond|(?:give|state|express|write|provide|round|keep|show) (?:me )?(?:your|the|just the|only the|an) (?:\w+ )?(?:answer|result|number|figure|name|reply)|use (?:the )?(?:exact|calculator|search)|be (?:brief|concise|precise)|round(?:ed)? |rounding|a (?:yes|short|single|one)|one word|just |only |no explanation|thanks|thank you|cite )` +
			``),
		unitLead: re(`(?i)^(?:(?:expressed|measured|stated|given|counted|counting|reckoned|measuring) )?in ([a-z°/ ]+?), `),
		unitEnd:  re(`(?i)[,(]?\s*(?:(?:when )?(?:expressed|measured|given|stated|written|converted|counted) )?(?:in|into) ((?:[a-z°/-]+ ){0,3}[a-z°/-]+?)\s*\)?(,| is | does | did | was | are | would | would be |$)`),
	}
})

// readFormat takes the wishes about rounding and unit out of the text.
func readFormat(text string) (format, string) {
	var f format
	p := formats()
	cut := func(loc []int) {
		head := text[:loc[0]]
		if l := p.lead.FindStringIndex(head); l != nil {
			head = head[:l[0]]
		}
		text = strings.TrimSpace(strings.TrimRight(head, " ,(") + strings.TrimLeft(text[loc[1]:], ")"))
	}
	if m := p.decimals.FindStringSubmatchIndex(text); m != nil {
		f.round, f.places = true, count(text[m[2]:m[3]])
		cut(m)
	}
	if m := p.significant.FindStringSubmatchIndex(text); m != nil {
		f.significant = count(text[m[2]:m[3]])
		cut(m)
	}
	if m := p.nearest.FindStringSubmatchIndex(text); m != nil {
		word := strings.ToLower(text[m[2]:m[3]])
		if places, ok := nearestPlaces(word); ok {
			f.round, f.places = true, places
			if u, ok := unitNamed(strings.TrimPrefix(word, "whole ")); ok {
				f.unit = u
			}
			cut(m)
		}
	}
	if m := p.whole.FindStringIndex(text); m != nil {
		f.round = true
		cut(m)
	}
	return f, strings.TrimLeft(text, " ,;:")
}

// unitWish takes a trailing or leading "in miles" out of an asked sentence.
func unitWish(f *format, text string) string {
	p := formats()
	if m := p.unitLead.FindStringSubmatchIndex(text); m != nil {
		if u, ok := unitNamed(text[m[2]:m[3]]); ok {
			f.unit = u
			return text[m[1]:]
		}
	}
	for at := 0; ; {
		m := p.unitEnd.FindStringSubmatchIndex(text[at:])
		if m == nil {
			return text
		}
		if u, ok := unitNamed(text[at+m[2] : at+m[3]]); ok {
			f.unit = u
			rest := text[at+m[4]:]
			if strings.HasPrefix(rest, ", ") && m[0] > 0 { // "the length, in miles, of X"
				rest = rest[1:]
			}
			return strings.TrimSpace(text[:at+m[0]] + rest)
		}
		at += m[0] + 1
	}
}

func nearestPlaces(word string) (int, bool) {
	switch strings.TrimPrefix(word, "whole ") {
	case "number", "integer", "unit", "whole", "one":
		return 0, true
	case "tenth":
		return 1, true
	case "hundredth", "cent":
		return 2, true
	case "thousandth":
		return 3, true
	case "ten":
		return -1, true
	case "hundred":
		return -2, true
	case "thousand":
		return -3, true
	case "million":
		return -6, true
	case "percent":
		return 0, true
	}
	_, ok := unitNamed(strings.TrimPrefix(word, "whole "))
	return 0, ok || strings.HasPrefix(word, "whole ")
}

func count(s string) int {
	if n := numberWords()[strings.ToLower(s)]; n != "" {
		s = n
	}
	return smallInt(s)
}
