package value_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/value"
)

func TestBetween(t *testing.T) {
	for _, c := range []struct {
		name   string
		a, b   value.Calendar
		months []int // that must be among those given
		days   []int
	}{
		{"years alone", value.Calendar{Year: 1606}, value.Calendar{Year: 1669}, []int{63 * 12, 62 * 12}, nil},
		{"birthday passed", value.Calendar{Year: 1809, Month: 2, Day: 12}, value.Calendar{Year: 1882, Month: 4, Day: 19}, []int{73*12 + 2, 73 * 12}, nil},
		{"birthday to come", value.Calendar{Year: 1731, Month: 12, Day: 12}, value.Calendar{Year: 1802, Month: 4, Day: 18}, []int{70 * 12, 70*12 + 4}, nil},
		{"days, in either order", value.Calendar{Year: 1912, Month: 1, Day: 17}, value.Calendar{Year: 1911, Month: 12, Day: 14}, []int{1}, []int{34, 35}},
		{"a year for both", value.Calendar{Month: 11, Day: 10, NoYear: true}, value.Calendar{Year: 2004, Month: 11, Day: 27}, nil, []int{17, 18}},
		{"across BC", value.Calendar{Year: -43}, value.Calendar{Year: 14}, []int{57 * 12}, nil},
	} {
		months, days := c.a.Between(c.b)
		for _, m := range c.months {
			if !slices.Contains(months, m) {
				t.Errorf("%s: %v months, want %d among them", c.name, months, m)
			}
		}
		if !slices.Equal(days, c.days) && c.days != nil {
			t.Errorf("%s: %v days, want %v", c.name, days, c.days)
		}
	}
	if months, days := (value.Calendar{Year: 1960, Years: 10}).Between(value.Calendar{Year: 1999}); months != nil || days != nil {
		t.Errorf("a decade has no distance: %v, %v", months, days)
	}
}

// What is added lies between.
func TestAddAndBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := value.Calendar{Year: rapid.IntRange(1, 2100).Draw(t, "year"), Month: rapid.IntRange(1, 12).Draw(t, "month"), Day: rapid.IntRange(1, 28).Draw(t, "day")}
		n := rapid.IntRange(1, 100_000).Draw(t, "days")
		later := d.Add(0, n)
		if _, days := d.Between(later); !slices.Contains(days, n) {
			t.Errorf("%s + %d days is %s, %v days away", d, n, later, days)
		}
		if back := later.Add(0, -n); back != d {
			t.Errorf("%s + %d - %d days is %s", d, n, n, back)
		}
		m := rapid.IntRange(1, 5000).Draw(t, "months")
		if months, _ := d.Between(d.Add(m, 0)); !slices.Contains(months, m) {
			t.Errorf("%s + %d months is %s, %v months away", d, m, d.Add(m, 0), months)
		}
		year := value.Calendar{Year: d.Year}
		if got := year.Add(24, 0); got.Year != d.Year+2 || got.Month != 0 {
			t.Errorf("%s + 24 months is %s", year, got)
		}
		if year.Add(0, n).Within(value.Calendar{Year: d.Year}) || year.Add(5, 0).Within(year) {
			t.Errorf("a year alone moves by days or months")
		}
	})
}
