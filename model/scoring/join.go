package scoring

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/model"
)

// Piece is a token as a server writes it.
type Piece struct {
	Text    string
	LogProb *float64 // nil if the server gives none, as for the first token
	// Offset is where the token begins in prefix and text, in bytes or in characters; nil if the server gives none.
	// It is used only where the tokens' texts leave it open which bytes they have.
	Offset *int
}

// IsSplit reports whether a piece with this text may have only a part of a letter, so that its offset matters.
func IsSplit(text string) bool { return text == "" || strings.Contains(text, string(utf8.RuneError)) }

// NoChance is the number that vLLM writes for the logarithm of 0, which JSON cannot have.
const NoChance = -9999

// Join returns the tokens of a request's text. pieces are the tokens of its prefix and text, in order; there may be a
// token before them that marks the beginning, and generated tokens behind them.
//
// Servers write a token that has only a part of a letter in different ways: as an empty text, with the replacement
// character, as <0xE2>, or as bytes:\xe2. Join makes one token of those that have a letter together. Its
// log-probability is their sum.
//
// The error is an ErrNotJoined that says why the tokens do not join to the text, or says which log-probability of the
// text is missing or wrong.
func Join(req model.ScoreRequest, pieces []Piece) ([]model.TokenScore, error) {
	j := joiner{full: req.Prefix + req.Text, pieces: pieces, useOffsets: true}
	j.skipMark()
	if !j.place() { // offsets that are neither bytes nor characters do not matter if the texts join
		j.useOffsets = false
		if !j.place() {
			return nil, j.mismatch()
		}
	}
	var out []model.TokenScore
	for first, i := j.first, j.first; i < j.first+len(j.ends); i++ {
		from, to := j.begin(first), j.begin(i+1)
		if j.begin(i) == to || to < len(j.full) && !utf8.RuneStart(j.full[to]) {
			continue // the next piece has the rest of the letter
		}
		if to > len(req.Prefix) {
			v, err := sum(pieces, first, i)
			if err != nil {
				return nil, err
			}
			out = append(out, model.TokenScore{Token: j.full[from:to], Offset: from - len(req.Prefix), LogProb: v})
		}
		first = i + 1
	}
	return out, nil
}

// sum returns the sum of the log-probabilities of the pieces from first to last.
func sum(pieces []Piece, first, last int) (out float64, err error) {
	for i := first; i <= last; i++ {
		v := pieces[i].LogProb
		switch {
		case v == nil && i == 0:
			err = errors.New("there is no log-probability: servers give the first token none, so the prefix must not be empty")
		case v == nil:
			err = errors.New("there is no log-probability")
		case *v <= NoChance && !math.IsInf(*v, -1):
			err = fmt.Errorf("the log-probability is %g, which stands for -∞", *v)
		default:
			err = CheckLogProb(*v)
		}
		if err != nil {
			return 0, fmt.Errorf("token %d, %q: %w", i, short(pieces[i].Text), err)
		}
		out += *v
	}
	return out, nil
}

// joiner places pieces in a text.
type joiner struct {
	full       string // prefix and text
	pieces     []Piece
	first      int   // the first piece that is a part of the text: 1 if there is a mark before it
	ends       []int // where the pieces from first on end; the last one ends with the text
	furthest   int   // of the pieces that could not be placed, the last one that was reached
	reached    int   // the byte at which it should have begun
	useOffsets bool
	characters []int // for each byte, the number of characters that begin before it; nil until it is needed
}

// begin returns where a piece begins.
func (j *joiner) begin(piece int) int {
	if piece == j.first {
		return 0
	}
	return j.ends[piece-j.first-1]
}

// skipMark skips a first piece that is no part of the text, but marks its beginning, as <s> or <|begin_of_text|>.
func (j *joiner) skipMark() {
	if len(j.pieces) < 2 || j.pieces[0].LogProb != nil {
		return
	}
	first := j.pieces[0].Text
	end, _ := j.places(first, 0)
	if first == "" || end < 0 && strings.HasPrefix(first, "<") && strings.HasSuffix(first, ">") {
		j.first = 1
	}
}

// place places pieces until they have the whole text. A piece with a part of a letter can have several places: the
// first ones with which all later pieces have a place are taken.
func (j *joiner) place() bool {
	j.ends, j.furthest, j.reached = make([]int, 0, len(j.pieces)), 0, 0
	left := make([][]int, 0, len(j.pieces))  // for each placed piece, the ends that were not tried
	tried, split := map[[2]int]bool{}, false // pieces at bytes, from the first piece with several places on
	at := 0
	for steps := 0; at < len(j.full); steps++ {
		if steps > maxSteps*(len(j.pieces)+maxSteps) {
			return false
		}
		end, others := -1, []int(nil)
		if i := j.first + len(j.ends); i < len(j.pieces) && (!split || !tried[[2]int{i, at}] && j.offsetFits(i, at)) {
			end, others = j.places(j.pieces[i].Text, at)
			if split = split || len(others) > 0; split {
				tried[[2]int{i, at}] = true
			}
		}
		if i := len(j.ends); end < 0 && i >= j.furthest {
			j.furthest, j.reached = i, at
		}
		for end < 0 {
			last := len(left) - 1
			if last < 0 {
				return false
			}
			if others = left[last]; len(others) > 0 {
				end, others = others[0], others[1:]
			}
			left, j.ends = left[:last], j.ends[:last]
		}
		at = end
		j.ends, left = append(j.ends, end), append(left, others)
	}
	return true
}

// maxSteps limits the number of places that are tried for a piece, on average. A server could otherwise send pieces
// for which the number of tries is the square of their number.
const maxSteps = 50

// maxSplit is the maximum number of bytes that one replacement character stands for: two letters without a byte.
const maxSplit = 6

// places returns the ends that a piece with this text can have if it begins at a byte, the likeliest first; -1 if it
// cannot begin there.
func (j *joiner) places(text string, at int) (end int, others []int) {
	rest := j.full[at:]
	switch {
	case text == "": // a part of a letter, or nothing: another piece has the whole letter
		others = j.wild([]int{at}, 3, true)
	case strings.Contains(text, string(utf8.RuneError)):
		others = j.pattern(text, at)
	case strings.HasPrefix(rest, text):
		return at + len(text), nil
	default:
		if raw, ok := rawBytes(text); ok && strings.HasPrefix(rest, raw) {
			return at + len(raw), nil
		}
		// some tokenizers put a space before the first word
		if at == 0 && len(text) > 1 && text[0] == ' ' && strings.HasPrefix(rest, text[1:]) {
			return len(text) - 1, nil
		}
	}
	if len(others) == 0 {
		return -1, nil
	}
	return others[0], others[1:]
}

// pattern returns the ends of a text in which replacement characters stand for parts of letters.
func (j *joiner) pattern(text string, at int) []int {
	ends := []int{at}
	for _, r := range text {
		if r == utf8.RuneError {
			ends = j.wild(ends, maxSplit, false)
			continue
		}
		var longer []int
		for _, end := range ends {
			if strings.HasPrefix(j.full[end:], string(r)) {
				longer = append(longer, end+utf8.RuneLen(r))
			}
		}
		ends = longer
	}
	return ends
}

// wild returns the ends that are at most most bytes behind one of the others, with no ASCII character between: no
// tokenizer splits one. With none, the ends themselves are among them.
func (j *joiner) wild(ends []int, most int, none bool) (out []int) {
	for _, end := range ends {
		if none {
			out = append(out, end)
		}
		for n := 1; n <= most && end+n <= len(j.full) && j.full[end+n-1] >= utf8.RuneSelf; n++ {
			out = append(out, end+n)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// offsetFits reports whether a piece may begin at a byte: by its offset in bytes or in characters, or because it has
// no offset. Within a letter, servers count the letter or not.
func (j *joiner) offsetFits(piece, at int) bool {
	p := j.pieces[piece]
	if !j.useOffsets || p.Offset == nil {
		return true
	}
	if j.characters == nil {
		j.characters = make([]int, len(j.full)+1)
		for i := range len(j.full) {
			j.characters[i+1] = j.characters[i]
			if utf8.RuneStart(j.full[i]) {
				j.characters[i+1]++
			}
		}
	}
	within := at < len(j.full) && !utf8.RuneStart(j.full[at])
	return *p.Offset == at || *p.Offset == j.characters[at] || within && *p.Offset == j.characters[at]-1
}

// ErrNotJoined is the error of tokens that do not join to a text.
var ErrNotJoined = errors.New("the tokens do not join to the text")

// notJoined is an ErrNotJoined with the reason.
type notJoined struct{ error }

func (notJoined) Is(target error) bool { return target == ErrNotJoined }

func (j *joiner) mismatch() error {
	i := j.first + j.furthest
	if i < len(j.pieces) {
		return notJoined{fmt.Errorf("the tokens do not join to the text: token %d is %q, the text has %q at byte %d", i,
			short(j.pieces[i].Text), short(j.full[j.reached:]), j.reached)}
	}
	if i == 0 {
		return notJoined{errors.New("there are no tokens")}
	}
	return notJoined{fmt.Errorf("the tokens end %d bytes before the end of the text: an endpoint that ignores echo gives "+
		"only those of its reply", len(j.full)-j.reached)}
}

// rawBytes returns the bytes of a piece in a notation for bytes: <0xE2>, \xe2, or bytes:\xe2\x80.
func rawBytes(text string) (string, bool) {
	if hex, ok := strings.CutPrefix(text, "<0x"); ok && len(hex) == 3 && hex[2] == '>' {
		v, err := strconv.ParseUint(hex[:2], 16, 8)
		return string([]byte{byte(v)}), err == nil
	}
	text, prefixed := strings.CutPrefix(text, "bytes:")
	var out []byte
	for text != "" {
		if strings.HasPrefix(text, `\x`) && len(text) >= 4 {
			v, err := strconv.ParseUint(text[2:4], 16, 8)
			if err != nil {
				return "", false
			}
			out, text = append(out, byte(v)), text[4:]
			continue
		}
		if !prefixed { // bytes: may have a space or a letter before the escapes
			return "", false
		}
		out, text = append(out, text[0]), text[1:]
	}
	return string(out), len(out) > 0
}
