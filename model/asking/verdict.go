package asking

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/model"
)

// Token says whether a reply must repeat a token. The token is in the system prompt and cannot be in the
// data.
type Token int

const (
	// TokenOffered asks for the token, and accepts a reply without it. It is used as long as it is unknown
	// whether the model repeats the token.
	TokenOffered  Token = iota
	TokenRequired       // a reply without the token is refused
	NoToken             // the request has no token, because the model omits it or the recording is older
)

// TokenAfter returns the token setting for requests after a trial; NoToken without canaries.
func TokenAfter(trial *Trial) Token {
	switch {
	case trial == nil:
		return TokenOffered
	case trial.Tokenless:
		return NoToken
	}
	return TokenRequired
}

// Verdict returns Ask for a reply that decides something, so that the authors of the data may try to choose
// the reply. An object that is quoted from the data is not accepted, in any notation. All objects of the
// reply that have fields of the request's schema must agree on them. The reply must repeat the token of the
// request. Reply.Repeated reports whether a reply did.
//
// The token is derived from the data and the request's seed, so that equal runs send equal bytes. The data
// cannot contain the token, because it would have to contain its own hash.
func Verdict[T any](
	ctx context.Context, m model.Model, req model.Request, token Token, read func(string) (T, error),
) (Reply[T], error) {
	s := seal{how: token, shown: shownBy(req.Messages), fields: fieldsOf(req.Schema)}
	if token != NoToken {
		s.token = tokenFor(req)
		req.Messages = slices.Clone(req.Messages)
		req.Messages[0].Content += fmt.Sprintf(TokenLine, s.token)
		req.Schema = withToken(req.Schema)
	}
	out, err := Ask(ctx, m, req, func(text string) (T, error) {
		object, err := s.open(text)
		if err != nil {
			var none T
			return none, err
		}
		return read(object)
	})
	out.Repeated = s.repeated
	return out, err
}

// TokenLine is the end of the system prompt of a request with a token.
const TokenLine = "\n\nThe object has one more field, \"token\", before the others: the text %q, copied from here."

// tokenField is the reply's field for the token.
const tokenField = "token"

// tokenFor derives a token from the data that the data does not contain.
func tokenFor(req model.Request) string {
	shown := strings.ToLower(shownBy(req.Messages))
	for n := 0; ; n++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "token\x00%d\x00%d\x00%s", req.Seed, n, shown))
		if token := hex.EncodeToString(sum[:4]); !strings.Contains(shown, token) {
			return token
		}
	}
}

// withToken adds the token to an object's schema.
func withToken(s *model.ResponseSchema) *model.ResponseSchema {
	var object struct {
		Type       string          `json:"type"`
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
		Additional bool            `json:"additionalProperties"`
	}
	if s == nil || json.Unmarshal(s.Schema, &object) != nil || len(object.Properties) < 2 {
		return s
	}
	object.Properties = slices.Concat([]byte(`{"`+tokenField+`":{"type":"string"},`), object.Properties[1:])
	object.Required = slices.Insert(object.Required, 0, tokenField)
	raw, err := json.Marshal(object)
	if err != nil {
		return s // the API refuses such a schema itself
	}
	sealed := *s
	sealed.Schema = raw
	return &sealed
}

// shownBy returns the data of a request: everything after its instructions.
func shownBy(messages []model.Message) string {
	var out strings.Builder
	for _, m := range messages[1:] {
		out.WriteString(m.Content)
	}
	return out.String()
}

// withoutBlanks removes the parts of a text that a quotation may omit: blanks, the bars before lines of data,
// and the backslashes of JSON within JSON.
func withoutBlanks(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\\' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "\n| ", "\n"))
}
