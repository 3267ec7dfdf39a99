package answer

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Options widen what a type accepts. The zero value is the strict reading. Votes
// and gold match of one query must use the same options.
type Options struct {
	// BarePercent reads 50 as 50 percent where the type is percent.
	BarePercent bool
	// Currency is the code of ISO 4217 that an open sign such as $ or ¥ stands for.
	// [Match] takes it from the gold answer where it is empty.
	Currency string
	// UnitOptional lets a number without currency be in that of Currency, and one
	// without unit match a gold quantity as if it had the gold's unit.
	UnitOptional bool
	// Ordered makes the order of a list count. Repeated elements always do.
	Ordered bool
	// PrefixDate lets a date match a gold date of coarser precision:
	// 2024-03-05 matches 2024-03.
	PrefixDate bool
}

// Normalize reads a short answer as a value of type t. The error says why it is
// none; an answer over [MaxBytes] is refused unread.
func Normalize(raw string, t Type, o Options) (Key, error) {
	r, err := read(raw, t, o)
	return r.key, err
}

// Normalize reads the short answer of a final message. The key of an answer that
// had to be guessed carries the confidence [Fallback].
func (f Final) Normalize(t Type, o Options) (Key, error) {
	if f.Kind != Answered {
		return Key{}, fmt.Errorf("normalize answer: the message holds none (%s)", describeKind(f.Kind))
	}
	k, err := Normalize(f.Short, t, o)
	if err == nil && f.Extract == FromFallback && k.Confidence == Exact {
		k.Confidence = Fallback
	}
	return k, err
}

func describeKind(k Kind) string {
	if k == None {
		return "nothing extracted"
	}
	return string(k)
}

// reading is a key together with what gold matching needs beyond it.
type reading struct {
	key Key
	num amount // set for the numeric types
}

// read dispatches on the type. A new type is one case and one file.
func read(raw string, t Type, o Options) (reading, error) {
	if len(raw) > MaxBytes {
		return reading{}, fmt.Errorf("answer of %d bytes is over the limit of %d: give the short answer only", len(raw), MaxBytes)
	}
	if t.Numeric() {
		raw = bindGroups(raw)
	}
	text, invisible := cleanFor(raw, t)
	if len(text) > MaxBytes {
		return reading{}, fmt.Errorf("answer grows to %d bytes when normalised, over the limit of %d: give the short answer only", len(text), MaxBytes)
	}
	var r reading
	err := errors.New("empty answer")
	if text != "" {
		switch t {
		case Integer:
			r, err = readInteger(text)
		case Decimal:
			r, err = readDecimal(text)
		case Percent:
			r, err = readPercent(text, o)
		case Currency:
			r, err = readMoney(text, o)
		case Quantity:
			r, err = readQuantity(text)
		case Date:
			r, err = readDate(text)
		case Boolean:
			r, err = readBoolean(text)
		case Choice:
			r, err = readChoice(text)
		case Entity:
			r, err = readEntity(text)
		case List:
			r, err = readList(raw, o)
		case Text:
			r, err = exactly(tagText, text), nil
		case Code:
			r, err = exactly(tagCode, usualURL(text)), nil
		default:
			_, err = ParseType(string(t))
			return reading{}, err
		}
	}
	if err != nil {
		return reading{}, fmt.Errorf("not %s: %w", withArticle(t), err)
	}
	r.key.Type = t
	if invisible {
		r.key.Flags = append(r.key.Flags, FlagInvisible)
	}
	slices.Sort(r.key.Flags)
	r.key.Flags = slices.Compact(r.key.Flags)
	return r, nil
}

func exactly(tag, body string) reading {
	return reading{key: Key{Key: tag + ":" + body, Confidence: Exact}}
}

func ambiguous(text string) reading {
	return reading{key: Key{Key: tagAmbiguous + ":" + text, Confidence: Ambiguous}}
}

func withArticle(t Type) string {
	switch t {
	case Integer, Entity:
		return "an " + string(t)
	case Text:
		return "a text"
	}
	return "a " + string(t)
}

// quote shows an answer in a message, cut to a readable length.
func quote(s string) string {
	const limit = 80
	if len(s) <= limit {
		return fmt.Sprintf("%q", s)
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%q…", s[:cut])
}
