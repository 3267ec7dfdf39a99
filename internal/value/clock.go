package value

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// Clock is a time of day, or a range of two, in seconds from midnight.
type Clock struct {
	From, To int
	Range    bool
	Open     bool // without am, pm or the like, at an hour that occurs twice a day
}

// String returns 14:30, 14:30:15 or 09:00..17:00.
func (c Clock) String() string {
	at := func(n int) string {
		s := fmt.Sprintf("%02d:%02d", n/3600, n/60%60)
		if n%60 > 0 {
			s += fmt.Sprintf(":%02d", n%60)
		}
		return s
	}
	if c.Range {
		return at(c.From) + ".." + at(c.To)
	}
	return at(c.From)
}

const halfDay = 12 * 3600

// mayBe reports whether two times of day may be equal. They may be equal if they are the same time, or if they
// differ by half a day and it is open whether one of them is am or pm.
func (c Clock) mayBe(d Clock) bool {
	open := c.Open || d.Open
	near := func(a, b int) bool { return a == b || open && a%halfDay == b%halfDay }
	return c.Range == d.Range && near(c.From, d.From) && near(c.To, d.To)
}

// The parts of a time of day, in lower case. am and pm may come before or after it.
const (
	half   = `a\. ?m\b\.?|am\b|p\. ?m\b\.?|pm\b`
	before = `上午|早上|午前|오전|下午|晚上|午後|오후`
	hour   = `([01]?[0-9]|2[0-4])`
	minute = `([0-5][0-9])`
	end    = `(?:$|[^\pL\p{Nd}:]|[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}])`
)

// clockForms are the forms of a time of day: 14:30:15, 2.30 pm, 14.30 Uhr, 14 h 30, 下午2点30分. The groups of each
// are am/pm before the time, hour, minute, second, and am/pm after it.
var clockForms = sync.OnceValue(func() []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, form := range []string{
		`()` + hour + `:` + minute + `(?::` + minute + `)?(?: ?(` + half + `))?(?: ?(?:uhr|hrs|hours)\b)?`,
		`()` + hour + `(?:[.]` + minute + `)?() ?(` + half + `)`,
		`()` + hour + ` ?uhr ` + minute + `()()`,
		`()` + hour + `(?:[.]` + minute + `)? ?uhr\b()()`,
		`()` + hour + ` ?h ?` + minute + `()()`,
		`(` + before + `)?` + hour + `[点點时時시] ?(?:` + minute + `[分분]?)?()()`,
	} {
		out = append(out, regexp.MustCompile(`^`+form))
	}
	return out
})

var (
	bareHour = lazy.Compile(`^` + hour + `(?:[:.]` + minute + `)?`)
	// between matches the text between the two ends of a range.
	between = lazy.Compile(`^ ?(?:-|~|to|until|till|bis|and|und|à|y|e|a|al|a las|alle|às|até|から|到|至) ?`)
	// announcing matches the words before a time, and closing the words after it, in a text that has only a
	// time.
	announcing = lazy.Compile(`^(?:at|from|between|um|von|ab|zwischen|a las|de|entre|dalle|alle|das|às|à|从|由) ?`)
	closing    = lazy.Compile(`^ ?(?:uhr|h|o'clock|まで|[.])?$`)
)

// clockAt reads a time of day, or a range of two times, at the beginning of a folded text. n is the length that
// was read; 0 if there is no time.
func clockAt(s string) (c Clock, n int) {
	c.From, c.Open, n = oneClock(s)
	start, open := c.From, c.Open
	bare := n == 0
	if bare { // 9 of "9-5 pm"
		m := bareHour.FindStringSubmatch(s)
		if m == nil {
			return c, 0
		}
		start, open, n = seconds(m[1], m[2], "", "")
	}
	joint := between.FindString(s[n:])
	to, openTo, length := 0, false, 0
	if joint != "" && n > 0 {
		to, openTo, length = oneClock(s[n+len(joint):])
	}
	if length == 0 {
		if bare {
			return Clock{}, 0
		}
		return c, n
	}
	if open && !openTo && to >= halfDay && start+halfDay < to && start < halfDay && bare { // 1-5 pm
		start += halfDay
	}
	c = Clock{From: start, To: to, Range: true, Open: open && openTo}
	return c, n + len(joint) + length
}

// namedClock matches the times of day that have names; "12 noon" is one of them.
var namedClock = lazy.Compile(`^(?:12 )?(noon|midnight)\b`)

var mayBeNamed = lazy.Compile(`(?i)noon|midnight`)

// oneClock reads one time of day at the start of a folded text.
func oneClock(s string) (at int, open bool, n int) {
	if m := namedClock.FindStringSubmatch(s); m != nil {
		if m[1] == "noon" {
			at = halfDay
		}
		return at, false, len(m[0])
	}
	for _, form := range clockForms() {
		m := form.FindStringSubmatch(s)
		if m == nil || !boundary.MatchString(s[len(m[0]):]) {
			continue
		}
		if at, open, n = seconds(m[2], m[3], m[4], m[1]+m[5]); n > 0 {
			return at, open, len(m[0])
		}
	}
	return 0, false, 0
}

var boundary = lazy.Compile(`^` + end)

// seconds returns a time of day in seconds. ok is the length of the text of hour and minute, with the mark
// between them. It is 0 if the parts are not a time of day, such as 13 pm.
func seconds(hours, minutes, secs, of string) (at int, open bool, ok int) {
	h, _ := strconv.Atoi(hours)
	m, _ := strconv.Atoi(minutes)
	s, _ := strconv.Atoi(secs)
	late := strings.HasPrefix(of, "p") || of != "" && strings.Contains("下午晚上午後오후", of)
	if of != "" && (h > 12 || h == 0) || h == 24 && m+s > 0 {
		return 0, false, 0
	}
	open = of == "" && h > 0 && h <= 12 && len(hours) < 2
	switch {
	case of == "":
	case late && h < 12:
		h += 12
	case !late && h == 12:
		h = 0
	}
	ok = len(hours) + len(minutes)
	if minutes != "" {
		ok++
	}
	return (h%24)*3600 + m*60 + s, open, ok
}

var errNoClock = errors.New("no time of day: write 14:30 or 2:30 pm")

// ParseClock reads a whole text as a time of day, such as "14:30", "2:30 pm" or "14.30 Uhr", or as a range of
// two, such as "9:00 to 17:00" or "9-5 pm". If the first time of a range has neither am nor pm, it is read as
// the latest possible time before the second.
func ParseClock(s string) (Value, error) {
	if len(s) > MaxBytes {
		return Value{}, fmt.Errorf("%d bytes are too long for a value", len(s))
	}
	folded := text.Fold(text.Head(s, maxClock))
	for range 2 {
		c, n := clockAt(folded)
		if n > 0 && closing.MatchString(folded[n:]) && len(s) <= maxClock {
			return Value{Span: text.Span{Start: 0, End: len(s)}, Kind: Time, Clock: c}, nil
		}
		folded = folded[len(announcing.FindString(folded)):]
	}
	return Value{}, errNoClock
}

// maxClock is the maximum length, in bytes, of a text that is a time of day.
const maxClock = 64

// FindClocks returns the times of day and ranges of them in a running text, at most limit.
func FindClocks(s string, limit int) []Value {
	var out []Value
	if !strings.ContainsAny(s, "0123456789０１２３４５６７８９") && !mayBeNamed.MatchString(s) {
		return nil
	}
	folded := text.Map(s, text.KeepLines)
	f := folded.String
	for at := 0; at < len(f) && len(out) < limit; {
		goesOn := at > 0 && (text.IsDigit(f[at-1]) || strings.IndexByte(".:,-/$", f[at-1]) >= 0)
		isName := (at == 0 || f[at-1] == ' ') && (strings.HasPrefix(f[at:], "noon") || strings.HasPrefix(f[at:], "midnight"))
		if !text.IsDigit(f[at]) && f[at] < 0x80 && !isName || goesOn {
			at++
			continue
		}
		c, n := clockAt(f[at:min(len(f), at+maxClock)])
		if n == 0 {
			at++
			continue
		}
		from, to := folded.Source(at, at+n)
		out = append(out, Value{Span: text.Span{Start: from, End: to}, Kind: Time, Clock: c})
		at += n
	}
	return out
}
