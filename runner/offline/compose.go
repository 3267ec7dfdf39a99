package offline

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/prefilter"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/offline/protocol"
)

// answerMark is the beginning of the line with the short answer.
const answerMark = "Answer:"

// Short answers without a value.
const (
	abstention = "[ABSTAIN]"
	refusal    = "[REFUSE]"
)

const refused = "The instructions for this conversation rule out requests of this kind, so there is no " +
	"answer to it.\n\n" + answerMark + " " + refusal

// message returns the final message: the passages that support the answer with their citations, the
// calculation, the answer line, and the references.
func (f finding) message() string {
	if f.state != found || f.text == "" {
		return "Nothing that was found settles the question.\n\n" + answerMark + " " + abstention
	}
	var lines, refs []string
	quoted, cited := map[*passage]bool{}, map[string]bool{}
	for _, l := range f.leads {
		for _, p := range []*passage{l.first, l.last} {
			if p == nil || quoted[p] {
				continue
			}
			quoted[p] = true
			lines = append(lines, p.quote())
			if !cited[p.article.ID] {
				cited[p.article.ID] = true
				refs = append(refs, p.article.reference())
			}
		}
	}
	if f.work != "" {
		lines = append(lines, "The calculator gives "+f.work+".")
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	lines = append(lines, answerMark+" "+f.text)
	if len(refs) > 0 {
		lines = append(append(lines, "", "References:"), refs...)
	}
	return strings.Join(lines, "\n")
}

// quote returns the passage, with the citation inside its sentence. If the passage does not contain the title
// of its article, quote adds the title.
func (p *passage) quote() string {
	s := p.text
	if len(s) > 400 {
		s = strings.ToValidUTF8(s[:400], "") + " …"
	}
	if p.article.name != "" && !strings.Contains(s, p.article.name) {
		s = p.article.name + ": " + s
	}
	return strings.TrimRight(s, ".!? ") + " [" + p.article.ID + "]."
}

func (a *article) reference() string {
	line := "[" + a.ID + "] " + a.Title
	if a.Source != "" {
		line += ", " + a.Source
	}
	return line
}

// thought explains the purpose of a turn's calls.
func (d *lookupState) thought() string {
	if len(d.calls) > 1 {
		return "Several facts are needed that do not depend on one another; look them up together."
	}
	due := map[string]string{searchTool: "search for what the question needs", calcTool: "have the numbers computed",
		protocol.PlannerTool: "plan the steps"}
	return "Next: " + cmp.Or(due[d.calls[0].Name], "call the tool that was asked for") + "."
}

// forbidden reports whether a request matches one of the kinds in refusals.tsv. It also looks into text in
// Base64.
func forbidden(question string) bool {
	texts := []string{text.Fold(question)}
	for _, w := range strings.FieldsFunc(question,
		func(r rune) bool { return strings.ContainsRune(" \n\"'`():.,;!?", r) }) {
		if decoded, ok := decode(w); ok {
			texts = append(texts, text.Fold(decoded))
		}
	}
	return slices.ContainsFunc(words().refusals,
		func(re *prefilter.Regexp) bool { return slices.ContainsFunc(texts, re.MatchString) })
}

// decode reads a word of 20 letters or more as Base64. ok is false unless the result is plain text.
func decode(w string) (string, bool) {
	w = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(w), "=")
	raw, err := base64.RawStdEncoding.DecodeString(w)
	plain := !slices.ContainsFunc(raw, func(c byte) bool { return c < ' ' && c != '\n' && c != '\t' || c >= 0x7f })
	return string(raw), err == nil && plain && len(w) >= 20
}
