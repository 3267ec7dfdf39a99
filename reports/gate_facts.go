package reports

import (
	"fmt"
	"io"
)

// fact is a line with a label, under which a terminal aligns it.
type fact struct {
	label string
	text  line
}

func told(label, text string) fact { return fact{label, plain(text)} }

// writeFacts writes facts for a terminal, a label that repeats only once.
func writeFacts(w io.Writer, facts []fact) error {
	width := 0
	for _, f := range facts {
		width = max(width, len(f.label))
	}
	for i, f := range facts {
		label := f.label
		if i > 0 && facts[i-1].label == label {
			label = ""
		}
		if _, err := fmt.Fprintf(w, "%-*s  %s\n", width, label, Clean(f.text.String())); err != nil {
			return err
		}
	}
	return nil
}

// listed are facts for a page.
func listed(facts []fact) []line {
	out := make([]line, len(facts))
	for i, f := range facts {
		out[i] = say(plain(f.label+": "), f.text)
	}
	return out
}
