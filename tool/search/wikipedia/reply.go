package wikipedia

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/tool/search"
)

// reply is a decoded reply of the API.
type reply struct {
	pages      []page
	text       string // text of the page that was parsed
	noExtracts bool   // the wiki does not support the property extracts
}

// readReply distinguishes results from failures. The API reports most failures with status 200; replies with
// another status may come from a gateway that does not know the API.
func readReply(resp *fetch.Response) (reply, error) {
	r, err := decode(resp.Body)
	if api, ok := errors.AsType[apiError](err); ok {
		return reply{}, failure(resp, api)
	}
	e := resp.Failure()
	switch {
	case e != nil && resp.Status == http.StatusForbidden:
		e.Err = errors.New("the server refuses this client (status 403): check that the User-Agent names the program and a " +
			"contact")
	case e != nil:
	case resp.Status != http.StatusOK:
		e = resp.Fail(fetch.Malformed, "status %d is neither results nor a failure", resp.Status)
	case err != nil:
		e = resp.Fail(fetch.Malformed, "read answer: %w", err)
	default:
		return r, nil
	}
	return reply{}, e
}

// decode decodes a reply in either format version. If it reports a failure, the error is an apiError. Other
// fields are ignored.
func decode(body []byte) (reply, error) {
	var in struct {
		Error         *apiError       `json:"error"`
		Errors        []apiError      `json:"errors"`
		Warnings      json.RawMessage `json:"warnings"`
		BatchComplete json.RawMessage `json:"batchcomplete"`
		Query         *struct {
			Pages     json.RawMessage `json:"pages"`
			Redirects []redirect      `json:"redirects"`
		} `json:"query"`
		Parse *struct {
			Text parsedText `json:"text"`
		} `json:"parse"`
	}
	if err := search.DecodeJSON(body, &in); err != nil {
		return reply{}, err
	}
	if in.Error != nil {
		in.Errors = append([]apiError{*in.Error}, in.Errors...)
	}
	var warnings map[string]json.RawMessage
	_ = json.Unmarshal(in.Warnings, &warnings) // ignore warnings of another form
	// The text of a warning is in the wiki's language, but the refused value is not.
	out := reply{noExtracts: bytes.Contains(warnings["query"], []byte("extracts"))}
	switch {
	case len(in.Errors) > 0:
		return reply{}, in.Errors[0]
	case in.Parse != nil:
		out.text = text.Head(textOf(string(in.Parse.Text)), maxText)
	case in.Query != nil:
		var err error
		out.pages, err = decodePages(in.Query.Pages, in.Query.Redirects)
		return out, err
	case !isSet(in.BatchComplete): // if it is set, the generator found no pages
		return reply{}, errors.New("it holds neither results nor an error")
	}
	return out, nil
}

// parsedText is the HTML of a page: a string, or an object with one (format version 1).
type parsedText string

func (t *parsedText) UnmarshalJSON(raw []byte) error {
	var old struct {
		HTML string `json:"*"`
	}
	if raw[0] != '{' {
		return json.Unmarshal(raw, (*string)(t))
	}
	err := json.Unmarshal(raw, &old)
	*t = parsedText(old.HTML)
	return err
}

// redirect leads from one title to another, which may itself be a redirect.
type redirect struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// wirePage is a page in the API's form. missing is "" or true, depending on the format version.
type wirePage struct {
	ID        int64           `json:"pageid"`
	Title     string          `json:"title"`
	Index     int             `json:"index"`
	Extract   string          `json:"extract"`
	Snippet   string          `json:"snippet"`
	Redirect  string          `json:"redirecttitle"`
	Canonical string          `json:"canonicalurl"`
	Full      string          `json:"fullurl"`
	Missing   json.RawMessage `json:"missing"`
	Invalid   json.RawMessage `json:"invalid"`
}

// Limits of the text that is read from a page, in bytes. Almost no article of Wikipedia is longer.
const (
	maxText  = 256 << 10
	maxTitle = 300
	maxNames = 2000
)

// decodePages decodes the pages of a reply, an object by page id (format version 1) or a list (2), in the
// order of the search. If there is neither, the search found no pages.
func decodePages(raw json.RawMessage, redirects []redirect) ([]page, error) {
	var list []wirePage
	var byID map[string]wirePage
	if len(raw) > 0 {
		var into any = &byID
		if raw[0] == '[' {
			into = &list
		}
		if err := search.DecodeJSON(raw, into); err != nil {
			return nil, err
		}
	}
	list = slices.AppendSeq(list, maps.Values(byID))
	slices.SortFunc(list, func(a, b wirePage) int { // an index below 1 means unknown, so the page comes last
		return cmp.Or(cmp.Compare(uint(a.Index)-1, uint(b.Index)-1), cmp.Compare(a.ID, b.ID))
	})
	names := map[string]string{} // titles of redirects, by the title to which they lead
	for _, r := range redirects {
		names[r.To] = text.Head(names[r.To]+" "+r.From+" "+names[r.From], maxNames)
	}
	var out []page
	for _, p := range list {
		title := oneLine(p.Title)
		if isSet(p.Missing) || isSet(p.Invalid) || p.ID <= 0 || title == "" {
			continue
		}
		out = append(out, page{
			id: p.ID, title: text.Head(title, maxTitle),
			names:   text.Head(oneLine(p.Title+" "+p.Redirect+names[p.Title]), maxNames),
			intro:   text.Head(paragraphs(html.UnescapeString(p.Extract)), maxText),
			snippet: text.Head(textOf(p.Snippet), maxText),
			url:     cmp.Or(p.Canonical, p.Full),
		})
	}
	return out, nil
}

// isSet reports whether a flag is set: present in format version 1, true in version 2.
func isSet(raw json.RawMessage) bool {
	s := string(raw)
	return s != "" && s != "false" && s != "null"
}

// defaultLag is the wait for a lagging wiki that does not demand a certain time. MediaWiki's manual
// recommends at least 5 s.
const defaultLag = 5 * time.Second

// apiError is a failure that the API itself reports.
type apiError struct {
	Code string `json:"code"`
	Info string `json:"info"` // for errorformat=bc, the default
	Text string `json:"text"` // for errorformat=plaintext
	HTML string `json:"*"`
}

func (e apiError) Error() string {
	return text.Head(cmp.Or(oneLine(e.Code), "unknown"), 100) + ": " +
		text.Head(oneLine(cmp.Or(e.Info, e.Text, e.HTML)), 200)
}

// failure converts an error of the API to a search error (docs/agent.md#search).
func failure(resp *fetch.Response, api apiError) error {
	e := resp.Fail(kindOf(api.Code), "%w", api)
	if byStatus := resp.Failure(); byStatus != nil && e.Kind == fetch.Upstream {
		e.Kind = byStatus.Kind // the status says more than an unknown code
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
	for _, prefix := range []string{"missingparam", "badvalue", "badinteger", "unknown_", "invalid", "toomany",
		"too-"} {
		if strings.HasPrefix(code, prefix) {
			return fetch.BadRequest
		}
	}
	return fetch.Upstream // readonly, internal_api_error_…, and undocumented codes
}
