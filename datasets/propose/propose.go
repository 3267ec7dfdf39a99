// Package propose guesses the types of answers for which a file gives no type. Its rules look only at the
// answer and its question, so that the result is the same on every machine.
package propose

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/value"
)

// Note is a warning for the user about a proposal.
type Note string

// The notes. Package datasets/notes has advice for each; it does not print a note without advice.
const (
	TwoWays           Note = "can be read in two ways, so it is compared as a name"
	NoCode            Note = "may be in several currencies, so it is compared as a name"
	SeveralCurrencies Note = "has the sign of several currencies, and is read as the most common one"
	Long              Note = "is longer than six words, and is compared word by word"
)

// Proposal is a type for an answer.
type Proposal struct {
	Type   answer.Type
	Answer string // rewritten so that the type can read it: USD 5 for $5
	Note   Note   // "" if there is nothing to note
}

// maxNameWords is the maximum number of words of a name.
const maxNameWords = 6

// Propose proposes a type for the answer to a question. The aliases must have that type too. It returns an
// error if the answer is a formula or an error value of a spreadsheet.
func Propose(raw, question string, aliases []string) (Proposal, error) {
	s := strings.TrimSpace(raw)
	if m := quotedFormula.FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	switch {
	case formula.MatchString(s):
		return Proposal{}, fmt.Errorf("%.40q is a formula, not its value; save the file with values, or give a type", s)
	case isWord("error", s):
		return Proposal{}, fmt.Errorf("%.40q is an error of a spreadsheet; correct the cell, or leave the row out", s)
	}
	fits := func(p Proposal) bool {
		for _, raw := range append([]string{p.Answer}, aliases...) {
			if key, err := answer.Normalize(raw, p.Type, answer.Options{}); err != nil ||
				key.Confidence != answer.Exact {
				return false
			}
		}
		return true
	}
	note := Note("")
	// The first rule whose type can read the answer counts. A rule may propose too much: fits rejects the rest.
	for _, rule := range []func(s, question string) Proposal{ofValue, ofTruth, ofOptions, ofList} {
		p := rule(s, question)
		if p.Type != "" && fits(p) {
			return p, nil
		}
		if p.Type == "" && p.Note != "" {
			note = p.Note
		}
	}
	if len(strings.Fields(s)) <= maxNameWords && !strings.Contains(s, "\n") {
		if p := (Proposal{answer.Entity, s, note}); fits(p) {
			return p, nil
		}
		return Proposal{answer.Text, s, note}, nil
	}
	return Proposal{answer.Text, s, Long}, nil
}

var (
	formula = lazy.Compile(`^[=@+][A-Za-zÀ-ÿ.]*\(.*\)$|^=\$?[A-Z]{1,3}\$?[0-9]+([-+*/&]|$)`)
	// quotedFormula matches the form with which spreadsheets keep a text unchanged: ="007".
	quotedFormula = lazy.Compile(`^="([^"]*)"$`)
	leadingZero   = lazy.Compile(`^0\d+$`)
	midnight      = lazy.Compile(`^(\d{4}-\d\d-\d\d)[ T]00:00(:00(\.0+)?)?Z?$`)
	// noun matches a number and a lower-case word that it counts: 12 apples.
	noun = lazy.Compile(`^[-+]?\d[\d.,]* \p{Ll}+$`)
	// twoWays matches numbers with two readings, such as a date and a number.
	twoWays = lazy.Compile(`^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$|^[-+]?[\d.,]+$`)
)

// ofValue proposes a type for a number, an amount, a quantity or a date.
func ofValue(s, _ string) Proposal {
	if !mayBeValue(s) || leadingZero.MatchString(s) {
		return Proposal{}
	}
	if m := midnight.FindStringSubmatch(s); m != nil {
		return Proposal{Type: answer.Date, Answer: m[1]}
	}
	v, err := value.Parse(s, value.Any)
	switch {
	case err != nil && noun.MatchString(s):
		number, _, _ := strings.Cut(s, " ")
		if p := ofValue(number, ""); p.Type == answer.Integer || p.Type == answer.Decimal {
			return Proposal{Type: p.Type, Answer: s}
		}
		return Proposal{}
	case err != nil || v.Relation != value.Equal:
		return Proposal{}
	case v.Doubt && twoWays.MatchString(s):
		return Proposal{Note: TwoWays}
	case v.Doubt:
		return Proposal{}
	}
	switch v.Kind {
	case value.Count:
		if v.Ordinal && v.InWords || !v.Low.Rat.IsInt() && v.InWords {
			return Proposal{}
		}
		if v.Low.Rat.IsInt() && v.Low.Decimals() == 0 {
			return Proposal{Type: answer.Integer, Answer: s}
		}
		return Proposal{Type: answer.Decimal, Answer: s}
	case value.Percent, value.Points:
		return Proposal{Type: answer.Percent, Answer: s}
	case value.Money:
		return ofMoney(s, v)
	case value.Quantity:
		return Proposal{Type: answer.Quantity, Answer: s}
	case value.Date:
		return Proposal{Type: answer.Date, Answer: s}
	}
	return Proposal{}
}

// ofMoney replaces the sign of several currencies with the code of the most common one, if that is the dollar
// or the pound sterling: most people mean these by $ and £.
func ofMoney(s string, v value.Value) Proposal {
	if v.Currency.Code() != "" {
		return Proposal{Type: answer.Currency, Answer: s}
	}
	codes := v.Currency.Codes
	if len(codes) == 0 || codes[0] != "USD" && codes[0] != "GBP" || v.Currency.Minor {
		return Proposal{Note: NoCode}
	}
	sign := map[string]string{"USD": "$", "GBP": "£"}[codes[0]]
	if strings.Count(s, sign) != 1 {
		return Proposal{Note: NoCode}
	}
	amount := strings.TrimSpace(strings.Replace(s, sign, "", 1))
	if rest, negative := strings.CutPrefix(amount, "-"); negative {
		return Proposal{answer.Currency, "-" + codes[0] + " " + rest, SeveralCurrencies}
	}
	return Proposal{answer.Currency, codes[0] + " " + amount, SeveralCurrencies}
}

// mayBeValue reports whether a text may be a value: it has a digit, or begins with a word for a number. It
// avoids the slow search for values in names.
func mayBeValue(s string) bool {
	if len(s) > 100 {
		return false
	}
	if strings.IndexFunc(s, unicode.IsDigit) >= 0 {
		return true
	}
	first, _, _ := strings.Cut(strings.ToLower(s), " ")
	first, _, _ = strings.Cut(first, "-")
	return value.IsNumberWord(first)
}

// ofTruth proposes a boolean for any short word. Only words that mean yes or no fit that type.
func ofTruth(s, _ string) Proposal {
	for _, word := range []string{"true", "false"} {
		if isWord(word, s) {
			return Proposal{Type: answer.Boolean, Answer: word}
		}
	}
	if strings.ContainsFunc(s, unicode.IsSpace) || len(s) > 20 {
		return Proposal{}
	}
	return Proposal{Type: answer.Boolean, Answer: s}
}

// ofOptions proposes a choice for the answer to a question with options. Only letters of options
// fit that type, such as B or (A).
func ofOptions(s, question string) Proposal {
	if len(s) > 200 || answer.Offered(question) < 2 {
		return Proposal{}
	}
	return Proposal{Type: answer.Choice, Answer: s}
}

var (
	// pair matches two numbers: 1, 6 or 1 and 6.
	pair      = lazy.Compile(`^[-+]?[\d.]+(?:, | and )[-+]?[\d.]+$`)
	bracketed = lazy.Compile(`^\[[^\[\]]*,[^\[\]]*\]$`)
	lastJoint = lazy.Compile(`,? (?:and|or|&) `)
)

// ofList proposes a list for short elements: separated by semicolons, on separate lines, in brackets, or at
// least three separated by commas. Two names with a comma between them are more often one name: Paris, France.
func ofList(s, _ string) Proposal {
	list := Proposal{Type: answer.List, Answer: s}
	switch {
	case len(s) > 1000:
		return Proposal{}
	case pair.MatchString(s), bracketed.MatchString(s),
		short(strings.Split(s, ";"), 2),
		short(strings.Split(s, "\n"), 2):
		return list
	case strings.Contains(s, ", ") && short(strings.Split(lastJoint.ReplaceAllString(s, ", "), ", "), 3):
		return list
	}
	return Proposal{}
}

// short reports whether there are at least least parts, each of one to four words.
func short(parts []string, least int) bool {
	for _, part := range parts {
		if n := len(strings.Fields(part)); n == 0 || n > 4 || strings.HasSuffix(strings.TrimSpace(part), ".") && n > 1 {
			return false
		}
	}
	return len(parts) >= least
}
