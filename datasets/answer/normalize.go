package answer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/internal/text"
)

// Options widen what a type accepts. The zero value is the strict reading. Votes
// and gold match of one query must use the same options.
type Options struct {
	// Ordered makes the order of a list count. Repeated elements always do.
	Ordered bool `yaml:"ordered" json:"ordered,omitempty"`
	// UnitOptional lets a number without currency be in that of Currency, and one
	// without unit match a gold quantity as if it had the gold's unit.
	UnitOptional bool `yaml:"unit_optional" json:"unit_optional,omitempty"`
	// PrefixDate lets a date match a gold date of coarser precision:
	// 2024-03-05 matches 2024-03.
	PrefixDate bool `yaml:"prefix_date" json:"prefix_date,omitempty"`
	// BarePercent reads 50 as 50 percent where the type is percent.
	BarePercent bool `yaml:"bare_percent" json:"bare_percent,omitempty"`
	// Locale is the language or region, such as de or en-GB, that decides what figures alone leave open: 1.234 and
	// 03/04/2024. It is a tag of internal/value's locales.tsv; empty leaves such numbers to be read as in English, and
	// such dates ambiguous.
	Locale string `yaml:"locale" json:"locale,omitempty"`
	// Currency is the code of ISO 4217 that an open sign such as $ or ¥ stands for.
	// [Match] takes it from the gold answer where it is empty. No file gives it.
	Currency string `yaml:"-" json:"-"`
}

// Normalize reads a short answer as a value of type t. The error says why it is not one;
// an answer over [MaxBytes] is refused unread.
func Normalize(raw string, t Type, o Options) (Key, error) {
	if len(raw) > MaxBytes {
		return Key{}, fmt.Errorf("answer of %d bytes is over the limit of %d: give the short answer only", len(raw), MaxBytes)
	}
	raw, err := localised(raw, t, o)
	if err != nil {
		return Key{}, err
	}
	s, invisible := cleanFor(raw, t)
	if len(s) > MaxBytes {
		return Key{}, fmt.Errorf("answer grows to %d bytes when normalised, over the limit of %d: give the short answer "+
			"only", len(s), MaxBytes)
	}
	var k Key
	err = errors.New("empty answer")
	if s != "" {
		switch t {
		case Integer, Decimal, Percent, Currency, Quantity:
			k, err = readNumeric(s, t, o)
		case Date:
			k, err = readDate(s)
		case Boolean:
			k, err = readBoolean(s)
		case Choice:
			k, err = readChoice(s)
		case Entity:
			k, err = exactly("entity", entityName(s)), nil
			if k.Key == "entity:" {
				err = errors.New(quote(s) + " is only punctuation")
			}
		case List:
			k, err = readList(raw, o)
		case Text:
			k, err = exactly("text", s), nil
		case Code:
			k, err = exactly("code", usualURL(s)), nil
		default:
			_, err = ParseType(string(t))
			return Key{}, err
		}
	}
	if err != nil {
		article := "a"
		if t == Integer || t == Entity {
			article = "an"
		}
		return Key{}, fmt.Errorf("not %s %s: %w", article, t, err)
	}
	k.Type = t
	if invisible {
		k.Flags = append(k.Flags, FlagInvisible)
	}
	slices.Sort(k.Flags)
	k.Flags = slices.Compact(k.Flags)
	return k, nil
}

func exactly(tag, body string) Key { return Key{Key: tag + ":" + body, Confidence: Exact} }

func ambiguous(s string) Key { return Key{Key: "ambiguous:" + s, Confidence: Ambiguous} }

func quote(s string) string { return text.Quote(s) }
