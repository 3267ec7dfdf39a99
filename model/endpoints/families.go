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

// Family is a group of models that refuse certain settings at every provider.
type Family struct {
	Name    *regexp.Regexp // matches the model's name without prefixes, see Bare
	Refuses []string       // refused fields, by the names of Omit
	Unless  string         // with this reasoning effort the family accepts the fields; "" if there is no such effort
	AsOf    string         // month of the source, such as 2026-11
	Source  string         // page of the source
}

// Families returns the known families in the order in which they apply. The caller must not change them.
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

// cloud matches the prefix of model names at Bedrock: a region and the maker, as in
// us.anthropic.claude-opus-4-7-v1:0.
var cloud = lazy.Compile(`^([a-z]+\.)*(anthropic|openai)[./]`)

// Bare returns a model's name in lower case and without the prefix of a gateway: claude-opus-4.7 for
// anthropic/claude-opus-4.7.
func Bare(model string) string {
	model = strings.ToLower(model)
	model = model[strings.LastIndexByte(model, '/')+1:]
	return cloud.ReplaceAllString(model, "")
}

// Fitted does the same as For, and also adds the fields that the model's family refuses to Omit. The hash of
// an agent is computed with For, so that a new row in the table of families does not change the hashes of
// older runs.
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
