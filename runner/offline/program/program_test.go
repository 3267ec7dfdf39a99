package program_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/offline/program"
)

func Example() {
	code, _ := program.Write("What is the greatest common divisor of 12 and 18?")
	fmt.Print(code)
	// Output:
	// const gcd = (a, b) => b ? gcd(b, a % b) : a
	// const result = gcd(12, 18)
	// typeof result === 'bigint' ? String(result) : result
}

// Each form of questions becomes its expression.
func TestWrite(t *testing.T) {
	for question, want := range map[string]string{
		"What is the sum of all even numbers from 2 to 10?":                                      "sum(range(2, 10).filter(x => x % 2 === 0))",
		"What is the sum of the cubes of the odd numbers below 1,000?":                           "sum(range(1, 1000 - 1).filter(x => x % 2 === 1).map(x => x ** 3))",
		"How many of the numbers up to 60 are divisible by 4 but not by 6?":                      "range(1, 60).filter(x => x % 4 === 0 && x % 6 !== 0).length",
		"How many primes below 100 contain the digit 3?":                                         "range(1, 100 - 1).filter(x => isPrime(x)).filter(x => digits(x).includes(3)).length",
		"What is the average of the multiples of 7 from 1 to 90, to one decimal place?":          "Number(mean(range(1, 90).filter(x => x % 7 === 0))).toFixed(1)",
		"What is the largest of the numbers below 500 that are palindromes and divisible by 11?": "range(1, 500 - 1).filter(x => reversed(String(x)) === String(x)).filter(x => x % 11 === 0).at(-1)",
		"What is the 12th prime number?":                                                         "primeAt(12)",
		"What is the 7th Fibonacci number, if the first two are both 3?":                         "fibonacci(7, 3n)",
		"Is 91 a prime number?": "isPrime(91)",
		"How many days are there between 2 May 2020 and June 1, 2021?":        `days("2020-05-02", "2021-06-01")`,
		`What is "drawer" spelled backwards?`:                                 `reversed("drawer")`,
		`How often does the letter "E" occur in the word "Seventeen"?`:        `"Seventeen".toLowerCase().split("E".toLowerCase()).length - 1`,
		`How many words does the sentence "It is 5 o'clock." have?`:           `words("It is 5 o'clock.").length`,
		"Sort these numbers from the smallest to the largest: 10, 9 and 8.5.": "10, 9 and 8.5",
		"Sort these numbers from the smallest to the largest: 10, 9, 8.5.":    "[10, 9, 8.5].sort((a, b) => a - b)",
		"Put the words in alphabetical order: pear, fig, and apple.":          "pear",
		"Put the words in alphabetical order: pear, fig, kiwi and apple.":     `["pear", "fig", "kiwi", "apple"].sort()`,
		`What is "a\"; while (true); \"" spelled backwards?`:                  "",
		"What is the sum of the digits of 12345678901234567890?":              "",
		"How many numbers from 1 to 100000000 are prime?":                     "",
		"What is the sum of all odd numbers?":                                 "",
		"How many numbers are there below 10 that dance?":                     "",
		"How many days are there between May and June?":                       "",
		"What is the sum of §na?":                                             "",
		"Who wrote Hamlet?":                                                   "",
		"":                                                                    "",
		strings.Repeat("Is 7 a prime? ", 1000):                                "",
	} {
		code, ok := program.Write(question)
		_, expression, _ := strings.Cut(code, "const result = ")
		expression, _, _ = strings.Cut(expression, "\n")
		if want == "10, 9 and 8.5" || want == "pear" { // lists of two are no lists
			want = ""
		}
		if expression != want || ok != (want != "") {
			t.Errorf("%s\n got %s\nwant %s", question, expression, want)
		}
	}
}

// A program has the functions that it needs and no others.
func TestHelpers(t *testing.T) {
	code, _ := program.Write("What is the 12th prime number?")
	var names []string
	for line := range strings.Lines(code) {
		if strings.HasPrefix(line, "const ") {
			names = append(names, strings.Fields(line)[1])
		}
	}
	if got := strings.Join(names, " "); got != "isPrime nextPrime primeAt result" {
		t.Errorf("functions %s", got)
	}
}

// Each line of the table has a known part, and no rule repeats.
func TestShapes(t *testing.T) {
	raw, err := os.ReadFile("shapes.tsv")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, row := range text.Rows(string(raw), 3) {
		part, words, expression := row[0], row[1], row[2]
		if !strings.Contains(" whole aggregate map noun range condition ", " "+part+" ") || expression == "" || seen[part+words] {
			t.Errorf("line %q", row)
		}
		seen[part+words] = true
		values := strings.Count(words, "N") + strings.Count(words, "T") + strings.Count(words, "D") + strings.Count(words, "L") + strings.Count(words, "W")
		for n := 1; n <= 3; n++ {
			if uses := strings.Contains(expression, fmt.Sprint("$", n)); uses != (n <= values) {
				t.Errorf("%s: %d values, and it uses $%d: %v", words, values, n, uses)
			}
		}
	}
}

// No question makes the rules fail, and a text of a question stays a text of the program.
func FuzzWrite(f *testing.F) {
	f.Add(`What is "a\" + process.exit() + \"" spelled backwards?`)
	f.Add("What is the sum of all odd numbers from 1 to 999, to 2 decimal places?")
	f.Add("Sort these numbers from the largest to the smallest: 1, 2, 3 and 4.")
	f.Add("How many days are there between 31 February 2020 and 0000-00-00?")
	f.Fuzz(func(t *testing.T, question string) {
		code, ok := program.Write(question)
		if ok != (code != "") || strings.Contains(code, "§") || ok && !strings.Contains(code, "\nconst result = ") && !strings.HasPrefix(code, "const result = ") {
			t.Fatalf("%q becomes %q", question, code)
		}
	})
}
