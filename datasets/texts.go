package datasets

import "strings"

// trimText removes outer white space, and ends lines with \n.
func trimText(s string) string {
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return strings.TrimSpace(s)
}

// texts returns the words without their places; nil if words is empty.
func texts(words []word) []string {
	var list []string
	for _, w := range words {
		list = append(list, w.text)
	}
	return list
}
