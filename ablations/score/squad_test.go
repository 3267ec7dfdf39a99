package score

import "testing"

// The right column was printed by Python with the published normalize_answer.
func TestSQuAD(t *testing.T) {
	for _, c := range [][2]string{
		{"", ""}, {"the", ""}, {"A", ""}, {"The Who", "who"}, {"an  apple ", "apple"}, {"Vitamin A", "vitamin"},
		{"3.14", "314"}, {"-5", "5"}, {"C++", "c"}, {"U.S.A.", "usa"}, {"\"The Beatles\"", "beatles"},
		{"theatre ANTHEM the2", "theatre anthem the2"}, {"don't", "dont"}, {"the–end", "–end"}, {"naïve", "naïve"},
		{"New\tYork\n", "new york"}, {"x_y _the_", "xy"}, {"\u00e5ngstr\u00f6m, the", "\u00e5ngstr\u00f6m"},
		{"the\u0301 end", "\u0301 end"}, {"$5 & <b>", "5 b"}, {"½ the 三", "½ 三"},
	} {
		if got := squad(c[0]); got != c[1] {
			t.Errorf("squad(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}
