package answer

import "strings"

// Extract finds the short answer in a final message.
//
// The last line that starts with a final-answer marker ("Answer: 42") decides.
// The first never does: reasoning comes before the answer, and so does injected
// text. "[ABSTAIN]" and "[REFUSE]" in place of the answer give their kind, and
// citations after it are dropped.
//
// A marker with nothing after it takes the next line that is not blank, or for a list
// the next block of lines, flagged [FromFallback]. If nothing follows (the message broke off there) it counts as no
// marker at all, and the last complete marker line before it decides.
//
// Without any marker, a refusal or an abstention in the first or last sentence is
// recognised, and then the answer is guessed by its type: the last number, amount
// of money, quantity or date, the option named last, the last bullets, a yes or no at
// the start, or a message that is one short line. All of these are flagged
// [FromFallback].
func Extract(message string, t Type) Final {
	lines := splitLines(strings.ToValidUTF8(message, "\uFFFD"))
	for i := len(lines) - 1; i >= 0; i-- {
		content, ok := cutMarker(lines[i])
		if !ok {
			continue
		}
		if text, _ := clean(content); text != "" {
			return decide(content, FromLine)
		}
		next := followingLine(lines[i+1:])
		if t == List {
			next = followingList(lines[i+1:])
		}
		if next != "" {
			return decide(next, FromFallback)
		}
	}
	return extractWithout(beforeReferences(lines), t)
}

// decide reads what stands in the place of the answer.
func decide(content string, from Extraction) Final {
	if kind := declared(content); kind != None {
		return Final{Kind: kind, Extract: from}
	}
	short := undress(cutCitations(content))
	if folded, _ := fold(short); len(folded) < maxSentenceBytes {
		if kind := intent(folded, ""); kind != None {
			return Final{Kind: kind, Extract: FromFallback}
		}
	}
	return Final{Kind: Answered, Short: short, Extract: from}
}

// declared recognises [ABSTAIN] and [REFUSE], and the bare words in capitals.
func declared(content string) Kind {
	folded, _ := fold(strings.TrimLeft(content, decoration+"\"'"))
	for _, d := range []struct {
		word string
		kind Kind
	}{{"abstain", Abstained}, {"refuse", Refused}} {
		if strings.HasPrefix(strings.ReplaceAll(folded, `\`, ""), "["+d.word+"]") ||
			strings.Trim(content, " \t.!*_`\"'") == strings.ToUpper(d.word) {
			return d.kind
		}
	}
	return None
}

// undress removes the Markdown around a short answer, for show; keys do not
// depend on it.
func undress(s string) string {
	s = strings.TrimSpace(dropEmphasis(s))
	for len(s) > 2 && strings.IndexByte("*_`", s[0]) >= 0 {
		inner := s[1 : len(s)-1]
		if s[len(s)-1] != s[0] || strings.IndexByte(inner, s[0]) >= 0 {
			break
		}
		s = strings.TrimSpace(inner)
	}
	return s
}

// splitLines splits at any line break and keeps blank lines.
func splitLines(s string) []string {
	var lines []string
	start := 0
	for i, r := range s {
		width := 0
		switch r {
		case '\n', '\r', '\v', '\f':
			width = 1
		case 0x85:
			width = 2
		case 0x2028, 0x2029:
			width = 3
		default:
			continue
		}
		lines = append(lines, s[start:i])
		start = i + width
	}
	return append(lines, s[start:])
}

// followingLine returns the first line that is not blank, unless it starts
// something else: the references or another marker.
func followingLine(lines []string) string {
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if text, _ := clean(line); text == "" {
			continue
		}
		_, marked := cutMarker(line)
		if marked || isReferenceHeading(line) || cutCitations("x "+line) == "x" {
			return ""
		}
		return strings.TrimLeft(line, " \t>-•")
	}
	return ""
}

// beforeReferences cuts the list of references at the end of a message.
func beforeReferences(lines []string) []string {
	for i := len(lines) - 1; i > 0; i-- {
		if isReferenceHeading(lines[i]) {
			return lines[:i]
		}
	}
	return lines
}

func isReferenceHeading(line string) bool {
	if len(line) > maxMarkerBytes {
		return false
	}
	folded, _ := clean(strings.TrimLeft(line, decoration))
	head, _, _ := strings.Cut(folded, ":")
	switch strings.TrimRight(head, " *_`") {
	case "references", "reference", "sources", "source", "citations", "bibliography", "参考文献", "参考":
		return true
	}
	return false
}
