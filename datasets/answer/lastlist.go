package answer

import "strings"

// maxListWords is the length of a line that is still taken for a list as a whole.
const maxListWords = 60

// lastList returns the last run of at least two bullets of a message, or the message
// itself if it is one line without a sentence.
func lastList(lines []string) string {
	var run, found []string
	for _, line := range lines {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue // bullets may stand apart
		}
		item := cutListMark(trimmed)
		if item == trimmed {
			run = nil
			continue
		}
		run = append(run, cutCitations(item))
		if len(run) > 1 {
			found = run
		}
	}
	if len(found) > 1 {
		return strings.Join(found, "; ")
	}
	return onlyList(lines)
}

// onlyList returns the message if it is one line of a list.
func onlyList(lines []string) string {
	only := ""
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if only != "" {
			return ""
		}
		only = strings.TrimSpace(line)
	}
	short := undress(cutCitations(only))
	text, _ := clean(short)
	if text == "" || len(strings.Fields(short)) > maxListWords || hasSentence(strings.ReplaceAll(short, ";", ",")) {
		return ""
	}
	return short
}

// followingList returns the lines of the block that starts lines, as elements of one
// line.
func followingList(lines []string) string {
	var items []string
	for i, line := range lines {
		if text, _ := clean(line); text == "" {
			if len(items) > 0 {
				break
			}
			continue
		}
		item := followingLine(lines[i : i+1])
		if item == "" {
			break
		}
		items = append(items, cutCitations(cutListMark(strings.TrimSpace(line))))
	}
	if len(items) == 1 {
		return followingLine(lines)
	}
	return strings.Join(items, "; ")
}
