package inject

// mode is how a view's readings are matched.
type mode int

const (
	plain     mode = iota // words separated by spaces; all families
	disguised             // the same, but only families that are worth a guess
	squashed              // no separators at all
)

// view is one way to read a text. Most readings undo one disguise; a view that
// changes nothing yields no reading.
type view struct {
	name string
	mode mode
	read func(source) []string
}

const viewDecoded = "decoded"

// views lists the readings of methods.md §9.2, the plain one first.
func views() []view {
	return []view{
		{"norm", plain, func(s source) []string { return []string{s.norm} }},
		{"despace", plain, changed(func(s source) string { return squeeze(despace(s.folded)) })},
		{"dejoin", plain, changed(func(s source) string { return dejoin(s.norm) })},
		{"desep", plain, changed(func(s source) string { return squeeze(desep(s.norm)) })},
		{"url", plain, changed(func(s source) string { return fold(unescapeURL(s.raw)) })},
		{viewDecoded, plain, decoded},
		{"squash", squashed, func(s source) []string { return []string{squash(s.norm)} }},
		{"leet", disguised, changed(func(s source) string { return leet(s.norm) })},
		{"rot13", disguised, changed(func(s source) string { return rot13(s.norm) })},
		{"reversed", disguised, changed(func(s source) string { return reverse(s.norm) })},
		{"typo", disguised, changed(func(s source) string { return correct(s.norm) })},
	}
}

// changed makes a view of a transformation, leaving out a reading that the
// norm view has given already.
func changed(transform func(source) string) func(source) []string {
	return func(s source) []string {
		if reading := transform(s); reading != s.norm {
			return []string{reading}
		}
		return nil
	}
}

// source holds the forms of a text from which the views start.
type source struct {
	raw       string // as given
	folded    string // normalised, with its spaces and line ends as they were
	norm      string // normalised, with single spaces
	invisible int    // characters removed that show nothing
}

func newSource(text string) source {
	folded, invisible := normalise(text)
	return source{raw: text, folded: folded, norm: squeeze(folded), invisible: invisible}
}

// fold returns the norm form of a text.
func fold(text string) string {
	folded, _ := normalise(text)
	return squeeze(folded)
}
