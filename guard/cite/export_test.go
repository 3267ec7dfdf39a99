package cite

// Sentence is a claim of a message, or its answer line, with the ids that it cites.
type Sentence struct {
	Text   string
	Cites  []string
	Answer bool
}

// Sentences divides a message as [Audit] does.
func Sentences(in Input) (out []Sentence) {
	for _, s := range parseMessage(in.Message, in.Answer, backendsOf(in.Documents)).claims {
		out = append(out, Sentence{s.text, s.cites, s.answer})
	}
	return out
}
