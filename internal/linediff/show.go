package linediff

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	maxWidth  = 160 // characters shown of one line
	leadWidth = 40  // characters shown before the first difference
)

// Window returns the part of a line around a character, at most 160 characters, and an ellipsis for each part
// that is left out. Characters that are not printable are shown as Go writes them, such as \x1b.
func Window(line []rune, around int) string {
	from := max(0, min(around-leadWidth, len(line)-maxWidth))
	to := min(len(line), from+maxWidth)
	var out strings.Builder
	if from > 0 {
		out.WriteString("…")
	}
	for _, r := range line[from:to] {
		if strconv.IsPrint(r) {
			out.WriteRune(r)
		} else {
			out.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	if to < len(line) {
		out.WriteString("…")
	}
	return out.String()
}

// Unified returns a difference as lines of a unified diff: each line begins with its kind, changed lines have
// up to around equal lines before and after them, and each part begins with a line "@@ -1,2 +1,3 @@". It returns
// at most a number of lines; left is the number of changed lines among the others. If a block of removed and added
// lines does not fit, each of both gets half of the room. Lines are shortened by Window, around the first
// character that differs from the line's counterpart.
func Unified(lines []Line, around, most int) (out []string, left int) {
	show := markContext(lines, around)
	add := func(texts ...string) { out = append(out, texts[:max(0, min(len(texts), most-len(out)))]...) }
	for i := 0; i < len(lines); {
		if !show[i] {
			i++
			continue
		}
		end := i
		for end < len(lines) && show[end] {
			end++
		}
		add(header(lines, i, end))
		for texts := shown(lines[i:end]); i < end; {
			if lines[i].Kind == Same {
				add(texts[0])
				i, texts = i+1, texts[1:]
				continue
			}
			removed, added := block(lines[i:end])
			room := max(0, most-len(out))
			minus := min(removed, max((room+1)/2, room-added))
			plus := min(added, room-minus)
			add(texts[:minus]...)
			add(texts[removed : removed+plus]...)
			left += removed - minus + added - plus
			i, texts = i+removed+added, texts[removed+added:]
		}
	}
	return out, left
}

// block returns the number of removed lines at the beginning of lines, and of the added lines after them.
func block(lines []Line) (removed, added int) {
	for removed < len(lines) && lines[removed].Kind == Removed {
		removed++
	}
	for removed+added < len(lines) && lines[removed+added].Kind == Added {
		added++
	}
	return removed, added
}

// markContext marks the changed lines and the lines around them.
func markContext(lines []Line, around int) []bool {
	out := make([]bool, len(lines))
	last := -around - 1
	for i, l := range lines {
		if l.Kind != Same {
			for j := max(0, i-around, last); j <= i; j++ {
				out[j] = true
			}
			last = i
		} else if i-last <= around {
			out[i] = true
		}
	}
	return out
}

// header returns the line before a part of the difference: the first line and the number of lines in each text.
func header(lines []Line, from, to int) string {
	var at, n [2]int
	for i, l := range lines[:to] {
		for side, absent := range []Kind{Added, Removed} {
			switch {
			case l.Kind == absent:
			case i < from:
				at[side]++
			default:
				n[side]++
			}
		}
	}
	place := func(side int) string {
		if n[side] == 0 {
			return fmt.Sprintf("%d,0", at[side])
		}
		return fmt.Sprintf("%d,%d", at[side]+1, n[side])
	}
	return fmt.Sprintf("@@ -%s +%s @@", place(0), place(1))
}

// shown returns lines with their kinds, each shortened around its first difference from its counterpart.
func shown(lines []Line) []string {
	out := make([]string, len(lines))
	for i := 0; i < len(lines); {
		if lines[i].Kind == Same {
			out[i] = " " + Window([]rune(lines[i].Text), 0)
			i++
			continue
		}
		from := i
		removed, added := block(lines[i:])
		i += removed + added
		for j := range i - from {
			counterpart := j + removed // of a removed line
			if j >= removed {
				counterpart = j - removed
			}
			line, around := []rune(lines[from+j].Text), 0
			if counterpart < i-from && lines[from+counterpart].Kind != lines[from+j].Kind {
				around = Common(line, []rune(lines[from+counterpart].Text))
			}
			out[from+j] = string(lines[from+j].Kind) + Window(line, around)
		}
	}
	return out
}
