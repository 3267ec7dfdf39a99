package offline

import (
	"strconv"
	"strings"
	"sync"
)

// inFigures writes spelled numbers and ordinals in figures: "twenty-one" as 21, "two
// hundred and five thousand" as 205000, "twentieth" as 20th.
func inFigures(text string) string {
	w := tokens(text)
	var out strings.Builder
	at := 0
	for i := 0; i < len(w); {
		value, n := spelledAt(w, i)
		figures := strconv.FormatInt(value, 10)
		if n == 0 {
			if o, ok := ordinals()[w[i].low]; ok && !(w[i].low == "second" && measuresTime(w, i)) {
				figures, n = o, 1
			}
		}
		if n == 0 {
			i++
			continue
		}
		out.WriteString(text[at:w[i].start])
		out.WriteString(figures)
		at = w[i+n-1].end
		i += n
	}
	out.WriteString(text[at:])
	return out.String()
}

// measuresTime says that the second at w[i] is one of time: "1 second", "metres per second".
func measuresTime(w []word, i int) bool {
	return i > 0 && (w[i-1].number() || w[i-1].low == "per" || w[i-1].low == "a" || smallNumberWord(w[i-1].low) >= 0)
}

// spelledAt reads a spelled number that begins at w[i] and says how many tokens it takes.
func spelledAt(w []word, i int) (value int64, n int) {
	var total, current int64
	read, last := 0, int64(-1)
	for j := i; j < len(w); j++ {
		low := w[j].low
		if low == "and" && read > 0 && last >= 100 && j+1 < len(w) && smallNumberWord(w[j+1].low) >= 0 {
			continue
		}
		zeros, scale := magnitude(low)
		v := smallNumberWord(low)
		switch {
		case low == "a" && read == 0 && j+1 < len(w) && (scaleWord(w[j+1].low) || w[j+1].low == "dozen"):
			current, last = 1, 1
			if w[j+1].low == "dozen" {
				return 12, 2
			}
			continue
		case scale && read+int(current) > 0 && total < 1e12 && current > 0 && current < 1000:
			if zeros == 2 {
				current *= 100
			} else {
				total += current * power10(zeros)
				current = 0
			}
			last = power10(zeros)
		case v >= 0 && (read == 0 || last >= 100 || last >= 20 && v < 10 && v > 0 && last%10 == 0):
			current += v
			last = v
		default:
			return total + current, read
		}
		read = j + 1 - i
	}
	return total + current, read
}

func power10(n int) int64 {
	v := int64(1)
	for range n {
		v *= 10
	}
	return v
}

func scaleWord(low string) bool {
	_, ok := magnitude(low)
	return ok
}

// smallNumberWord gives the value of "seven", "twenty" or "twenty-one"; -1 of anything else.
func smallNumberWord(low string) int64 {
	tens, ones, joined := strings.Cut(low, "-")
	v, err := strconv.ParseInt(numberWords()[tens], 10, 64)
	if err != nil {
		return -1
	}
	if !joined {
		return v
	}
	u, err := strconv.ParseInt(numberWords()[ones], 10, 64)
	if err != nil || v < 20 || v%10 != 0 || u < 1 || u > 9 {
		return -1
	}
	return v + u
}

var ordinals = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for i, w := range strings.Fields(`first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
		fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first`) {
		suffix := "th"
		if i < 3 || i == 20 {
			suffix = []string{"st", "nd", "rd"}[i%20]
		}
		m[w] = strconv.Itoa(i+1) + suffix
	}
	return m
})
