package answer

import "strings"

// smallNumber knows the words for 0 to 19.
func smallNumber(word string) (int64, bool) {
	switch word {
	case "zero", "nought", "naught":
		return 0, true
	case "one":
		return 1, true
	case "two":
		return 2, true
	case "three":
		return 3, true
	case "four":
		return 4, true
	case "five":
		return 5, true
	case "six":
		return 6, true
	case "seven":
		return 7, true
	case "eight":
		return 8, true
	case "nine":
		return 9, true
	case "ten":
		return 10, true
	case "eleven":
		return 11, true
	case "twelve":
		return 12, true
	case "thirteen":
		return 13, true
	case "fourteen":
		return 14, true
	case "fifteen":
		return 15, true
	case "sixteen":
		return 16, true
	case "seventeen":
		return 17, true
	case "eighteen":
		return 18, true
	case "nineteen":
		return 19, true
	}
	return 0, false
}

func tensWord(word string) (int64, bool) {
	switch word {
	case "twenty":
		return 20, true
	case "thirty":
		return 30, true
	case "forty", "fourty":
		return 40, true
	case "fifty":
		return 50, true
	case "sixty":
		return 60, true
	case "seventy":
		return 70, true
	case "eighty":
		return 80, true
	case "ninety":
		return 90, true
	}
	return 0, false
}

// scaleWord is the value of a word that multiplies what precedes it, 0 for others.
func scaleWord(word string) int64 {
	switch word {
	case "thousand":
		return 1_000
	case "lakh":
		return 100_000
	case "million":
		return 1_000_000
	case "crore":
		return 10_000_000
	case "billion":
		return 1_000_000_000
	case "trillion":
		return 1_000_000_000_000
	case "quadrillion":
		return 1_000_000_000_000_000
	}
	return 0
}

// shareWord is the number of parts that a fraction word divides into, 0 for others.
// "Second" is none: it counts seconds.
func shareWord(word string) int64 {
	switch strings.TrimSuffix(word, "s") {
	case "half", "halve":
		return 2
	case "quarter":
		return 4
	case "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "twelfth", "twentieth",
		"hundredth", "thousandth":
		base := cardinalWord(strings.TrimSuffix(word, "s"))
		if n, ok := smallNumber(base); ok {
			return n
		}
		if n, ok := tensWord(base); ok {
			return n
		}
		if base == "hundred" {
			return 100
		}
		return scaleWord(base)
	}
	return 0
}

// cardinalWord turns an ordinal into its cardinal: "twelfth" into "twelve". It is
// empty for other words.
func cardinalWord(ordinal string) string {
	switch ordinal {
	case "first":
		return "one"
	case "second":
		return "two"
	case "third":
		return "three"
	case "fifth":
		return "five"
	case "eighth":
		return "eight"
	case "ninth":
		return "nine"
	case "twelfth":
		return "twelve"
	}
	if stem, ok := strings.CutSuffix(ordinal, "ieth"); ok {
		if _, tens := tensWord(stem + "y"); tens {
			return stem + "y"
		}
		return ""
	}
	stem, ok := strings.CutSuffix(ordinal, "th")
	if !ok {
		return ""
	}
	if _, small := smallNumber(stem); small || stem == "hundred" || scaleWord(stem) > 0 {
		return stem
	}
	return ""
}
