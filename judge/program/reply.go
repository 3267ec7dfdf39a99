package program

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge/checking"
)

// reply is what a program prints.
type reply struct {
	Pass   *bool    `json:"pass"`
	Score  *float64 `json:"score"`
	Reason string   `json:"reason"`
	Call   *int64   `json:"call"`
}

// longestReason is the maximum length of a program's reason in characters.
const longestReason = 1000

// parse reads a program's output: a JSON object, which may follow other lines.
func parse(output []byte) (r reply, err error) {
	output = bytes.TrimSpace(output)
	if len(output) == 0 {
		return r, errors.New("printed nothing")
	}
	object := output
	if !json.Valid(object) {
		object = bytes.TrimSpace(output[bytes.LastIndexByte(output, '\n')+1:])
	}
	switch {
	case !json.Valid(object) && (bytes.Contains(object, []byte("NaN")) || bytes.Contains(object, []byte("Infinity"))):
		return r, fmt.Errorf("printed a number that JSON does not have: %s", shown(object))
	case !json.Valid(object) && output[0] == '{' && json.NewDecoder(bytes.NewReader(output)).Decode(&r) == nil:
		return reply{}, fmt.Errorf("printed text after its JSON object: %s", shown(object))
	case !json.Valid(object) || object[0] != '{':
		return r, fmt.Errorf("printed no JSON object: %s", shown(object))
	}
	if err := json.Unmarshal(object, &r); err != nil {
		return r, mistyped(object, err)
	}
	if r.Score != nil && !(*r.Score >= 0 && *r.Score <= 1) {
		return r, fmt.Errorf("printed the score %v, and a score is from 0 to 1", *r.Score)
	}
	return r, nil
}

// mistyped says which field of a reply has a value of another type.
func mistyped(object []byte, err error) error {
	wrong, is := errors.AsType[*json.UnmarshalTypeError](err)
	var values map[string]json.RawMessage
	if !is || json.Unmarshal(object, &values) != nil {
		return errors.New("printed an object that cannot be read")
	}
	for name, value := range values {
		if strings.EqualFold(name, wrong.Field) {
			return fmt.Errorf("printed %s %.60s, not %s", wrong.Field, secret.Redact(string(value)), wanted[wrong.Field])
		}
	}
	return fmt.Errorf("printed a %s that is not %s", wrong.Field, wanted[wrong.Field])
}

// wanted has the values of the fields of a reply, in words.
var wanted = map[string]string{
	"pass": "true or false", "score": "a number from 0 to 1", "reason": "a text", "call": "the number of the check",
}

// shown returns the beginning of a program's output for an error.
func shown(output []byte) string {
	return text.Quote(strings.ToValidUTF8(secret.Redact(string(output)), "?"))
}

// result returns the result of a reply for a check. With a threshold, the score decides, and pass may be missing.
func (r reply) result(c checks.Check) (checking.Result, error) {
	switch {
	case r.Pass == nil && c.Threshold == 0:
		return checking.Result{}, errors.New(`printed no "pass"`)
	case r.Score == nil && c.Threshold != 0:
		return checking.Result{}, errors.New(`printed no "score", which the threshold needs`)
	}
	pass := r.Pass == nil || *r.Pass
	out := checking.Decided(pass, text.Clip(secret.Redact(r.Reason), longestReason))
	if r.Score != nil {
		out.Score = *r.Score
	}
	if pass && out.Score < c.Threshold {
		pass = false
		out.Reason = strings.TrimSuffix(fmt.Sprintf("the score %v is below %v; %s", out.Score, c.Threshold, out.Reason), "; ")
	}
	if out.Pass = &pass; out.Reason == "" {
		out.Reason = "the program gives no reason"
	}
	return out, nil
}
