package sureness

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

const (
	percentSign = `(?:[%％﹪٪]|per ?cent\b|pct\b|prozent\b|pour cent\b|por ciento\b)`
	someNumber  = `[-−]?\d+(?:[.,]\d+)*`
	sureWord    = `(?:sure|confiden\w*|certain\w*|likely|sicher(?:heit)?|gewiss|seguro|sûre?|zeker)\b`
	denial      = `(?:\b(?:not|never|hardly|nicht|kaum)|n['’]t)\s+`
	ofHundred   = `\s*(?:/|out of)\s*100\b`
	filler      = `(?:i|am|['’]?m|i['’](?:m|d)|would|put|it|my|is|at|about|around|roughly|approximately|approx|say|` +
		`only|level|estimate|sureness|ich|bin|mir|zu|etwa|circa|ca|` + sureWord + `)`
)

var (
	percentage = lazy.Compile(`(?i)(` + someNumber + `)[\s\x{a0}\x{202f}\x{2009}*_]*` + percentSign)
	// spread matches a range of percentages. A range does not count as a percentage.
	spread = lazy.Compile(`(?i)(?:` + someNumber + `\s*` + percentSign + `?\s*(?:[-–—]|to|bis)|between\s+` + someNumber +
		`\s*` + percentSign + `?\s+and)\s*` + someNumber + `[\s\x{a0}\x{202f}*_]*` + percentSign)
	outOf     = lazy.Compile(`(?i)` + ofHundred)
	numeral   = lazy.Compile(someNumber)
	confident = lazy.Compile(`(?i)\b` + sureWord)
	// unsure matches a word of sureness that is denied, such as "not sure".
	unsure = lazy.Compile(`(?i)` + denial + `(?:(?:so|very|too|all|that|quite|really|at|entirely|fully|ganz)\s+){0,2}` +
		sureWord)
	// deniedBefore matches the end of a text that denies the percentage after it.
	deniedBefore = lazy.Compile(`(?i)` + denial + `(?:[\pL]+\s+){0,3}[\s*_]*$`)
	clauseEnd    = lazy.Compile(`(?i)[;()]|,(?:\s|$)|\s(?:but|though|although|aber)\s`)
	answerLine   = lazy.Compile(`(?im)^[\s*_#>]*(?:final\s+)?answer[\s*_]*:.*$`)
	// bareNumber matches a sentence that has only a number and words without meaning for the number (filler).
	bareNumber = lazy.Compile(`(?i)^\W*(?:` + filler + `\W+)*(\d+(?:\.\d+)?)(?:` + ofHundred + `)?(?:\W+` + filler +
		`)*\W*$`)
	barePercentage = lazy.Compile(`(?i)^\W*(?:` + filler + `\W+)*` + someNumber + `[\s\x{a0}\x{202f}\x{2009}*_]*` +
		percentSign + `(?:\W+` + filler + `)*[^\pL\d]*$`)
)

// percentIn finds the percentage by which a reply states how sure the model is. If the reply has several, it
// takes the only one that is next to a word of sureness. Percentages that are denied or in an answer line do
// not count. The result may be outside 0 to 100.
//
// plain says that the text is the direct reply to the confidence question. In any other text, the percentage
// needs a word of sureness. If a direct reply has an answer line, the percentage needs such a word, or must be
// in a sentence of its own.
func percentIn(reply string, plain bool) (percent float64, found bool) {
	answers := strings.Join(answerLine.FindAllString(reply, -1), "\n")
	rest := answerLine.ReplaceAllString(spread.ReplaceAllString(reply, "a range"), "")
	all, joined := readPercentages(rest)
	switch {
	case len(joined) == 1:
		return joined[0], true
	case !plain || len(joined) > 1 || len(percentage.FindAllStringIndex(rest, -1)) > 1:
		return 0, false
	case len(all) == 1:
		p := all[0]
		return p.value, answers == "" || p.bare && !holds(answers, p.value)
	case percentage.MatchString(rest) || rest != answerLine.ReplaceAllString(reply, ""):
		return 0, false
	}
	return bareNumberIn(rest, answers)
}

// statedPercent is a percentage that is not negated.
type statedPercent struct {
	value float64
	bare  bool // the sentence has only the percentage and filler words
}

// readPercentages returns all percentages of a text that are not denied. joined has those of them that are
// nearest to a word of sureness in their clause, each value once.
func readPercentages(reply string) (all []statedPercent, joined []float64) {
	eachSentence(reply, func(sentence string) {
		bare := barePercentage.MatchString(sentence)
		for _, clause := range clauseEnd.Split(sentence, -1) {
			sure := confident.FindAllStringIndex(unsure.ReplaceAllStringFunc(clause, func(s string) string {
				return strings.Repeat(" ", len(s))
			}), -1)
			nearest, best := math.Inf(1), math.NaN()
			for _, at := range percentage.FindAllStringSubmatchIndex(clause, -1) {
				p, ok := readNumber(clause[at[2]:at[3]])
				before := deniedBefore.FindString(clause[:at[0]])
				denied := before != "" && !confident.MatchString(before)
				if ok && !denied {
					all = append(all, statedPercent{p, bare})
				}
				for _, word := range sure {
					if gap := float64(max(word[0]-at[1], at[0]-word[1])); gap < nearest {
						nearest, best = gap, p
						if denied || !ok {
							best = math.NaN()
						}
					}
				}
			}
			if !math.IsNaN(best) && !slices.Contains(joined, best) {
				joined = append(joined, best)
			}
		}
	})
	return all, joined
}

// bareNumberIn finds a number without a percent sign. It must be the only number of the reply, and its sentence
// must have only filler words besides the number.
func bareNumberIn(reply, answers string) (percent float64, found bool) {
	if len(numeral.FindAllStringIndex(outOf.ReplaceAllString(reply, ""), -1)) != 1 {
		return 0, false
	}
	eachSentence(reply, func(sentence string) {
		m := bareNumber.FindStringSubmatch(sentence)
		if m == nil {
			return
		}
		p, ok := readNumber(m[1])
		words := strings.ContainsFunc(sentence, func(r rune) bool { return r >= 'A' })
		if ok && (p == 0 || p >= 1) && !holds(answers, p) && (words || sentence == strings.TrimSpace(reply)) {
			percent, found = p, true
		}
	})
	return percent, found
}

func eachSentence(s string, do func(string)) {
	for line := range strings.Lines(s) {
		for _, at := range text.Sentences(line) {
			do(line[at.Start:at.End])
		}
	}
}

// readNumber reads a number. In it, commas before three digits only group the digits.
func readNumber(s string) (float64, bool) {
	s = strings.Replace(s, "−", "-", 1)
	if i := strings.LastIndexByte(s, ','); i >= 0 && len(s)-i != 4 {
		s = s[:i] + "." + s[i+1:]
	}
	p, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	return p, err == nil
}

func holds(s string, value float64) bool {
	for _, n := range numeral.FindAllString(s, -1) {
		if p, ok := readNumber(n); ok && p == value {
			return true
		}
	}
	return false
}
