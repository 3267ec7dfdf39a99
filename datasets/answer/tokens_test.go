package answer_test

import (
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
)

func TestContainsTokens(t *testing.T) {
	for _, c := range []struct {
		message, keyword string
		want             bool
	}{
		{"The answer is 4.", "4", true},
		{"The answer is 14", "4", false},
		{"The answer is 4.5", "4", false},
		{"The answer is 4.5", "5", false},
		{"The answer is -4", "4", false},
		{"The answer is -4", "-4", true},
		{"The answer is (−4)", "-4", true},
		{"The answer is **4**", "4", true},
		{"It weighs 4kg", "4", false},
		{"It weighs 4 kg", "4", true},
		{"It is 50 %", "50", false},
		{"It is 50 %", "50%", true},
		{"It costs $29", "29", true},
		{"It costs 29", "$29", false},
		{"12,193,254,061,881 in all", "12193254061881", true},
		{"１２，１９３", "12193", true},
		{"at 10:30", "30", false},
		{"on 2024-03-05", "2024-03-05", true},
		{"on 2024-03-05", "2024", false},
		{"10⁵", "105", false},
		{"10⁵", "10", false},
		{"Apollo-11 landed", "Apollo 11", true},
		{"Apollo 11 landed", "apollo-11", true},
		{"Apollo 12 landed at 11", "Apollo 11", false},
		{"a well-known fact", "known", true},
		{"the unknown", "known", false},
		{"Einstein’s theory", "Einstein", true},
		{"the U.S. army", "US", true},
		{"the US army", "U.S.", true},
		{"written in C++", "C", false},
		{"written in C++.", "c++", true},
		{"written in C#, mostly", "C#", true},
		{"AT&T sells", "AT&T", true},
		{"AT&T sells", "AT", true},
		{"Ulysses S. Grant won", "ulysses s grant", true},
		{"Straße", "STRASSE", true},
		{"ig\u200bnore", "ignore", true},
		{"答えは東京です", "東京", true},
		{"2024年です", "2024", true},
		{"anything", "", false},
		{"anything...", "...", false},
		{"", "x", false},
	} {
		if got := answer.ContainsTokens(c.message, c.keyword); got != c.want {
			t.Errorf("ContainsTokens(%q, %q) = %v", c.message, c.keyword, got)
		}
	}
}
