package offline

import (
	"strings"
)

// answerMark begins the line that holds the short answer.
const answerMark = "Answer:"

// The two answers that are none.
const (
	abstention = "[ABSTAIN]"
	refusal    = "[REFUSE]"
)

// longestQuote bounds a quoted passage, in bytes.
const longestQuote = 400

// message writes the final message of a verdict: the passages it rests on with their
// citations, the calculation, the answer line, the references.
func (v verdict) message() string {
	if v.state != found || v.answer == "" {
		return abstain("Nothing that was found settles the question.")
	}
	var lines, refs []string
	quoted, cited := map[string]bool{}, map[string]bool{}
	for _, p := range v.proofs {
		if !quoted[p.doc.ID+p.text] {
			quoted[p.doc.ID+p.text] = true
			lines = append(lines, p.quote())
		}
		if !cited[p.doc.ID] {
			cited[p.doc.ID] = true
			refs = append(refs, p.doc.reference())
		}
	}
	if v.work != "" {
		lines = append(lines, "The calculator gives "+v.work+".")
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	lines = append(lines, answerMark+" "+v.answer)
	if len(refs) > 0 {
		lines = append(append(lines, "", "References:"), refs...)
	}
	return strings.Join(lines, "\n")
}

// quote gives the passage with its document's title where it does not name it, and the
// citation inside the sentence that it supports.
func (p proof) quote() string {
	text := p.text
	if len(text) > longestQuote {
		text = strings.ToValidUTF8(text[:longestQuote], "") + " …"
	}
	if p.doc.name != "" && !strings.Contains(text, p.doc.name) {
		text = p.doc.name + ": " + text
	}
	return strings.TrimRight(text, ".!? ") + " [" + p.doc.ID + "]."
}

func (s *source) reference() string {
	line := "[" + s.ID + "] " + s.Title
	if s.Source != "" {
		line += ", " + s.Source
	}
	return line
}

func abstain(why string) string { return why + "\n\n" + answerMark + " " + abstention }

func refuse() string {
	return "The instructions for this conversation rule out requests of this kind, so there is no answer to it.\n\n" + answerMark + " " + refusal
}

// thought says in plain words what a turn's calls are for.
func (d *desk) thought() string {
	var needs []string
	for _, c := range d.calls {
		switch c.Name {
		case searchTool:
			needs = append(needs, "search for what the question needs")
		case calcTool:
			needs = append(needs, "have the numbers computed")
		case plannerTool:
			needs = append(needs, "plan the steps")
		}
	}
	if len(needs) > 1 {
		return "Several facts are needed that do not depend on one another; look them up together."
	}
	return "Next: " + strings.Join(needs, "") + "."
}
