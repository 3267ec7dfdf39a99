package cite_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/guard/cite"
)

// A value of a family can be written in each of the family's notations.
type family struct {
	of    answer.Type
	draw  func(rng *rand.Rand) int
	write []func(n int) string
}

// TestTheAuditAndTheVoteAgree writes one value in two notations, or two values, and compares the vote with
// the audit: answers that vote together must confirm each other, and other answers must not. Different values
// differ by more than rounding allows.
func TestTheAuditAndTheVoteAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(2026, 13))
	const pairs = 200
	for i := range pairs {
		f := families[i%len(families)]
		n, m := f.draw(rng), f.draw(rng)
		if rng.IntN(2) == 0 {
			m = n
		}
		a, b := f.write[rng.IntN(len(f.write))](n), f.write[rng.IntN(len(f.write))](m)
		if got := votesTogether(a, b, f.of); got != (n == m) {
			t.Errorf("%s: the vote takes %q and %q for equal: %v", f.of, a, b, got)
		}
		for _, c := range [][2]string{{a, b}, {b, a}} {
			if got := isBacked(c[0], c[1]); got != (n == m) {
				t.Errorf("%s: the audit finds %q in %q: %v", f.of, c[0], c[1], got)
			}
		}
	}
}

func votesTogether(a, b string, of answer.Type) bool {
	k, errK := answer.Normalize(a, of, answer.Options{})
	l, errL := answer.Normalize(b, of, answer.Options{})
	return errK == nil && errL == nil && k.Confidence == answer.Exact && l.Confidence == answer.Exact && k.Key == l.Key
}

// isBacked reports whether a document with the value stated confirms a claim of the value claimed.
func isBacked(claimed, stated string) bool {
	r := audit("It says "+claimed+" there [corpus_1].\nAnswer: yes", doc("corpus_1", "", "It says "+stated+" there."))
	return !slices.ContainsFunc(r.Problems, func(p cite.Problem) bool {
		return p.Check == cite.CheckNumber || p.Check == cite.CheckDate
	})
}

var families = []family{
	{answer.Quantity, upTo(999), []func(int) string{
		suffix(" km", 1), suffix(" kilometres", 1), suffix(" m", 1000), suffix(" metres", 1000), grouped(" m", 1000)}},
	{answer.Quantity, upTo(999), []func(int) string{
		suffix(" kg", 1), suffix(" kilograms", 1), suffix(" g", 1000), grouped(" grams", 1000), thousandths(" tonnes"), thousandths(" t")}},
	{answer.Quantity, upTo(99), []func(int) string{
		suffix(" hours", 1), suffix(" h", 1), suffix(" minutes", 60), suffix(" min", 60), grouped(" seconds", 3600)}},
	{answer.Quantity, upTo(500), []func(int) string{
		suffix(" km²", 1), suffix(" square kilometres", 1), suffix(" ha", 100), suffix(" hectares", 100), suffix(" km^2", 1)}},
	{answer.Quantity, upTo(90), []func(int) string{suffix(" °C", 1), suffix(" degrees Celsius", 1), suffix("°C", 1)}},
	{answer.Decimal, tenths, []func(int) string{
		tenthsOf(" million"), suffix("", 100_000), grouped("", 100_000), tenthsOf(" × 10^6"), suffix("0万", 1)}},
	{answer.Decimal, tenths, []func(int) string{tenthsOf(" billion"), suffix("", 100_000_000), grouped("", 100_000_000), suffix("00 million", 1)}},
	{answer.Decimal, func(rng *rand.Rand) int { return 21 + rng.IntN(79) }, []func(int) string{suffix("", 1), inWords}},
	{answer.Percent, upTo(99), []func(int) string{suffix("%", 1), suffix(" %", 1), suffix(" percent", 1), suffix(" per cent", 1)}},
	{answer.Date, func(rng *rand.Rand) int { return 204*1500 + rng.IntN(204*500) }, []func(int) string{
		day("D month Y"), day("month D, Y"), day("Y-MM-DD"), day("Y年M月D日"), day("Dth of month Y")}},
}

func upTo(most int) func(*rand.Rand) int {
	return func(rng *rand.Rand) int { return 2 + rng.IntN(most-1) }
}

// tenths draws a number of tenths that is not a whole number.
func tenths(rng *rand.Rand) int { return 10*(1+rng.IntN(9)) + 1 + rng.IntN(9) }

func suffix(unit string, factor int) func(int) string {
	return func(n int) string { return strconv.Itoa(n*factor) + unit }
}

func tenthsOf(unit string) func(int) string {
	return func(n int) string { return fmt.Sprintf("%d.%d%s", n/10, n%10, unit) }
}

func thousandths(unit string) func(int) string {
	return func(n int) string { return fmt.Sprintf("0.%03d%s", n, unit) }
}

// grouped writes commas between groups of digits.
func grouped(unit string, factor int) func(int) string {
	return func(n int) string {
		s := strconv.Itoa(n * factor)
		for at := len(s) - 3; at > 0; at -= 3 {
			s = s[:at] + "," + s[at:]
		}
		return s + unit
	}
}

func inWords(n int) string {
	units := []string{"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}
	tens := []string{"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}
	return strings.TrimSuffix(tens[n/10-2]+"-"+units[n%10], "-")
}

// day returns a function that writes a day by its number. Each month has seventeen days, from the fourth on,
// so that two numbers are two days.
func day(form string) func(int) string {
	months := strings.Fields("January February March April May June July August September October November December")
	return func(n int) string {
		year, month, day := n/204, n/17%12, 4+n%17
		return strings.NewReplacer("month", months[month], "MM", fmt.Sprintf("%02d", month+1), "M", strconv.Itoa(month+1),
			"DD", fmt.Sprintf("%02d", day), "D", strconv.Itoa(day), "Y", strconv.Itoa(year)).Replace(form)
	}
}
