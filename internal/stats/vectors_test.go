package stats_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/seed-5817661a/concur/internal/stats"
)

// vectors reads a family of the vectors, which were computed in another language.
func vectors[T any](t *testing.T, family string) T {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var families map[string]json.RawMessage
	if err := json.Unmarshal(data, &families); err != nil {
		t.Fatal(err)
	}
	var out T
	if err := json.Unmarshal(families[family], &out); err != nil {
		t.Fatalf("read family %s: %v", family, err)
	}
	return out
}

// The tolerance of vectors with ten digits, and of those with six, five and four.
const (
	tenDigits  = 1e-8
	sixDigits  = 5.001e-7
	fiveDigits = 5.001e-6
	fourDigits = 5.001e-5
)

func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance
}

// number fails where a figure is undefined or another one.
func number(t *testing.T, what string, got float64, ok bool, want, tolerance float64) {
	t.Helper()
	if !ok || !near(got, want, tolerance) {
		t.Errorf("%s = %.10f, %v, want %.10f", what, got, ok, want)
	}
}

func interval(t *testing.T, what string, got stats.Interval, ok bool, want [2]float64, tolerance float64) {
	t.Helper()
	if !ok || !near(got.Low, want[0], tolerance) || !near(got.High, want[1], tolerance) {
		t.Errorf("%s = %.10f, %v, want %.10f", what, got, ok, want)
	}
}

// pointer fails where a figure is nil or another one.
func pointer(t *testing.T, what string, got *float64, want, tolerance float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s is undefined, want %.10f", what, want)
		return
	}
	number(t, what, *got, true, want, tolerance)
}
