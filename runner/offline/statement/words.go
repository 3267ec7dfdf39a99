package statement

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

//go:embed words.tsv
var wordsFile string

// meaning is a line of words.tsv.
type meaning struct{ role, more string }

// vocabulary returns the meanings of words.
var vocabulary = sync.OnceValue(func() map[string]meaning {
	out := map[string]meaning{}
	for _, row := range text.Rows(wordsFile, 3) {
		out[row[0]] = meaning{row[1], row[2]}
	}
	return out
})

// item is a word, a name, a number or a date of the question.
type item struct {
	low     string // the folded word; "" for names and numbers
	concept string
	meaning
	phrase  string       // a name, as written
	value   *value.Value // a number or a date
	table   *table       // the table that the word names
	columns []*column    // the columns that the word can mean
	used    bool         // the statement explains it
}

// linked reports whether the word names a table or a column.
func (i *item) linked() bool { return i.table != nil || len(i.columns) > 0 }

// loose reports whether the word has no meaning yet.
func (i *item) loose() bool {
	return i.low != "" && !i.linked() && (i.role == "" || i.role == "family") && !i.used
}

var quotes = lazy.Compile(`"[^"]{1,200}"|“[^”]{1,200}”|«[^»]{1,200}»`)

// Limits of a question. A longer one, in bytes, is not read.
const (
	maxQuestion = 4 << 10
	maxValues   = 20
	maxItems    = 200
)

// read divides a question into items.
func read(question string) []*item {
	if len(question) > maxQuestion {
		return nil
	}
	type part struct {
		text.Span
		item *item
	}
	var parts []part
	covered := func(at text.Span) bool {
		return slices.ContainsFunc(parts, func(p part) bool { return at.Start < p.End && p.Start < at.End })
	}
	for _, at := range quotes.FindAllStringIndex(question, -1) {
		inside := strings.Trim(question[at[0]:at[1]], `"“”«»`)
		parts = append(parts, part{text.Span{Start: at[0], End: at[1]}, &item{phrase: inside}})
	}
	for _, v := range value.Find(question, maxValues) {
		if usable := v.Numeric() && !v.Ordinal || v.Kind == value.Date; usable && !covered(v.Span) {
			parts = append(parts, part{v.Span, &item{value: &v}})
		}
	}
	tokens := text.Tokens(question, text.DropMarks)
	for n := 0; n < len(tokens); n++ {
		if covered(tokens[n].Span) {
			continue
		}
		if last := nameEnd(question, tokens, n); last >= n {
			at := text.Span{Start: tokens[n].Start, End: tokens[last].End}
			if !covered(at) {
				parts = append(parts, part{at, &item{phrase: at.Of(question)}})
				n = last
				continue
			}
		}
		w := tokens[n].Folded
		parts = append(parts, part{tokens[n].Span, &item{low: w, concept: concept(w), meaning: vocabulary()[w]}})
	}
	slices.SortStableFunc(parts, func(a, b part) int { return a.Start - b.Start })
	var out []*item
	for _, p := range parts[:min(len(parts), maxItems)] {
		out = append(out, p.item)
	}
	return out
}

// nameEnd returns the last word of a name that begins at word n: words with capitals next to each other. It returns
// -1 if no name begins there. The first word of a sentence is no name.
func nameEnd(question string, tokens []text.Token, n int) int {
	before := strings.TrimRight(question[:tokens[n].Start], " ")
	if before == "" || strings.ContainsAny(before[len(before)-1:], ".?!:") {
		return -1
	}
	last := -1
	for ; n < len(tokens); n++ {
		first, _ := utf8.DecodeRuneInString(tokens[n].Of(question))
		if !unicode.IsUpper(first) || last >= 0 && strings.TrimSpace(question[tokens[n-1].End:tokens[n].Start]) != "" {
			break
		}
		last = n
	}
	return last
}
