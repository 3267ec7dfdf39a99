package inject

import "sync"

// family is a kind of injection. A family joins by a line in families.
type family struct {
	name   string
	weight float64 // methods.md §9.2
	// plain finds it in words, squashed in text without separators; empty where
	// the family is not looked for so.
	plain, squashed []pattern
	// disguised admits the views that rewrite every letter and so would find
	// the shorter patterns by chance.
	disguised bool
}

// families returns the table of families in the order in which they are
// reported. The expressions are compiled once, on the first scan.
var families = sync.OnceValue(func() []family {
	return []family{
		{name: "override", weight: 0.6, disguised: true,
			plain: overrideWords().compile(), squashed: overrideSquashed().compileSquashed()},
		{name: "reveal", weight: 0.5, disguised: true,
			plain: revealWords().compile(), squashed: revealSquashed().compileSquashed()},
		{name: "roleplay", weight: 0.5, plain: roleplayWords().compile()},
		{name: "tokens", weight: 0.7, plain: templateTokens()},
	}
})

// find returns the family's first pattern's match in a reading, or "".
func (f family) find(m mode, reading string) string {
	patterns := f.plain
	switch {
	case m == squashed:
		patterns = f.squashed
	case m == disguised && !f.disguised:
		return ""
	}
	for _, p := range patterns {
		if match := p.find(reading); match != "" {
			return match
		}
	}
	return ""
}
