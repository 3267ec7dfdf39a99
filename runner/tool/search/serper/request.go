package serper

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"github.com/seed-5817661a/concur/internal/fetch"
)

func serperRequest(o Options, query string, limit int) (fetch.Request, error) {
	body, err := json.Marshal(struct {
		Query    string `json:"q"`
		Limit    int    `json:"num"`
		Country  string `json:"gl,omitempty"`
		Language string `json:"hl,omitempty"`
	}{query, limit, o.Country, o.Language})
	if err != nil {
		return fetch.Request{}, err
	}
	return fetch.Request{
		Method: http.MethodPost,
		URL:    o.BaseURL + "/search",
		Header: http.Header{"X-Api-Key": {o.APIKey}, "Content-Type": {"application/json"}, "Accept": {"application/json"}},
		Body:   body,
	}, nil
}

func serpapiRequest(o Options, query string, limit int) (fetch.Request, error) {
	q := url.Values{
		"engine": {"google"}, "q": {query}, "num": {strconv.Itoa(limit)}, "start": {"0"},
		"google_domain": {"google.com"}, "api_key": {o.APIKey},
	}
	if o.Country != "" {
		q.Set("gl", o.Country)
	}
	if o.Language != "" {
		q.Set("hl", o.Language)
	}
	return fetch.Request{
		Method: http.MethodGet,
		URL:    o.BaseURL + "/search.json?" + q.Encode(),
		Header: http.Header{"Accept": {"application/json"}},
	}, nil
}
