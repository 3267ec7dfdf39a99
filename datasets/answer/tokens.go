package answer

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// ContainsTokens reports whether the tokens of keyword occur in message one after the
// other, as [text.Tokens] divides both: 4 occurs in neither 14 nor 4.5 nor -4, and digit
// grouping does not matter. A keyword without tokens occurs nowhere.
//
// In scripts that do not space words every character is a token, so a keyword may also be
// found inside a longer word there.
func ContainsTokens(message, keyword string) bool {
	want := text.Joined(text.Tokens(keyword, 0))
	return want != "" && strings.Contains(text.Joined(text.Tokens(message, 0)), want)
}
