package inject

// hint tells that a view may be worth reading.
type hint int

const (
	hintRot13 hint = iota
	hintReversed
	hintCount
)

// disguiseHints gives, for each hint, the literals of which the plain reading holds
// one if the view's reading holds a phrase of a disguised family: the rarest literals
// of the phrases, disguised. A phrase without literals makes the view be read always.
func disguiseHints(families []family) (hints [hintCount][]string) {
	for _, f := range families {
		if !f.disguised {
			continue
		}
		for _, p := range f.plain {
			if len(p.needs) == 0 {
				return [hintCount][]string{}
			}
			for _, literal := range p.needs[0] {
				literal = literal[:min(len(literal), maxLiteral)]
				hints[hintRot13] = append(hints[hintRot13], rot13(literal))
				hints[hintReversed] = append(hints[hintReversed], reverse(literal))
			}
		}
	}
	return hints
}
