package planner

import (
	"embed"
	"regexp"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
)

// The planner's knowledge of English is data: one table a file, described in its first lines.
//
//go:embed *.tsv
var files embed.FS

// comparative is the measure that a word such as "longer" compares.
type comparative struct {
	measure string // "" if the noun after the word names it
	less    bool   // the word asks for the smaller of the two
}

// operation is a form of question about two operands, or about one operand and a unit.
type operation struct {
	name    string
	pattern *regexp.Regexp
	lookups [2]string // templates; the second one is empty for a conversion
}

type tables struct {
	forms        map[string]*regexp.Regexp
	comparatives map[string]comparative
	operations   []operation
	calculations map[string][]string // by name of the operation: action, calculation, condition, then, else
}

// known reads the tables once, when first used. It panics if a table is malformed; a test of this package
// checks the tables.
var known = sync.OnceValue(func() tables {
	t := tables{map[string]*regexp.Regexp{}, map[string]comparative{}, nil, map[string][]string{}}
	var roles, than, when, macros []string
	for _, c := range readRows("roles.tsv") {
		roles = append(roles, c[0])
	}
	for _, c := range readRows("comparatives.tsv") {
		t.comparatives[c[0]] = comparative{c[1], c[2] == "less"}
		if c[1] == "date" {
			when = append(when, c[0])
		} else {
			than = append(than, c[0])
		}
	}
	macros = append(macros, "<role>", strings.Join(roles, "|"))
	for _, c := range readRows("forms.tsv") {
		pattern := strings.NewReplacer(macros...).Replace(c[1])
		t.forms[c[0]] = regexp.MustCompile(pattern)
		macros = append(macros, "<"+c[0]+">", pattern)
	}
	for _, c := range readRows("calculations.tsv") {
		t.calculations[c[0]] = c[1:]
	}
	// "(?P<a>" and "(?P<b>" are replaced by themselves, so that the "<a>" inside them is kept.
	parts := strings.NewReplacer("(?P<a>", "(?P<a>", "(?P<b>", "(?P<b>", "<a>", `(?P<a>.+?)`, "<b>", `(?P<b>.+)`, "<c>",
		`(?P<c>.+)`,
		"<capitalised>", `(?-i:\p{Lu})\S*`, "<be>", `(?:is|was|are|were)`, "<do>", `(?:do|does|did)`, "<unit>",
		`(?P<unit>\p{L}+(?: \p{L}+){0,2}?)`,
		"<span>", `(?P<unit>(?:(?:full|whole) )?(?:years|months|weeks|days|hours|minutes|seconds))`, "<percent>",
		`(?:percentage|percent|per cent|share|proportion|fraction)`,
		"<than>", "(?P<than>"+strings.Join(than, "|")+")", "<when>", "(?P<than>"+strings.Join(when, "|")+")")
	for _, c := range readRows("operations.tsv") {
		pattern := `(?i:(?:^|.*[,:;.–-] |.*\b(?:the|you|we|i|to|is|please) )` + parts.Replace(c[1]) + `$)`
		t.operations = append(t.operations, operation{c[0], regexp.MustCompile(pattern), [2]string{c[2], c[3]}})
	}
	return t
})

// pattern returns the regular expression of a name in forms.tsv.
func pattern(name string) *regexp.Regexp { return known().forms[name] }

// readRows reads a table. Cells that are missing at the end of a line are empty.
func readRows(file string) [][]string {
	content, err := files.ReadFile(file)
	if err != nil {
		panic(err) // cannot happen, because the file is embedded
	}
	return text.Rows(string(content), 6) // as many as calculations.tsv has columns
}
