package value

import (
	"fmt"
	"sync"
	"unicode"
	"unicode/utf8"
)

// numberWord is an entry of numbers.tsv.
type numberWord struct {
	class string
	value int64
}

type numberTable struct {
	words map[string]numberWord
	// cardinals maps an ordinal to its cardinal, "twelfth" to "twelve".
	cardinals map[string]string
}

var numberWords = sync.OnceValue(func() numberTable { return load("numbers.tsv", readNumberTable) })

func readNumberTable(file, content string) (numberTable, error) {
	t := numberTable{words: map[string]numberWord{}, cardinals: map[string]string{}}
	rows, err := readRows(file, content, 3)
	if err != nil {
		return t, err
	}
	seen, byValue := once{}, map[int64]string{}
	for _, r := range rows {
		word, class := r.cells[0], r.cells[1]
		n, err := r.rational(2)
		if err != nil {
			return t, err
		}
		if err := seen.add(word, r); err != nil {
			return t, err
		}
		if !n.IsInt() || !n.Num().IsInt64() || n.Sign() < 0 {
			return t, fmt.Errorf("%s: %q is no whole number of 64 bits", r.place, r.cells[2])
		}
		value := n.Num().Int64()
		switch class {
		case "small", "tens", "hundred", "scale":
			if _, again := byValue[value]; !again {
				byValue[value] = word
			}
		case "ordinal":
			cardinal, ok := byValue[value]
			if !ok {
				return t, fmt.Errorf("%s: no cardinal of that value stands before it", r.place)
			}
			t.cardinals[word] = cardinal
		case "dozen", "after", "letter", "share":
		case "cjk", "place", "myriad":
			if utf8.RuneCountInString(word) != 1 {
				return t, fmt.Errorf("%s: %q: a class for single characters", r.place, word)
			}
		default:
			return t, fmt.Errorf("%s: no class %q", r.place, class)
		}
		t.words[word] = numberWord{class, value}
	}
	return t, nil
}

// inClass is the value of a word of that class.
func inClass(word, class string) (int64, bool) {
	w := numberWords().words[word]
	return w.value, w.class == class
}

func smallNumber(word string) (int64, bool) { return inClass(word, "small") }

func tensWord(word string) (int64, bool) { return inClass(word, "tens") }

// scaleWord is the value of a word that multiplies what precedes it, 0 for others.
func scaleWord(word string) int64 {
	n, ok := inClass(word, "scale")
	if !ok {
		return 0
	}
	return n
}

// shareWord is the number of parts that a fraction word divides into, 0 for others.
// "Second" is not one: it counts seconds.
func shareWord(word string) int64 {
	if n, ok := inClass(word, "share"); ok {
		return n
	}
	if len(word) > 1 && word[len(word)-1] == 's' {
		word = word[:len(word)-1]
	}
	if n, ok := inClass(word, "ordinal"); ok && n > 2 {
		return n
	}
	if n, ok := inClass(word, "share"); ok {
		return n
	}
	return 0
}

// cardinalWord turns an ordinal into its cardinal; it is empty for other words.
func cardinalWord(ordinal string) string { return numberWords().cardinals[ordinal] }

// lowerRune lowers a letter where that keeps its length.
func lowerRune(r rune) rune {
	if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
		return l
	}
	return r
}

// IsNumberWord reports whether a word, in any case, belongs to a number: twenty, million,
// dozen, third.
func IsNumberWord(word string) bool { return numberWords().words[lower(word)].class != "" }
