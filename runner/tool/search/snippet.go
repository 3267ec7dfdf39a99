package search

import "strings"

// maxSnippet is the length in bytes up to which a text is shown whole.
const maxSnippet = 1200

// snippet returns text whole where it is short, else the run of sentences of up to
// maxSnippet bytes that is most relevant to the query; of equal runs the first.
func (w *Weights) snippet(text string, query []string) string {
	if len(text) <= maxSnippet {
		return text
	}
	sentences := splitSentences(text)
	best, bestScore := "", -1.0
	for i := range sentences {
		length, end := len(sentences[i]), i+1
		for end < len(sentences) && length+len(sentences[end]) <= maxSnippet {
			length += len(sentences[end])
			end++
		}
		window := strings.TrimSpace(strings.Join(sentences[i:end], ""))
		if score := w.Relevance(query, Terms(window)); score > bestScore {
			best, bestScore = window, score
		}
		if end == len(sentences) {
			break
		}
	}
	return cut(best, maxSnippet)
}

// splitSentences cuts text behind a full stop, question or exclamation mark, or line
// break that white space follows. Joined, the pieces give the text back.
func splitSentences(text string) []string {
	var out []string
	start := 0
	for i := 0; i < len(text)-1; i++ {
		ends := text[i] == '\n' || strings.IndexByte(".?!", text[i]) >= 0
		if ends && (text[i+1] == ' ' || text[i+1] == '\n') {
			out = append(out, text[start:i+1])
			start = i + 1
		}
	}
	return append(out, text[start:])
}

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
