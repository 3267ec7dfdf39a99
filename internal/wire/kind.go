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

// The places where a failure tells its kind.
const (
	InCode  = "code"
	InType  = "type"
	InWords = "words"
)

// KindIn is the kind that a text in one of these places tells; "" where it tells none.
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

// KindOf is the kind of a status that reports a failure, where nothing else tells it.
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

// Words is a JSON text, or any other value as it is written; "" where there is none.
func Words(raw json.RawMessage) string {
	var s string
	if !Present(raw) || json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
