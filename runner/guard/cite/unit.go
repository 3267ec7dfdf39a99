package cite

import (
	"math/big"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// units remembers what the words after a number mean, for one audit.
type units struct {
	known map[string]*unit
}

// maxUnits bounds the memory of units.
const maxUnits = 10_000

// quantity reads a text as a physical unit; nil if it is none.
func (u *units) quantity(name string) *unit {
	if name == "" {
		return nil
	}
	return u.recall("q"+name, func() *unit {
		zero, dim0 := baseOf("0 " + name)
		one, dim1 := baseOf("1 " + name)
		if zero == nil || one == nil || dim0 != dim1 || dim1 == "1" || dim1 == "" {
			return nil
		}
		return &unit{name: dim1, factor: one.Sub(one, zero), offset: zero}
	})
}

// currency reads what stands before and behind a number as a currency.
func (u *units) currency(before, behind string) *unit {
	if before == "" && behind == "" {
		return nil
	}
	return u.recall("c"+before+"\x00"+behind, func() *unit {
		return currencyOf(before + "1 " + behind)
	})
}

func (u *units) recall(key string, read func() *unit) *unit {
	if found, ok := u.known[key]; ok {
		return found
	}
	found := read()
	if u.known == nil {
		u.known = map[string]*unit{}
	}
	if len(u.known) < maxUnits {
		u.known[key] = found
	}
	return found
}

// baseOf reads a quantity's key, qty:127/1000:m.
func baseOf(text string) (*big.Rat, string) {
	k, err := answer.Normalize(text, answer.Quantity, answer.Options{})
	if err != nil || k.Confidence != answer.Exact {
		return nil, ""
	}
	body, ok := strings.CutPrefix(k.Key, "qty:")
	if !ok {
		return nil, ""
	}
	figures, dim, _ := strings.Cut(body, ":")
	r, ok := new(big.Rat).SetString(figures)
	if !ok {
		return nil, ""
	}
	return r, dim
}

// currencyOf reads the key of an amount: cur:EUR:1, or ambiguous:$ 1 for an open sign.
func currencyOf(text string) *unit {
	k, err := answer.Normalize(text, answer.Currency, answer.Options{})
	if err != nil {
		return nil
	}
	if body, ok := strings.CutPrefix(k.Key, "cur:"); ok {
		code, figures, _ := strings.Cut(body, ":")
		factor, ok := new(big.Rat).SetString(figures)
		if !ok || factor.Sign() == 0 {
			return nil
		}
		return &unit{name: code, factor: factor, offset: new(big.Rat)}
	}
	if body, ok := strings.CutPrefix(k.Key, "ambiguous:"); ok {
		sign, figures, cut := strings.Cut(body, " ")
		if cut && figures == "1" {
			return &unit{name: sign, factor: big.NewRat(1, 1), offset: new(big.Rat), open: true}
		}
	}
	return nil
}

// sameMoney reports whether two currencies may be one: $ may be USD, but not EUR.
func sameMoney(a, b unit) bool {
	if a.name == b.name {
		return true
	}
	if b.open {
		a, b = b, a
	}
	if !a.open || b.open {
		return false
	}
	k, err := answer.Normalize(a.name+" 1", answer.Currency, answer.Options{Currency: b.name})
	return err == nil && k.Confidence == answer.Exact
}

// wideUnit knows the Chinese and Japanese names of units, the longer ones first.
func wideUnit(text string) (symbol string, n int) {
	for _, u := range [...][2]string{
		{"平方公里", "km²"}, {"平方千米", "km²"}, {"平方キロメートル", "km²"}, {"平方米", "m²"}, {"キロメートル", "km"}, {"メートル", "m"},
		{"公里", "km"}, {"千米", "km"}, {"厘米", "cm"}, {"毫米", "mm"}, {"公斤", "kg"}, {"千克", "kg"}, {"キログラム", "kg"}, {"公顷", "ha"},
		{"摄氏度", "°C"}, {"分钟", "min"}, {"小时", "h"}, {"時間", "h"}, {"秒", "s"}, {"米", "m"}, {"吨", "t"}, {"克", "g"},
	} {
		if strings.HasPrefix(text, u[0]) {
			return u[1], len(u[0])
		}
	}
	return "", 0
}
