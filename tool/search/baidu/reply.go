package baidu

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/seed-5817661a/concur/internal/fetch"
)

// readReply distinguishes results, blocks, empty results and failures. It checks in this order: certain signs
// of a block, the status, the results, and the text of a page without results. It detects the form of the
// body itself, because Baidu may send a captcha page instead of JSON, and JSON instead of HTML.
func readReply(resp *fetch.Response, query string) ([]hit, error) {
	captcha := func(sign string) error {
		return resp.Fail(fetch.CaptchaBlocked, "read Baidu's reply: %s: this address is blocked for a while; use "+
			"another search tool", sign)
	}
	if isBlockedAnswer(resp) {
		return nil, captcha("it redirects to a captcha, or refuses without a reason")
	}
	body, err := decode(resp.Body, resp.Header.Get("Content-Type"))
	if err != nil {
		return nil, malformed(resp, err)
	}
	if strings.HasPrefix(strings.TrimSpace(body), "{") {
		if isBlockedJSON(body) {
			return nil, captcha("it forbids spiders")
		}
		if err := status(resp); err != nil {
			return nil, err
		}
		hits, err := parseFeed(body, maxLimit)
		if err != nil {
			return nil, malformed(resp, err)
		}
		return hits, nil
	}
	p, err := parsePage(body, maxLimit)
	var kind fetch.Kind // the kind of a page without results
	if err == nil && len(p.hits) == 0 {
		kind = judge(p, body, query)
	}
	if p.title == captchaTitle || kind == fetch.CaptchaBlocked {
		return nil, captcha("it asks for a captcha")
	}
	if err := status(resp); err != nil {
		return nil, err
	}
	if kind == fetch.Malformed {
		err = errors.New("the page holds no result and does not say why: Baidu may have changed its pages")
	}
	if err != nil {
		return nil, malformed(resp, err)
	}
	return p.hits, nil
}

// status returns the failure for a status other than 200. Baidu has no login, so a refusal is a failure of
// the server and not of authorization.
func status(resp *fetch.Response) error {
	if resp.Status >= 200 && resp.Status <= 299 {
		return nil
	}
	e := resp.Failure()
	if e == nil {
		e = malformed(resp, fmt.Errorf("status %d is neither results nor a failure: check the base URL", resp.Status))
	}
	if resp.Status == http.StatusUnauthorized || resp.Status == http.StatusForbidden {
		e.Kind = fetch.Upstream
		e.Err = errors.New("the server or its gateway refuses this address")
	}
	return e
}

func malformed(resp *fetch.Response, err error) *fetch.Error {
	return resp.Fail(fetch.Malformed, "read Baidu's reply: %w", err)
}

// parseFeed reads at most limit results from feed.entry in the JSON form. The last entry is an empty object,
// and strings contain HTML entities.
func parseFeed(body string, limit int) ([]hit, error) {
	var in struct {
		Feed *struct {
			Entry *[]struct {
				Title string `json:"title"`
				URL   string `json:"url"`
				Text  string `json:"abs"`
			} `json:"entry"`
		} `json:"feed"`
	}
	if err := json.Unmarshal([]byte(replaceControls(body)), &in); err != nil {
		return nil, errors.New("its JSON is broken or has an unknown form")
	}
	if in.Feed == nil || in.Feed.Entry == nil {
		return nil, errors.New("its JSON has no feed.entry")
	}
	var hits []hit
	for _, e := range *in.Feed.Entry {
		if len(hits) == limit {
			break
		}
		h := hit{
			title:   clean(html.UnescapeString(e.Title), maxTitle),
			link:    resolve(strings.ReplaceAll(e.URL, "&amp;", "&")), // in an address, &copy= is a parameter and not ©
			snippet: clean(html.UnescapeString(e.Text), maxSnippet),
		}
		if h.title != "" && h.link != "" {
			hits = append(hits, h)
		}
	}
	return hits, nil
}

// replaceControls replaces every control character by a space, because Baidu writes them unescaped into
// strings, which JSON forbids.
func replaceControls(body string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, body)
}

// decode returns a body as UTF-8. The charset comes from the Content-Type, a byte order mark or the page's
// <meta> element. Without these, the body is UTF-8 if it is valid, otherwise GB 18030, which includes GBK and
// GB 2312.
func decode(body []byte, contentType string) (string, error) {
	encoding, name, certain := charset.DetermineEncoding(body, contentType)
	if !certain && name == "windows-1252" { // the library's fallback
		encoding = simplifiedchinese.GB18030
	}
	if certain || !utf8.Valid(body) {
		decoded, err := encoding.NewDecoder().Bytes(body)
		if err != nil {
			return "", fmt.Errorf("decode %s: %w", name, err)
		}
		body = decoded
	}
	return strings.TrimPrefix(string(body), "\ufeff"), nil
}
