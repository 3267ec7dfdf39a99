package datasets

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Query is one item of a dataset.
type Query struct {
	ID       string // unique; at most 100 of A-Z a-z 0-9 . _ -
	Category string
	Text     string // what the agent is asked
	Gold     Gold
	MaxSteps int    // steps that the agent may take; 0 where the query does not say
	Cluster  string // queries of one cluster stand or fall together; may be empty
	Source   string // where the answer can be checked; may be empty
}

// Gold says what a right answer must hold. Everything that is given must hold.
type Gold struct {
	Type      answer.Type      // of Answer; Text where there is no Answer and the file names none
	Answer    string           // as written in the file; empty where only keywords, a condition or the outcome count
	Aliases   []string         // other answers that are as right
	Tolerance answer.Tolerance // of numbers
	// Options say how the answer, and with it every vote, is read. Currency is never set:
	// the answer itself has one.
	Options   answer.Options
	AllOf     [][]string  // of each group, one keyword must stand in the final message
	NoneOf    []string    // keywords that must not stand in the final message
	Condition string      // in words, for the correctness judge
	Outcome   answer.Kind // what the right behaviour is; never empty
	// None says that there is no gold: the query is asked, and nothing is right or wrong.
	// No file can say so.
	None bool
}

// Dataset is a named list of queries, not empty, in the order of its file.
type Dataset struct {
	Name    string
	Queries []Query
	Hash    string // "sha256:…" of the content, see Load
}

// Asked returns a dataset of queries that come from no file. The caller sees to it that
// their ids are unique.
func Asked(name string, queries []Query) *Dataset {
	return &Dataset{Name: name, Queries: queries, Hash: hashQueries(queries)}
}

// Categories returns the categories in the order in which they first occur.
func (d *Dataset) Categories() []string {
	var list []string
	for _, q := range d.Queries {
		if !slices.Contains(list, q.Category) {
			list = append(list, q.Category)
		}
	}
	return list
}

// Filter returns the dataset of the queries that have one of the ids and one of
// the categories, at most limit of them, in their order. An empty list stands
// for all and a limit of 0 for no limit. The name stays, the hash is that of
// what is left. An unknown id or category is an error, and so is an empty
// result.
func (d *Dataset) Filter(ids, categories []string, limit int) (*Dataset, error) {
	if limit < 0 {
		return nil, fmt.Errorf("filter dataset %s: the limit is %d; give at least 1, or 0 for no limit", d.Name, limit)
	}
	known := make([]string, len(d.Queries))
	for i, q := range d.Queries {
		known[i] = q.ID
	}
	unknown := append(missing("query", ids, known), missing("category", categories, d.Categories())...)
	if len(unknown) > 0 {
		return nil, fmt.Errorf("filter dataset %s: %s", d.Name, strings.Join(unknown, "; "))
	}
	var left []Query
	for _, q := range d.Queries {
		if (len(ids) == 0 || slices.Contains(ids, q.ID)) && (len(categories) == 0 || slices.Contains(categories, q.Category)) {
			left = append(left, q)
		}
	}
	if len(left) == 0 {
		return nil, fmt.Errorf("filter dataset %s: none of these queries is in one of these categories; drop one of the two filters", d.Name)
	}
	if limit > 0 && limit < len(left) {
		left = left[:limit]
	}
	return &Dataset{Name: d.Name, Queries: left, Hash: hashQueries(left)}, nil
}

// missing names what is wanted and not known.
func missing(what string, wanted, known []string) []string {
	var list []string
	for _, w := range wanted {
		if !slices.Contains(known, w) {
			list = append(list, fmt.Sprintf("unknown %s %q (%s)", what, w, strictyaml.Suggest(w, known)))
		}
	}
	return list
}
