package answer

import "strings"

// maxMarkerBytes bounds what is looked at in front of the colon of a line.
const maxMarkerBytes = 160

// decoration is what Markdown may put in front of a marker: quotes, list marks,
// headings, emphasis, code.
const decoration = " \t\u00A0>*+-#_`•–"

// cutMarker returns what follows the final-answer marker that starts the line.
func cutMarker(line string) (content string, ok bool) {
	for {
		next, found := cutOneMarker(line)
		if !found {
			return content, ok
		}
		content, line, ok = next, next, true // "Answer: Final answer: 42"
	}
}

func cutOneMarker(line string) (string, bool) {
	colon, width := findColon(line)
	if colon < 0 {
		return "", false
	}
	head, content := line[:colon], strings.TrimSpace(line[colon+width:])
	name := strings.TrimLeft(cutListNumber(strings.TrimLeft(head, decoration)), decoration)
	bare := strings.TrimRight(name, " \t\u00A0*_`")
	if folded, _ := fold(bare); !isMarker(folded) {
		return "", false
	}
	opened := emphasisBefore(head[:len(head)-len(name)])
	if opened == "" || strings.HasSuffix(name, opened) {
		return content, true
	}
	// "**Answer:** 42" closes after the colon, "**Answer: 42**" at the end.
	if rest, closed := strings.CutPrefix(content, opened); closed {
		return strings.TrimSpace(rest), true
	}
	return strings.TrimSpace(strings.TrimSuffix(content, opened)), true
}

// findColon finds the first colon, plain or wide, near the start of a line.
func findColon(line string) (at, width int) {
	for i, r := range line {
		if i > maxMarkerBytes {
			break
		}
		switch r {
		case ':':
			return i, 1
		case '：', '﹕':
			return i, 3
		}
	}
	return -1, 0
}

// cutListNumber removes "1." or "2)" at the start of a line.
func cutListNumber(s string) string {
	n := 0
	for n < len(s) && n < 3 && isDigit(s[n]) {
		n++
	}
	if n == 0 || n+1 >= len(s) || s[n] != '.' && s[n] != ')' || s[n+1] != ' ' && s[n+1] != '\t' {
		return s
	}
	return strings.TrimLeft(s[n+1:], " \t")
}

// emphasisBefore returns the run of emphasis or code marks that ends s.
func emphasisBefore(s string) string {
	for _, mark := range []string{"*", "_", "`"} {
		if rest := strings.TrimRight(s, mark); len(rest) < len(s) {
			return s[len(rest):]
		}
	}
	return ""
}

// isMarker lists the names of the final answer, folded.
func isMarker(folded string) bool {
	switch folded {
	case "answer", "final answer", "答案", "答え", "回答", "정답",
		"antwort", "réponse", "respuesta", "risposta", "resposta", "ответ", "الإجابة":
		return true
	}
	return false
}
