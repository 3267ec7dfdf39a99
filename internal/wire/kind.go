package wire

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
)

//go:embed failures.tsv
var failures string

// Parts of a failure that show its kind.
const (
	InCode  = "code"
	InType  = "type"
	InWords = "words"
)

// KindIn is the kind that a text in one of these places shows; may be "".
func KindIn(place, text string) model.ErrorKind {
	text = strings.ToLower(text)
	for line := range strings.Lines(failures) {
		cell := strings.Split(strings.TrimSpace(line), "\t")
		if len(cell) == 3 && cell[0] == place && strings.Contains(text, cell[1]) {
			return model.ErrorKind(cell[2])
		}
	}
	return ""
}

// KindOf is the kind of a failure by its status only.
func KindOf(status int) model.ErrorKind {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired:
		return model.ErrAuth
	case http.StatusPaymentRequired:
		return model.ErrQuota
	case http.StatusRequestTimeout:
		return model.ErrTimeout
	case http.StatusTooManyRequests:
		return model.ErrRateLimited
	}
	if status >= 300 && status < 500 {
		return model.ErrBadRequest
	}
	return model.ErrUnavailable
}

// Words is a JSON string, or any other value as written; "" for a missing value.
func Words(raw json.RawMessage) string {
	var s string
	if !Present(raw) || json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
