package answer

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// letterMarks are the characters that may surround the letter of an option.
const letterMarks = `.()[]"'*_`

// readChoice reads the letters of options: B, (B), "Option B", "B) Paris", "A and C". The result is a set. A
// single A is option A, never an article. A letter before an ordinary word is not an option: "a dog".
func readChoice(answer string) (Key, error) {
	rest := answer
	var letters []string
	for {
		at := optionLetter().FindStringSubmatchIndex(rest)
		if at == nil {
			return Key{}, errors.New(quote(answer) + " is not the letter of an option: write A, or A and C")
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

// optionLetter matches a letter at the start of a text, bare or in brackets. The word "option" or the words
// "both options" may be before it. namedLetter matches a letter after such words anywhere. markedLetter matches
// a letter with a mark: (c), c), c:
var (
	optionLetter = expression(`^(?:`, `\b[: ]*)*[.()\[\]"'*_]*([a-z])(?:$|[^\pL\pM\p{Nd}])`, "option")
	namedLetter  = expression(`(?:^|[^\pL\pN])`, ` [.()\[\]"'*_]*([a-z])(?:$|[^\pL\pM\p{Nd}])`, "option")
	markedLetter = lazy.Compile(`(?:^|[ (\["'*])[a-z]["'*.]*[)\]:]`)
)

// choiceSeparator matches the text between two letters. A mark after the first letter, as in "A), C)", must be
// removed before.
var choiceSeparator = lazy.Compile(`^(?:[,;/&+、・和] ?(?:and\b ?)?|and\b ?)`)

func cutChoiceSeparator(s string) (rest string, ok bool) {
	rest = strings.TrimLeft(s, letterMarks+" ")
	if mark := choiceSeparator.FindString(rest); mark != "" {
		return rest[len(mark):], true
	}
	// In "A C", the rest must be single letters.
	return rest, strings.HasPrefix(s, " ") && onlyLetters.MatchString(rest)
}

// onlyLetters matches single letters with spaces between them.
var onlyLetters = lazy.Compile(`^[a-z](?: [a-z])*$`)

// checkOptionText checks the text after a letter with a mark, as in "B) Paris". It returns an error if that
// text names another option, or if the letter is a word with an ending, as in "I'd go with B".
func checkOptionText(answer, rest string, letters int) error {
	if ending := strings.TrimPrefix(rest, "'"); ending != rest && ending != "" && text.IsWord(rune(ending[0])) {
		return errors.New(quote(answer) + " is not the letter of an option: write A, or A and C")
	}
	rest = strings.TrimPrefix(rest, " ")
	trimmed := strings.TrimLeft(rest, letterMarks+":-")
	switch {
	case trimmed == "":
		return nil
	case letters > 1 || trimmed == rest:
		return errors.New(quote(answer) + " has more text after the letter of an option")
	}
	if markedLetter.MatchString(trimmed) || namedLetter().MatchString(trimmed) {
		return errors.New(quote(answer) + " names two options: write them as A and C")
	}
	return nil
}

// optionMark matches the mark of an option in a question: (A), A), A. or A:
var optionMark = lazy.Compile(`(?:^|\s)\(?([A-Z])[).:]\s`)

// Offered returns the number of options that a question offers: 2 for "Which? (A) Rome (B) Oslo".
func Offered(question string) int {
	if !optionMark.MatchString(question) {
		return 0
	}
	return len(questionOptions(question))
}

// questionOptions returns the folded texts of the options that a question offers, from A on.
func questionOptions(question string) []string {
	var out []string
	if !text.HasAny(question, ").:") {
		return nil
	}
	marks := optionMark.FindAllStringSubmatchIndex(question, -1)
	for i, mark := range marks {
		if question[mark[2]] != byte('A'+len(out)) {
			continue // an initial, not an option
		}
		end := len(question)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		out = append(out, text.Joined(text.Tokens(question[mark[1]:end], text.DropMarks)))
	}
	return out
}

// namedOption returns the letter of the option whose text the sentences name. It ignores sentences that name no
// option or several. If two sentences name different options, it returns "".
func (m *final) namedOption() string {
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
func (m *final) optionsIn(sentence string) (letters []string) {
	if len(m.question().options) == 0 {
		return nil
	}
	words := text.Joined(m.tokens(sentence))
	for i, option := range m.question().options {
		if option != "" && strings.Contains(words, option) {
			letters = append(letters, string(rune('A'+i)))
		}
	}
	return letters
}

// bareLetter matches a capital letter that may be an option: marks or spaces must be around it.
var bareLetter = lazy.Compile(`(?:^|[\s(\["'*_:,;/（「])([A-Z])(?:$|[\s)\]"'*_.,:;/!）」。，、])`)

// choiceIn reads the option in a text at the place of the answer: by its letter, or by its text in the
// question. It ignores options that the text denies. If the text names several options and does not list them
// as one answer, choiceIn returns no option, and the reason in why.
func (m *final) choiceIn(s string) (short, why string) {
	_, err := Normalize(s, Choice, Options{})
	if err == nil {
		return s, ""
	}
	live := m.withoutLead(undress(strings.TrimSpace(m.withoutDenied(s))))
	folded := m.fold(live)
	if end := m.words().clauseEnd(folded.String, 0, "reason"); end > 0 && end < len(folded.String) {
		from, _ := folded.Source(end, len(folded.String))
		offers := m.words().begins("or", strings.TrimLeft(folded.String[end:], " ,;")) > 0
		rest := strings.TrimLeft(live[from:], " ,;")
		goesOn := startsWithLetter(rest) // a list goes on, or: A, B and D sink
		if clause := strings.TrimSpace(live[:from]); clause != "" && !offers && !goesOn {
			if letter := m.lettersIn(clause); letter != "" {
				return letter, ""
			}
		}
	}
	if letter := m.lettersIn(live); letter != "" {
		return letter, ""
	}
	return "", err.Error()
}

// startsWithLetter reports whether a text begins with a single capital letter.
func startsWithLetter(s string) bool {
	word, _ := text.FirstWord(s)
	return len(word) == 1 && word[0] >= 'A' && word[0] <= 'Z' && word != "I"
}

// namedLetters returns the letters after words such as "option" in a folded text, as capitals.
func namedLetters(folded string) (letters []string) {
	if !hasLoneLetter(folded) {
		return nil
	}
	for _, hit := range namedLetter().FindAllStringSubmatch(folded, -1) {
		letters = append(letters, strings.ToUpper(hit[1]))
	}
	return letters
}

// hasLoneLetter reports whether a text may have a letter A to Z with no letter next to it. It looks only at the
// bytes, so that the slower regular expressions are needed less often.
func hasLoneLetter(s string) bool {
	isLetter := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
	for i := range len(s) {
		if isLetter(s[i]) && (i == 0 || !isLetter(s[i-1])) && (i+1 == len(s) || !isLetter(s[i+1])) {
			return true
		}
	}
	return false
}

// lettersIn returns the only option that a text names, or the letters if the text consists of letters.
func (m *final) lettersIn(s string) string {
	if _, err := Normalize(cutStops(s), Choice, Options{}); err == nil {
		return cutStops(s)
	}
	found := map[string]bool{}
	for _, letter := range namedLetters(text.Fold(s)) {
		found[letter] = true
	}
	if len(found) == 0 && hasLoneLetter(s) {
		for _, hit := range bareLetter.FindAllStringSubmatchIndex(s, -1) {
			letter := s[hit[2]:hit[3]]
			isWord := (letter == "A" || letter == "I") && strings.HasPrefix(s[hit[3]:], " ") && hit[3]+1 < len(s)
			if offered := len(m.question().options); !isWord && (offered == 0 || int(letter[0]-'A') < offered) {
				found[letter] = true
			}
		}
	}
	if len(found) == 0 {
		for _, letter := range m.optionsIn(text.Fold(s)) {
			found[letter] = true
		}
	}
	if len(found) != 1 {
		return ""
	}
	for letter := range found {
		return letter
	}
	return ""
}

// lastChoice returns the option that a message names last: "option C", "I choose C", or the text of an option.
// A message may also consist of a choice alone.
func (m *final) lastChoice() (short, why string) {
	if whole := m.onlyLine(maxLineWords); whole != "" && len(m.optionsIn(whole)) < 2 {
		if short, _ := m.choiceIn(whole); short != "" {
			return short, ""
		}
	}
	late := "" // an option that the last sentence may name
	for i, s := range slices.Backward(m.sentences()) {
		live := m.withoutDenied(s.Of(m.text))
		folded := m.fold(live)
		if start, end := m.words().next("pick", folded.String, 0); start >= 0 && end < len(folded.String) {
			from, _ := folded.Source(end, len(folded.String))
			if letter := m.lettersIn(strings.TrimSpace(live[from:])); letter != "" {
				return letter, ""
			}
		}
		if named := namedLetters(folded.String); len(named) > 0 {
			last := named[len(named)-1]
			if late == "" || late == last {
				return last, ""
			}
			return "", fmt.Sprintf("%s and %s are both possible", last, late)
		}
		if i == len(m.sentences())-1 && len(strings.Fields(live)) <= maxLineWords {
			late = m.lettersIn(live)
		}
	}
	if named := m.namedOption(); named != "" {
		return named, ""
	}
	if said := m.sentences(); len(said) > 0 {
		last := m.withoutDenied(said[len(said)-1].Of(m.text))
		if lead := m.withoutLead(last); lead != last {
			return m.lettersIn(lead), ""
		}
	}
	return "", ""
}
