package wikipedia

import (
	"cmp"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/runner/tool/search"
)

// defaultLag is how long a wiki that lags is left alone where it does not say (its manual
// recommends at least 5 s).
const defaultLag = 5 * time.Second

// apiError is a failure that the API itself reports.
type apiError struct {
	Code string `json:"code"`
	Info string `json:"info"` // errorformat=bc, the default
	Text string `json:"text"` // plaintext
	HTML string `json:"*"`
}

func (e apiError) Error() string {
	return search.Cut(cmp.Or(oneLine(e.Code), "unknown"), 100) + ": " + search.Cut(oneLine(cmp.Or(e.Info, e.Text, e.HTML)), 200)
}

// failure maps an error of the API to the taxonomy (wire-formats §1.4).
func failure(resp *fetch.Response, api apiError) error {
	e := resp.Fail(kindOf(api.Code), "%w", api)
	if byStatus := resp.Failure(); byStatus != nil && e.Kind == fetch.Upstream {
		e.Kind = byStatus.Kind // a code that is not known tells less than the status
	}
	if api.Code == "maxlag" && e.RetryAfter == 0 {
		e.RetryAfter = defaultLag
	}
	return e
}

func kindOf(code string) fetch.Kind {
	switch code {
	case "ratelimited", "maxlag", "cirrussearch-too-busy-error":
		return fetch.RateLimited
	case "readapidenied", "permissiondenied", "blocked", "autoblocked":
		return fetch.Auth
	}
	for _, prefix := range []string{"missingparam", "badvalue", "badinteger", "unknown_", "invalid", "toomany", "too-"} {
		if strings.HasPrefix(code, prefix) {
			return fetch.BadRequest
		}
	}
	return fetch.Upstream // readonly, internal_api_error_…, and what is not documented
}
