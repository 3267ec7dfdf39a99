package answer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

func TestParseType(t *testing.T) {
	for _, want := range answer.Types() {
		got, err := answer.ParseType(string(want))
		if err != nil || got != want {
			t.Errorf("ParseType(%q) = %q, %v", want, got, err)
		}
	}
	_, err := answer.ParseType("float")
	if err == nil {
		t.Fatal("ParseType(float) succeeded")
	}
	for _, known := range answer.Types() {
		if !strings.Contains(err.Error(), string(known)) {
			t.Errorf("error %q does not list %q", err, known)
		}
	}
}

func TestNumericTypes(t *testing.T) {
	for _, typ := range answer.Types() {
		want := slices.Contains([]answer.Type{
			answer.Integer, answer.Decimal, answer.Percent, answer.Currency, answer.Quantity,
		}, typ)
		if typ.Numeric() != want {
			t.Errorf("%s.Numeric() = %v", typ, typ.Numeric())
		}
	}
}

func TestUnknownTypeIsAnError(t *testing.T) {
	if _, err := answer.Normalize("5", "money", answer.Options{}); err == nil {
		t.Error("an unknown type was accepted")
	}
}
