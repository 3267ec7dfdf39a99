package inject

import (
	"embed"
	"fmt"
	"path"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// The families of injections are data: the folder families has one file for each. A file has examples that must
// be found, and counter-examples that must not be found.

//go:embed families/*.yaml
var familyFiles embed.FS

// family is a kind of injection.
type family struct {
	Name   string  `yaml:"name"`
	About  string  `yaml:"about"`  // the attack that it recognises
	Weight float64 `yaml:"weight"` // docs/method.md §9.2
	// Guess allows a family to be searched in the views that guess. Families with short patterns do not allow
	// this, because a guessed text contains short patterns by chance.
	Guess      bool            `yaml:"guess"`
	OutputOnly bool            `yaml:"output_only"` // not used for queries
	Words      map[string]line `yaml:"words"`       // word classes, by name
	Lexicons   []lexicon       `yaml:"lexicons"`
	Examples   []line          `yaml:"examples"`
	Counter    []line          `yaml:"counter_examples"` // honest texts that resemble an attack

	patterns [modes][]pattern // compiled from Lexicons
}

// lexicon is a list of phrases in one language. In all of them, a space has the same meaning. Phrases are
// regular expressions (RE2) for normalised text, which has lower case, plain letters and single spaces. The
// phrases and words are normalised in the same way. In phrases:
//
//	{name}   is one of the words of a class, which may itself contain classes
//	<n>      is at most n arbitrary words
//	a space  is a gap, whose meaning Spacing selects
type lexicon struct {
	Language string          `yaml:"language"` // ISO 639-1; English if empty
	Spacing  spacing         `yaml:"spacing"`
	Where    scope           `yaml:"where"`
	Words    map[string]line `yaml:"words"`  // for these phrases; they override the family's classes
	Beside   line            `yaml:"beside"` // the sentence of a match must also match one of these phrases
	Unless   line            `yaml:"unless"` // the sentence of a match must not match any of these phrases
	Phrases  []line          `yaml:"phrases"`
}

// spacing selects the meaning of a space in a phrase.
type spacing string

const (
	byWords   spacing = ""        // spaces and light punctuation, never the end of a sentence; matches whole words
	byLetters spacing = "loose"   // the same, or nothing; also matches parts of words
	bySpaces  spacing = "literal" // exactly one space; also matches parts of words
	byNothing spacing = "none"    // nothing, for text without separators
)

// line is a text and its position in a file.
type line struct {
	text string
	at   int
}

// UnmarshalNode reads a text.
func (l *line) UnmarshalNode(n *yaml.Node) error {
	l.at = n.Line
	return strictyaml.DecodeNode(n, &l.text)
}

// expression returns the text of a word class or phrase without line ends. So a long text may have several
// lines in the file.
func (l line) expression() string { return fold(strings.ReplaceAll(l.text, "\n", "")) }

// families returns all families, sorted by name. They are read once, before the first scan.
var families = sync.OnceValue(func() []family {
	entries, _ := familyFiles.ReadDir("families") // cannot fail, because the folder is embedded
	all := make([]family, len(entries))
	for i, entry := range entries {
		data, _ := familyFiles.ReadFile(path.Join("families", entry.Name()))
		var err error
		if all[i], err = readFamily(entry.Name(), data); err != nil {
			panic(err) // a test reads every file
		}
	}
	return all
})

// readFamily reads a file and compiles its phrases. Its errors have file and line.
func readFamily(file string, data []byte) (f family, err error) {
	if err := strictyaml.Decode(file, data, &f); err != nil {
		return family{}, err
	}
	for _, l := range f.Lexicons {
		g := newGrammar(l.Spacing, f.Words, l.Words)
		var patterns []pattern
		for _, phrase := range append([]line{l.Beside, l.Unless}, l.Phrases...) {
			p, err := g.pattern(phrase)
			if err != nil {
				return family{}, fmt.Errorf("%s:%d: %w", file, phrase.at, err)
			}
			patterns = append(patterns, p)
		}
		beside, unless := patterns[0], patterns[1]
		for _, p := range patterns[2:] {
			p.where, p.beside, p.unless = l.Where, beside.expression, unless.expression
			p.needs = append(p.needs, beside.needs...)
			as := plain
			if l.Spacing == byNothing {
				as = squashed
			}
			f.patterns[as] = append(f.patterns[as], p)
		}
	}
	if f.Guess {
		f.patterns[disguised] = f.patterns[plain]
	}
	return f, nil
}
