package datasets_test

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// upTo returns the whole numbers from a to b for which keep is true.
func upTo(a, b int, keep func(int) bool) (out []int) {
	for n := a; n <= b; n++ {
		if keep(n) {
			out = append(out, n)
		}
	}
	return out
}

func sumOf(ns []int) (sum int) {
	for _, n := range ns {
		sum += n
	}
	return sum
}

func prime(n int) bool { return big.NewInt(int64(n)).ProbablyPrime(20) }

func on(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

// quotedIn returns the text in quotation marks of a question of code60.
func quotedIn(query string) string { return strings.Split(query, `"`)[1] }

// solutions compute the answers of code60 from the values that the questions name. They share no code with the rules
// of the offline model.
var solutions = map[string]func(query string) any{
	"loop-odd": func(string) any { return sumOf(upTo(1, 999, func(n int) bool { return n%2 == 1 })) },
	"loop-3-or-5": func(string) any {
		return sumOf(upTo(0, 999, func(n int) bool { return n%3 == 0 || n%5 == 0 }))
	},
	"loop-7-not-2": func(string) any { return len(upTo(1, 2000, func(n int) bool { return n%7 == 0 && n%2 != 0 })) },
	"loop-squares": func(string) any { return 50 * 51 * 101 / 6 },
	"loop-collatz": func(string) any {
		steps := 0
		for n := 27; n > 1; steps++ {
			if n%2 == 0 {
				n /= 2
			} else {
				n = 3*n + 1
			}
		}
		return steps
	},
	"loop-interest": func(string) any {
		money := big.NewRat(1000, 1)
		for range 10 {
			money.Sub(money.Mul(money, big.NewRat(103, 100)), big.NewRat(50, 1))
		}
		return money.FloatString(2)
	},
	"loop-digit-7": func(string) any {
		return len(upTo(1, 1000, func(n int) bool { return strings.Contains(strconv.Itoa(n), "7") }))
	},
	"loop-folds": func(string) any {
		folds := 0
		for tenths := 1; tenths <= 10_000_000; tenths *= 2 {
			folds++
		}
		return folds
	},
	"string-reverse": func(q string) any {
		letters := []rune(quotedIn(q))
		slices.Reverse(letters)
		return string(letters)
	},
	"string-letter":  func(q string) any { return strings.Count(strings.Split(q, `"`)[3], quotedIn(q)) },
	"string-vowels":  func(q string) any { return countOf(strings.ToLower(quotedIn(q)), "aeiou") },
	"string-longest": func(q string) any { return len(longest(strings.Fields(quotedIn(q)))) },
	"string-shift": func(q string) any {
		return strings.Map(func(r rune) rune { return 'a' + (r-'a'+3)%26 }, quotedIn(q))
	},
	"string-palindrome": func(q string) any {
		letters := []rune(strings.ReplaceAll(quotedIn(q), " ", ""))
		back := slices.Clone(letters)
		slices.Reverse(back)
		return map[bool]string{true: "yes", false: "no"}[slices.Equal(letters, back)]
	},
	"string-different": func(q string) any {
		letters := []byte(quotedIn(q))
		slices.Sort(letters)
		return len(slices.Compact(letters))
	},
	"string-runs": func(q string) any {
		out, text := "", quotedIn(q)
		for text != "" {
			rest := strings.TrimLeft(text, text[:1])
			out += text[:1] + strconv.Itoa(len(text)-len(rest))
			text = rest
		}
		return out
	},
	"date-between": func(string) any { return int(on(2024, 11, 2).Sub(on(2021, 3, 14)).Hours()) / 24 },
	"date-weekday": func(string) any { return on(1996, 2, 29).Weekday() },
	"date-after":   func(string) any { return on(2023, 5, 15).AddDate(0, 0, 1000).Format(time.DateOnly) },
	"date-fridays": func(string) any {
		return len(upTo(0, 119, func(m int) bool { return on(2015, time.Month(1+m), 13).Weekday() == time.Friday }))
	},
	"date-leap": func(string) any {
		return len(upTo(1896, 2025, func(y int) bool { return on(y, 12, 31).YearDay() == 366 }))
	},
	"date-minutes": func(string) any {
		return int((17*time.Hour + 5*time.Minute - 8*time.Hour - 47*time.Minute).Minutes())
	},
	"date-sundays": func(string) any {
		return len(upTo(1, 365, func(d int) bool { return on(2023, 1, d).Weekday() == time.Sunday }))
	},
	"number-primes": func(string) any { return len(upTo(2, 4999, prime)) },
	"number-gcd":    func(string) any { return new(big.Int).GCD(nil, nil, big.NewInt(462), big.NewInt(1071)) },
	"number-fibonacci": func(string) any {
		a, b := 1, 1
		for range 38 {
			a, b = b, a+b
		}
		return b
	},
	"number-factor": func(string) any {
		n, last := 600851475143, 0
		for d := 2; n > 1; d++ {
			for n%d == 0 {
				n, last = n/d, d
			}
		}
		return last
	},
	"number-power": func(string) any {
		sum := 0
		for _, digit := range new(big.Int).Lsh(big.NewInt(1), 200).String() {
			sum += int(digit - '0')
		}
		return sum
	},
	"number-lcm": func(string) any { // of each prime the highest power up to 20
		product := 1
		for _, p := range upTo(2, 20, prime) {
			for power := p; power <= 20; power *= p {
				product *= p
			}
		}
		return product
	},
	"number-binary":     func(string) any { return strconv.FormatInt(2026, 2) },
	"number-divisors":   func(string) any { return len(upTo(1, 5040, func(d int) bool { return 5040%d == 0 })) },
	"number-next-prime": func(string) any { return upTo(100_001, 101_000, prime)[0] },
	"sort-numbers": func(string) any {
		numbers := []int{42, 7, 19, 3, 88, 56, 21}
		slices.Sort(numbers)
		slices.Reverse(numbers)
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", "; "), "[]")
	},
	"sort-words": func(string) any {
		return strings.Join(slices.Sorted(slices.Values([]string{"willow", "ash", "birch", "oak", "elm", "cedar"})), "; ")
	},
	"sort-median": func(string) any {
		sorted := slices.Sorted(slices.Values([]int{12, 5, 9, 31, 7, 18}))
		return float64(sorted[2]+sorted[3]) / 2
	},
	"sort-third": func(string) any {
		scores := slices.Sorted(slices.Values([]int{71, 88, 64, 93, 79}))
		return scores[4] - scores[2]
	},
	"text-words": func(q string) any { return len(strings.Fields(quotedIn(q))) },
	"text-frequent": func(q string) any {
		words := strings.Fields(quotedIn(q))
		most := 0
		for _, word := range words {
			most = max(most, len(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w != word })))
		}
		return most
	},
	"text-mean-length": func(q string) any {
		words := strings.Fields(quotedIn(q))
		return fmt.Sprintf("%.2f", float64(len(strings.Join(words, "")))/float64(len(words)))
	},
	"text-log": func(q string) any { return strings.Count(q[strings.Index(q, ":"):], "fail") },
}

func countOf(text, letters string) (n int) {
	for _, r := range text {
		if strings.ContainsRune(letters, r) {
			n++
		}
	}
	return n
}

func longest(words []string) string {
	return slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) })
}

// TestGoldOfCode60 computes each answer of code60 that is a value.
func TestGoldOfCode60(t *testing.T) {
	computed := 0
	for _, q := range open(t, "code60").Queries {
		if q.Category == "program" {
			continue
		}
		solve := solutions[q.ID]
		if solve == nil {
			t.Errorf("%s has no solution", q.ID)
			continue
		}
		computed++
		got := fmt.Sprint(solve(q.Text))
		if ok, reason := answer.Match(got, q.Gold.Answer, q.Gold.Type, nil, q.Gold.Tolerance, q.Gold.Options); !ok {
			t.Errorf("%s: computed %s, the gold is %s: %s", q.ID, got, q.Gold.Answer, reason)
		}
	}
	if computed != 40 || len(solutions) != 40 {
		t.Errorf("%d answers were computed, there are %d solutions", computed, len(solutions))
	}
}
