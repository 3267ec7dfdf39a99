package endpoints

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

//go:embed families.tsv
var familyTable string

// Family is a family of models that refuse settings, whoever serves them.
type Family struct {
	Name    *regexp.Regexp // finds the bare name of a model, see Bare
	Refuses []string       // fields, by the names of Omit
	Unless  string         // the reasoning effort with which the family takes them; "" for none
	AsOf    string         // month of the source, such as 2026-11
	Source  string         // page of publication
}

// Families are the known ones, in the order in which they apply. The caller must not change them.
var Families = sync.OnceValue(func() (out []Family) {
	for _, row := range text.Rows(familyTable, 5) {
		f := Family{
			Name: regexp.MustCompile(row[0]), Refuses: strings.Fields(row[1]), Unless: row[2], AsOf: row[3], Source: row[4],
		}
		if f.Unless == "-" {
			f.Unless = ""
		}
		out = append(out, f)
	}
	return out
})

// cloud begins the names of models at Bedrock: a region and the maker, as in us.anthropic.claude-opus-4-7-v1:0.
var cloud = lazy.Compile(`^([a-z]+\.)*(anthropic|openai)[./]`)

// Bare is the name of a model without what a gateway puts before it, in lower case: anthropic/claude-opus-4.7 is
// claude-opus-4.7.
func Bare(model string) string {
	model = strings.ToLower(model)
	model = model[strings.LastIndexByte(model, '/')+1:]
	return cloud.ReplaceAllString(model, "")
}

// Fitted is For, with the fields added to Omit that the model's family is known to refuse. The hash of an agent is of
// For, so that a new row in the table of families leaves the hashes of older runs.
func (e Endpoint) Fitted(model string) Endpoint {
	e = e.For(model)
	name := Bare(model)
	for _, f := range Families() {
		if !f.Name.MatchString(name) || f.Unless != "" && e.ExtraBody["reasoning_effort"] == f.Unless {
			continue
		}
		omit := slices.Concat(e.Omit, f.Refuses)
		slices.Sort(omit)
		e.Omit = slices.Compact(omit)
		break
	}
	return e
}
