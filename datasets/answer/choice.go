package answer

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// letterMarks are what may stand around a letter.
const letterMarks = `.()[]"'*_`

// readChoice reads the letters of offered options: B, (B), "Option B", "B) Paris", "A and C". The result is a set. A
// lone A is option A, never an article; a letter before a plain word is none: "a dog".
func readChoice(answer string) (Key, error) {
	rest := answer
	var letters []string
	for {
		at := optionLetter().FindStringSubmatchIndex(rest)
		if at == nil {
			return Key{}, errors.New(quote(answer) + " is no letter of an option: write A, or A and C")
		}
		letters = append(letters, strings.ToUpper(rest[at[2]:at[3]]))
		after, ok := rest[at[3]:], false
		if rest, ok = cutChoiceSeparator(after); !ok {
			if err := checkOptionText(answer, after, len(letters)); err != nil {
				return Key{}, err
			}
			break
		}
	}
	slices.Sort(letters)
	return exactly("choice", strings.Join(slices.Compact(letters), ",")), nil
}

// optionLetter is one letter at the start, bare or in brackets, perhaps behind "option" or "both options";
// namedLetter is one behind such words anywhere, markedLetter one with a mark behind it: (c), c), c:
var (
	optionLetter = expression(`^(?:`, `\b[: ]*)*[.()\[\]"'*_]*([a-z])(?:$|[^\pL\pM\p{Nd}])`, "option")
	namedLetter  = expression(`(?:^|[^\pL\pN])`, ` [.()\[\]"'*_]*([a-z])(?:$|[^\pL\pM\p{Nd}])`, "option")
	markedLetter = regexp.MustCompile(`(?:^|[ (\["'*])[a-z]["'*.]*[)\]:]`)
)

// choiceSeparator stands between two letters. The mark behind a letter, as in "A), C)", goes with it.
var choiceSeparator = regexp.MustCompile(`^(?:[,;/&+、・和] ?(?:and\b ?)?|and\b ?)`)

func cutChoiceSeparator(s string) (rest string, ok bool) {
	rest = strings.TrimLeft(s, letterMarks+" ")
	if mark := choiceSeparator.FindString(rest); mark != "" {
		return rest[len(mark):], true
	}
	return rest, strings.HasPrefix(s, " ") && onlyLetters.MatchString(rest) // "A C" only where nothing but letters follows
}

// onlyLetters is single letters with spaces between them.
var onlyLetters = regexp.MustCompile(`^[a-z](?: [a-z])*$`)

// checkOptionText accepts the text of the option after a marked letter, "B) Paris", unless it names another option.
func checkOptionText(answer, rest string, letters int) error {
	rest = strings.TrimPrefix(rest, " ")
	trimmed := strings.TrimLeft(rest, letterMarks+":-")
	switch {
	case trimmed == "":
		return nil
	case letters > 1 || trimmed == rest:
		return errors.New(quote(answer) + " goes on after the letter of an option")
	}
	if markedLetter.MatchString(trimmed) || namedLetter().MatchString(trimmed) {
		return errors.New(quote(answer) + " names two options: write them as A and C")
	}
	return nil
}

// optionMark precedes an option that a question offers: (A), A), A. or A:
var optionMark = regexp.MustCompile(`(?:^|\s)\(?([A-Z])[).:]\s`)

// Offered counts the options that a question offers: 2 for "Which? (A) Rome (B) Oslo".
func Offered(question string) int {
	if !optionMark.MatchString(question) {
		return 0
	}
	return len(questionOptions(question))
}

// questionOptions returns the texts of the options that a question offers from A on, folded.
func questionOptions(question string) []string {
	var out []string
	marks := optionMark.FindAllStringSubmatchIndex(question, -1)
	for i, mark := range marks {
		if question[mark[2]] != byte('A'+len(out)) {
			continue // an initial
		}
		end := len(question)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		out = append(out, text.Joined(text.Tokens(question[mark[1]:end], text.DropMarks)))
	}
	return out
}

// namedOption returns the letter of the option whose text the sentences name that name one
// alone. Where they differ it is empty.
func (m final) namedOption() string {
	letter := ""
	for _, sentence := range m.statements() {
		if named := m.optionsIn(sentence); len(named) == 1 {
			if letter != "" && letter != named[0] {
				return ""
			}
			letter = named[0]
		}
	}
	return letter
}

// optionsIn returns the letters of the options whose texts a sentence names.
func (m final) optionsIn(sentence string) (letters []string) {
	words := text.Joined(text.Tokens(sentence, text.DropMarks))
	for i, option := range m.question().options {
		if option != "" && strings.Contains(words, option) {
			letters = append(letters, string(rune('A'+i)))
		}
	}
	return letters
}
