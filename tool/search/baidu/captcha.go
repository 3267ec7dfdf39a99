package baidu

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/seed-5817661a/concur/internal/fetch"
)

// captchaTitle is the complete title of a captcha page. A page about captchas may have these words in its
// title too, but followed by "_百度搜索".
const captchaTitle = "百度安全验证"

// demands are phrases of captcha pages. People also search for these phrases, so they count only if a page
// has no results and the query does not contain them.
var demands = []string{
	"请输入验证码", "网络不给力，请稍后重试", "网络不给力,请稍后重试", "拖动左侧滑块", "请完成下方验证",
}

// bareWord is a word on captcha pages that is also on many other pages.
const bareWord = "安全验证"

// Baidu's phrases for an empty result. The second one alone is weak evidence.
const (
	noResult = "没有找到"
	regret   = "抱歉"
)

// isCaptchaURL reports whether a final address or a Location leads to a captcha page. It compares only the
// host, because the rest of the address may contain the query.
func isCaptchaURL(u *url.URL) bool {
	return u != nil && u.Hostname() == "wappass.baidu.com" && strings.HasPrefix(u.Path, "/static/captcha")
}

// isBlockedAnswer reports whether a reply is a block, without reading its body: by the target of a redirect,
// or by status 403 with an empty body.
func isBlockedAnswer(resp *fetch.Response) bool {
	if isCaptchaURL(resp.URL) || resp.Status == http.StatusForbidden && len(bytes.TrimSpace(resp.Body)) == 0 {
		return true
	}
	location, err := url.Parse(resp.Header.Get("Location"))
	return err == nil && isCaptchaURL(location)
}

// isBlockedJSON reports whether a body is JSON that means a block. Baidu may send it even if HTML was
// requested.
func isBlockedJSON(body string) bool {
	var in struct {
		AntiFlag json.RawMessage `json:"antiFlag"`
		Message  json.RawMessage `json:"message"`
	}
	if json.Unmarshal([]byte(replaceControls(body)), &in) != nil {
		return false
	}
	flag := strings.Trim(string(in.AntiFlag), `"`)
	return flag == "1" || flag == "true" ||
		strings.Contains(strings.ToLower(string(in.Message)), "forbid spider access")
}

// judge classifies a page without results: CaptchaBlocked, Empty or, for anything else, Malformed. It checks
// unambiguous phrases first. It checks source, the page with its scripts, last, because the scripts of every
// page contain phrases for network failures.
func judge(p page, source, query string) fetch.Kind {
	seen := p.title + " " + p.text
	switch {
	case containsAny(seen, query, demands...):
		return fetch.CaptchaBlocked
	case containsAny(seen, query, noResult):
		return fetch.Empty
	case containsAny(seen, query, bareWord):
		return fetch.CaptchaBlocked
	case containsAny(seen, query, regret):
		return fetch.Empty
	case containsAny(source, query, demands...), containsAny(source, query, "wappass.baidu.com/static/captcha"):
		return fetch.CaptchaBlocked
	}
	return fetch.Malformed
}

// containsAny reports whether a text contains one of the phrases, not counting a repetition of the query.
func containsAny(text, query string, phrases ...string) bool {
	query = strings.Join(strings.Fields(query), "")
	for _, p := range phrases {
		if strings.Contains(text, p) && !strings.Contains(query, p) {
			return true
		}
	}
	return false
}
