package reports

import (
	"bytes"
	"io"
)

// gateMarkdown writes a decision as a comment on a pull request: a heading, why, what
// broke, and the rest folded away.
func gateMarkdown(w io.Writer, g Gate) error {
	var b bytes.Buffer
	first, others := reasons(g)
	b.WriteString("## " + markdownLine(say(plain("concur gate: "), decided(g), plain(" ("+exitCode(g)+")"))) + "\n\n")
	b.WriteString(markdownLine(first) + "\n")
	shown := findings(g)
	others = append(differs(g), others...)
	if len(others) > 0 {
		shown = append([]part{{lines: others}}, shown...)
	}
	for _, p := range shown {
		b.WriteString("\n")
		if err := writeMarkdown(&b, document{details: []part{p}}); err != nil {
			return err
		}
	}
	var folded document
	folded.details = []part{{lines: listed(grounds(g))}}
	b.WriteString("\n<details>\n<summary>What was compared with what, and what this gate can find</summary>\n\n")
	if err := writeMarkdown(&b, folded); err != nil {
		return err
	}
	b.WriteString("\n</details>\n")
	_, err := w.Write(b.Bytes())
	return err
}
